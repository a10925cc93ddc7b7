"""A small fork server of the protocol that sandbox.Server states, for the suite. A job is a Python file, run as __main__."""
import array, base64, ctypes, gc, json, os, socket, struct, sys, traceback, types
import collections, itertools, math, re, typing  # what a warm interpreter is for

CLONE3 = 435
control = socket.socket(fileno=3)
syscall = ctypes.PyDLL(None, use_errno=True).syscall  # PyDLL: keep the interpreter's lock
syscall.restype = long = ctypes.c_long  # no argtypes: arguments are made ready once, a third of the cost


room = bytearray(256 << 10)


def receive():
    n, ancillary, _, _ = control.recvmsg_into([room], socket.CMSG_SPACE(4 * 32))
    fds = array.array("i")
    for _, _, part in ancillary:
        fds.frombytes(part)
    return (json.loads(room[:n]) if n else None), list(fds)


def send(value):
    control.send(json.dumps(value).encode())


def argument(a, keep):
    if a.__class__ is int:
        return a if 0 <= a < 1 << 31 else long(a)  # small ones need no object of their own, a page that each child copies
    block = ctypes.create_string_buffer(base64.b64decode(a[0]))
    keep.append(block)
    if len(a) > 1:
        inner = ctypes.create_string_buffer(base64.b64decode(a[2]))
        keep.append(inner)
        ctypes.c_void_p.from_buffer(block, a[1]).value = ctypes.addressof(inner)
    return long(ctypes.addressof(block))


def child(order, calls):
    for i, (ignore, call) in enumerate(calls):
        if syscall(*call) < 0 and not ignore:
            os.write(order["report"], struct.pack("ii", i, ctypes.get_errno()))
            os._exit(125)
    control.detach()
    env = dict(pair.partition("=")[::2] for pair in order["env"] or [])
    if env != dict(os.environ):
        os.environ.clear()
        os.environ.update(env)
    sys.argv = order["args"]
    code = 0
    try:
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        main.__file__ = sys.argv[0]
        with open(sys.argv[0], "rb") as f:
            exec(compile(f.read(), sys.argv[0], "exec"), main.__dict__)
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else int(e.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120
    os._exit(code & 255)


calls, kept = [], []


def fork(order):
    global calls, kept
    if "calls" in order:
        kept = []
        calls = [(c[2], [argument(a, kept) for a in c[1:2] + c[3:]]) for c in order["calls"]]
    clone = ctypes.create_string_buffer(struct.pack("11Q", *order["clone"]))
    if os.fstat(tasks).st_nlink != 3:  # itself, its parent, and one thread
        raise RuntimeError("the server has more than one thread")
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = syscall(long(CLONE3), long(ctypes.addressof(clone)), long(88))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        child(order, calls)
    error = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, os.strerror(error))
    return pid


# What an interpreter does for the first time changes its own memory (the compiler's tables, caches of names, specialised code of
# the library), and a child that does so copies a page for each place. So it is done here, on a text of no job.
REHEARSAL = """import math, collections
from typing import List, Optional
def f(values: List[int], limit: float = 1.5) -> Optional[int]:
    found = {}
    for i, a in enumerate(sorted(values)):
        for b in values[i + 1:]:
            if abs(a - b) < limit and not a in found:
                found[a] = [str(b), len(values)]
    return max(found) if found else None
class C:
    def __init__(self, x): self.x = x
try:
    assert f([1, 2, 4]) == 1 and not f([1.5, 9.0], 0.5), "text"
    assert C(math.floor(2.5)).x == 2
except AssertionError as e:
    raise
"""
for i in range(10):
    exec(compile(REHEARSAL, "rehearsal", "exec"), types.ModuleType("__main__").__dict__)
gc.collect()
gc.freeze()
tasks = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY)
send({"ready": True, "repeats": True})
while True:
    order, fds = receive()
    if order is None:
        os._exit(0)
    if "join" in order:
        for fd in fds:
            os.write(fd, b"0")
            os.close(fd)
        send({"joined": True})
        continue
    for fd, number in zip(fds, order["fds"]):
        os.dup2(fd, number, inheritable=False)
        if fd != number:
            os.close(fd)
    try:
        answer = {"pid": fork(order)}
    except Exception as e:
        answer = {"error": repr(e)}
    os.closerange(min(order["fds"]), max(order["fds"]) + 1)
    send(answer)
