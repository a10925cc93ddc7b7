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

from vd_decoys import decoys, exactly
from vd_text import Broken, Text
from vd_wire import Channel, Encoder, Gone, plain_lend

EQUAL = frozenset("assertEqual assertEquals assertListEqual assertDictEqual assertTupleEqual assertSetEqual assertSequenceEqual assertMultiLineEqual assertIs".split())


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

    def same(self, value, right, surely, tolerance, *more):
        wire = [Encoder(plain_lend, False).value(v) for v in [right, *decoys(right, self.rng, tolerance)]]
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
                    return self.same(value, v, surely, *(wrap[1:] if wrap else (exactly,)))
        turned = self.rng.random() < 0.5
        return self.ask("_vd_truth", ast.UnaryOp(ast.Not(), test) if turned else test, "truth", not turned, [], surely)

    def approx(self, node):
        """For pytest.approx(LITERAL, …): the literal, its tolerance, and a function that wraps another value alike."""
        ast = self.ast
        if not isinstance(node, ast.Call) or "approx" not in (getattr(node.func, "attr", ""), getattr(node.func, "id", "")) or not node.args:
            return None
        given = self.numbers(node, 1, ("rel", "abs", "nan_ok"))
        if given is None:
            return None
        rel, least = (given.get(n) for n in ("rel", "abs"))
        rel, least = 1e-6 if rel is None and least is None else rel or 0, 1e-12 if least is None else least
        arg = ast.arguments([], [ast.arg("v")], None, [], [], None, [])
        return node.args[0], lambda v: max(least, rel * abs(v)), ast.Lambda(arg, ast.Call(node.func, [ast.Name("v", ast.Load()), *node.args[1:]], node.keywords))

    def call(self, call, surely):
        ast = self.ast
        name, args = getattr(call.func, "attr", ""), call.args
        if name in EQUAL and len(args) >= 2:
            asked = self.truth(ast.Compare(args[0], [ast.Eq()], [args[1]]), surely)
        elif name == "assertIsNone" and args:
            asked = self.same(args[0], None, surely, exactly)
        elif name == "assertTrue" and args:
            asked = self.truth(args[0], surely)
        elif name == "assertFalse" and args:
            asked = self.truth(ast.UnaryOp(ast.Not(), args[0]), surely)
        elif name in ("assertIn", "assertNotIn") and len(args) >= 2:
            asked = self.truth(ast.Compare(args[0], [ast.In() if name == "assertIn" else ast.NotIn()], [args[1]]), surely)
        elif name == "assertAlmostEqual" and len(args) >= 2:
            asked = self.almost(call, surely)
        else:
            return call
        return ast.Call(ast.Attribute(call.func.value, "assertTrue", ast.Load()), [asked], [])

    def numbers(self, call, at, names):
        """The numbers among a call's arguments from place `at` on, by name; None where one of them is no literal."""
        found = {}
        for name, node in [*zip(names, call.args[at:]), *((k.arg, k.value) for k in call.keywords)]:
            known, v = self.literal(node)
            if not known or name in names and not isinstance(v, (int, float, type(None))):
                return None
            found[name] = v
        return found

    def almost(self, call, surely):
        """assertAlmostEqual, where Close stands for what is equal to its second argument."""
        ast = self.ast
        extra = [ast.keyword(n, v) for n, v in zip(("places", "msg", "delta"), call.args[2:]) if n != "msg"]
        extra += [k for k in call.keywords if k.arg in ("places", "delta")]
        known, right = self.literal(call.args[1])
        given = self.numbers(ast.Call(call.func, [], extra), 0, ("places", "delta"))
        if not known or not isinstance(right, (int, float)) or given is None:
            return self.truth(ast.Compare(call.args[0], [ast.Eq()], [ast.Call(ast.Name("_vd_close", ast.Load()), [call.args[1]], extra)]), surely)
        places, delta = given.get("places"), given.get("delta")
        tolerance = delta if delta is not None else 0.5 * 10.0 ** -(7 if places is None else places)
        arg = ast.arguments([], [ast.arg("v")], None, [], [], None, [])
        close = ast.Lambda(arg, ast.Call(ast.Name("_vd_close", ast.Load()), [ast.Name("v", ast.Load())], extra))
        return self.same(call.args[0], right, surely, lambda v: tolerance, close)


class Close:
    """Equal where assertAlmostEqual would be."""

    __hash__ = None

    def __init__(self, v, places=7, delta=None):
        self.v, self.places, self.delta = v, 7 if places is None else places, delta

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
