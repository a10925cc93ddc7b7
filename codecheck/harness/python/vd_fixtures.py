"""Running tests by pytest's rules: the fixtures that come with it, those of the text, parameters and marks."""
import contextlib
import inspect
import io
import sys

from pytest import Param, Skipped
from vd_text import Broken


class Captured(tuple):
    out = property(lambda self: self[0])
    err = property(lambda self: self[1])


class Capture:
    def __init__(self):
        self.saved = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()

    def readouterr(self):
        got = Captured((sys.stdout.getvalue(), sys.stderr.getvalue()))
        for s in (sys.stdout, sys.stderr):
            s.seek(0)
            s.truncate()
        return got

    @contextlib.contextmanager
    def disabled(self):
        yield

    def close(self):
        sys.stdout, sys.stderr = self.saved


def capsys():
    c = Capture()
    yield c
    c.close()


def tmp_path():
    import pathlib
    import tempfile
    yield pathlib.Path(tempfile.mkdtemp(dir="/tmp"))


class MonkeyPatch:
    def __init__(self):
        self.undo_list = []

    def setattr(self, target, name, value=None, raising=True):
        if isinstance(target, str):
            module, _, attribute = target.rpartition(".")
            __import__(module)
            target, name, value = sys.modules[module], attribute, name
        missing = object()
        old = getattr(target, name, missing)
        if old is missing and raising:
            raise AttributeError(name)
        self.undo_list.append(lambda: setattr(target, name, old) if old is not missing else delattr(target, name))
        setattr(target, name, value)

    def setitem(self, d, key, value):
        had, old = key in d, d.get(key)
        self.undo_list.append(lambda: d.__setitem__(key, old) if had else d.pop(key, None))
        d[key] = value

    def delitem(self, d, key, raising=True):
        if key in d or raising:
            old = d.pop(key)
            self.undo_list.append(lambda: d.__setitem__(key, old))

    def delattr(self, target, name, raising=True):
        if hasattr(target, name) or raising:
            old = getattr(target, name)
            self.undo_list.append(lambda: setattr(target, name, old))
            delattr(target, name)

    def setenv(self, name, value, prepend=None):
        import os
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        import os
        self.delitem(os.environ, name, raising)

    def syspath_prepend(self, path):
        sys.path.insert(0, str(path))

    def chdir(self, path):
        import os
        old = os.getcwd()
        self.undo_list.append(lambda: os.chdir(old))
        os.chdir(path)

    def undo(self):
        while self.undo_list:
            self.undo_list.pop()()

    @contextlib.contextmanager
    def context(self):
        m = MonkeyPatch()
        yield m
        m.undo()


def monkeypatch():
    m = MonkeyPatch()
    yield m
    m.undo()


class Request:
    def __init__(self, param, instance):
        self.param, self.instance, self.finalizers = param, instance, []

    def addfinalizer(self, f):
        self.finalizers.append(f)


BUILTIN = {"capsys": capsys, "capfd": capsys, "tmp_path": tmp_path, "tmpdir": tmp_path, "monkeypatch": monkeypatch}


class Fixtures:
    def __init__(self, space, values, conftest):
        self.all = dict(BUILTIN)
        self.kept, self.ends = {}, []
        for v in [*conftest.values(), *values]:
            self.add(v)

    def add(self, v):
        if hasattr(v, "__dict__") and "_fixture" in getattr(v, "__dict__", {}):
            self.all[v._fixture["name"]] = v

    def of_class(self, cls):
        if cls is not None:
            for k in reversed(cls.__mro__):
                for v in k.__dict__.values():
                    self.add(v)

    def autouse(self):
        return [n for n, f in self.all.items() if getattr(f, "_fixture", {}).get("autouse")]


def marks(f, cls):
    own = list(getattr(f, "__dict__", {}).get("pytestmark", ()))
    return own + [m for k in (cls.__mro__ if cls else ()) for m in k.__dict__.get("pytestmark", ())]


def marked(f):
    """Names of arguments that parametrize gives."""
    return {n for m in marks(f, None) if m.name == "parametrize" for n in names_of(m.args[0])}


def names_of(names):
    return [n.strip() for n in names.split(",") if n.strip()] if isinstance(names, str) else list(names)


def items(name, f, cls, fixtures, attribute=None):
    """The runs of one test: [(name, call)]; a call gives (status, error) or None where it was skipped."""
    fixtures.of_class(cls)
    runs = [(name, {})]
    every = marks(f, cls)
    for m in every:
        if m.name == "parametrize":
            runs = expand(runs, names_of(m.args[0]), m.args[1] if len(m.args) > 1 else m.kwargs["argvalues"])
        elif m.name == "skip" or m.name == "skipif" and m.args and m.args[0]:
            return []
    needs = [p.name for p in inspect.signature(f).parameters.values() if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if cls is not None and not isinstance(inspect.getattr_static(cls, attribute), (staticmethod, classmethod)):
        needs = needs[1:]
    use = fixtures.autouse() + [n for m in every if m.name == "usefixtures" for n in m.args]
    for run_name, given in runs:
        if any(n not in given and n not in fixtures.all and n != "request" for n in needs):
            raise Broken("broken_tests", "a test wants an argument that nothing gives")
    for n in dict.fromkeys(use + needs):
        source = fixtures.all.get(n)
        params = getattr(source, "_fixture", {}).get("params")
        if params and not any(n in g for _, g in runs):
            runs = [("%s[%d]" % (r, i), {**g, "param " + n: p.values[0] if isinstance(p, Param) else p}) for r, g in runs for i, p in enumerate(params)]
    xfail = any(m.name == "xfail" for m in every)
    return [(r, one(f, cls, attribute, needs, use, g, fixtures, xfail)) for r, g in runs]


def expand(runs, names, values):
    out = []
    for run, given in runs:
        for i, v in enumerate(values):
            ms = ()
            if isinstance(v, Param):
                ms, v = v.marks, v.values if len(names) > 1 else v.values[0]
            if any(getattr(m, "name", "") == "skip" for m in ms):
                continue
            vs = [v] if len(names) == 1 else list(v)
            out.append(("%s[%d]" % (run, i), {**given, **dict(zip(names, vs))}))
    return out


def one(f, cls, attribute, needs, use, given, fixtures, xfail):
    def call():
        from vd_tester import classify
        stack = contextlib.ExitStack()
        try:
            with stack:
                instance = cls() if cls is not None else None
                kept = {}
                bind(stack, instance, "setup_method", "teardown_method")
                for n in use:
                    get(n, given, fixtures, stack, kept, instance)
                args = {n: get(n, given, fixtures, stack, kept, instance) for n in needs}
                finish((getattr(instance, attribute) if cls is not None else f)(**args))
        except Skipped:
            return None
        except (Exception, SystemExit) as e:
            if type(e).__name__ == "SkipTest" and type(e).__module__ == "unittest.case":
                return None
            return ("passed", "") if xfail else classify(e)
        return "passed", ""
    return call


def bind(stack, instance, setup, teardown):
    if hasattr(instance, teardown):
        stack.callback(flexible(getattr(instance, teardown)))
    if hasattr(instance, setup):
        flexible(getattr(instance, setup))()


def flexible(method):
    return (lambda: method(None)) if inspect.signature(method).parameters else method


def finish(v):
    if inspect.iscoroutine(v):
        import asyncio
        asyncio.run(v)


def get(name, given, fixtures, stack, kept, instance):
    if name in given:
        return given[name]
    if name in kept:
        return kept[name]
    if name == "request":
        return Request(None, instance)
    f = fixtures.all[name]
    about = getattr(f, "_fixture", {})
    shared = about.get("scope", "function") in ("module", "session", "class", "package") and not about.get("params")
    if shared and name in fixtures.kept:
        return fixtures.kept[name]
    request = Request(given.get("param " + name), instance)
    args, parameters = [], list(inspect.signature(f).parameters)
    if parameters[:1] == ["self"]:
        args, parameters = [instance], parameters[1:]
    args += [request if n == "request" else get(n, given, fixtures, stack, kept, instance) for n in parameters]
    v = f(*args)
    if inspect.isgenerator(v):
        gen, v = v, next(v)
        if not shared:
            stack.callback(lambda: next(gen, None))
    for end in request.finalizers:
        stack.callback(end)
    (fixtures.kept if shared else kept)[name] = v
    return v
