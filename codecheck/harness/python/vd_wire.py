"""Frames and values on the wire between two interpreters, and between an interpreter and the engine.

A value is JSON: null, true, numbers below 2**53, text and lists stand for themselves; the rest is an object whose first key
is its tag (the table DECODERS). A mutable container that was met before in the same message is {"r": index}. Plain values
are read through their base types' own methods, never through those of a subclass, and nothing is ever unpickled.
"""
import json
import math
import os
import sys
import types

MAX_ASK = 64 << 20    # bytes of a message from the engine
MAX_FRAME = 8 << 20   # bytes of a message to it: enough for a list of a million numbers
MAX_DEPTH = 150       # of nested containers; a JSON text of twice that depth stays below Python's recursion limit
MAX_NODES = 1_000_000
MAX_BITS = 4_000_000  # of an integer, 1 MB of hexadecimal digits
IMMUTABLE_BASES = (int, float, complex, str, bytes, tuple, frozenset)
MUTABLE_BASES = (list, dict, set, bytearray)


# Taken once: programs that share an interpreter with this may change the module, and a new encoder each time costs.
ENCODE, DECODE = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder().decode


class Unsendable(Exception):
    """A value over one of the caps."""


class Gone(BaseException):
    """The other side, or the engine, is no more."""


class Channel:
    """Frames over a stream: 4 bytes of length (little end first), one byte of kind, JSON."""

    def __init__(self, fd):
        if fd >= 0 and sys.platform == "wasi":  # no descriptor is inherited there: the channel has a name
            fd = os.open("/dev/talk", os.O_RDWR)
        self.fd, self._read, self._write = fd, os.read, os.write

    def send(self, kind, value):
        body = kind + ENCODE(value).encode()
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
        if not 1 <= n <= MAX_ASK:
            raise Gone
        body = self._exactly(n)
        return body[:1], DECODE(str(body[1:], "utf-8", "surrogatepass"))


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
    """Function results: subclasses of plain types and numpy's values arrive as plain ones, the rest is opaque."""
    if t.__module__ == "numpy" and hasattr(t, "tolist"):
        return enc.value(v.tolist(), depth)
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
NUMPY = """bool_ bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 str_ bytes_""".split()
LIBRARY += [("numpy", "ndarray", lambda v: [v.tolist(), "O" if v.dtype.kind == "V" else str(v.dtype)], lambda c, a: __import__("numpy").array(a[0], a[1]))]
LIBRARY += [("numpy", n, lambda v: [v.item()], lambda c, a: c(a[0])) for n in NUMPY]
LIBRARY_OF = {(m, n): i for i, (m, n, _, _) in enumerate(LIBRARY)}
