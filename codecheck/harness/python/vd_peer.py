"""Two interpreters that lend each other their objects: the tester holds the tests, the candidate the program.

Values travel as tagged JSON and never as pickle. A plain value is read through its base type's own methods. Whatever else
there is stays where it was made; the other side gets a mirror of it, whose operations come back as requests. Exactly one
side has the turn: it sends a request and serves the other's requests until the answer comes.

    tester                         candidate
    call f([3, 1]) ───────────▶    f(list)               the list is shared: both sides send its changes
                   ◀───────────    return {"h": 7, …}    an object: the tester gets a mirror of its class
    mirror.total   ───────────▶    getattr(object 7, …)

Wire form of a value: null, true, numbers below 2**53, text and lists stand for themselves; the rest is an object whose
first key is its tag (the table DECODERS). A mutable container that was met before in the same message is {"r": index}.
"""
import builtins
import json
import math
import os
import sys
import types

MAX_FRAME = 8 << 20   # bytes of a message: enough for a list of a million numbers
MAX_DEPTH = 150       # of nested containers; a JSON text of twice that depth stays below Python's recursion limit
MAX_NODES = 1_000_000
MAX_BITS = 4_000_000  # of an integer, 1 MB of hexadecimal digits
SHARED_NODES = 5_000  # of a container whose changes are followed after the call that it was passed to
SHARED_KEPT = 24      # containers followed at once; chosen by feel, tests look at their latest few

SPECIAL = frozenset("""__len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__ __next__ __reversed__ __call__ __enter__ __exit__
__bool__ __int__ __float__ __index__ __complex__ __round__ __trunc__ __floor__ __ceil__ __abs__ __neg__ __pos__ __invert__
__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __bytes__ __format__ __missing__ __length_hint__ __fspath__
__await__ __aiter__ __anext__ __aenter__ __aexit__ __get__ __set__ __delete__ __instancecheck__ __subclasscheck__ __class_getitem__""".split())
BINARY = "add sub mul truediv floordiv mod divmod pow lshift rshift and xor or matmul".split()
ARITHMETIC = frozenset("__%s%s__" % (p, n) for n in BINARY for p in ("", "r", "i"))
COMPARE = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
NUMERIC = frozenset(("__abs__", "__neg__", "__pos__", "__invert__", "__bool__", "__int__", "__float__", "__index__", "__complex__", "__round__", "__trunc__", "__floor__", "__ceil__", "__len__", "__hash__"))
ALL_SPECIAL = SPECIAL | ARITHMETIC
PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice)
IMMUTABLE_BASES = (int, float, complex, str, bytes, tuple, frozenset)
MUTABLE_BASES = (list, dict, set, bytearray)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType)
# Classes that a side may name to the other; a class behaves alike on both sides, so it need not be lent.
SAFE_MODULES = frozenset("builtins collections decimal fractions datetime enum types typing numbers collections.abc uuid".split())
DRAIN = frozenset("""list_iterator tuple_iterator set_iterator dict_keyiterator dict_valueiterator dict_itemiterator str_iterator str_ascii_iterator
bytes_iterator range_iterator list_reverseiterator""".split())
LAZY = {"generator": types.GeneratorType, "coroutine": types.CoroutineType, "async_generator": types.AsyncGeneratorType, "function": types.FunctionType}


class Unsendable(Exception):
    """A value over one of the caps."""


class Gone(BaseException):
    """The other side, or the engine, is no more."""


class Channel:
    """Frames over a stream: 4 bytes of length (little end first), one byte of kind, JSON."""

    def __init__(self, fd):
        self.fd, self._read, self._write = fd, os.read, os.write

    def send(self, kind, value):
        body = kind + json.dumps(value, separators=(",", ":")).encode()
        if len(body) > MAX_FRAME:
            raise Unsendable("message too large")
        view = memoryview(len(body).to_bytes(4, "little") + body)
        while view:
            try:
                view = view[self._write(self.fd, view):]
            except OSError:
                raise Gone from None

    def _exactly(self, n):
        parts = []
        while n:
            try:
                part = self._read(self.fd, min(n, 1 << 20))
            except OSError:
                raise Gone from None
            if not part:
                raise Gone
            parts.append(part)
            n -= len(part)
        return b"".join(parts)

    def recv(self):
        n = int.from_bytes(self._exactly(4), "little")
        if not 1 <= n <= MAX_FRAME:
            raise Gone
        body = self._exactly(n)
        return body[:1], json.loads(body[1:])


class Drained:
    """What an iterator over a finished container gives, sent whole."""

    def __init__(self, items):
        self.items = items


class Encoder:
    """One message's values. `lend` gives the wire form of what is no plain value."""

    def __init__(self, lend, references=True):
        self.lend, self.references, self.nodes, self.seen, self.keep = lend, references, 0, {}, []

    def value(self, v, depth=0):
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise Unsendable("value too deep or too large")
        t = type(v)
        if v is None or t is bool or t is str:
            return v
        if t is int:
            return number(v)
        if t is float:
            return v if math.isfinite(v) else {"f": repr(v)}
        if t is list or t is dict or t is set or t is bytearray:
            return self.container(t, v, depth)
        if t is tuple:
            return {"t": [self.value(x, depth + 1) for x in v]}
        if t is frozenset:
            return {"F": [self.value(x, depth + 1) for x in v]}
        if t is bytes:
            return {"b": v.hex()}
        if t is complex:
            return {"c": [repr(v.real), repr(v.imag)]}
        if t is range or t is slice:
            return {"R" if t is range else "L": [self.value(x, depth + 1) for x in (v.start, v.stop, v.step)]}
        if v is Ellipsis or v is NotImplemented:
            return {"N": v is Ellipsis}
        return self.lend(self, v, t, depth)

    def container(self, t, v, depth):
        if self.references:
            at = self.seen.get(id(v))
            if at is not None:
                return {"r": at}
            self.seen[id(v)] = len(self.keep)
            self.keep.append(v)
        if t is list:
            return [self.value(x, depth + 1) for x in v]
        if t is dict:
            return {"d": [[self.value(k, depth + 1), self.value(x, depth + 1)] for k, x in v.items()]}
        if t is set:
            return {"S": [self.value(x, depth + 1) for x in v]}
        return {"B": v.hex()}

    def base(self, v, depth=0):
        """The plain content of an object whose class derives from a plain one, by that class's own methods."""
        if isinstance(v, int):
            return number(int.__add__(v, 0))
        if isinstance(v, float):
            return self.value(float.__add__(v, 0.0), depth)
        if isinstance(v, complex):
            return self.value(complex.__add__(v, 0j), depth)
        for t in (str, bytes, tuple, list, set, frozenset):
            if isinstance(v, t):
                plain = str.__str__(v) if t is str else bytes.__add__(v, b"") if t is bytes else t(list(t.__iter__(v)))
                return self.value(plain, depth)
        return self.value(dict(dict.items(v)), depth)


def number(i):
    if -(1 << 53) < i < 1 << 53:
        return i
    if i.bit_length() > MAX_BITS:
        raise Unsendable("integer too large")
    return {"i": hex(i)}


def plain_lend(enc, v, t, depth):
    """Function results: subclasses of plain types arrive as those, the rest is opaque."""
    if issubclass(t, IMMUTABLE_BASES + (list, dict, set)):
        return enc.base(v, depth)
    return {"o": t.__name__[:60]}


class Decoder:
    def __init__(self, peer=None):
        self.peer, self.table = peer, []

    def value(self, x):
        if type(x) is list:
            v = []
            self.table.append(v)
            v.extend([self.value(y) for y in x])
            return v
        if type(x) is not dict:
            return x
        tag = next(iter(x))
        known = DECODERS.get(tag)
        if known:
            return known(self, x[tag])
        return self.peer.borrow(self, tag, x)

    def fill(self, empty, items, put):
        self.table.append(empty)
        put(empty, items)
        return empty


DECODERS = {
    "i": lambda d, v: int(v, 16),
    "f": lambda d, v: float(v),
    "t": lambda d, v: tuple([d.value(y) for y in v]),
    "F": lambda d, v: frozenset([d.value(y) for y in v]),
    "b": lambda d, v: bytes.fromhex(v),
    "c": lambda d, v: complex(float(v[0]), float(v[1])),
    "R": lambda d, v: range(*[d.value(y) for y in v]),
    "L": lambda d, v: slice(*[d.value(y) for y in v]),
    "N": lambda d, v: Ellipsis if v else NotImplemented,
    "r": lambda d, v: d.table[v],
    "d": lambda d, v: d.fill({}, v, lambda e, items: e.update([(d.value(a), d.value(b)) for a, b in items])),
    "S": lambda d, v: d.fill(set(), v, lambda e, items: e.update([d.value(y) for y in items])),
    "B": lambda d, v: d.fill(bytearray(), v, lambda e, items: e.extend(bytes.fromhex(items))),
}

# Values of library classes, as (module, class, to plain parts, from plain parts).
LIBRARY = [
    ("decimal", "Decimal", lambda v: [str(v)], lambda c, a: c(a[0])),
    ("fractions", "Fraction", lambda v: [v.numerator, v.denominator], lambda c, a: c(*a)),
    ("datetime", "date", lambda v: [v.year, v.month, v.day], lambda c, a: c(*a)),
    ("datetime", "time", lambda v: [v.hour, v.minute, v.second, v.microsecond, v.tzinfo], lambda c, a: c(*a)),
    ("datetime", "datetime", lambda v: [v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond, v.tzinfo], lambda c, a: c(*a)),
    ("datetime", "timedelta", lambda v: [v.days, v.seconds, v.microseconds], lambda c, a: c(*a)),
    ("datetime", "timezone", lambda v: [v.utcoffset(None)], lambda c, a: c(*a)),
    ("uuid", "UUID", lambda v: [v.int], lambda c, a: c(int=a[0])),
    ("collections", "deque", lambda v: [list(v), v.maxlen], lambda c, a: c(*a)),
    ("collections", "Counter", lambda v: [dict(v)], lambda c, a: c(a[0])),
    ("collections", "OrderedDict", lambda v: [list(v.items())], lambda c, a: c(a[0])),
    ("collections", "defaultdict", lambda v: [v.default_factory, dict(v)], lambda c, a: c(*a)),
    ("types", "SimpleNamespace", lambda v: [dict(vars(v))], lambda c, a: c(**a[0])),
    ("builtins", "dict_keys", lambda v: [list(v)], lambda c, a: dict.fromkeys(a[0]).keys()),
    ("builtins", "dict_values", lambda v: [list(v)], lambda c, a: dict(enumerate(a[0])).values()),
    ("builtins", "dict_items", lambda v: [list(v)], lambda c, a: dict(a[0]).items()),
    ("builtins", "mappingproxy", lambda v: [dict(v)], lambda c, a: types.MappingProxyType(a[0])),
]
LIBRARY_OF = {(m, n): i for i, (m, n, _, _) in enumerate(LIBRARY)}


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


class Peer:
    """One side of the conversation. A subclass says what the other side may ask (allowed) and believe (guard)."""

    guarded = frozenset()

    def __init__(self, channel):
        self.ch = channel
        self.objects, self.handles = [], {}                     # lent by this side
        self.mirrors, self.of_mirror = {}, {}                   # borrowed: handle to mirror, id of mirror to handle
        self.specials, self.methods, self.plain = {}, {}, {}    # of mirrored classes, by id; plain: contents of immutable mirrors
        self.names = {}                                         # id of mirrored class: its name on the other side
        self.shared, self.key_of, self.next_key = {}, {}, 0     # key: [object, last wire form]; id: key
        self.side = 0
        self.loop = None

    # --- values out

    def lend(self, enc, v, t, depth):
        if id(v) in self.of_mirror:
            return {"H": self.of_mirror[id(v)]}
        if t is Drained:
            return {"I": enc.value(v.items, depth + 1)}
        if isinstance(v, type):
            return self.lend_class(v)
        if t in FUNCTIONS or t is Method:
            return self.lend_function(v, t)
        if t is types.ModuleType:
            return {"M": v.__name__} if v.__name__.partition(".")[0] in sys.stdlib_module_names else self.handle_of(v, {})
        at = LIBRARY_OF.get((t.__module__, t.__name__))
        if at is not None and getattr(sys.modules.get(t.__module__), t.__name__, t) is t:
            return {"V": at, "a": [enc.value(x, depth + 1) for x in LIBRARY[at][2](v)]}
        if t.__module__ == "typing":
            return {"T": v._name} if getattr(v, "_name", None) and not getattr(v, "__args__", None) else self.handle_of(v, {})
        extra = {"c": self.give(t)}
        if issubclass(t, BaseException):
            if t.__module__ == "builtins":
                return {"E": t.__name__, "a": self.args(enc, v, depth)}
            extra["a"] = self.args(enc, v, depth)
        elif issubclass(t, IMMUTABLE_BASES):
            extra["v"] = enc.base(v, depth + 1)
        return self.handle_of(v, extra)

    def args(self, enc, exc, depth):
        try:
            return [enc.value(x, depth + 1) for x in BaseException.args.__get__(exc)]
        except Unsendable:
            return []

    def give(self, v):
        """The handle of an object of this side."""
        h = self.handles.get(id(v))
        if h is None:
            h = self.handles[id(v)] = len(self.objects)
            self.objects.append(v)
        return h

    def handle_of(self, v, extra):
        return {"h": self.give(v), "c": extra.pop("c") if "c" in extra else self.give(type(v)), **extra}

    def lend_class(self, v):
        if id(v) in self.of_mirror:
            return {"H": self.of_mirror[id(v)]}
        m, q = v.__module__, v.__qualname__
        if m in SAFE_MODULES and getattr(sys.modules.get(m), q, None) is v:
            return {"g": [m, q]}
        return {"K": self.give(v)}

    def lend_function(self, v, t):
        if t is Method:
            return {"P": [self.of_mirror[id(v.__self__)], v.__name__]}
        return {"h": self.give(v), "c": None, "n": str(getattr(v, "__name__", ""))[:80]}

    def share(self, enc, v):
        """An argument or result: a container on its own is followed, so that changes on either side reach the other."""
        t = type(v)
        if t is not list and t is not dict and t is not set and t is not bytearray:
            return enc.value(v)
        key = self.key_of.get(id(v))
        if key is None:
            self.next_key += 1
            key = self.next_key * 2 + self.side
        before = enc.nodes
        wire = enc.value(v)
        self.follow(key, v, self.wire(v), enc.nodes - before)
        return {"k": key, "v": wire}

    def wire(self, v):
        return json.dumps(Encoder(self.lend).value(v))

    def follow(self, key, v, wire, nodes=0):
        old = self.shared.pop(key, None)
        if old:
            self.key_of.pop(id(old[0]), None)
        self.shared[key] = [v, wire, nodes]
        self.key_of[id(v)] = key
        while len(self.shared) > SHARED_KEPT:
            self.forget(next(iter(self.shared)))

    def forget(self, key):
        old = self.shared.pop(key)
        self.key_of.pop(id(old[0]), None)

    def changes(self):
        out = []
        for key, entry in list(self.shared.items()):
            try:
                wire = self.wire(entry[0])
            except Unsendable:
                self.forget(key)
                continue
            if wire != entry[1]:
                entry[1] = wire
                out.append([key, json.loads(wire)])
        return out

    def large(self):
        """Containers that would cost too much to follow are followed for one call only."""
        for key, entry in list(self.shared.items()):
            if len(entry[1]) > SHARED_NODES * 4:
                self.forget(key)

    # --- values in

    def borrow(self, dec, tag, x):
        v = x[tag]
        if tag == "H":
            return self.objects[v]
        if tag == "P":
            return getattr(self.objects[v[0]], v[1])
        if tag == "k":
            at = len(dec.table)
            new = dec.value(x["v"])
            got = self.receive_shared(v, new)
            if got is not new and at < len(dec.table) and dec.table[at] is new:
                dec.table[at] = got
            return got
        if tag == "I":
            return iter(dec.value(v))
        if tag == "h":
            return self.mirrors[v] if v in self.mirrors else self.new_mirror(dec, v, x)
        if tag == "K":
            return self.mirrored_class(v)
        if tag == "E":
            return build_exception(getattr(builtins, v) if isinstance(getattr(builtins, v, None), type) else Exception, [dec.value(a) for a in x["a"]])
        if tag == "V":
            module, name, _, make = LIBRARY[v]
            return make(getattr(__import__(module), name, None), [dec.value(a) for a in x["a"]])
        if tag == "g" and v[0] in SAFE_MODULES:
            __import__(v[0])
            got = getattr(sys.modules[v[0]], v[1])
            return got if isinstance(got, type) else None
        if tag == "M" and v.partition(".")[0] in sys.stdlib_module_names and v not in ("antigravity", "this"):
            __import__(v)
            return sys.modules[v]
        if tag == "T":
            return getattr(__import__("typing"), v)
        raise ValueError("unknown tag")

    def receive_shared(self, key, new):
        if key in self.shared:
            old = self.shared[key][0]
            if type(old) is type(new):
                merge(old, new)
                new = old
        try:
            self.follow(key, new, self.wire(new))
        except Unsendable:
            pass
        return new

    def new_mirror(self, dec, h, x):
        if x["c"] is None:
            m = Function.__new__(Function)
        else:
            cls = self.mirrored_class(x["c"])
            if h in self.mirrors:
                return self.mirrors[h]
            if "v" in x:
                value = dec.value(x["v"])
                m = type(value).__new__(cls, value)
                self.plain[id(m)] = value
            elif issubclass(cls, BaseException):
                m = BaseException.__new__(cls, *[dec.value(a) for a in x.get("a", [])])
            else:
                m = cls.__new__(cls)
        self.own(h, m)
        return m

    def own(self, h, m):
        self.mirrors[h], self.of_mirror[id(m)] = m, h
        OWNERS[id(m)] = self

    def handle(self, m):
        return self.of_mirror[id(m)]

    def mirrored_class(self, h):
        if h in self.mirrors:
            return self.mirrors[h]
        about = self.request("class", None, (h,), {})
        name, bases, specials, methods, lazy, kind, doc = about
        if h in self.mirrors:
            return self.mirrors[h]
        body = {s: forward(s) for s in specials if s in ALL_SPECIAL and s not in ("__eq__", "__ne__", "__hash__", "__repr__", "__str__", "__format__", "__get__", "__set__", "__delete__", "__instancecheck__", "__subclasscheck__", "__class_getitem__")}
        for op in COMPARE - {"__eq__", "__ne__"}:
            if op in body:
                body[op] = lambda self, other, op=op: self._vd_compare(op, other)
        if "nohash" in specials:
            body["__hash__"] = None
        if lazy in LAZY:
            body["__class__"] = property(lambda self, t=LAZY[lazy]: t)
            if lazy == "coroutine":
                body.update(send=run_coroutine, throw=throw_coroutine, close=lambda self: None, __await__=await_coroutine)
        elif "__await__" in body:
            body["__await__"] = await_coroutine
        if kind == "error" and "__str__" not in specials:
            body["__str__"] = BaseException.__str__
            body["__repr__"] = BaseException.__repr__
        body["__doc__"] = doc
        cls = self.make_class(name, bases, body)
        self.own(h, cls)
        CLASSES[id(cls)] = self
        self.specials[id(cls)], self.methods[id(cls)], self.names[id(cls)] = frozenset(specials), frozenset(methods), name
        return cls

    def make_class(self, name, bases, body):
        body["__module__"] = "__main__"
        tuples = []
        for b in bases:
            if b is object or b is None or b is type:
                continue
            if issubclass(b, (Mirror, BaseException)):
                tuples.append(b)
            else:  # a library class: of it only the plain class that it derives from is needed
                tuples.extend([k for k in b.__mro__ if k in IMMUTABLE_BASES or k in MUTABLE_BASES][:1])
        if not any(issubclass(b, Mirror) for b in tuples):
            tuples.insert(0, Mirror)
        if any(b in MUTABLE_BASES for k in tuples for b in k.__mro__):
            for n in dir([b for k in tuples for b in k.__mro__ if b in MUTABLE_BASES][0]):
                if n in ALL_SPECIAL and n not in body and n not in COMPARE and n not in ("__hash__", "__repr__", "__str__", "__format__", "__class_getitem__"):
                    body[n] = forward(n)
                elif not n.startswith("__") and n not in body:
                    body[n] = lambda self, *a, _n=n, **k: peer_of(self).request("method", self, (_n,) + a, k)
        try:
            return Meta(name, tuple(dict.fromkeys(tuples)), body)
        except TypeError:
            return Meta(name, (Mirror,), body)

    def contents(self, m):
        """The plain value that a mirror of a plain class's subclass stands for, else None."""
        if id(m) in self.plain:
            return self.plain[id(m)]
        if isinstance(m, MUTABLE_BASES) and id(type(m)) in self.specials:
            return self.request("contents", m, (), {})
        return None

    # --- the conversation

    def request(self, op, target, a, k):
        msg = {"q": op}
        enc = Encoder(self.lend)
        if target is not None:
            msg["o"] = self.of_mirror[id(target)]
        msg["a"] = [self.share(enc, x) for x in a]
        if k:
            msg["k"] = {n: self.share(enc, x) for n, x in k.items()}
        self.decorate(msg, target)
        changed = self.changes()
        if changed:
            msg["s"] = changed
        self.ch.send(b"P", msg)
        return self.answer()

    def answer(self):
        """Serve the other side until it answers."""
        while True:
            kind, msg = self.ch.recv()
            if kind != b"P":
                raise Gone
            if "q" in msg:
                self.serve(msg)
                continue
            self.settle(msg)
            dec = Decoder(self)
            try:
                if "x" in msg:
                    raise_it = dec.value(msg["x"])
                else:
                    return dec.value(msg["r"])
            finally:
                self.large()
            if not isinstance(raise_it, BaseException):
                raise_it = RuntimeError("no exception")
            raise raise_it

    def settle(self, msg):
        for key, wire in msg.get("s", ()):
            entry = self.shared.get(key)
            if entry:
                new = Decoder(self).value(wire)
                if type(new) is type(entry[0]):
                    merge(entry[0], new)
                    entry[1] = self.wire(entry[0])

    def serve(self, msg):
        out = {}
        try:
            self.settle(msg)
            dec = Decoder(self)
            target = self.objects[msg["o"]] if "o" in msg else None
            a = [dec.value(x) for x in msg["a"]]
            k = {n: dec.value(x) for n, x in msg.get("k", {}).items()}
            result = self.perform(msg, msg["q"], target, a, k)
            out["r"] = self.share(Encoder(self.lend), result)
        except Gone:
            raise
        except BaseException as e:
            out = {"x": self.error(e)}
        try:
            changed = self.changes()
            if changed:
                out["s"] = changed
            self.finish(out, msg)
            self.ch.send(b"P", out)
        except Unsendable:
            self.ch.send(b"P", {"x": {"E": "ValueError", "a": ["value too large"]}})
        self.large()

    def error(self, e):
        try:
            return Encoder(self.lend).value(e.with_traceback(None))
        except BaseException:
            return {"E": "RuntimeError", "a": ["exception cannot be sent"]}

    def perform(self, msg, op, target, a, k):
        self.allowed(op, target, a)
        if op == "call":
            return target(*a, **k)
        if op == "method":
            return getattr(target, a[0])(*a[1:], **k)
        if op == "special":
            r = getattr(type(target), a[0])(target, *a[1:])
            return Drained(list(r)) if a[0] == "__iter__" and type(r).__name__ in DRAIN else r
        if op == "get":
            return getattr(target, a[0])
        if op == "set":
            return setattr(target, a[0], a[1])
        if op == "del":
            return delattr(target, a[0])
        if op == "class":
            return describe(self.objects[a[0]])
        if op == "items":
            return list(target)
        if op == "item":
            return target[a[0]]
        if op == "dir":
            return dir(target)
        if op == "contents":
            return Decoder(self).value(Encoder(self.lend).base(target))
        if op == "copy":
            import copy
            return (copy.deepcopy if a[0] else copy.copy)(target)
        if op == "run":
            return self.run(target)
        return self.more(op, target, a, k)

    def run(self, awaitable):
        import asyncio
        if self.loop is None:
            self.loop = asyncio.new_event_loop()

        async def wait():
            return await awaitable
        return self.loop.run_until_complete(wait())

    def decorate(self, msg, target):
        pass

    def finish(self, out, msg):
        pass

    def more(self, op, target, a, k):
        raise ValueError("unknown request")


def run_coroutine(self, value=None):
    raise StopIteration(peer_of(self).request("run", self, (), {}))


def throw_coroutine(self, kind, value=None, tb=None):
    raise value if value is not None else kind


def await_coroutine(self):
    return (yield from finished(peer_of(self).request("run", self, (), {})))


def finished(v):
    return v
    yield


def describe(cls):
    """Name, bases, special methods, plain methods, kind of lazy object, kind and text of a class: what a mirror of it is made from."""
    specials, methods = set(), set()
    mro = [k for k in type.mro(cls) if k is not object] if cls is not type else []
    builtin = IMMUTABLE_BASES + MUTABLE_BASES + (BaseException,)
    for k in mro:
        if k in builtin or issubclass(k, BaseException) and k.__module__ == "builtins":
            continue
        for n, v in k.__dict__.items():
            if n in ALL_SPECIAL:
                specials.add("nohash" if v is None and n == "__hash__" else n)
            elif isinstance(v, (types.FunctionType, staticmethod, classmethod)) and not n.startswith("__"):
                methods.add(n)
    if any("__getattribute__" in k.__dict__ for k in mro if k not in builtin and k.__module__ != "builtins"):
        methods = set()
    lazy = cls.__name__ if cls.__module__ == "builtins" and cls.__name__ in LAZY else ""
    kind = "error" if issubclass(cls, BaseException) else ""
    doc = cls.__dict__.get("__doc__")
    return [cls.__name__, list(cls.__bases__), sorted(specials), sorted(methods), lazy, kind, doc if type(doc) is str else None]


def build_exception(cls, args):
    try:
        return cls(*args)
    except Exception:
        e = cls.__new__(cls, *args)
        e.args = tuple(args)
        return e


def merge(old, new, depth=0):
    """Make old equal to new in place, keeping the identity of inner containers that stand at the same places."""
    if old is new:
        return
    if depth < 20 and type(old) is list:
        for i, x in enumerate(new):
            if i < len(old) and type(old[i]) is type(x) and type(x) in MUTABLE_BASES:
                merge(old[i], x, depth + 1)
                new[i] = old[i]
    elif depth < 20 and type(old) is dict:
        for key, x in new.items():
            if key in old and type(old[key]) is type(x) and type(x) in MUTABLE_BASES:
                merge(old[key], x, depth + 1)
                new[key] = old[key]
    if type(old) is list or type(old) is bytearray:
        old[:] = new
    else:
        kept = list(new.items()) if type(old) is dict else list(new)
        old.clear()
        old.update(kept)
