package guest

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/memfs"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/rewrite"
)

const wasi = "wasi_snapshot_preview1"

// yieldClock is no clock: to ask for its time is to hand over.
const yieldClock = 1<<32 - 1

// Hook is what a program's rewritten code calls when its fuel is used up. Every interpreter imports clock_time_get.
func Hook() rewrite.Hook {
	return rewrite.Hook{Module: wasi, Name: "clock_time_get", Args: []rewrite.Arg{{Value: -1}, {Long: true}, {}}}
}

// Interpreter is a compiled module whose exports are those of runtimes/README.md. Safe for concurrent use.
type Interpreter struct {
	program  *rewrite.Program
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	library  *memfs.Shared // shown as /lib; nil: none
}

// New compiles a program, or takes it from the cache folder, where one is given. A CPython takes 3 s of processor time to compile
// and 0.1 s to load.
func New(ctx context.Context, p *rewrite.Program, cacheDir string, library *memfs.Shared) (*Interpreter, error) {
	config := wazero.NewRuntimeConfigCompiler() // there is one on amd64 and arm64
	if cacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
		if err != nil {
			return nil, fmt.Errorf("open cache: %w", err)
		}
		config = config.WithCompilationCache(cache)
	}
	i := &Interpreter{program: p, runtime: wazero.NewRuntimeWithConfig(ctx, config), library: library}
	if err := i.link(ctx); err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	var err error
	if i.compiled, err = i.runtime.CompileModule(ctx, p.Wasm); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return i, nil
}

// link makes the imports: those of the runtime's WASI, some of which are replaced.
func (i *Interpreter) link(ctx context.Context) error {
	b := i.runtime.NewHostModuleBuilder(wasi)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(b)
	number := []api.ValueType{api.ValueTypeI32}
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
		if uint32(stack[0]) == yieldClock {
			jobOf(ctx).yield()
			return
		}
		stack[0] = uint64(clockTime(m, uint32(stack[0]), uint32(stack[2])))
	}), []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI32}, number).Export("clock_time_get")
	// A descriptor can be moved to any number, and the runtime's table grows to it: nobody needs that.
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
		stack[0] = errnoNotSupported
	}), []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, number).Export("fd_renumber")
	_, err := b.Instantiate(ctx)
	return err
}

// Errors of WASI.
const (
	errnoFault        = 21
	errnoInvalid      = 28
	errnoNotSupported = 58
)

// started is when the monotonic clock begins.
var started = time.Now()

// clockTime writes the time of a clock, in nanoseconds: the real one, or else the monotonic one.
func clockTime(m api.Module, id, at uint32) int {
	const realtime, last = 0, 3
	now := time.Since(started)
	switch {
	case id > last:
		return errnoInvalid
	case id == realtime:
		now = time.Duration(time.Now().UnixNano())
	}
	if !m.Memory().WriteUint64Le(at, uint64(now)) {
		return errnoFault
	}
	return 0
}

// instance is one instance under way.
type instance struct {
	api.Module
	fuel api.MutableGlobal
}

// instantiate makes an instance of an image, or where there is none of the module's own data.
func (i *Interpreter) instantiate(ctx context.Context, image *Image, a *allocator, c wazero.ModuleConfig) (*instance, error) {
	a.image = image
	m, err := i.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, a), i.compiled, c.WithName("").WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("instantiate: %w", err)
	}
	in := &instance{Module: m}
	in.fuel, _ = m.ExportedGlobal(i.program.Fuel).(api.MutableGlobal)
	if image == nil {
		for _, s := range i.program.Data {
			if !m.Memory().Write(s.Offset, s.Data) {
				return nil, fmt.Errorf("instantiate: data at %d is outside of the memory", s.Offset)
			}
		}
		return in, nil
	}
	if more := uint32(image.Size/pageSize) - m.Memory().Size()/pageSize; more > 0 {
		if _, ok := m.Memory().Grow(more); !ok {
			return nil, fmt.Errorf("instantiate: the memory cannot be as large as its image")
		}
	}
	for n, name := range i.program.Globals {
		m.ExportedGlobal(name).(api.MutableGlobal).Set(image.Globals[n])
	}
	return in, nil
}

// put copies bytes to a place that the guest allocates.
func (in *instance) put(ctx context.Context, data []byte) (address uint64, err error) {
	out, err := in.ExportedFunction("rt_alloc").Call(ctx, uint64(len(data)))
	if err != nil {
		return 0, err
	}
	if out[0] == 0 || !in.Memory().Write(uint32(out[0]), data) {
		return 0, fmt.Errorf("no memory for %d bytes of arguments", len(data))
	}
	return out[0], nil
}

// Prepare starts the interpreter from its module, or goes on from an image, runs source texts in it, and writes the image of what came of it. What the
// interpreter has to say, on its standard error, goes to log.
func (i *Interpreter) Prepare(ctx context.Context, from *Image, sources []string, files map[string][]byte, w, log io.Writer) error {
	runtime.LockOSThread() // whose time is counted
	defer runtime.UnlockOSThread()
	j := newJob(Job{Limits: preparing})
	j.clock.begin(preparing, nil)
	j.fs.Mount("lib", i.lib())
	for name, data := range files {
		j.fs.Put(name, data, true, false)
	}
	ctx = context.WithValue(ctx, jobKey{}, j)
	in, err := i.instantiate(ctx, from, &allocator{limit: uint64(j.job.Limits.Memory)}, j.config(log, log))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close(ctx) }() // its image is what counts
	j.start(in.fuel)
	if from == nil {
		if _, err := in.ExportedFunction("_initialize").Call(ctx); err != nil {
			return fmt.Errorf("prepare: initialize: %w", err)
		}
		if err := in.status(ctx, "rt_init"); err != nil {
			return err
		}
	}
	for _, source := range sources {
		at, err := in.put(ctx, []byte(source))
		if err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
		if err := in.status(ctx, "rt_exec", at, uint64(len(source))); err != nil {
			return err
		}
	}
	if err := in.status(ctx, "rt_freeze"); err != nil {
		return err
	}
	var globals []uint64
	for _, name := range i.program.Globals {
		globals = append(globals, in.ExportedGlobal(name).Get())
	}
	memory, _ := in.Memory().Read(0, in.Memory().Size())
	return writeImage(w, memory, globals)
}

func (i *Interpreter) lib() *memfs.Shared {
	if i.library == nil {
		return memfs.Nothing()
	}
	return i.library
}

// status calls a function that answers 0 for success.
func (in *instance) status(ctx context.Context, name string, args ...uint64) error {
	out, err := in.ExportedFunction(name).Call(ctx, args...)
	if err != nil {
		return fmt.Errorf("prepare: %s: %w", name, err)
	}
	if len(out) > 0 && uint32(out[0]) != 0 {
		return fmt.Errorf("prepare: %s failed with %d", name, uint32(out[0]))
	}
	return nil
}

// preparing are the limits of what is trusted: those that a fault would run into.
var preparing = Limits{Wall: time.Minute, CPU: time.Minute, Outer: 10 * time.Minute, Memory: 1 << 30, Output: 1 << 20, Disk: 1 << 20, File: 1 << 20, OpenFiles: 100, Inodes: 100}
