"""Mirrors: objects of the other side, as they look on this one.

An operation on a mirror becomes a request to its owner (vd_peer.Peer.request). A class of the other side is mirrored as a
class, so that isinstance, except and repr mean what they should. What a mirror compares with a plain value is decided here,
from the plain content of the mirrored object; only comparisons between two objects of the other side are asked of it.
"""
import types

SPECIAL = frozenset("""__len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__ __next__ __reversed__ __call__ __enter__ __exit__
__bool__ __int__ __float__ __index__ __complex__ __round__ __trunc__ __floor__ __ceil__ __abs__ __neg__ __pos__ __invert__
__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __bytes__ __format__ __missing__ __length_hint__ __fspath__
__await__ __aiter__ __anext__ __aenter__ __aexit__ __get__ __set__ __delete__ __instancecheck__ __subclasscheck__ __class_getitem__""".split())
BINARY = "add sub mul truediv floordiv mod divmod pow lshift rshift and xor or matmul".split()
ARITHMETIC = frozenset("__%s%s__" % (p, n) for n in BINARY for p in ("", "r", "i"))
COMPARE = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
NUMERIC = frozenset(("__abs__", "__neg__", "__pos__", "__invert__", "__bool__", "__int__", "__float__", "__index__", "__complex__", "__round__", "__trunc__", "__floor__", "__ceil__", "__len__", "__hash__"))
ALL_SPECIAL = SPECIAL | ARITHMETIC
SINGLY, BATCH, LARGEST = 64, 256, 2048  # items of a generator sent one by one, then at once, half of what was taken, up to: chosen by feel
MAX_ITEMS = 1_000_000    # of one generator; an endless one ends here
LAZY = {"generator": types.GeneratorType, "coroutine": types.CoroutineType, "async_generator": types.AsyncGeneratorType, "function": types.FunctionType}


class Meta(type):
    """The class of mirrored classes: what is asked of the class goes to the class on the other side."""

    def __call__(cls, *a, **k):
        if id(cls) not in CLASSES:
            return type.__call__(cls, *a, **k)
        return CLASSES[id(cls)].request("call", cls, a, k)

    def __getattr__(cls, name):
        if id(cls) not in CLASSES:
            raise AttributeError(name)
        return CLASSES[id(cls)].request("get", cls, (name,), {})

    def __setattr__(cls, name, v):
        if id(cls) in CLASSES and not name.startswith("__abstract"):
            CLASSES[id(cls)].request("set", cls, (name, v), {})
        else:
            type.__setattr__(cls, name, v)

    def __iter__(cls):
        return iter(CLASSES[id(cls)].request("items", cls, (), {}))

    def __len__(cls):
        return len(list(iter(cls)))

    def __bool__(cls):
        return True

    def __getitem__(cls, key):
        return CLASSES[id(cls)].request("item", cls, (key,), {})

    def __contains__(cls, v):
        return any(x is v or x == v for x in cls)

    def __repr__(cls):
        return "<class '__main__.%s'>" % cls.__name__


CLASSES = {}  # id of a mirrored class: its peer
OWNERS = {}   # id of a mirror: its peer


def peer_of(v):
    return OWNERS.get(id(v))


class Mirror(metaclass=Meta):
    """What every mirrored object can do; the operations of its class are added by Peer.mirror."""

    def __getattr__(self, name):
        peer = peer_of(self)
        if peer is None or name.startswith("__") and name not in ("__dict__", "__name__", "__qualname__", "__doc__", "__wrapped__", "__annotations__", "__self__", "__func__", "__notes__"):
            raise AttributeError(name)
        if name in peer.methods.get(id(type(self)), ()):
            return Method(peer, self, name)
        return peer.request("get", self, (name,), {})

    def __setattr__(self, name, v):
        peer = peer_of(self)
        if peer is None or name in ("__traceback__", "__context__", "__cause__", "__suppress_context__"):
            object.__setattr__(self, name, v)
        else:
            peer.request("set", self, (name, v), {})

    def __delattr__(self, name):
        peer_of(self).request("del", self, (name,), {})

    def __eq__(self, other):
        return self is other or self._vd_compare("__eq__", other)

    def __ne__(self, other):
        r = self.__eq__(other)
        return r if r is NotImplemented else not r

    def _vd_compare(self, op, other):
        peer = peer_of(self)
        base = peer.contents(self)
        if base is not None and peer_of(other) is None:
            r = getattr(type(base), op)(base, other)
            return r
        if peer_of(other) is not peer or op not in peer.specials[id(type(self))]:
            return NotImplemented if op != "__eq__" else False
        r = peer.request("special", self, (op, other), {})
        return r if r is NotImplemented else bool(r)

    def __hash__(self):
        peer = peer_of(self)
        if "__hash__" in peer.specials[id(type(self))]:
            return hash(peer.request("special", self, ("__hash__",), {}))
        base = peer.contents(self)
        return hash(base) if base is not None else peer.handle(self) * 2654435761 % (1 << 61)

    def __repr__(self):
        return peer_of(self).request("special", self, ("__repr__",), {})

    def __str__(self):
        return peer_of(self).request("special", self, ("__str__",), {})

    def __format__(self, spec):
        return peer_of(self).request("special", self, ("__format__", spec), {})

    def __dir__(self):
        return peer_of(self).request("dir", self, (), {})

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle or copy this object")

    def __copy__(self):
        return peer_of(self).request("copy", self, (False,), {})

    def __deepcopy__(self, memo):
        return peer_of(self).request("copy", self, (True,), {})


class Function(Mirror):
    """A function of the other side."""

    __class__ = property(lambda self: types.FunctionType)

    def __call__(self, *a, **k):
        return peer_of(self).request("call", self, a, k)


class Method:
    """A method looked up on a mirror, without asking: its call is one message instead of two."""

    __slots__ = ("_peer", "__self__", "__name__")

    def __init__(self, peer, owner, name):
        self._peer, self.__self__, self.__name__ = peer, owner, name

    __class__ = property(lambda self: types.MethodType)

    def __call__(self, *a, **k):
        return self._peer.request("method", self.__self__, (self.__name__,) + a, k)

    def __getattr__(self, name):
        return getattr(self._peer.request("get", self.__self__, (self.__name__,), {}), name)


def forward(name):
    """The method `name` of a mirrored class."""
    def call(self, *a):
        peer = peer_of(self)
        if name in peer.guarded:
            return peer.guard(self, name, a)
        return peer.request("special", self, (name,) + a, {})
    call.__name__ = name
    return call


def next_item(self):
    """The next item of a generator: the first ones singly, as a test may look at what each of them did, then by the hundred."""
    peer = peer_of(self)
    stream = peer.streams.setdefault(id(self), [0, []])
    stream[0] += 1
    if stream[0] > MAX_ITEMS:
        raise RuntimeError("endless iterator")
    if stream[1]:
        return stream[1].pop()
    if stream[0] <= SINGLY:
        return peer.request("special", self, ("__next__",), {})
    stream[1] = list(peer.request("batch", self, (min(max(BATCH, stream[0] // 2), LARGEST),), {}))[::-1]
    return stream[1].pop()


def run_coroutine(self, value=None):
    raise StopIteration(peer_of(self).request("run", self, (), {}))


def throw_coroutine(self, kind, value=None, tb=None):
    raise value if value is not None else kind


def await_coroutine(self):
    return (yield from finished(peer_of(self).request("run", self, (), {})))


def finished(v):
    return v
    yield
