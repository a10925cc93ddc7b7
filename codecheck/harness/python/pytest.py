"""The part of pytest that test files name, without pytest: raises, approx, marks, fixture, skip. vd_fixtures runs them."""
import contextlib
import inspect
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
