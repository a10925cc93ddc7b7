package rewrite

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed testdata/small.wasm
var small []byte // wat2wasm testdata/small.wat

// hook is the import of the tests.
var hook = Hook{Module: "env", Name: "yield"}

var errSpent = errors.New("spent")

// guest runs the rewritten module; yields counts the calls of the host, give is the fuel that each one gives, and limit the most calls.
type guest struct {
	api.Module
	program     *Program
	give        int64
	yields, max int
}

func start(t *testing.T, p *Program) *guest {
	t.Helper()
	ctx := t.Context()
	g := &guest{program: p, give: 1000, max: 1 << 30}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { _ = r.Close(context.WithoutCancel(ctx)) })
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module) int32 {
		if g.yields++; g.yields > g.max {
			panic(errSpent)
		}
		fuel := g.fuel()
		fuel.Set(uint64(int64(fuel.Get()) + g.give))
		return 0
	}).Export("yield").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if g.Module, err = r.Instantiate(ctx, p.Wasm); err != nil {
		t.Fatalf("instantiate the result: %v", err)
	}
	for _, s := range p.Data {
		g.Memory().Write(s.Offset, s.Data)
	}
	return g
}

func (g *guest) fuel() api.MutableGlobal { return g.ExportedGlobal(g.program.Fuel).(api.MutableGlobal) }

func (g *guest) call(t *testing.T, name string, args ...uint64) uint64 {
	t.Helper()
	out, err := g.ExportedFunction(name).Call(t.Context(), args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out[0]
}

func TestTheResultDoesWhatTheModuleDid(t *testing.T) {
	p, err := Rewrite(small, hook)
	if err != nil {
		t.Fatal(err)
	}
	g := start(t, p)
	for _, c := range []struct {
		name string
		args []uint64
		want uint64
	}{
		{"sum", []uint64{1000}, 500500}, {"fib", []uint64{15}, 610}, {"choose", []uint64{0, 21}, 42}, {"choose", []uint64{1, 5}, 15},
		{"next", nil, 8}, {"next", nil, 9}, {"switch", []uint64{0}, 10}, {"switch", []uint64{1}, 20}, {"switch", []uint64{2}, 30},
		{"switch", []uint64{3}, 1<<31 - 1}, {"fill", []uint64{300}, 9},
	} {
		if got := g.call(t, c.name, c.args...); got != c.want {
			t.Errorf("%s%v = %d, want %d", c.name, c.args, got, c.want)
		}
	}
	g = start(t, p)
	if hello, _ := g.Memory().Read(16, 5); string(hello) != "hello" {
		t.Errorf("memory holds %q", hello)
	}
	if len(p.Globals) != 1 || g.ExportedGlobal(p.Globals[0]).Get() != 7 {
		t.Errorf("mutable globals %v", p.Globals)
	}
}

func TestWhatIsDoneIsPaid(t *testing.T) {
	p, err := Rewrite(small, hook)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []uint64
		want int64
	}{
		{"sum", []uint64{1000}, 1001}, // a header for each pass, and one for the look that ends it
		{"sum", []uint64{0}, 1},
		{"fib", []uint64{15}, 1973}, // an entry for each call
		{"next", nil, 0},            // no loop, no call
		{"choose", []uint64{0, 1}, 1},
		{"fill", []uint64{6400}, 200}, // twice 6400 bytes
	} {
		g := start(t, p)
		g.fuel().Set(1 << 40)
		g.call(t, c.name, c.args...)
		if paid := 1<<40 - int64(g.fuel().Get()); paid != c.want {
			t.Errorf("%s%v paid %d, want %d", c.name, c.args, paid, c.want)
		}
	}
}

func TestALoopWithoutEndComesToTheHost(t *testing.T) {
	p, err := Rewrite(small, hook)
	if err != nil {
		t.Fatal(err)
	}
	g := start(t, p)
	g.max = 10
	if _, err := g.ExportedFunction("forever").Call(t.Context()); !errors.Is(err, errSpent) {
		t.Errorf("error %v, want the host's", err)
	}
	if g.yields != 11 {
		t.Errorf("%d yields", g.yields)
	}
}

func TestAHookWithArguments(t *testing.T) {
	wasm := assemble(t, `(module (import "env" "clock" (func (param i32 i64 i32) (result i32))) (memory (export "memory") 1)
		(func (export "forever") (loop $again (br $again))))`)
	p, err := Rewrite(wasm, Hook{"env", "clock", []Arg{{Value: -1}, {Long: true, Value: 1 << 40}, {Value: 7}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(context.WithoutCancel(ctx)) }()
	_, err = r.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(a uint32, b int64, c int32) int32 {
		if a != 1<<32-1 || b != 1<<40 || c != 7 {
			t.Errorf("called with %d, %d, %d", a, b, c)
		}
		panic(errSpent)
	}).Export("clock").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Instantiate(ctx, p.Wasm)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ExportedFunction("forever").Call(ctx); !errors.Is(err, errSpent) {
		t.Errorf("error %v", err)
	}
}

func TestWhatCannotBeRewrittenIsRefused(t *testing.T) {
	cases := map[string]struct {
		wasm []byte
		want string
	}{
		"no module":      {[]byte("\x7fELF\x00\x00\x00\x00"), "no WebAssembly module"},
		"another import": {small, "does not import"},
		"cut short":      {small[:len(small)-3], "too early"},
	}
	for name, c := range cases {
		yield := "yield"
		if name == "another import" {
			yield = "sched_yield"
		}
		if _, err := Rewrite(c.wasm, Hook{Module: "env", Name: yield}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	for name, text := range map[string]string{
		"start":        `(module (import "env" "yield" (func (result i32))) (memory 1) (func $f) (start $f))`,
		"passive":      `(module (import "env" "yield" (func (result i32))) (memory 1) (data "x") (func (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))))`,
		"another type": `(module (import "env" "yield" (func (param i32) (result i32))) (memory 1))`,
		"vectors":      `(module (import "env" "yield" (func (result i32))) (memory 1) (func (drop (v128.const i64x2 0 0))))`,
		"none":         `(module (import "env" "yield" (func (result i32))))`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Rewrite(assemble(t, text), hook); err == nil {
				t.Error("no error")
			}
		})
	}
}

// assemble makes a module of a text, by the WebAssembly Binary Toolkit.
func assemble(t *testing.T, text string) []byte {
	t.Helper()
	tool := wabt(t, "wat2wasm")
	file := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, file, "-o", file+".wasm").CombinedOutput(); err != nil {
		t.Fatalf("wat2wasm: %v: %s", err, out)
	}
	wasm, err := os.ReadFile(file + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func wabt(t *testing.T, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed (Debian: apt-get install wabt)", tool)
	}
	return path
}

// FuzzRewrite holds that nothing crashes, and that the result of a valid module is a valid module: by wazero, and by the
// WebAssembly Binary Toolkit where it is installed.
func FuzzRewrite(f *testing.F) {
	f.Add(small)
	f.Add([]byte("\x00asm\x01\x00\x00\x00"))
	f.Add(small[:200])
	ctx := context.Background()
	validator, _ := exec.LookPath("wasm-validate") // empty where it is not installed
	f.Fuzz(func(t *testing.T, wasm []byte) {
		p, err := Rewrite(wasm, hook)
		if err != nil {
			return
		}
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(16))
		defer func() { _ = r.Close(ctx) }()
		if _, err := r.CompileModule(ctx, wasm); err != nil {
			return // not valid before
		}
		if _, err := r.CompileModule(ctx, p.Wasm); err != nil {
			t.Fatalf("the result is not valid: %v", err)
		}
		if again, err := Rewrite(p.Wasm, hook); err != nil || len(again.Data) != 0 {
			t.Fatalf("the result cannot be read again: %v", err)
		}
		if validator != "" {
			validate(t, validator, wasm, p.Wasm)
		}
	})
}

// validate asks another implementation.
func validate(t *testing.T, validator string, before, after []byte) {
	t.Helper()
	said := func(wasm []byte) (string, bool) {
		file := filepath.Join(t.TempDir(), "m.wasm")
		if err := os.WriteFile(file, wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(validator, file).CombinedOutput()
		return string(out), err == nil
	}
	if _, ok := said(before); !ok {
		return
	}
	if out, ok := said(after); !ok {
		t.Fatalf("wasm-validate refuses the result: %s", out)
	}
}
