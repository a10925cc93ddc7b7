package codecheck

import (
	"embed"
	"encoding/json"
	"path"
	"strings"
)

//go:embed harness
var harnessFiles embed.FS

// pythonSite stands for Python's own site module, which the jobs leave out (-S): it would run every .pth file of the host's
// packages, 17 ms of a start of 28 where that was measured. What programs use of it is made here: the folder of packages
// (the first argument) and exit, quit and the like.
const pythonSite = `import sys, builtins, _sitebuiltins
sys.path += [p for p in sys.argv[1].split(":") if p]
builtins.quit, builtins.exit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)"), _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
builtins.copyright, builtins.credits = _sitebuiltins._Printer("copyright", sys.copyright), _sitebuiltins._Printer("credits", "")
builtins.license, builtins.help = _sitebuiltins._Printer("license", ""), _sitebuiltins._Helper()
`

// pythonScript runs the file named by the second argument as a script.
const pythonScript = `sys.argv[:] = sys.argv[2:]
def start():
    m = sys.modules["__main__"] = type(sys)("__main__")
    m.__file__, m.__builtins__ = sys.argv[0], builtins
    with open(sys.argv[0], "rb") as f: text = f.read()
    exec(compile(text, sys.argv[0], "exec", dont_inherit=True), m.__dict__)
start()
`

// pythonHarness makes the harness's modules importable from the frozen file and starts one of them. It stands on the
// command line, so nothing of it is a file that the program could open.
const pythonHarness = `import marshal
ModuleSpec = sys.modules["_frozen_importlib"].ModuleSpec
with open(sys.argv[2], "rb") as f: codes = marshal.load(f)
class Frozen:
    def find_spec(self, name, path=None, target=None):
        if name in codes: return ModuleSpec(name, self)
    def create_module(self, spec): return None
    def exec_module(self, module): exec(codes.pop(module.__name__), module.__dict__)
sys.meta_path.insert(0, Frozen())
step = __import__(sys.argv[3]).main
while step: step = step()
`

// freeze compiles the harness's modules to one file. It runs once per interpreter, in a job of its own.
const freeze = `import sys, json, marshal
texts = json.load(sys.stdin)
with open("frozen", "wb") as f: marshal.dump({n: compile(t, "<verifyd %s>" % n, "exec", dont_inherit=True, optimize=0) for n, t in texts.items()}, f)
`

// freezeJavaScript puts the harness's modules into one script, each as a function that is run when it is first asked for. The
// script starts the module that its argument names.
const freezeJavaScript = `const fs = require("fs"), texts = JSON.parse(fs.readFileSync(0, "utf8"));
const modules = Object.keys(texts).map((n) => JSON.stringify(n) + ": (module, exports, require) => {" + texts[n] + "\n}").join(",\n");
fs.writeFileSync("frozen", "\"use strict\";\nconst texts = {" + modules + "}, made = {};\n" +
  "const find = (n) => !Object.hasOwn(texts, n) ? require(n) : (made[n] || (texts[n](made[n] = { exports: {} }, made[n].exports, find), made[n])).exports;\n" +
  "find(process.argv[2]).main();\n");
`

// kit is how a folder of harness/ is served.
type kit struct {
	ending   string   // of its modules, and of a program's file
	freeze   []string // the command line of a job that reads the modules (a JSON object of name and source) and writes them to the file "frozen"
	start    []string // what starts an interpreter of the harness; the frozen file and a module's name follow
	forks    bool     // it has fork servers
	native   string   // a C text in the folder that the fork servers need (native.go); empty: none
	serves   []string // with it: what stands behind the interpreter's name where it serves
	trial    string   // with it: a program that ends with trialCode where all is well
	prepare  string   // source that loads the harness ({harness}) for a side ({side}) into an image, where there are no forks; empty: there are no images
	resume   []string // what starts an interpreter of such an image; a module's name follows
	preludes bool     // tests behind a program see what stands before it, in their own process
	lineup   bool     // it can take the expected values out of a text
}

// kits are those of the folders, by name. {exe} and {packages} are filled from the toolchain.
func kits() map[string]kit {
	return map[string]kit{
		"python": {
			ending: ".py", freeze: []string{"{exe}", "-I", "-S", "-B", "-c", freeze}, forks: true, lineup: true,
			prepare: preparePython, resume: []string{"{exe}", "-I", "-B", "-X", "utf8", "-c", resumePython},
			start: []string{"{exe}", "-I", "-S", "-B", "-X", "utf8", "-c", pythonSite + pythonHarness, "{packages}"},
		},
		"javascript": {
			ending: ".js", freeze: []string{"{exe}", "-e", freezeJavaScript}, start: []string{"{exe}", "--no-warnings"},
			preludes: true, forks: true, native: "vd_fork.c", serves: []string{"--single-threaded", "--v8-pool-size=0"},
			trial: "let a = []; for (let i = 0; i < 1e6; i++) a.push({ i }); a = null; for (let i = 0; i < 1e6; i++) [{ i }]; setTimeout(() => process.exit(7), 1);",
		},
	}
}

// fill puts a toolchain's paths into a kit's command line.
func fill(line []string, t Toolchain) []string {
	r := strings.NewReplacer("{exe}", t.Exe, "{packages}", t.Packages)
	args := make([]string, len(line))
	for i, a := range line {
		args[i] = r.Replace(a)
	}
	return args
}

// harnessTexts are the modules of a language's harness as a JSON object of name and source.
func harnessTexts(folder, ending string) ([]byte, error) {
	dir := "harness/" + folder
	entries, err := harnessFiles.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		if !ok {
			continue
		}
		text, err := harnessFiles.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return json.Marshal(texts)
}
