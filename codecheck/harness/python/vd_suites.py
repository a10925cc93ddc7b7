"""Which tests a text holds, and running them: statements, test_ functions, unittest classes, pytest's fixtures."""
import builtins
import sys
import types

from vd_tester import classify, quiet
from vd_text import Broken

QUIET = ("main", "TextTestRunner")


class Plan:
    """What of a text counts as a test, found from the text alone."""

    def __init__(self, job, text):
        self.job, self.text, self.kind = job, text, job["kind"]
        ast = text.ast
        self.statements = self.kind in ("asserts", "check_fn")
        self.cases = {id(s): i for i, s in enumerate([s for s in text.tree.body if self.is_case(s)])} if self.statements else {}
        self.expected = len(self.cases) + sum(1 for n in text.nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name.startswith("test"))
        self.check = self.kind == "check_fn" or bool(job["entry"]) and "check" in text.binds and "check" not in text.loads
        if self.check and "check" not in text.binds:
            raise Broken("broken_tests", "the tests define no check function")
        if self.check:
            self.cases = {}
        if not self.check and not self.cases and not self.expected and not self.inherits(text):
            raise Broken("no_tests", "the tests hold nothing to check")
        self.check_arguments(text)

    def inherits(self, text):
        ast = text.ast
        return any(isinstance(n, ast.ClassDef) and n.bases for n in text.tree.body)

    def is_case(self, s):
        ast = self.text.ast
        if isinstance(s, ast.Expr):
            return not isinstance(s.value, ast.Constant)
        if isinstance(s, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(s.test)):
            return any(isinstance(n, ast.Assert) for n in ast.walk(s))
        return isinstance(s, (ast.Assert, ast.For, ast.While, ast.With, ast.Try, ast.If, ast.Raise, ast.AsyncFor, ast.AsyncWith))

    def check_arguments(self, text):
        """A test that wants an argument which nothing gives fails every answer."""
        ast = text.ast
        fixtures = {"request", "capsys", "capfd", "tmp_path", "tmpdir", "monkeypatch"}
        for n in text.nodes:
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and any("fixture" in ast.dump(d) for d in n.decorator_list):
                fixtures.add(n.name)
        if any(f.endswith("conftest.py") for f in self.job["files"]):
            return
        for n in text.tree.body:
            if not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) or not n.name.startswith("test") or n.name in text.loads:
                continue
            if n.decorator_list or self.kind == "unittest":
                continue
            needs = [a.arg for a in n.args.posonlyargs + n.args.args][: len(n.args.posonlyargs + n.args.args) - len(n.args.defaults)]
            if any(a not in fixtures for a in needs):
                raise Broken("broken_tests", "a test wants an argument that nothing gives")

    def run(self, space, report):
        self.silence()
        before = set(space) if type(space) is dict else set()
        self.space = space
        if not self.execute(space, report):
            return report.end(max(self.expected, 1))
        if self.check and not self.try_case("check", report, self.call_check):
            return report.end(max(self.expected, 1))
        items = [] if self.check else self.collect(before)
        total = report.count + len(items)
        for name, call in items:
            if report.done:
                break
            outcome = call()
            if outcome is None and self.job["local"]:
                outcome = "early_exit", ""  # who shares the interpreter can skip at will
            if outcome is None:
                total -= 1
            else:
                report.case(name, *outcome)
        if total == 0 and not self.job["local"]:
            raise Broken("no_tests", "the tests hold nothing to check")
        report.end(total)

    def silence(self):
        if "pytest" in self.text.imported:
            import pytest
            pytest.main = quiet
        if "unittest" in self.text.imported or "unittest" in sys.modules:
            import unittest
            unittest.main = quiet

    def call_check(self):
        entry, space = self.job["entry"], self.space
        space["check"](space[entry] if entry in space or hasattr(space, "provides") and entry in space.provides else self.missing(entry))

    def missing(self, entry):
        raise NameError("name %r is not defined" % entry)

    def try_case(self, name, report, call):
        try:
            call()
        except Exception as e:
            report.failure(name, e)
            return False
        except SystemExit as e:
            report.failure(name, e)
            return False
        report.case(name, "passed")
        return True

    def execute(self, space, report):
        """Run the text a statement at a time; false where the rest cannot be run."""
        for s, code in zip(self.text.tree.body, self.text.codes):
            at = self.cases.get(id(s))
            try:
                exec(code, space)
            except (Exception, SystemExit) as e:
                report.failure("assert %d" % (at + 1) if at is not None else "the tests' own set-up", e)
                if at is None or report.done:
                    return False
                continue
            if at is not None:
                report.case("assert %d" % (at + 1), "passed")
        return True

    # --- collected tests

    def collect(self, before):
        text, items = self.text, []
        if not any(isinstance(n, (text.ast.FunctionDef, text.ast.AsyncFunctionDef, text.ast.ClassDef, text.ast.Import, text.ast.ImportFrom)) for n in text.tree.body):
            return items
        import vd_fixtures
        defined = [n.name for n in text.tree.body if isinstance(n, (text.ast.FunctionDef, text.ast.AsyncFunctionDef, text.ast.ClassDef))]
        names = list(dict.fromkeys(defined + [n for n in self.space if n in text.binds]))
        fixtures = vd_fixtures.Fixtures(self.space, [self.space[n] for n in names if n in self.space], self.conftest())
        unittest = sys.modules.get("unittest")
        for name in names:
            v = self.space[name] if name in self.space else None
            if unittest and isinstance(v, type) and issubclass(v, unittest.TestCase):
                if not v.__module__.startswith("unittest"):
                    items += self.suite(unittest, v)
            elif self.kind == "unittest":
                continue
            elif isinstance(v, types.FunctionType) and name.startswith("test"):
                if (self.statements and not name.startswith("test_")) or self.helper(name, v, fixtures):
                    continue
                items += vd_fixtures.items(name, v, None, fixtures)
            elif isinstance(v, type) and name.startswith("Test") and name in defined and "__init__" not in v.__dict__:
                for n in dict.fromkeys(k for c in reversed(v.__mro__) for k in c.__dict__):
                    if n.startswith("test") and callable(getattr(v, n)):
                        items += vd_fixtures.items(name + "." + n, getattr(v, n), v, fixtures, n)
        return items

    def helper(self, name, f, fixtures):
        """A test_ function that the text calls itself, with arguments of its own."""
        from vd_fixtures import marked
        return name in self.text.loads and any(p not in fixtures.all and p not in marked(f) for p in required(f))

    def conftest(self):
        space = {"__name__": "conftest", "__builtins__": builtins}
        source = self.job["files"].get("conftest.py")
        if source:
            exec(compile(source, "conftest.py", "exec", dont_inherit=True), space)
        return space

    def suite(self, unittest, cls):
        names = [] if getattr(cls, "__unittest_skip__", False) else unittest.TestLoader().getTestCaseNames(cls)
        names = [n for n in names if not getattr(getattr(cls, n), "__unittest_skip__", False)]
        state = {}

        def one(name):
            def call():
                if "ready" not in state:
                    state["ready"] = self.class_setup(unittest, cls)
                if state["ready"] is not True:
                    return state["ready"]
                result = Result(unittest)
                try:
                    cls(name).run(result)
                except SystemExit as e:
                    return classify(e)
                return result.outcome()
            return call
        return [(cls.__name__ + "." + n, one(n)) for n in names]

    def class_setup(self, unittest, cls):
        try:
            setup = self.space["setUpModule"] if "setUpModule" in self.space else None
            if setup and not getattr(self, "module_ready", False):
                self.module_ready = True
                setup()
            cls.setUpClass()
        except unittest.SkipTest:
            return None
        except (Exception, SystemExit) as e:
            return classify(e)
        return True


def required(f):
    import inspect
    return [p.name for p in inspect.signature(f).parameters.values() if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def Result(unittest):
    """A unittest result that keeps the first thing that went wrong, and nothing else."""

    class One(unittest.TestResult):
        bad, skipped_it, ran = None, False, False

        def startTest(self, test):
            self.ran = True

        def addError(self, test, err):
            self.bad = self.bad or classify(err[1])

        addFailure = addError

        def addSubTest(self, test, subtest, err):
            if err is not None:
                self.addError(test, err)

        def addSkip(self, test, reason):
            self.skipped_it = True

        def addExpectedFailure(self, test, err):
            pass

        def addUnexpectedSuccess(self, test):
            self.bad = self.bad or ("wrong_answer", "")

        def outcome(self):
            return self.bad or (None if self.skipped_it else ("passed", "") if self.ran else ("runtime_error", ""))
    return One()
