package wasm

import (
	_ "embed" // the sources of prepare/
	"runtime"

	"github.com/verifyd/verifyd/sandbox/wasm/runtimes"
)

//go:embed prepare/python.py
var preparePython string

// languages are the interpreters that this binary brings along, Python first.
func languages() []*language {
	all := []*language{{
		name: "python", aliases: []string{"python3", "python3.11"}, module: runtimes.Python, library: runtimes.PythonLib, prepare: preparePython,
	}}
	if runtimes.QuickJS().Size > 1000 { // an empty module stands in where it was not built
		all = append(all, &language{name: "javascript", aliases: []string{"nodejs", "node", "qjs"}, module: runtimes.QuickJS})
	}
	return all
}

// compilable tells whether the runtime can compile for this processor. It can interpret on others, forty times slower: nobody wants that.
func compilable() bool { return runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" }
