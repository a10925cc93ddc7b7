"""The candidate's side: load the program, then do what the tester asks. Nothing of the tests is ever here."""
import builtins
import io
import os
import sys
import types

from vd_peer import Peer
from vd_wire import Channel, Decoder, Gone

MAIN_ERRORS = (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError)  # what compile() may raise


def load(job):
    """The program's module, and how loading it failed: (module, stage, exception)."""
    module = types.ModuleType(job["name"])
    module.__file__ = job["file"]
    ns = module.__dict__
    ns["__builtins__"] = builtins
    sys.modules[job["name"]] = module
    sys.argv = [job["file"]]
    sys.path.insert(0, os.path.dirname(job["file"]))
    try:
        for text in job["before"]:
            exec(compile(text, "<setup>", "exec", dont_inherit=True), ns)
    except BaseException as e:
        return module, "setup", e
    try:
        code = compile(job["source"], job["file"], "exec", dont_inherit=True)
    except MAIN_ERRORS as e:
        return module, "syntax", e
    try:
        exec(code, ns)
    except BaseException as e:
        return module, "exit" if isinstance(e, SystemExit) else "load", e
    return module, "", None


def kind_of(e):
    """The name of an exception's nearest built-in class."""
    return next(k.__name__ for k in type.mro(type(e)) if k.__module__ == "builtins")


class Borrowed(io.TextIOBase):
    """Standard input that the tester has replaced."""

    def __init__(self, ask):
        self.ask = ask

    def readline(self, size=-1):
        return self.ask()

    def read(self, size=-1):
        return "".join(iter(self.ask, ""))

    def readable(self):
        return True


class Candidate(Peer):
    def __init__(self, channel, module):
        super().__init__(channel)
        self.side, self.module, self.written = 1, module, None

    def allowed(self, op, target, a):
        pass

    def perform(self, msg, op, target, a, k):
        if "w" not in msg and "i" not in msg:
            return super().perform(msg, op, target, a, k)
        saved = sys.stdout, sys.stderr, sys.stdin, builtins.input, builtins.print
        borrowed = {n: Decoder(self).value(x) for n, x in msg.get("i", {}).items()}
        try:
            if "w" in msg:
                sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
            if "stdin" in borrowed:
                sys.stdin = Borrowed(borrowed["stdin"])
            if "input" in borrowed:
                builtins.input = borrowed["input"]
            if "print" in borrowed:
                builtins.print = borrowed["print"]
            return super().perform(msg, op, target, a, k)
        finally:
            if "w" in msg:
                self.written = [s.getvalue() if isinstance(s, io.StringIO) else "" for s in (sys.stdout, sys.stderr)]
            sys.stdout, sys.stderr, sys.stdin, builtins.input, builtins.print = saved

    def finish(self, out, msg):
        if self.written is not None:
            out["w"], self.written = self.written, None

    def more(self, op, target, a, k):
        if op == "name":
            return self.module.__dict__[a[0]]
        if op == "setname":
            return setattr(self.module, a[0], a[1])
        return super().more(op, target, a, k)


def main():
    converse(Channel(3))
    os._exit(0)


def converse(ch):
    job = ch.recv()[1]
    module, stage, e = load(job)
    if e is not None:
        ch.send(b"X", {"stage": stage, "error": kind_of(e)})
        return
    ch.send(b"U", {"names": [n for n in module.__dict__ if isinstance(n, str)]})
    peer = Candidate(ch, module)
    try:
        while True:
            kind, msg = ch.recv()
            if kind != b"P":
                break
            peer.serve(msg)
    except Gone:
        pass
