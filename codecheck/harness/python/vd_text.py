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


# Modules that can be imported in WebAssembly and serve nothing there: tests that name one would fail every program.
NOT_IN_WASM = {
    **dict.fromkeys(("threading", "_thread", "concurrent"), "threads"), **dict.fromkeys(("subprocess", "multiprocessing"), "processes"),
    **dict.fromkeys(("socket", "socketserver", "ssl", "http.client", "http.server", "urllib.request"), "sockets"),
}


class Broken(Exception):
    """These tests fail whatever the answer is: (status, reason)."""


class Text:
    """A test text: its statements as code, all its nodes, the names it needs from elsewhere, the modules it imports."""

    def __init__(self, source, file):
        import ast
        self.ast, self.file = ast, file
        self.loads, self.binds, self.attributes, self.imports, self.strings = set(), set(), set(), [], set()
        self.imported, self.nodes = {}, []
        try:
            self.tree = ast.parse(source, file)
            self.codes = self.compiled()
        except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
            raise Broken("broken_tests", "the tests do not compile") from None
        self.walk()
        self.free = self.loads - self.binds

    def compiled(self):
        """The code of each statement of the module, under the __future__ imports that stand before it."""
        flags, codes = 0, []
        for s in self.tree.body:
            code = compile(self.ast.Module([s], []), self.file, "exec", flags, dont_inherit=True)
            flags |= code.co_flags & 0x1FF0000  # the __future__ flags
            codes.append(code)
        return codes

    def walk(self):
        """One walk over the tree, in the order of the text; names and constants have no children worth a visit."""
        ast = self.ast
        AST, Load, notes, nodes = ast.AST, ast.Load, self.notes(), self.nodes
        stack = [(self.tree, False)]
        while stack:
            node, guarded = stack.pop()
            kind = node.__class__
            nodes.append(node)
            if kind is ast.Name:
                (self.loads if node.ctx.__class__ is Load else self.binds).add(node.id)
                continue
            if kind is ast.Constant:
                if node.value.__class__ is str:
                    self.strings.add(node.value)
                continue
            if kind in notes:
                notes[kind](node, guarded)
            guarded = guarded or kind is ast.Try
            for field in reversed(kind._fields):
                v = getattr(node, field, None)
                if v.__class__ is list:
                    stack += [(x, guarded) for x in reversed(v) if isinstance(x, AST)]
                elif isinstance(v, AST):
                    stack.append((v, guarded))

    def notes(self):
        """What is noted of a node, by its class."""
        ast = self.ast

        def binds(node, guarded):
            self.binds.add(node.name)

        def imports(node, guarded):
            for alias in node.names:
                root = alias.name if node.__class__ is ast.Import else node.module or alias.name
                self.binds.add((alias.asname or alias.name).partition(".")[0])
                self.imported.setdefault(root, set()).add(alias.name)
                if not getattr(node, "level", 0):
                    self.imports.append((root, guarded))
        return {
            ast.FunctionDef: binds, ast.AsyncFunctionDef: binds, ast.ClassDef: binds, ast.Import: imports, ast.ImportFrom: imports,
            ast.arg: lambda node, guarded: self.binds.add(node.arg), ast.Attribute: lambda node, guarded: self.attributes.add(node.attr),
            ast.ExceptHandler: lambda node, guarded: node.name and self.binds.add(node.name),
        }

    def check_imports(self, own):
        from importlib.util import find_spec
        for module, guarded in self.imports:
            root = module.partition(".")[0]
            if guarded or root in own:
                continue
            lacking = NOT_IN_WASM.get(module) or NOT_IN_WASM.get(root)
            if lacking and sys.platform == "wasi":
                raise Broken("missing_dependency", "the tests need %s, which WebAssembly does not have" % lacking)
            if root in sys.modules:
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
        for node in self.nodes:
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
        for node in self.nodes:
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            target = node.args[0] if node.args else None
            if name == "patch" and not (isinstance(target, ast.Constant) and target.value in MOCKABLE) or name in ("object", "dict", "multiple"):
                return "it patches the program"
        return ""
