# Run once in the image of Python: what programs ask for in vain is told to the host, by its name, so that a failure can be said to be
# this backend's and not the program's.
import builtins
import errno
import os
import sys


def lacks(name):
    try:
        fd = os_open("/dev/lacks", os.O_WRONLY)
        os_write(fd, name.encode())
        os_close(fd)
    except OSError:
        pass


os_open, os_write, os_close = os.open, os.write, os.close

# Modules that a native Python of the usual systems has, or that programs often expect, and what is missing here.
ABSENT = {
    "sockets": "ssl _ssl _multiprocessing".split(),
    "processes": "multiprocessing _posixsubprocess pty resource fcntl termios".split(),
    "native packages": """numpy pandas scipy sklearn matplotlib torch tensorflow sympy networkx PIL cv2 lxml yaml regex requests numba cython
sortedcontainers""".split(),
    "native modules": "ctypes _ctypes sqlite3 _sqlite3 bz2 _bz2 lzma _lzma mmap curses readline dbm".split(),
}
WHY = {name: why for why, names in ABSENT.items() for name in names}


def asked_by_program():
    """Whether it is the program that asks for a name, and not a library that looks what there is."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is None or not frame.f_code.co_filename.startswith("/lib/")


class Last:
    """Asked for modules that nothing else has found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        why = WHY.get(name) or WHY.get(name.partition(".")[0])
        if why and asked_by_program():
            lacks(why)
        return None


sys.meta_path.append(Last)


def refuse(name, error):
    def refused(*args, **kwargs):
        lacks(name)
        raise error
    return refused


def patch():
    import _thread
    import subprocess
    import threading

    no_threads = RuntimeError("can't start new thread")
    for module in (_thread, threading):
        for name in ("start_new_thread", "start_new", "_start_new_thread"):
            if hasattr(module, name):
                setattr(module, name, refuse("threads", no_threads))
    import socket

    socket.socket.__init__ = socket.getaddrinfo = socket.create_connection = refuse("sockets", OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP)))
    socket.socket.__del__ = lambda self: None
    no_processes = OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
    subprocess.Popen.__init__ = refuse("processes", no_processes)
    subprocess.Popen.__del__ = lambda self, **kwargs: None
    os.dup = os.dup2 = refuse("descriptors", OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP)))
    for name in ("fork", "forkpty", "system", "popen", "execv", "execve", "posix_spawn", "kill"):
        if not hasattr(os, name) or name == "popen":
            setattr(os, name, refuse("processes", no_processes))


MISSING = {}  # of each module: name to what is lacking


def missing(module, why, names):
    """Names that this interpreter's module does not have, and a native one has."""
    table = MISSING.setdefault(module, {})
    table.update((n, why) for n in names.split() if not hasattr(module, n))

    def __getattr__(name):
        if name in table and asked_by_program():
            lacks(table[name])
        raise AttributeError("module %r has no attribute %r" % (module.__name__, name))
    module.__getattr__ = __getattr__


def open_as_posix(path, flags, mode=0o777, *, dir_fd=None):
    """os.open where the flag for reading is 0, as programs have it that write the number."""
    if not flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR):
        flags |= os.O_RDONLY
    return os_open(path, flags, mode, dir_fd=dir_fd)


os.open = open_as_posix
patch()
missing(os, "processes", """getppid pipe pipe2 wait wait3 wait4 waitpid waitid killpg setsid setpgid getpgid getpgrp getsid getuid geteuid
getgid getegid nice sched_getaffinity sched_yield umask chown lchown fchown mkfifo openpty login_tty chroot memfd_create execl execvp spawnv
spawnl spawnvp posix_spawnp getloadavg getpriority times""")
import select
import shutil
import signal

missing(os, "file systems", "statvfs fstatvfs")
missing(shutil, "file systems", "disk_usage chown")
missing(select, "descriptors", "epoll poll kqueue")
missing(signal, "signals", """alarm setitimer getitimer pause sigwait pthread_sigmask pthread_kill set_wakeup_fd SIGALRM SIGCHLD SIGKILL SIGUSR1
SIGUSR2 SIGHUP SIGQUIT SIGPIPE SIGSTOP SIGCONT SIGTSTP SIGVTALRM SIGPROF ITIMER_REAL ITIMER_VIRTUAL ITIMER_PROF""")
sys.executable = sys._base_executable = "/bin/python3"
del builtins, select, shutil, signal
