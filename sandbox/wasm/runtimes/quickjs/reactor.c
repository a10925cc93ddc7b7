/*
 * QuickJS-NG as a reactor: functions that a host calls on an instance of the module; their meaning stands in ../README.md. What
 * programs written for Node expect (console, process, require) is written in JavaScript in this folder and compiled in; it asks for the
 * few things that need the system through the functions of `host` below. All of them throw nothing: a failed call answers a
 * negative errno. It stays one file because the functions of `host` are short and of one form, and the rest is the interface.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "quickjs.h"

#define EXPORT(name) __attribute__((export_name(name)))
#define HOST(name) static JSValue name(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv)

/*
 * Frames of JavaScript live on this stack and on the machine's, which the engine that runs the module bounds (50 MB in wazero, met near 4 MB of
 * ours): 2.5 MB let simple recursion go about 7,800 calls deep, and end in a RangeError that a program can catch rather than in a trap.
 */
#define JS_STACK (2560 << 10)

static JSRuntime *rt;
static JSContext *ctx;
static JSValue prelude; /* the object that the last file of the prelude answers: start, tick, drain, rejected, load, leave */

static JSValue fail(void) { return JS_NewInt32(ctx, -errno); }

static int number(JSValueConst v)
{
	int32_t n = 0;

	JS_ToInt32(ctx, &n, v);
	return n;
}

HOST(host_write)
{
	size_t length, done = 0;
	const char *text = NULL;
	const uint8_t *bytes;

	if (JS_IsString(argv[1]))
		bytes = (const uint8_t *)(text = JS_ToCStringLen(ctx, &length, argv[1]));
	else
		bytes = JS_GetArrayBuffer(ctx, &length, argv[1]);
	if (bytes == NULL)
		return JS_EXCEPTION;
	while (done < length) {
		ssize_t n = write(number(argv[0]), bytes + done, length - done);
		if (n < 0)
			break;
		done += n;
	}
	if (text != NULL)
		JS_FreeCString(ctx, text);
	return done < length ? fail() : JS_NewInt64(ctx, length);
}

HOST(host_read)
{
	int size = number(argv[1]);
	uint8_t *bytes = malloc(size > 0 ? size : 1);
	JSValue result;
	ssize_t n;

	if (bytes == NULL)
		return JS_ThrowOutOfMemory(ctx);
	n = read(number(argv[0]), bytes, size);
	result = n < 0 ? fail() : JS_NewArrayBufferCopy(ctx, bytes, n);
	free(bytes);
	return result;
}

/* with_path calls f with the path in argv[0] and answers its result, or a negative errno. */
static JSValue with_path(JSValueConst *argv, int (*f)(const char *, int), int x)
{
	const char *path = JS_ToCString(ctx, argv[0]);
	int n;

	if (path == NULL)
		return JS_EXCEPTION;
	n = f(path, x);
	JS_FreeCString(ctx, path);
	return n < 0 ? fail() : JS_NewInt32(ctx, n);
}

static int open_path(const char *path, int flags)
{
	static const int bits[] = {O_RDONLY, O_WRONLY, O_RDWR};

	return open(path, bits[flags & 3] | (flags & 4 ? O_CREAT : 0) | (flags & 8 ? O_TRUNC : 0) | (flags & 16 ? O_APPEND : 0) |
			  (flags & 32 ? O_EXCL : 0), 0666);
}

static int make_dir(const char *path, int mode) { return mkdir(path, mode); }
static int remove_dir(const char *path, int x) { return rmdir(path); }
static int remove_file(const char *path, int x) { return unlink(path); }
static int change_dir(const char *path, int x) { return chdir(path); }

HOST(host_open) { return with_path(argv, open_path, number(argv[1])); }
HOST(host_mkdir) { return with_path(argv, make_dir, 0777); }
HOST(host_rmdir) { return with_path(argv, remove_dir, 0); }
HOST(host_unlink) { return with_path(argv, remove_file, 0); }
HOST(host_chdir) { return with_path(argv, change_dir, 0); }
HOST(host_close) { return close(number(argv[0])) < 0 ? fail() : JS_NewInt32(ctx, 0); }

HOST(host_rename)
{
	const char *from = JS_ToCString(ctx, argv[0]), *to = JS_ToCString(ctx, argv[1]);
	int n = -1;

	if (from != NULL && to != NULL)
		n = rename(from, to);
	JS_FreeCString(ctx, from);
	JS_FreeCString(ctx, to);
	return n < 0 ? fail() : JS_NewInt32(ctx, 0);
}

/* host_stat answers [mode, size, modification time in ms] of a path or a descriptor. */
HOST(host_stat)
{
	struct stat st;
	const char *path;
	JSValue result;
	int n;

	if (JS_IsNumber(argv[0])) {
		n = fstat(number(argv[0]), &st);
	} else {
		if ((path = JS_ToCString(ctx, argv[0])) == NULL)
			return JS_EXCEPTION;
		n = stat(path, &st);
		JS_FreeCString(ctx, path);
	}
	if (n < 0)
		return fail();
	result = JS_NewArray(ctx);
	JS_SetPropertyUint32(ctx, result, 0, JS_NewInt32(ctx, st.st_mode));
	JS_SetPropertyUint32(ctx, result, 1, JS_NewInt64(ctx, st.st_size));
	JS_SetPropertyUint32(ctx, result, 2, JS_NewFloat64(ctx, st.st_mtim.tv_sec * 1e3 + st.st_mtim.tv_nsec / 1e6));
	return result;
}

HOST(host_list)
{
	const char *path = JS_ToCString(ctx, argv[0]);
	DIR *dir = path == NULL ? NULL : opendir(path);
	JSValue names;
	struct dirent *entry;
	uint32_t i = 0;

	JS_FreeCString(ctx, path);
	if (dir == NULL)
		return fail();
	names = JS_NewArray(ctx);
	while ((entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			JS_SetPropertyUint32(ctx, names, i++, JS_NewString(ctx, entry->d_name));
	closedir(dir);
	return names;
}

HOST(host_cwd)
{
	char path[4096];

	return getcwd(path, sizeof path) == NULL ? fail() : JS_NewString(ctx, path);
}

/* host_error answers the text of an errno, and its name where it is one of those that programs ask for. */
HOST(host_error)
{
	static const struct { int code; const char *name; } names[] = {
		{ENOENT, "ENOENT"}, {EEXIST, "EEXIST"}, {EACCES, "EACCES"}, {EPERM, "EPERM"}, {ENOTDIR, "ENOTDIR"}, {EISDIR, "EISDIR"},
		{ENOTEMPTY, "ENOTEMPTY"}, {EBADF, "EBADF"}, {EINVAL, "EINVAL"}, {ENOSPC, "ENOSPC"}, {EROFS, "EROFS"}, {EMFILE, "EMFILE"},
		{EPIPE, "EPIPE"}, {EAGAIN, "EAGAIN"}, {ENOSYS, "ENOSYS"}, {EXDEV, "EXDEV"},
	};
	JSValue pair = JS_NewArray(ctx);
	int code = -number(argv[0]);
	const char *name = "EIO";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].code == code)
			name = names[i].name;
	JS_SetPropertyUint32(ctx, pair, 0, JS_NewString(ctx, name));
	JS_SetPropertyUint32(ctx, pair, 1, JS_NewString(ctx, strerror(code)));
	return pair;
}

/* host_now answers monotonic milliseconds. */
HOST(host_now)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return JS_NewFloat64(ctx, t.tv_sec * 1e3 + t.tv_nsec / 1e6);
}

static void sleep_ms(double ms)
{
	struct timespec t = {(time_t)(ms / 1e3), 0};

	t.tv_nsec = (long)((ms - t.tv_sec * 1e3) * 1e6);
	nanosleep(&t, NULL);
}

HOST(host_sleep)
{
	double ms = 0;

	JS_ToFloat64(ctx, &ms, argv[0]);
	sleep_ms(ms);
	return JS_UNDEFINED;
}

HOST(host_exit) { _Exit(number(argv[0]) & 255); }

HOST(host_random)
{
	uint8_t bytes[256];
	int n = number(argv[0]);

	if (n < 0 || n > (int)sizeof bytes || getentropy(bytes, n) != 0)
		return JS_NewInt32(ctx, -EINVAL);
	return JS_NewArrayBufferCopy(ctx, bytes, n);
}

/* set_url tells a module where it comes from. */
static void set_url(JSModuleDef *module, const char *name)
{
	JSValue meta = JS_GetImportMeta(ctx, module);
	char url[4200];

	snprintf(url, sizeof url, "file://%s", name);
	JS_DefinePropertyValueStr(ctx, meta, "url", JS_NewString(ctx, url), JS_PROP_C_W_E);
	JS_DefinePropertyValueStr(ctx, meta, "filename", JS_NewString(ctx, name), JS_PROP_C_W_E);
	JS_FreeValue(ctx, meta);
}

/* host_evaluate runs source text in the global scope; as a module (third argument true) it answers the promise of its end. */
HOST(host_evaluate)
{
	size_t length;
	const char *source = JS_ToCStringLen(ctx, &length, argv[0]), *name = JS_ToCString(ctx, argv[1]);
	JSEvalOptions options = {.version = JS_EVAL_OPTIONS_VERSION, .filename = name, .line_num = number(argv[3]) + 1};
	JSValue result = JS_EXCEPTION;

	bool module = JS_ToBool(ctx, argv[2]);

	options.eval_flags = module ? JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY : JS_EVAL_TYPE_GLOBAL;
	if (source != NULL && name != NULL)
		result = JS_Eval2(ctx, source, length, &options);
	if (module && !JS_IsException(result)) {
		set_url(JS_VALUE_GET_PTR(result), name);
		result = JS_EvalFunction(ctx, result);
	}
	JS_FreeCString(ctx, source);
	JS_FreeCString(ctx, name);
	return result;
}

HOST(host_encode)
{
	size_t length;
	const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
	JSValue result;

	if (text == NULL)
		return JS_EXCEPTION;
	result = JS_NewArrayBufferCopy(ctx, (const uint8_t *)text, length);
	JS_FreeCString(ctx, text);
	return result;
}

HOST(host_decode)
{
	size_t length;
	uint8_t *bytes = JS_GetArrayBuffer(ctx, &length, argv[0]);
	size_t from = number(argv[1]), to = number(argv[2]);

	if (bytes == NULL)
		return length == 0 ? JS_NewString(ctx, "") : JS_EXCEPTION;
	if (to > length || from > to)
		return JS_NewString(ctx, "");
	return JS_NewStringLen(ctx, (const char *)bytes + from, to - from);
}

/* host_look answers what a value is beneath its properties: [class name], and state and result of a promise or target and handler of a proxy. */
HOST(host_look)
{
	JSValue answer = JS_NewArray(ctx), first = JS_UNDEFINED, second = JS_UNDEFINED;
	JSAtom name = JS_GetClassName(rt, JS_GetClassID(argv[0]));

	if (JS_IsProxy(argv[0])) {
		first = JS_GetProxyTarget(ctx, argv[0]);
		second = JS_GetProxyHandler(ctx, argv[0]);
	} else if (JS_IsPromise(argv[0])) {
		first = JS_NewInt32(ctx, JS_PromiseState(ctx, argv[0]));
		if (JS_PromiseState(ctx, argv[0]) != JS_PROMISE_PENDING)
			second = JS_PromiseResult(ctx, argv[0]);
	}
	JS_SetPropertyUint32(ctx, answer, 0, JS_AtomToString(ctx, name));
	JS_SetPropertyUint32(ctx, answer, 1, first);
	JS_SetPropertyUint32(ctx, answer, 2, second);
	JS_FreeAtom(ctx, name);
	return answer;
}

HOST(host_collect)
{
	JS_RunGC(rt);
	return JS_UNDEFINED;
}

HOST(host_jobs)
{
	JSContext *other;
	int n;

	while ((n = JS_ExecutePendingJob(rt, &other)) > 0)
		;
	return n < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* Math.random: xoroshiro128+ (Blackman and Vigna, 2018), seeded by rt_main. The engine's own is seeded once, by the clock. */
static uint64_t random_state[2] = {1, 2};

HOST(math_random)
{
	uint64_t a = random_state[0], b = random_state[1], sum = a + b;

	b ^= a;
	random_state[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
	random_state[1] = (b << 37) | (b >> 27);
	return JS_NewFloat64(ctx, (sum >> 11) * 0x1.0p-53);
}

static const JSCFunctionListEntry host_functions[] = {
	JS_CFUNC_DEF("write", 2, host_write), JS_CFUNC_DEF("read", 2, host_read), JS_CFUNC_DEF("open", 2, host_open),
	JS_CFUNC_DEF("close", 1, host_close), JS_CFUNC_DEF("stat", 1, host_stat), JS_CFUNC_DEF("list", 1, host_list),
	JS_CFUNC_DEF("mkdir", 1, host_mkdir), JS_CFUNC_DEF("rmdir", 1, host_rmdir), JS_CFUNC_DEF("unlink", 1, host_unlink),
	JS_CFUNC_DEF("rename", 2, host_rename), JS_CFUNC_DEF("chdir", 1, host_chdir), JS_CFUNC_DEF("cwd", 0, host_cwd),
	JS_CFUNC_DEF("error", 1, host_error), JS_CFUNC_DEF("now", 0, host_now), JS_CFUNC_DEF("sleep", 1, host_sleep),
	JS_CFUNC_DEF("exit", 1, host_exit), JS_CFUNC_DEF("random", 1, host_random), JS_CFUNC_DEF("evaluate", 4, host_evaluate),
	JS_CFUNC_DEF("encode", 1, host_encode), JS_CFUNC_DEF("decode", 3, host_decode),
	JS_CFUNC_DEF("look", 1, host_look), JS_CFUNC_DEF("collect", 0, host_collect), JS_CFUNC_DEF("jobs", 0, host_jobs),
};

/* The files of the prelude, in order; each is a function expression of (host, modules). */
static const char errors_js[] = {
#embed "errors.js"
	, 0
};
static const char inspect_js[] = {
#embed "inspect.js"
	, 0
};
static const char bytes_js[] = {
#embed "bytes.js"
	, 0
};
static const char equal_js[] = {
#embed "equal.js"
	, 0
};
static const char files_js[] = {
#embed "files.js"
	, 0
};
static const char events_js[] = {
#embed "events.js"
	, 0
};
static const char process_js[] = {
#embed "process.js"
	, 0
};
static const char modules_js[] = {
#embed "modules.js"
	, 0
};

static const struct { const char *name, *source; size_t length; } prelude_files[] = {
	{"node:internal/errors", errors_js, sizeof errors_js - 1},
	{"node:internal/inspect", inspect_js, sizeof inspect_js - 1},
	{"node:internal/bytes", bytes_js, sizeof bytes_js - 1},
	{"node:internal/equal", equal_js, sizeof equal_js - 1},
	{"node:internal/files", files_js, sizeof files_js - 1},
	{"node:internal/events", events_js, sizeof events_js - 1},
	{"node:internal/process", process_js, sizeof process_js - 1},
	{"node:internal/modules", modules_js, sizeof modules_js - 1},
};

/* show writes the pending exception, for faults of our own files. */
static void show(void)
{
	JSValue error = JS_GetException(ctx), stack = JS_GetPropertyStr(ctx, error, "stack");
	const char *text = JS_ToCString(ctx, error), *frames = JS_ToCString(ctx, stack);

	fprintf(stderr, "quickjs: %s\n%s\n", text ? text : "error", frames ? frames : "");
	JS_FreeCString(ctx, text);
	JS_FreeCString(ctx, frames);
	JS_FreeValue(ctx, stack);
	JS_FreeValue(ctx, error);
}

/* call calls a function of the prelude and frees the arguments. An exception is shown and is status 70. */
static int call(const char *name, int argc, JSValue *argv)
{
	JSValue function = JS_GetPropertyStr(ctx, prelude, name), result;
	int status = 70;

	result = JS_Call(ctx, function, prelude, argc, argv);
	if (JS_IsException(result))
		show();
	else
		status = number(result);
	for (int i = 0; i < argc; i++)
		JS_FreeValue(ctx, argv[i]);
	JS_FreeValue(ctx, result);
	JS_FreeValue(ctx, function);
	return status;
}

static void on_rejection(JSContext *c, JSValueConst promise, JSValueConst reason, bool handled, void *opaque)
{
	JSValue argv[] = {JS_DupValue(c, promise), JS_DupValue(c, reason), JS_NewBool(c, handled)};

	if (JS_IsObject(prelude))
		call("rejected", 3, argv);
}

/* A module's name and text come from the prelude: the resolved name, and source text for files and for built-in modules alike. */
static char *ask(const char *function, JSContext *c, const char *a, const char *b)
{
	JSValue f = JS_GetPropertyStr(c, prelude, function), argv[] = {JS_NewString(c, a), JS_NewString(c, b)}, result;
	const char *text;
	char *copy = NULL;

	result = JS_Call(c, f, prelude, 2, argv);
	if (!JS_IsException(result) && (text = JS_ToCString(c, result)) != NULL) {
		copy = js_strdup(c, text);
		JS_FreeCString(c, text);
	}
	JS_FreeValue(c, argv[0]);
	JS_FreeValue(c, argv[1]);
	JS_FreeValue(c, result);
	JS_FreeValue(c, f);
	return copy;
}

static char *module_name(JSContext *c, const char *base, const char *name, void *opaque) { return ask("resolve", c, base, name); }

static JSModuleDef *module_load(JSContext *c, const char *name, void *opaque)
{
	char *source = ask("source", c, name, "");
	JSModuleDef *module = NULL;
	JSValue function;

	if (source == NULL)
		return NULL;
	function = JS_Eval(c, source, strlen(source), name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
	js_free(c, source);
	if (JS_IsException(function))
		return NULL;
	module = JS_VALUE_GET_PTR(function);
	set_url(module, name);
	JS_FreeValue(c, function);
	return module;
}

static int load_prelude(JSValue host)
{
	JSValue modules = JS_NewObject(ctx), function;

	for (size_t i = 0; i < sizeof prelude_files / sizeof *prelude_files; i++) {
		JSValue argv[] = {host, modules};

		function = JS_Eval(ctx, prelude_files[i].source, prelude_files[i].length, prelude_files[i].name, JS_EVAL_TYPE_GLOBAL);
		JS_FreeValue(ctx, prelude);
		prelude = JS_Call(ctx, function, JS_UNDEFINED, 2, argv);
		JS_FreeValue(ctx, function);
		if (JS_IsException(prelude)) {
			show();
			return 1;
		}
	}
	JS_FreeValue(ctx, modules);
	JS_FreeValue(ctx, host);
	return 0;
}

EXPORT("rt_init") int rt_init(void)
{
	JSValue host, global, math;

	if ((rt = JS_NewRuntime()) == NULL || (ctx = JS_NewContext(rt)) == NULL)
		return 1;
	JS_SetMaxStackSize(rt, JS_STACK);
	JS_UpdateStackTop(rt);
	JS_SetHostPromiseRejectionTracker(rt, on_rejection, NULL);
	JS_SetModuleLoaderFunc(rt, module_name, module_load, NULL);
	prelude = JS_UNDEFINED;
	global = JS_GetGlobalObject(ctx);
	math = JS_GetPropertyStr(ctx, global, "Math");
	JS_DefinePropertyValueStr(ctx, math, "random", JS_NewCFunction(ctx, math_random, "random", 0), JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
	JS_FreeValue(ctx, math);
	JS_FreeValue(ctx, global);
	host = JS_NewObject(ctx);
	JS_SetPropertyFunctionList(ctx, host, host_functions, sizeof host_functions / sizeof *host_functions);
	return load_prelude(host);
}

EXPORT("rt_alloc") void *rt_alloc(int size) { return malloc(size > 0 ? (size_t)size : 1); }

EXPORT("rt_exec") int rt_exec(const char *source, int length)
{
	JSValue argv[] = {JS_NewStringLen(ctx, source, length)};

	JS_UpdateStackTop(rt);
	return call("load", 1, argv);
}

EXPORT("rt_freeze") int rt_freeze(void)
{
	JS_RunGC(rt);
	return 0;
}

/* words makes an array of the NUL-terminated strings in a block. */
static JSValue words(const char *block, int length)
{
	JSValue list = JS_NewArray(ctx);
	uint32_t i = 0;

	for (const char *end = block + length; block < end; block += strlen(block) + 1)
		JS_SetPropertyUint32(ctx, list, i++, JS_NewString(ctx, block));
	return list;
}

EXPORT("rt_main") int rt_main(const char *args, int args_length, const char *env, int env_length, const char *dir, int dir_length)
{
	JSValue argv[] = {words(args, args_length), words(env, env_length), JS_NewStringLen(ctx, dir, dir_length)};
	int wait;

	if (getentropy(random_state, sizeof random_state) != 0 || (random_state[0] | random_state[1]) == 0)
		random_state[0] = 1;
	JS_UpdateStackTop(rt);
	if (call("start", 3, argv) != 0)
		return call("leave", 0, NULL) & 255;
	while ((wait = call("tick", 0, NULL)) >= 0)
		if (wait > 0)
			sleep_ms(wait);
	return call("leave", 0, NULL) & 255;
}
