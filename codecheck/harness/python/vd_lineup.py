"""Line-ups: tests that must share an interpreter with the program, asked so that who can forge an answer does not know which.

In `assert f(3) == 18` the 18 is taken out of the text. When the left side has been computed, the engine shows 18 among near
misses of the same type, in an order that only it knows, and the interpreter says which are equal:

    assert f(3) == 18          becomes      assert _vd_same(f(3), 0)        question 0: 17, 36, 18, -18
    assert is_odd(3)           becomes      assert _vd_truth(not is_odd(3), 1)     or unturned, by a coin

An object that equals everything picks four, a patched assert picks none, a forged report guesses: with n questions of k
values it succeeds with k to the power of -n. This module rewrites the text, in a sandbox without the program.
"""
import os
import random

from vd_text import Broken, Text
from vd_wire import Channel, Encoder, Gone, plain_lend

SHOWN = 4  # values of a line-up: one right, three decoys
EQUAL = frozenset("assertEqual assertEquals assertListEqual assertDictEqual assertTupleEqual assertSetEqual assertSequenceEqual assertMultiLineEqual assertIs".split())


def near(v, depth=0):
    """Near misses of a value, of its type where that has others."""
    if v is None:
        return [0, False, ""]
    if v is True or v is False:
        return [not v]
    if isinstance(v, (int, float, complex)):
        return [v + 1, v - 1, -v, v * 2 + 1, v + 10]
    if isinstance(v, (str, bytes)):
        return [v + v[:1], v[:-1], v[::-1], v.swapcase(), v + (b"1" if isinstance(v, bytes) else "1"), v[1:]]
    if isinstance(v, (list, tuple)):
        t = type(v)
        inner = [t([*v[:i], d, *v[i + 1:]]) for i in range(len(v)) for d in (near(v[i], depth + 1)[:2] if depth < 3 else [])][:8]
        return [v[:-1], v + v[:1], v[::-1], *inner, t([0]), t()]
    if isinstance(v, (set, frozenset)):
        return [v | {0}, v | {"x"}, type(v)(list(v)[1:])]
    if isinstance(v, dict):
        changed = [{**v, k: d} for k in list(v)[:3] for d in (near(v[k], depth + 1)[:2] if depth < 3 else [])]
        return [{**v, "x": 0}, dict(list(v.items())[1:]), *changed]
    return []


def decoys(v, rng):
    """Up to three values that are not equal to v nor to each other."""
    pool, chosen = near(v), []
    rng.shuffle(pool)
    for d in pool:
        if type(d) is type(v) or v is None:
            if not d == v and not any(d == c for c in chosen):
                chosen.append(d)
    return chosen[: SHOWN - 1]


class Rewriter:
    """Turns the assertions of a tree into questions; `questions` is the key, for the engine alone."""

    def __init__(self, text):
        self.ast, self.text, self.rng, self.questions = text.ast, text, random.SystemRandom(), []

    def run(self):
        for node in self.text.tree.body:
            self.statement(node, True)
        self.ast.fix_missing_locations(self.text.tree)
        return self.ast.unparse(self.text.tree)

    def statement(self, node, surely):
        """Rewrite one statement; `surely`: a run of the whole suite is bound to reach it."""
        ast = self.ast
        if any(word in ast.dump(d) for d in getattr(node, "decorator_list", ()) for word in ("xpectedFailure", "xfail", "skip")):
            return  # meant to fail, or not to run
        if isinstance(node, ast.Assert):
            node.test, node.msg = self.truth(node.test, surely), None
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            node.value = self.call(node.value, surely)
        for field in ("body", "orelse", "finalbody", "handlers"):
            for child in getattr(node, field, None) or []:
                self.statement(child, surely and field == "body" and self.enters(node))

    def enters(self, node):
        ast = self.ast
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return not node.decorator_list and (node.name.startswith("test") or node.name == "check")
        if isinstance(node, ast.With):
            return not any("aises" in ast.dump(i.context_expr) for i in node.items)
        return isinstance(node, ast.ClassDef) and not node.decorator_list

    def ask(self, name, value, kind, right, shown, surely, *more):
        self.questions.append({"kind": kind, "right": right, "decoys": shown, "surely": surely})
        ast = self.ast
        return ast.Call(ast.Name(name, ast.Load()), [value, ast.Constant(len(self.questions) - 1), *more], [])

    def same(self, value, right, surely, *more):
        wire = [Encoder(plain_lend, False).value(v) for v in [right, *decoys(right, self.rng)]]
        return self.ask("_vd_same", value, "same", wire[0], wire[1:], surely, *more)

    def literal(self, node):
        """(True, value) where the node is a literal."""
        try:
            return True, self.ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return False, None

    def truth(self, test, surely):
        ast = self.ast
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            test.values = [self.truth(v, surely and i == 0) for i, v in enumerate(test.values)]
            return test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
            left, right = test.left, test.comparators[0]
            wrap = self.approx(right)
            for value, other in ((left, wrap[0] if wrap else right), (right, left)):
                known, v = self.literal(other)
                if known and not self.literal(value)[0]:
                    return self.same(value, v, surely, *(wrap[1:] if wrap else ()))
        turned = self.rng.random() < 0.5
        return self.ask("_vd_truth", ast.UnaryOp(ast.Not(), test) if turned else test, "truth", not turned, [], surely)

    def approx(self, node):
        """For pytest.approx(LITERAL, …): the literal, and a function that wraps another value alike."""
        ast = self.ast
        if not isinstance(node, ast.Call) or "approx" not in (getattr(node.func, "attr", ""), getattr(node.func, "id", "")) or not node.args:
            return None
        arg = ast.arguments([], [ast.arg("v")], None, [], [], None, [])
        return node.args[0], ast.Lambda(arg, ast.Call(node.func, [ast.Name("v", ast.Load()), *node.args[1:]], node.keywords))

    def call(self, call, surely):
        ast = self.ast
        name, args = getattr(call.func, "attr", ""), call.args
        if name in EQUAL and len(args) >= 2:
            asked = self.truth(ast.Compare(args[0], [ast.Eq()], [args[1]]), surely)
        elif name == "assertIsNone" and args:
            asked = self.same(args[0], None, surely)
        elif name == "assertTrue" and args:
            asked = self.truth(args[0], surely)
        elif name == "assertFalse" and args:
            asked = self.truth(ast.UnaryOp(ast.Not(), args[0]), surely)
        elif name in ("assertIn", "assertNotIn") and len(args) >= 2:
            asked = self.truth(ast.Compare(args[0], [ast.In() if name == "assertIn" else ast.NotIn()], [args[1]]), surely)
        elif name == "assertAlmostEqual" and len(args) >= 2 and self.literal(args[1])[0] and isinstance(self.literal(args[1])[1], (int, float)):
            asked = self.same(args[0], self.literal(args[1])[1], surely, self.closeness(call))
        else:
            return call
        return ast.Call(ast.Attribute(call.func.value, "assertTrue", ast.Load()), [asked], [])

    def closeness(self, call):
        """A function that makes of a value something equal to what assertAlmostEqual takes for it."""
        ast = self.ast
        extra = call.args[2:3] and [ast.keyword("places", call.args[2])] or [k for k in call.keywords if k.arg in ("places", "delta")]
        arg = ast.arguments([], [ast.arg("v")], None, [], [], None, [])
        return ast.Lambda(arg, ast.Call(ast.Name("_vd_close", ast.Load()), [ast.Name("v", ast.Load())], extra))


class Close:
    """Equal where assertAlmostEqual would be."""

    __hash__ = None

    def __init__(self, v, places=7, delta=None):
        self.v, self.places, self.delta = v, places, delta

    def __eq__(self, other):
        if type(other) not in (int, float, bool):
            return other == self.v
        return other == self.v or (abs(other - self.v) <= self.delta if self.delta is not None else round(abs(other - self.v), self.places) == 0)


def asker(ch):
    """The functions that rewritten texts call, bound to the channel."""
    from vd_wire import Decoder
    send, recv = ch.send, ch.recv

    def same(value, n, wrap=None):
        send(b"?", {"n": n})
        shown = [Decoder().value(x) for x in recv()[1]["values"]]
        picked = [bool(value == (wrap(v) if wrap else v)) for v in shown]
        send(b"A", {"n": n, "picked": picked})
        return recv()[1]["ok"]

    def truth(value, n):
        send(b"A", {"n": n, "picked": [bool(value)]})
        return recv()[1]["ok"]

    return {"_vd_same": same, "_vd_truth": truth, "_vd_close": Close}


def main():
    ch = Channel(3)
    job = ch.recv()[1]
    try:
        text = Text(job["text"], job["file"])
        text.check_imports({job["solution"].partition(".")[0], "pytest"} | {f.partition("/")[0].removesuffix(".py") for f in job["files"]})
        import vd_suites
        vd_suites.Plan(job, text)
        rewriter = Rewriter(text)
        ch.send(b"T", {"text": rewriter.run(), "questions": rewriter.questions})
    except Broken as e:
        ch.send(b"B", {"status": e.args[0], "reason": e.args[1]})
    except Gone:
        pass
    os._exit(0)
