"""Two interpreters that lend each other their objects: the tester holds the tests, the candidate the program.

Plain values travel (vd_wire). Whatever else there is stays where it was made; the other side gets a mirror of it
(vd_mirror), whose operations come back as requests. Exactly one side has the turn: it sends a request and serves the
other's requests until the answer comes.

    tester                         candidate
    call f([3, 1]) ───────────▶    f(list)               the list is shared: both sides send its changes
                   ◀───────────    return {"h": 7, …}    an object: the tester gets a mirror of its class
    mirror.total   ───────────▶    getattr(object 7, …)
"""
import builtins
import sys
import types

from vd_mirror import ALL_SPECIAL, CLASSES, COMPARE, LAZY, OWNERS, Function, Meta, Method, Mirror, await_coroutine, forward, next_item, peer_of, run_coroutine, throw_coroutine
from vd_shared import Sharing
from vd_wire import IMMUTABLE_BASES, LIBRARY, LIBRARY_OF, MUTABLE_BASES, Decoder, Drained, Encoder, Gone, Unsendable

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType)
# Classes that a side may name to the other; a class behaves alike on both sides, so it need not be lent.
SAFE_MODULES = frozenset("builtins collections decimal fractions datetime enum types typing numbers collections.abc uuid".split())
DRAIN = frozenset("""list_iterator tuple_iterator set_iterator dict_keyiterator dict_valueiterator dict_itemiterator str_iterator str_ascii_iterator
bytes_iterator range_iterator list_reverseiterator""".split())


class Peer(Sharing):
    """One side of the conversation. A subclass says what the other side may ask (allowed) and believe (guard)."""

    guarded = frozenset()

    def __init__(self, channel):
        super().__init__()
        self.ch = channel
        self.objects, self.handles = [], {}                     # lent by this side
        self.mirrors, self.of_mirror = {}, {}                   # borrowed: handle to mirror, id of mirror to handle
        self.specials, self.methods, self.plain = {}, {}, {}    # of mirrored classes, by id; plain: contents of immutable mirrors
        self.streams, self.pending = {}, {}                     # generators: id of mirror to [items taken, items ready]; id to exception
        self.names = {}                                         # id of mirrored class: its name on the other side
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
            if lazy == "generator":
                body["__next__"] = next_item
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
        if op == "batch":
            return self.batch(target, a[0])
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

    def batch(self, iterator, n):
        """Up to n items; an exception that ends them early is kept for the next call."""
        if id(iterator) in self.pending:
            raise self.pending.pop(id(iterator))
        items = []
        try:
            while len(items) < n:
                items.append(next(iterator))
        except BaseException as e:
            if not items:
                raise
            if not isinstance(e, StopIteration):
                self.pending[id(iterator)] = e
        return Drained(items)

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
