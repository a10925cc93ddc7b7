"""The tester's side: the unchanged test text runs here, with mirrors where it names what the candidate defines.

The engine gets one report a frame: B (these tests cannot be used), S (these tests must share an interpreter with the
program), W (waiting for the candidate), C (one test's result), E (the end, with the number of tests).
"""
import builtins
import os
import sys
import types

from vd_mirror import ALL_SPECIAL, ARITHMETIC, NUMERIC, Function, Mirror, peer_of
from vd_peer import FUNCTIONS, Peer
from vd_text import Broken, Text
from vd_wire import Channel, Encoder, Gone

ORIGINAL = {n: getattr(builtins, n) for n in ("input", "print")}
STREAMS = {}  # the interpreter's own, before the tests change them

# Operators by which tests measure how far a result is from the expected one: a plain answer to them is not believed.
DIFFERENCE = frozenset("__%s%s__" % (p, n) for n in ("sub", "xor", "truediv", "divmod") for p in ("", "r", "i"))


class Candidate(Peer):
    """The tester's view of the candidate: what it may ask of the tests' objects, and what it is believed."""

    # Operators whose answer the candidate could choose knowing the expected value that it was handed as an operand.
    guarded = ARITHMETIC | NUMERIC | {"__contains__"}

    def __init__(self, channel, names, known):
        super().__init__(channel)
        self.names_there, self.known, self.tainted = frozenset(names), known, set()

    def trusted(self, m):
        return self.names.get(id(type(m))) in self.known

    def guard(self, m, op, a):
        plain = [x for x in a if peer_of(x) is None and not isinstance(x, (Mirror, types.FunctionType))]
        if op in NUMERIC:
            if self.handle(m) in self.tainted:
                raise TypeError("the value of this operation cannot be used")
            return self.request("special", m, (op,) + a, {})
        if op == "__contains__":
            if self.trusted(m) or not plain:
                return bool(self.request("special", m, (op,) + a, {}))
            return any(x is a[0] or x == a[0] for x in m)
        if not plain:
            return self.request("special", m, (op,) + a, {})
        if not self.trusted(m):
            return NotImplemented
        r = self.request("special", m, (op,) + a, {})
        if peer_of(r) is self:
            self.tainted.add(self.handle(r))
        elif r is not NotImplemented and op in DIFFERENCE:
            return NotImplemented
        return r

    def allowed(self, op, target, a):
        """Called for every request of the candidate: it may use what it was handed, and look at nothing behind it."""
        t = type(target)
        hidden = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, types.GeneratorType, types.CoroutineType)
        if op in ("class", "name"):
            if op == "class" and isinstance(self.objects[a[0]], type):
                return
        elif op in ("call", "run"):
            if callable(target) or op == "run":
                return
        elif op in ("get", "method", "set", "del"):
            if isinstance(a[0], str) and not a[0].startswith("_") and t not in FUNCTIONS and not isinstance(target, hidden + (type,)) or \
                    isinstance(target, type) and op in ("get", "method") and a[0] in ("__name__", "__qualname__") or \
                    t in FUNCTIONS and a[0] in ("__name__", "__qualname__", "__doc__"):
                return
            if isinstance(target, type) and op in ("get", "method") and isinstance(a[0], str) and not a[0].startswith("_") and a[0] != "mro":
                return
        elif op == "special":
            if a[0] in ALL_SPECIAL and t not in (types.FrameType, types.CodeType):
                return
        elif op in ("items", "item", "contents", "batch"):
            return
        raise AttributeError("not available")

    def decorate(self, msg, target):
        if any(getattr(sys, n) is not STREAMS[n] for n in ("stdout", "stderr")):
            msg["w"] = 1
        replaced = {}
        for n in ("input", "print"):
            if getattr(builtins, n) is not ORIGINAL[n]:
                replaced[n] = Encoder(self.lend).value(ASK[n])
        if sys.stdin is not STREAMS["stdin"]:
            replaced["stdin"] = Encoder(self.lend).value(ASK["stdin"])
        if replaced:
            msg["i"] = replaced

    def settle(self, msg):
        super().settle(msg)
        if "w" in msg:
            for stream, text in zip((sys.stdout, sys.stderr), msg["w"]):
                if text:
                    stream.write(text)


def ask_input(prompt=""):
    return builtins.input(prompt)


def ask_print(*a, **k):
    return builtins.print(*a, **k)


def ask_line():
    return sys.stdin.readline()


ASK = {"input": ask_input, "print": ask_print, "stdin": ask_line}


class Space(dict):
    """The namespace of a test text that is written as if it followed the program: missing names come from there."""

    candidate, provides = None, frozenset()

    def __missing__(self, name):
        if name not in self.provides:
            raise KeyError(name)
        return fetch(self, self.candidate, name)


def fetch(cache, candidate, name):
    v = candidate.request("name", None, (name,), {})
    if cache is not None and (isinstance(v, (type, types.ModuleType)) or type(v) is Function):
        dict.__setitem__(cache, name, v)
    return v


class Solution(types.ModuleType):
    """The module under test, where the tests import it."""

    def __init__(self, name, candidate, wanted):
        super().__init__(name)
        d = self.__dict__
        d["_vd"] = candidate
        d["__file__"] = name.replace(".", "/") + ".py"
        d["__all__"] = [n for n in candidate.names_there if n in wanted and not n.startswith("_")]

    def __getattr__(self, name):
        if name not in self._vd.names_there or name in ("__path__", "__spec__", "__wrapped__"):
            raise AttributeError("module %r has no attribute %r" % (self.__name__, name))
        return fetch(None, self._vd, name)

    def __setattr__(self, name, v):
        self._vd.request("setname", None, (name, v), {})


def install(name, module):
    """Make a module importable, with its packages."""
    parts = name.split(".")
    for i in range(1, len(parts)):
        package = sys.modules.setdefault(".".join(parts[:i]), types.ModuleType(".".join(parts[:i])))
        package.__path__ = []
    if len(parts) > 1:
        setattr(sys.modules[".".join(parts[:-1])], parts[-1], module)
    sys.modules[name] = module


class Reporter:
    """Tells the engine; keeps nothing that code under test could turn into a pass."""

    def __init__(self, ch, everything, nonce):
        self.send, self.everything, self.nonce, self.count, self.failed = ch.send, everything, nonce, 0, False

    def case(self, name, status, error=""):
        self.count += 1
        self.failed = self.failed or status != "passed"
        self.send(b"C", {"name": name[:200], "status": status, "error": error})

    @property
    def done(self):
        return self.failed and not self.everything

    def failure(self, name, e):
        self.case(name, *classify(e))

    def end(self, total):
        self.send(b"E", {"total": max(total, self.count), "nonce": self.nonce})


def classify(e):
    if isinstance(e, AssertionError):
        return "wrong_answer", "AssertionError"
    names = [k.__name__ for k in type.mro(type(e)) if k.__module__ == "builtins"]
    return "early_exit" if isinstance(e, SystemExit) else "runtime_error", names[0] if names else ""


def main():
    try:
        converse(Channel(3))
    except Gone:
        os._exit(3)
    os._exit(0)


def converse(ch):
    STREAMS.update((n, getattr(sys, n)) for n in ("stdout", "stderr", "stdin"))
    job = ch.recv()[1]
    try:
        run(ch, job)
    except Broken as e:
        ch.send(b"B", {"status": e.args[0], "reason": e.args[1]})


def quiet(*a, **k):
    """Stands for unittest.main and pytest.main: the suites are run by us."""


def run(ch, job):
    sys.argv = [job["file"]]
    sys.modules["__main__"] = types.ModuleType("__main__")
    text = Text(job["text"], job["file"])
    solution = job["solution"]
    sys.path.insert(0, "/work")
    own = {solution.partition(".")[0], "pytest"} | {f.partition("/")[0].removesuffix(".py") for f in job["files"]}
    if "_pytest" in text.imported:
        raise Broken("missing_dependency", "the tests need the module _pytest, which is not installed")
    text.check_imports(own)
    import vd_suites
    plan = vd_suites.Plan(job, text)
    if not job["local"]:
        why = text.must_share(solution)
        if why:
            ch.send(b"S", {"reason": why})
            if job["auto"]:
                return
    report = Reporter(ch, job["everything"], job.pop("nonce"))
    job["imports_unittest"] = "unittest" in text.imported or job["kind"] == "unittest"
    space = local(ch, job) if job["local"] else split(ch, job, text)
    if space is None:
        return
    plan.run(space, report)


def split(ch, job, text):
    ch.send(b"W", {})
    kind, up = ch.recv()
    if kind != b"U":
        raise Gone
    wanted = text.loads | text.attributes | {n for names in text.imported.values() for n in names}
    candidate = Candidate(ch, up["names"], wanted)
    install(job["solution"], Solution(job["solution"], candidate, wanted))
    if not job["shares"]:
        return {"__name__": job["module"], "__file__": job["file"], "__builtins__": builtins}
    space = Space({"__name__": "__main__", "__file__": job["file"], "__builtins__": builtins})
    # A name that hides a built-in one (len, all, isinstance) is the program's only where the tests ask for nothing else of it.
    hiding = not {n for n in text.free if not hasattr(builtins, n)} - {"__name__", "__file__"} or job["entry"] in vars(builtins)
    space.candidate = candidate
    space.provides = frozenset(n for n in up["names"] if not n.startswith("__") and (not hasattr(builtins, n) or hiding or n == job["entry"]))
    return space


def keep():
    """What the tests stand on, before the program is loaded: built-ins and the test libraries, module by module, class by class."""
    spaces = [builtins] + [m for n, m in list(sys.modules.items()) if n.partition(".")[0] in ("unittest", "pytest", "asyncio") or n.startswith("vd_")]
    spaces += [v for m in spaces[1:] for v in vars(m).values() if isinstance(v, type) and v.__module__.partition(".")[0] in ("unittest", "pytest")]
    return [(s, dict(vars(s))) for s in spaces]


def restore(saved):
    for space, names in saved:
        for n, v in names.items():
            if vars(space).get(n, keep) is not v:
                try:
                    setattr(space, n, v)
                except (AttributeError, TypeError):
                    pass  # read-only: it was not the program that changed it


def local(ch, job):
    """The program in this very interpreter, loaded after the tests were compiled and before they run."""
    from vd_candidate import kind_of, load
    if job["imports_unittest"]:
        __import__("unittest")  # before the program can stand in for it
    ask = {}
    if job["lineup"]:
        from vd_lineup import asker
        ask = asker(ch)
    saved = keep() if ask else []  # code that is trusted by choice is not undone; looking at every name costs a fork's worth
    send, exit_now = ch.send, os._exit
    ch.send(b"W", {})
    module, stage, e = load(job["program"])
    restore(saved)
    sys.settrace(None)
    sys.setprofile(None)
    if e is not None:
        send(b"X", {"stage": stage, "error": kind_of(e)})
        exit_now(0)
    install(job["solution"], module)
    space = module.__dict__ if job["shares"] else {"__name__": job["module"], "__file__": job["file"], "__builtins__": builtins}
    space.update(ask)
    return space
