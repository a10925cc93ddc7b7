"""What a test text says about itself, before anything of the candidate is known."""
import builtins
import sys

# Tests that use these look at what the program did to files, processes or the interpreter, which only one that runs beside
# the program can see.
SHARED_MODULES = frozenset("""os io tempfile shutil pathlib glob subprocess multiprocessing inspect gc importlib sqlite3 socket ctypes signal
fileinput zipfile tarfile gzip bz2 lzma shelve dbm csv configparser logging builtins linecache weakref resource""".split())
SHARED_CALLS = frozenset(("open", "globals", "eval", "exec", "vars", "locals", "reload"))
SHARED_ATTRIBUTES = frozenset("__globals__ __code__ __closure__ __subclasses__ modules seed setstate monkeypatch __getsource__ settrace getrecursionlimit".split())
SHARED_FIXTURES = frozenset(("monkeypatch", "tmp_path", "tmp_path_factory", "tmpdir", "caplog"))
MOCKABLE = frozenset(("builtins.input", "builtins.print", "sys.stdout", "sys.stderr", "sys.stdin"))


class Broken(Exception):
    """These tests fail whatever the answer is: (status, reason)."""


class Text:
    """A test text: its tree, the names it needs from elsewhere, the modules it imports."""

    def __init__(self, source, file):
        import ast
        self.ast, self.file = ast, file
        try:
            self.tree = ast.parse(source, file)
            self.code = compile(self.tree, file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
            raise Broken("broken_tests", "the tests do not compile") from None
        self.flags = self.code.co_flags & 0x1FF0000  # the __future__ flags
        self.loads, self.binds, self.attributes, self.imports, self.strings = set(), set(), set(), [], set()
        self.imported = {}
        self.walk(self.tree, False)
        self.free = {n for n in self.loads - self.binds}

    def walk(self, node, guarded):
        ast = self.ast
        if isinstance(node, ast.Name):
            (self.loads if isinstance(node.ctx, ast.Load) else self.binds).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.binds.add(node.name)
        elif isinstance(node, ast.arg):
            self.binds.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.binds.add(node.name)
        elif isinstance(node, ast.Attribute):
            self.attributes.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.strings.add(node.value)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None)
            for alias in node.names:
                root = (module or alias.name) if isinstance(node, ast.ImportFrom) else alias.name
                self.binds.add((alias.asname or alias.name).partition(".")[0])
                self.imported.setdefault(root, set()).add(alias.name)
                if not getattr(node, "level", 0):
                    self.imports.append((root, guarded))
        for child in ast.iter_child_nodes(node):
            self.walk(child, guarded or isinstance(node, ast.Try))

    def check_imports(self, own):
        from importlib.util import find_spec
        for module, guarded in self.imports:
            root = module.partition(".")[0]
            if guarded or root in own or root in sys.modules:
                continue
            try:
                found = find_spec(root) is not None
            except (ImportError, ValueError):
                found = False
            if not found:
                raise Broken("missing_dependency", "the tests need the module %s, which is not installed" % root[:60])

    def must_share(self, solution):
        """Why the text cannot be split from the program, by what it says alone; empty where it can."""
        ast = self.ast
        for module, names in self.imported.items():
            root = module.partition(".")[0]
            if root in SHARED_MODULES and not (root == "io" and names <= {"StringIO", "io", "BytesIO", "TextIOWrapper"}):
                return "it uses " + root
        used = self.free & (SHARED_CALLS | SHARED_MODULES)  # a module that the program imports for both
        if used:
            return "it uses " + min(used)
        if self.attributes & SHARED_ATTRIBUTES:
            return "it uses " + min(self.attributes & SHARED_ATTRIBUTES)
        theirs = self.free | self.imported.get(solution, set())
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef) and any(isinstance(b, ast.Name) and b.id in theirs and not hasattr(builtins, b.id) for b in node.bases):
                return "it derives a class from one of the program's"
            if isinstance(node, ast.Global):
                return "it has global variables"
            if isinstance(node, ast.arg) and node.arg in SHARED_FIXTURES:
                return "it uses " + node.arg
        return self.unmockable()

    def unmockable(self):
        ast = self.ast
        if not any(m.startswith("unittest.mock") or m == "mock" or "mock" in n for m, n in self.imported.items()):
            return ""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            target = node.args[0] if node.args else None
            if name == "patch" and not (isinstance(target, ast.Constant) and target.value in MOCKABLE) or name in ("object", "dict", "multiple"):
                return "it patches the program"
        return ""
