"""Function tests: the program is loaded once, then every case runs in a fork of it. Expected values are never here.

The engine sends one case's arguments, and the next only after the answer to the last. A case is answered by V (a value) or
X (an exception), then D with how the fork ended. Nothing is decided here.
"""
import os
import sys

from vd_candidate import kind_of, load
from vd_wire import Channel, Encoder, Gone, Unsendable, plain_lend


def main():
    ch = Channel(3)
    job = ch.recv()[1]
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    module, stage, e = load(job)
    if e is not None:
        ch.send(b"X", {"stage": stage, "error": kind_of(e)})
        os._exit(0)
    ch.send(b"U", {})
    has_forks = sys.platform != "wasi"  # there the engine asks one case of each interpreter
    fork, wait, leave = (os.fork, os.waitpid, os._exit) if has_forks else (None, None, None)
    try:
        while True:
            kind, msg = ch.recv()
            if kind != b"A":
                break
            args = msg["args"]
            forks = has_forks and alone()
            pid = fork() if forks else 0
            if pid == 0:
                case(ch, job, module, args)
                if forks:
                    leave(0)
                ch.send(b"D", {"end": 0})
                continue
            try:
                end = os.waitstatus_to_exitcode(wait(pid, 0)[1])
            except ChildProcessError:  # the program had children reaped by the kernel
                end = 0
            ch.send(b"D", {"end": end})
    except Gone:
        pass
    os._exit(0)


stat = os.stat


def alone():
    """Only a process with one thread is forked: a lock held by another thread would stay locked in the fork."""
    try:
        return stat("/proc/self/task").st_nlink == 3  # two for the folder itself, one a thread
    except OSError:
        return True


def case(ch, job, module, args):
    try:
        ns = module.__dict__
        f = getattr(ns[job["class"]](), job["fn"]) if job["class"] else ns[job["fn"]]
        value = f(*args)
    except BaseException as e:
        ch.send(b"X", {"stage": "exit" if isinstance(e, SystemExit) else "call", "error": kind_of(e)})
        return
    try:
        ch.send(b"V", {"v": Encoder(plain_lend, False).value(value)})
    except Unsendable:
        ch.send(b"V", {"v": {"o": "value too large"}})
    except RecursionError:
        ch.send(b"V", {"v": {"o": "value too deep"}})
    except Gone:
        pass
    except BaseException as e:
        ch.send(b"X", {"stage": "call", "error": kind_of(e)})
