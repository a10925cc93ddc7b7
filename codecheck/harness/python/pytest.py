"""The part of pytest that test files use, without pytest: raises, approx, fixtures, parametrize, marks."""
import contextlib
import inspect
import io
import math
import re
import sys


class Skipped(Exception):
    pass


class Failed(AssertionError):
    pass


class Exit(Exception):
    pass


def skip(reason="", *, allow_module_level=False, msg=""):
    raise Skipped(reason)


def fail(reason="", pytrace=True, msg=""):
    raise Failed(reason)


def exit(reason="", returncode=None, msg=""):
    raise Exit(reason)


def importorskip(name, minversion=None, reason=None):
    try:
        __import__(name)
    except ImportError:
        raise Skipped(name) from None
    return sys.modules[name]


def main(*a, **k):
    return 0


class ExceptionInfo:
    value = type = tb = None

    def match(self, pattern):
        assert re.search(pattern, str(self.value)), "pattern not found"
        return True

    @property
    def typename(self):
        return self.type.__name__

    def __str__(self):
        return repr(self.value)

    def errisinstance(self, kind):
        return isinstance(self.value, kind)


class raises:
    def __init__(self, kind, *a, match=None, **k):
        self.kind, self.match, self.info = kind, match, ExceptionInfo()

    def __new__(cls, kind, *a, match=None, **k):
        self = super().__new__(cls)
        if not a:
            return self
        self.__init__(kind, match=match)
        with self as info:
            a[0](*a[1:], **k)
        return info

    def __enter__(self):
        return self.info

    def __exit__(self, kind, value, tb):
        if value is None:
            raise Failed("did not raise")
        if not isinstance(value, self.kind):
            return False
        self.info.value, self.info.type, self.info.tb = value, type(value), tb
        if self.match is not None:
            assert re.search(self.match, str(value)), "pattern not found"
        return True


@contextlib.contextmanager
def warns(kind=Warning, match=None):
    import warnings
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield seen
    if not any(issubclass(w.category, kind) and (match is None or re.search(match, str(w.message))) for w in seen):
        raise Failed("did not warn")


def deprecated_call():
    return warns((DeprecationWarning, PendingDeprecationWarning))


class approx:
    """Equal within max(rel * |expected|, abs), also inside lists, tuples and dicts; plain numbers only."""

    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, actual):
        return self.close(actual, self.expected)

    def __ne__(self, actual):
        return not self == actual

    def __repr__(self):
        return "approx(%r)" % (self.expected,)

    def close(self, got, want):
        if isinstance(want, dict):
            return type(got) is dict and got.keys() == want.keys() and all(self.close(got[k], v) for k, v in want.items())
        if isinstance(want, (list, tuple)):
            return isinstance(got, (list, tuple)) and len(got) == len(want) and all(map(self.close, got, want))
        if not hasattr(want, "__sub__") or isinstance(want, (bool, set, frozenset)):
            return got == want
        if got == want:
            return True
        try:
            if math.isnan(want):
                return self.nan_ok and math.isnan(got)
            if math.isinf(want) or isinstance(want, int) and isinstance(got, str):
                return False
            tolerance = self.abs if self.abs is not None and self.rel is None else max((1e-6 if self.rel is None else self.rel) * abs(want), 1e-12 if self.abs is None else self.abs)
            if type(got) in (int, float, bool, complex) or type(got).__module__ in ("decimal", "fractions", "datetime"):
                return abs(got - want) <= tolerance
        except TypeError:
            pass
        return False


class Mark:
    def __init__(self, name, args=(), kwargs=None):
        self.name, self.args, self.kwargs = name, args, kwargs or {}

    def __call__(self, *a, **k):
        if len(a) == 1 and not k and not self.args and (inspect.isfunction(a[0]) or inspect.isclass(a[0])) and self.name != "parametrize":
            return self.put(a[0])
        return Mark(self.name, a, k)

    def put(self, f):
        f.pytestmark = [*f.__dict__.get("pytestmark", ()), self]
        return f


class Parametrize(Mark):
    def __call__(self, *a, **k):
        return lambda f: Mark("parametrize", a, k).put(f)


class Marks:
    def __getattr__(self, name):
        if name == "parametrize":
            return Parametrize(name)
        return Usable(name)


class Usable(Mark):
    """A mark that may be used bare or called."""

    def __call__(self, *a, **k):
        if len(a) == 1 and not k and (inspect.isfunction(a[0]) or inspect.isclass(a[0])):
            return Mark(self.name).put(a[0])
        made = Mark(self.name, a, k)
        return made.put


mark = Marks()


class Param:
    def __init__(self, values, marks=(), id=None):
        self.values, self.marks, self.id = values, marks if isinstance(marks, (list, tuple)) else (marks,), id


def param(*values, marks=(), id=None):
    return Param(values, marks, id)


def fixture(f=None, scope="function", params=None, autouse=False, ids=None, name=None):
    def put(f):
        f._fixture = {"name": name or f.__name__, "params": params, "autouse": autouse, "scope": scope}
        return f
    return put(f) if f is not None else put


# --- fixtures that come with pytest

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
    from vd_tester import Broken
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
