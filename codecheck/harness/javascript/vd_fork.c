// The part of the fork server that JavaScript cannot say: packets with descriptors, and a fork by raw system calls.
//
// The library is both preloaded, so that it sees the threads and the fork handlers of the process, and loaded as an addon
// (Node-API, whose binary interface is stable; the few declarations needed stand here). After the fork a child has one thread, and
// the event loop gets descriptors of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_info;
typedef napi_value (*napi_callback)(napi_env, napi_info);
extern int napi_get_cb_info(napi_env, napi_info, size_t *, napi_value *, napi_value *, void **);
extern int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
extern int napi_create_array(napi_env, napi_value *);
extern int napi_set_element(napi_env, napi_value, uint32_t, napi_value);
extern int napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);
extern int napi_create_int32(napi_env, int32_t, napi_value *);
extern int napi_create_double(napi_env, double, napi_value *);
extern int napi_get_value_int32(napi_env, napi_value, int32_t *);
extern int napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
extern int napi_get_arraybuffer_info(napi_env, napi_value, void **, size_t *);

// --- what the process had before the fork

enum { CONTROL = 3 }; // descriptor of the protocol
enum { MAX_THREADS = 64, MAX_HANDLERS = 64, MAX_KEPT = 64 };
static pthread_t threads[MAX_THREADS];
static void (*handlers[MAX_HANDLERS])(void);
static int thread_count, handler_count, forked;
static int kept[MAX_KEPT], kept_count, exit_code = 1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    int r = real(thread, attr, start, arg);
    if (r == 0 && !forked) {
        int at = __atomic_fetch_add(&thread_count, 1, __ATOMIC_SEQ_CST);
        if (at < MAX_THREADS) threads[at] = *thread;
    }
    return r;
}

int pthread_join(pthread_t thread, void **value) {
    static int (*real)(pthread_t, void **);
    if (forked)
        for (int i = 0; i < thread_count && i < MAX_THREADS; i++)
            if (pthread_equal(threads[i], thread)) _exit(exit_code); // it stayed behind; see code
    if (!real) real = dlsym(RTLD_NEXT, "pthread_join");
    return real(thread, value);
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *handle) {
    static int (*real)(void (*)(void), void (*)(void), void (*)(void), void *);
    if (!real) real = dlsym(RTLD_NEXT, "__register_atfork");
    if (child && handler_count < MAX_HANDLERS) handlers[handler_count++] = child;
    return real ? real(prepare, parent, child, handle) : 0;
}

// V8 asks for its heap to be left out of forks, which usually exec.
int madvise(void *start, size_t size, int advice) {
    return advice == MADV_DONTFORK ? 0 : (int)syscall(SYS_madvise, start, size, advice);
}

// --- calls from JavaScript

static void arguments(napi_env env, napi_info info, napi_value *argv, size_t n) {
    napi_get_cb_info(env, info, &n, argv, NULL, NULL);
}

static int number(napi_env env, napi_value v) {
    int32_t n = -1;
    napi_get_value_int32(env, v, &n);
    return n;
}

static napi_value from_int(napi_env env, int n) {
    napi_value v = NULL;
    napi_create_int32(env, n, &v);
    return v;
}

// receive(fd): [text, descriptor…]; an empty text at the end.
static napi_value receive(napi_env env, napi_info info) {
    static char room[256 << 10];
    napi_value argv[1], list, v;
    arguments(env, info, argv, 1);
    union { char bytes[CMSG_SPACE(32 * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {room, sizeof room};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t n;
    do n = recvmsg(number(env, argv[0]), &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    napi_create_array(env, &list);
    napi_create_string_utf8(env, room, n > 0 ? (size_t)n : 0, &v);
    napi_set_element(env, list, 0, v);
    uint32_t at = 1;
    for (struct cmsghdr *c = n >= 0 ? CMSG_FIRSTHDR(&m) : NULL; c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            napi_set_element(env, list, at++, from_int(env, fd));
        }
    }
    return list;
}

// move(from, to) gives a descriptor another number.
static napi_value move(napi_env env, napi_info info) {
    napi_value argv[2];
    arguments(env, info, argv, 2);
    int from = number(env, argv[0]), to = number(env, argv[1]);
    if (from != to && dup3(from, to, O_CLOEXEC) >= 0) close(from);
    return NULL;
}

static void *buffer(napi_env env, napi_value v) {
    void *data = NULL;
    size_t size;
    napi_get_arraybuffer_info(env, v, &data, &size);
    return data;
}

// address(buffer) is where an ArrayBuffer's bytes are.
static napi_value address(napi_env env, napi_info info) {
    napi_value argv[1], v = NULL;
    arguments(env, info, argv, 1);
    napi_create_double(env, (double)(uintptr_t)buffer(env, argv[0]), &v); // user space has 47 bits, a double 53
    return v;
}

// code(n) notes what the process is about to end with. A child's last act in JavaScript; what Node does after that is to end its threads
// and to free what they share, which a child has not: at the first of them it ends.
static napi_value code(napi_env env, napi_info info) {
    napi_value argv[1];
    arguments(env, info, argv, 1);
    exit_code = number(env, argv[0]) & 255;
    return NULL;
}

// keep() notes which descriptors the process has. A child loses them, but the event loops of threads that stayed behind are told to end
// when the child does, and libuv aborts where it cannot write to one: something harmless takes their numbers.
static napi_value keep(napi_env env, napi_info info) {
    (void)env, (void)info;
    for (int fd = CONTROL + 1; fd < 256 && kept_count < MAX_KEPT; fd++)
        if (fcntl(fd, F_GETFD) >= 0) kept[kept_count++] = fd;
    return NULL;
}

static void fill_kept(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), among = 0;
    for (int i = 0; i < kept_count; i++) {
        if (kept[i] == fd) among = 1;
        else dup3(fd, kept[i], O_CLOEXEC); // one over the limit of descriptors is left out: the interpreter's own are low
    }
    if (!among) close(fd);
}

static int no_workers(void *platform) {
    (void)platform;
    return 0;
}

// alone() tells V8 that it has no threads to give work to: in its own flags that is said, but Node counts the thread of its timers,
// and a child would wait for that thread to do a part of a garbage collection. False where Node is not as it is known here.
static int say_alone(void) {
    void **table = dlsym(RTLD_DEFAULT, "_ZTVN4node12NodePlatformE");
    void *count = dlsym(RTLD_DEFAULT, "_ZN4node12NodePlatform21NumberOfWorkerThreadsEv");
    if (!table || !count) return 0;
    for (int i = 2; i < 64; i++) { // behind the offset and the type, methods in the order of their declaration
        if (table[i] != count) continue;
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)&table[i] & ~(page - 1);
        if (mprotect((void *)start, 2 * page, PROT_READ | PROT_WRITE) != 0) return 0;
        table[i] = (void *)no_workers;
        return 1;
    }
    return 0;
}

static napi_value alone(napi_env env, napi_info info) {
    (void)info;
    return from_int(env, say_alone());
}

// What a fork does, as vd_server.js writes it.
struct order {
    uint64_t clone[11];
    int64_t report, count;
    struct { int64_t number, ignore, arg[6]; } calls[];
};

extern void *uv_default_loop(void);
extern int uv_loop_fork(void *);

// The child's part: its walls, then what the process needs to go on alone.
static void child(const struct order *o) {
    forked = 1;
    for (int64_t i = 0; i < o->count; i++) {
        const int64_t *a = o->calls[i].arg;
        if (syscall(o->calls[i].number, a[0], a[1], a[2], a[3], a[4], a[5]) >= 0 || o->calls[i].ignore) continue;
        int failure[2] = {(int)i, errno};
        if (write((int)o->report, failure, sizeof failure) < 0) _exit(124);
        _exit(125);
    }
    fill_kept();
    for (int i = 0; i < handler_count; i++) handlers[i]();
    if (uv_loop_fork(uv_default_loop()) != 0) _exit(124);
}

// fork(buffer): the child's number, 0 in the child, -errno.
static napi_value fork_by(napi_env env, napi_info info) {
    napi_value argv[1];
    arguments(env, info, argv, 1);
    struct order *o = buffer(env, argv[0]);
    long pid = syscall(SYS_clone3, o->clone, sizeof o->clone);
    if (pid == 0) child(o);
    return from_int(env, pid < 0 ? -errno : (int)pid);
}

// environment(name, value, …) puts these in the place of the whole environment.
static napi_value environment(napi_env env, napi_info info) {
    napi_value argv[256];
    size_t n = 256;
    napi_get_cb_info(env, info, &n, argv, NULL, NULL);
    clearenv();
    for (size_t i = 0; i + 1 < n; i += 2) {
        char name[1024], value[8192];
        if (napi_get_value_string_utf8(env, argv[i], name, sizeof name, NULL) == 0 &&
            napi_get_value_string_utf8(env, argv[i + 1], value, sizeof value, NULL) == 0)
            setenv(name, value, 1);
    }
    return NULL;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    const struct { const char *name; napi_callback f; } all[] = {{"receive", receive}, {"move", move}, {"address", address}, {"keep", keep}, {"code", code}, {"alone", alone}, {"fork", fork_by}, {"environment", environment}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        napi_value f;
        napi_create_function(env, all[i].name, strlen(all[i].name), all[i].f, NULL, &f);
        napi_set_named_property(env, exports, all[i].name, f);
    }
    return exports;
}
