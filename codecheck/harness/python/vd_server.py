"""The fork server: an interpreter that has loaded the harness and the usual library, and forks a child for each job.

The protocol is stated in Go beside sandbox.Server. Candidates and testers have servers of their own; what a job reads (the
program, the tests, the inputs) reaches it after the fork, so a server has nothing to remember. A child goes on from the
bottom of the stack, where a cold interpreter would start: main gives back what to run there.

What a program can see of the difference: more names in sys.modules, sys.orig_argv, gc.get_freeze_count(), and a hash seed
that it shares with other jobs of its server. Streams are made anew, random is seeded anew, modules that start threads or
hold descriptors are not loaded ahead.
"""
import array
import base64
import ctypes
import gc
import importlib
import io
import json
import os
import socket
import struct
import sys

from vd_rehearsal import rehearse

USUAL = """abc array bisect cmath collections copy contextlib dataclasses datetime decimal enum fractions functools heapq io itertools json math
numbers operator random re statistics string time types typing warnings""".split()
OURS = {
    "candidate": ["vd_candidate", "vd_call", "vd_script"],
    "tester": ["ast", "unittest", "importlib.util", "vd_tester", "vd_suites", "vd_fixtures", "vd_candidate", "vd_lineup"],
}
CLONE3 = 435  # on every architecture (Linux 5.3)

syscall = ctypes.PyDLL(None, use_errno=True).syscall  # PyDLL: the interpreter's lock stays with us
syscall.restype = long = ctypes.c_long  # no argtypes: arguments are made ready once, a third of the cost
before, in_parent, in_child = (getattr(ctypes.pythonapi, "PyOS_" + n) for n in ("BeforeFork", "AfterFork_Parent", "AfterFork_Child"))


def main():
    """Serve. In a child, the function that does its job."""
    control = socket.socket(fileno=3)
    os.environ.pop("LD_BIND_NOW", None)
    for name in USUAL + OURS[sys.argv[4]] + sys.argv[5:]:  # the last ones are a runtime profile's
        importlib.import_module(name)
    rehearse(sys.argv[4])
    packet, order = None, Order()
    room = bytearray(256 << 10)
    tasks = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY)
    gc.collect()
    gc.freeze()
    send(control, {"ready": True, "repeats": True})
    while True:
        n, fds = receive(control, room)
        if n == 0:
            os._exit(0)
        if room[:n] != packet:  # a slot's orders are mostly equal
            packet = room[:n]
            value = json.loads(packet)
            if "join" in value:
                join(control, fds)
                continue
            order = Order(value, order)
        for fd, number in zip(fds, order.fds):
            os.dup2(fd, number, inheritable=False)
            if fd != number:
                os.close(fd)
        try:
            if os.fstat(tasks).st_nlink != 3:  # two for the folder itself, one a thread
                raise RuntimeError("the server has more than one thread")
            pid = fork(order)
        except Exception as e:
            pid, answer = -1, {"error": repr(e)[:200]}
        if pid == 0:
            control.detach()
            return job(order)
        if pid > 0:
            answer = {"pid": pid}
        os.closerange(min(order.fds), max(order.fds) + 1)
        send(control, answer)


def join(control, fds):
    for fd in fds:
        os.write(fd, b"0")
        os.close(fd)
    send(control, {"joined": True})


def send(control, value):
    control.send(json.dumps(value).encode())


def receive(control, room):
    n, ancillary, _, _ = control.recvmsg_into([room], socket.CMSG_SPACE(4 * 32))
    fds = array.array("i")
    for _, _, part in ancillary:
        fds.frombytes(part)
    return n, list(fds)


def argument(n):
    """What syscall takes for a number: small ones as they are, since objects of their own would be pages that each child copies."""
    return n if 0 <= n < 1 << 31 else long(n)


class Order:
    """An order to fork, ready to be carried out any number of times. Without calls it repeats those of the one before."""

    def __init__(self, value=None, last=None):
        value = value or {"calls": [], "clone": [0] * 11, "fds": [], "report": -1, "env": [], "args": []}
        self.fds, self.report, self.env, self.args, self.keep = value["fds"], value["report"], value["env"] or [], value["args"], []
        if "calls" in value:
            self.calls = [(c[2], (c[1], *[argument(a if a.__class__ is int else self.address(a)) for a in c[3:]])) for c in value["calls"]]
        else:
            self.calls, self.keep = last.calls, last.keep
        self.clone = ctypes.create_string_buffer(struct.pack("11Q", *value["clone"]))
        self.start = (long(CLONE3), long(ctypes.addressof(self.clone)), long(88))

    def address(self, a):
        """The address of bytes that a call points to."""
        block = ctypes.create_string_buffer(base64.b64decode(a[0]))
        self.keep.append(block)
        if len(a) > 1:
            inner = ctypes.create_string_buffer(base64.b64decode(a[2]))
            self.keep.append(inner)
            ctypes.c_void_p.from_buffer(block, a[1]).value = ctypes.addressof(inner)
        return ctypes.addressof(block)


def fork(order):
    before()
    pid = syscall(*order.start)
    if pid == 0:
        in_child()
        for i, (ignore, call) in enumerate(order.calls):
            if syscall(*call) < 0 and not ignore:
                os.write(order.report, struct.pack("ii", i, ctypes.get_errno()))
                os._exit(125)
        return 0
    error = ctypes.get_errno()
    in_parent()
    if pid < 0:
        raise OSError(error, os.strerror(error))
    return pid


def job(order):
    """What a child runs, once it looks like an interpreter of its own."""
    env = dict(pair.partition("=")[::2] for pair in order.env)
    if "LC_CTYPE" in os.environ:
        env.setdefault("LC_CTYPE", os.environ["LC_CTYPE"])  # set by the interpreter itself at its start (PEP 538)
    if env != dict(os.environ):
        os.environ.clear()
        os.environ.update(env)
    for fd, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        old = getattr(sys, name)
        binary = open(fd, mode + "b", closefd=False)
        binary.raw.name = "<%s>" % name
        new = io.TextIOWrapper(binary, old.encoding, old.errors, "\n", fd == 2)
        new.mode = mode
        setattr(sys, name, new)
        setattr(sys, "__%s__" % name, new)
    sys.argv = order.args[:]
    return sys.modules[sys.argv[0]].main
