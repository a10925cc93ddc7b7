"""Rehearsals: what makes a fork server's children fast.

An interpreter changes its own memory as it runs: it specialises the code of a function after some calls (PEP 659), fills its
caches of attributes and strings. A child that does so for the first time copies a page for each place. So a server goes
through canned conversations before it forks anybody; the texts below are all that it ever hears before a fork.
"""
import json
import os
import sys

from vd_wire import Channel

ROUNDS = 12  # 3.11 specialises after 8 calls
PROGRAM = '''from typing import List, Optional
import math

class Item:
    def __init__(self, n: int):
        self.n = n

    def twice(self):
        return self.n * 2

def f(numbers: List[float], limit: float = 0.5) -> Optional[int]:
    """Text."""
    total = {}
    for i, a in enumerate(sorted(numbers)):
        for b in numbers[i + 1:]:
            if abs(a - b) < limit and a not in total:
                total[a] = [str(b), len(numbers)]
    return [x for x in total] or None
'''
CHECK = '''METADATA = {"author": "", "dataset": ""}

def check(candidate):
    assert candidate([1.0, 2.5], 0.5) == [1, "a"]
    assert candidate((1, "x"), limit={"k": [1]}) == [1, "a"]
    assert candidate([], -1) is not None, "text"
    assert abs(candidate(1)[0] - 1) < 1e-6 and tuple(candidate(1)) == (1, "a")
'''
TRUSTED = "def check(candidate):\n    assert candidate([1.0, 1.2], 0.5) == [1.0], 'text'\n    assert candidate([], -1) is None\n    assert abs(candidate([2, 2])[0] - 2) < 1e-6\n"
ASSERTS = "assert f([1.0, 2.5], 0.5) == [1, 'a']\nassert f('x', k=1) == [1, 'a']\n"
FUNCTIONS = "import math\ndef test_a():\n    for x in ([1], [2]):\n        assert f(x) == [1, 'a']\n    assert math.isclose(f(1)[0], 1)\n"
UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = 1\n    def test_a(self):\n        self.assertEqual(f(self.x), [1, 'a'])\n"
CALLS = [[[1.0, 2.5], 0.5], [{"k": 1, "v": [3, 1, 2]}], [{"t": [1, 2.5]}, 2], [{"k": 3, "v": []}]]


class Canned(Channel):
    """A channel on which everything has been said already."""

    def __init__(self, frames):
        super().__init__(-1)
        said = bytearray()
        for kind, value in frames:
            body = kind + json.dumps(value).encode()
            said += len(body).to_bytes(4, "little") + body

        def read(fd, n):
            part = bytes(said[:n])
            del said[:n]
            return part
        self._read, self._write = read, lambda fd, view: len(view)


def program():
    return {"name": "__main__", "file": "/work/solution.py", "before": [], "source": PROGRAM, "class": ""}


def candidate():
    from vd_candidate import converse
    asks = [{"q": "name", "a": ["f"]}] + [{"q": "call", "o": 0, "a": a} for a in CALLS] + [{"q": "name", "a": ["Item"]}]
    asks += [{"q": "class", "a": [1]}, {"q": "call", "o": 1, "a": [2]}, {"q": "method", "o": 2, "a": ["twice"]}, {"q": "get", "o": 2, "a": ["n"]}]
    converse(Canned([(b"J", program())] + [(b"P", q) for q in asks] + [(b"Q", None)]))


def tester():
    from vd_tester import converse
    for kind, text in (("check_fn", CHECK), ("asserts", ASSERTS), ("asserts", FUNCTIONS), ("asserts", UNITTEST)):
        job = {"text": text, "file": "tests.py", "kind": kind, "entry": "f", "files": {}, "module": "tests", "solution": "solution",
               "shares": True, "local": False, "lineup": False, "auto": True, "everything": True, "nonce": "", "program": {}}
        answers = [{"r": {"h": 0, "c": None, "n": "f"}}] + [{"r": {"k": 2 * i + 1, "v": [1, "a"]}} for i in range(8)]
        converse(Canned([(b"J", job), (b"U", {"names": ["List", "math", "Item", "f"]})] + [(b"P", a) for a in answers]))
    converse(Canned([(b"J", {**job, "text": TRUSTED, "kind": "check_fn", "local": True, "auto": False, "nonce": "", "program": program()})]))


def rehearse(side):
    """Go through the conversations of a side, and leave nothing of them but the warmth."""
    import vd_mirror
    kept = sys.argv, sys.path[:], dict(sys.modules), os.environ.copy()
    for _ in range(ROUNDS):
        {"candidate": candidate, "tester": tester}[side]()
        for name in list(sys.modules):
            if name not in kept[2] and name in ("solution", "tests"):
                del sys.modules[name]
        sys.modules["__main__"] = kept[2]["__main__"]
        sys.argv, sys.path[:] = kept[0], kept[1]
        vd_mirror.CLASSES.clear()
        vd_mirror.OWNERS.clear()
