"""Containers that both sides hold: a list passed as an argument, a dict read from an attribute.

In one interpreter there would be one object. Here each side has its own, under a common key, and before every message a side
looks whether its own has changed since it was last sent, and sends the new content along. Cost: each message looks at what is
followed again, so only the latest few are, and large ones for one call only. A list or dict of plain immutable things has not
changed where it holds the very same objects, which is quickly seen; others are encoded to find out.
"""
import json
from operator import is_

from vd_wire import MUTABLE_BASES, Decoder, Encoder, Unsendable

SHARED_NODES = 5_000  # of a container whose changes are followed after the call that it was passed to
SHARED_KEPT = 24      # containers followed at once; chosen by feel, tests look at their latest few
ATOMS = frozenset((int, float, complex, str, bytes, bool, type(None)))


def parts(v):
    """The objects in a list or dict, in order; None for other containers."""
    t = type(v)
    return tuple(v) if t is list else (*v, *v.values()) if t is dict else None


class Sharing:
    """The part of a Peer that keeps shared containers alike."""

    side = 0  # makes the two sides' keys differ

    def __init__(self):
        self.shared, self.key_of, self.next_key = {}, {}, 0  # key: [object, last wire form]; id: key

    def share(self, enc, v):
        """An argument or result: a container on its own is followed, so that changes on either side reach the other."""
        t = type(v)
        if t is not list and t is not dict and t is not set and t is not bytearray:
            return enc.value(v)
        key = self.key_of.get(id(v))
        if key is None:
            self.next_key += 1
            key = self.next_key * 2 + self.side
        wire = enc.value(v)
        self.follow(key, v)
        return {"k": key, "v": wire}

    def wire(self, v):
        return json.dumps(Encoder(self.lend).value(v))

    def state(self, v):
        """What tells later whether v has changed: the objects in it, or its wire form."""
        held = parts(v)
        if held is not None and ATOMS.issuperset(map(type, held)):
            return held
        return self.wire(v)

    def follow(self, key, v):
        state = self.state(v)
        old = self.shared.pop(key, None)
        if old:
            self.key_of.pop(id(old[0]), None)
        self.shared[key] = [v, state]
        self.key_of[id(v)] = key
        while len(self.shared) > SHARED_KEPT:
            self.forget(next(iter(self.shared)))

    def forget(self, key):
        old = self.shared.pop(key)
        self.key_of.pop(id(old[0]), None)

    def changes(self):
        out = []
        for key, entry in list(self.shared.items()):
            v, state = entry
            if type(state) is tuple:
                held = parts(v)
                if len(held) == len(state) and all(map(is_, held, state)):
                    continue
            try:
                wire = self.wire(v)
                if wire != state:
                    entry[1] = self.state(v)
                    out.append([key, json.loads(wire)])
            except Unsendable:
                self.forget(key)
        return out

    def large(self):
        """Containers that would cost too much to follow are followed for one call only."""
        for key, entry in list(self.shared.items()):
            if len(entry[1]) > (SHARED_NODES if type(entry[1]) is tuple else SHARED_NODES * 4):
                self.forget(key)

    def receive_shared(self, key, new):
        if key in self.shared:
            old = self.shared[key][0]
            if type(old) is type(new):
                merge(old, new)
                new = old
        try:
            self.follow(key, new)
        except Unsendable:
            pass
        return new

    def settle(self, msg):
        for key, wire in msg.get("s", ()):
            entry = self.shared.get(key)
            if entry:
                new = Decoder(self).value(wire)
                if type(new) is type(entry[0]):
                    merge(entry[0], new)
                    entry[1] = self.state(entry[0])


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
