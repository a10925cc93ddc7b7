package codecheck

import (
	"embed"
	"encoding/json"
	"path"
	"strings"
)

//go:embed harness
var harnessFiles embed.FS

// bootstrap makes the harness's modules importable from the frozen file and starts one of them. It stands on the command
// line, so nothing of it is a file that the program could open.
const bootstrap = `import sys, marshal
ModuleSpec = sys.modules["_frozen_importlib"].ModuleSpec
with open(sys.argv[1], "rb") as f: codes = marshal.load(f)
class Frozen:
    def find_spec(self, name, path=None, target=None):
        if name in codes: return ModuleSpec(name, self)
    def create_module(self, spec): return None
    def exec_module(self, module): exec(codes.pop(module.__name__), module.__dict__)
sys.meta_path.insert(0, Frozen())
__import__(sys.argv[2]).main()
`

// freeze compiles the harness's modules to one file. It runs once per interpreter, in a job of its own.
const freeze = `import sys, json, marshal
texts = json.load(sys.stdin)
with open("frozen", "wb") as f: marshal.dump({n: compile(t, "<verifyd %s>" % n, "exec", dont_inherit=True, optimize=0) for n, t in texts.items()}, f)
`

// harnessTexts are the modules of a language's harness as a JSON object of name and source.
func harnessTexts(folder string) ([]byte, error) {
	dir := "harness/" + folder
	entries, err := harnessFiles.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".py")
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
