// Package seccomp builds the system-call filter of a native job.
//
// Theory. The filter is an allow-list: what is not named here is refused, so a system call that a future kernel adds is
// closed until somebody reads about it. In order:
//
//  1. Another architecture (int 0x80 on amd64 reaches the 32-bit table) and x32 numbers end the process (SIGSYS): their
//     numbers mean other calls, so none can be let through by number, and no honest program uses them.
//  2. A number above the newest one known here, and clone3, get ENOSYS: libraries then fall back to the older call. clone3
//     keeps its flags in memory, where a filter cannot read them.
//  3. Calls whose danger lies in an argument are looked at: clone may not make namespaces, socketpair may only be of
//     AF_UNIX, prlimit64 may only name the caller, ioctl may not push characters into a terminal, personality may only ask
//     or switch address randomisation off.
//  4. What remains is allowed, or refused with EPERM.
//
// socket gets EPERM for every family: a job has a network namespace without any interface, so nothing is lost, and the
// kernel's protocol families (netlink, packet, vsock, alg, …) stay out of reach. Numbers are sorted into ranges and
// found by binary search, about eight comparisons a call instead of hundreds. Source: seccomp(2), kernel
// Documentation/userspace-api/seccomp_filter.rst.
package seccomp

//go:generate go run gen.go

// allowed are the calls that every job may make, whatever their arguments. A name that an architecture lacks is left out
// of that architecture's table. Not here, each for its reason:
//
//	unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
//	swapon swapoff quotactl reboot syslog acct sethostname setdomainname (the machine, other namespaces)
//	ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd (other processes)
//	io_uring_* bpf perf_event_open userfaultfd (large attack surfaces; io_uring passes by this filter)
//	add_key request_key keyctl (keyrings are shared between jobs of a uid)
//	open_by_handle_at name_to_handle_at fanotify_* (files past the mount tree)
//	init_module finit_module delete_module kexec_* iopl ioperm settimeofday clock_settime adjtimex (root only)
//	mbind set_mempolicy migrate_pages move_pages (placement on the host's memory)
//	sched_setscheduler sched_setattr are allowed: a job has a CPU group of its own, so they buy nothing.
var allowed = []string{
	// files
	"read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "lseek",
	"open", "openat", "openat2", "creat", "close", "close_range", "dup", "dup2", "dup3", "fcntl", "flock",
	"stat", "lstat", "fstat", "newfstatat", "fstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2",
	"truncate", "ftruncate", "fallocate", "fadvise64", "readahead", "sync_file_range", "fsync", "fdatasync", "sync", "syncfs",
	"getdents", "getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename",
	"renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "readlink", "readlinkat", "mknod", "mknodat",
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "umask", "utime", "utimes",
	"utimensat", "futimesat", "getxattr", "lgetxattr", "fgetxattr", "setxattr", "lsetxattr", "fsetxattr", "listxattr",
	"llistxattr", "flistxattr", "removexattr", "lremovexattr", "fremovexattr", "sendfile", "copy_file_range", "splice",
	"tee", "vmsplice", "pipe", "pipe2", "memfd_create", "inotify_init", "inotify_init1", "inotify_add_watch",
	"inotify_rm_watch", "cachestat",
	// waiting
	"poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
	"epoll_pwait2", "eventfd", "eventfd2", "signalfd", "signalfd4", "timerfd_create", "timerfd_settime", "timerfd_gettime",
	"nanosleep", "clock_nanosleep", "pause", "alarm", "getitimer", "setitimer", "timer_create", "timer_settime",
	"timer_gettime", "timer_getoverrun", "timer_delete", "restart_syscall",
	// memory
	"mmap", "munmap", "mprotect", "mremap", "madvise", "msync", "mincore", "brk", "mlock", "mlock2", "munlock", "mlockall",
	"munlockall", "membarrier", "pkey_alloc", "pkey_free", "pkey_mprotect", "get_mempolicy", "shmget", "shmat", "shmdt",
	"shmctl", "semget", "semop", "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
	"mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr", "remap_file_pages", "mseal", "map_shadow_stack",
	// processes and threads
	"fork", "vfork", "execve", "execveat", "exit", "exit_group", "wait4", "waitid", "getpid", "getppid", "gettid",
	"getpgid", "getpgrp", "setpgid", "getsid", "setsid", "set_tid_address", "futex", "futex_waitv", "futex_wake",
	"futex_wait", "futex_requeue", "set_robust_list", "get_robust_list", "rseq", "arch_prctl", "prctl", "getrlimit",
	"setrlimit", "getrusage", "times", "getpriority", "setpriority", "ioprio_get", "ioprio_set", "sched_yield",
	"sched_getaffinity", "sched_setaffinity", "sched_getparam", "sched_setparam", "sched_getscheduler",
	"sched_setscheduler", "sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval", "sched_getattr",
	"sched_setattr", "getcpu", "pidfd_open", "pidfd_send_signal", "landlock_create_ruleset", "landlock_add_rule",
	"landlock_restrict_self",
	// signals
	"kill", "tkill", "tgkill", "rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
	"rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack",
	// identity: a job holds no capability, so changing to another is refused by the kernel
	"getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "setuid", "setgid", "setreuid",
	"setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups", "capget", "capset",
	// the machine, read only
	"uname", "sysinfo", "time", "gettimeofday", "clock_gettime", "clock_getres", "getrandom",
	// connected pairs: made by socketpair or given by the engine, never by socket
	"sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown", "getsockname", "getpeername",
	"getsockopt", "setsockopt",
}

// examined are allowed depending on an argument, by a rule of filter.go.
var examined = []string{"clone", "clone3", "socketpair", "prlimit64", "ioctl", "personality"}
