package exprcheck

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"
)

// Config bounds a rule. The zero value is the default of each field.
type Config struct {
	// Names are the values that the rule may use, RowNames by default. Any other name is an error at build.
	Names map[string]Type
	// MaxSource bounds the source in bytes (65,536), MaxNodes its tree (2,000), MaxNesting how deep predicates stand
	// in each other (8). Chosen far above what people write.
	MaxSource, MaxNodes, MaxNesting int
	// MaxSteps bounds one evaluation (2,000,000: 0.1 to 0.3 s), MaxCells the elements of all lists and maps that it
	// makes (1,000,000: some 16 MB).
	MaxSteps, MaxCells int
}

func (c Config) withDefaults() (Config, error) {
	if c.Names == nil {
		c.Names = RowNames()
	}
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{
		{"MaxSource", &c.MaxSource, 65_536}, {"MaxNodes", &c.MaxNodes, 2_000}, {"MaxNesting", &c.MaxNesting, 8},
		{"MaxSteps", &c.MaxSteps, 2_000_000}, {"MaxCells", &c.MaxCells, 1_000_000},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("exprcheck: %s is negative", f.name)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	return c, nil
}

// A Rule is a compiled expression. It is immutable and safe for concurrent use.
type Rule struct {
	src     string
	config  Config
	program *vm.Program
	names   []string // sorted
}

// Compile reads a rule and checks names and types. The error is an *Error with the place, which wraps ErrLimit when
// the rule is too large; or a plain error for a Config out of range.
func Compile(src string, cfg Config) (*Rule, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(src) > cfg.MaxSource {
		return nil, &Error{Msg: fmt.Sprintf("rule of %d bytes, at most %d", len(src), cfg.MaxSource), limit: true}
	}
	if line, col, deep := bracketDepth(src, maxBrackets); deep {
		return nil, &Error{Line: line, Column: col, Msg: "brackets are nested too deeply", limit: true}
	}
	src = joinSurrogates(src)
	base := options(cfg)
	// The first pass sees the tree as it was written, so its complaints name what the author wrote.
	if _, err := expr.Compile(src, base...); err != nil {
		return nil, errorOf(err, false)
	}
	p := &patcher{names: map[string]bool{}, depths: map[ast.Node]int{}, maxNesting: cfg.MaxNesting}
	program, err := expr.Compile(src, append(base, expr.Patch(p))...)
	if p.err != nil {
		return nil, errorOf(p.err.Bind(file.NewSource(src)), false)
	}
	if err != nil {
		return nil, errorOf(err, false)
	}
	r := &Rule{src: src, config: cfg, program: program}
	for _, name := range slices.Sorted(maps.Keys(p.names)) {
		if _, ok := cfg.Names[name]; ok {
			r.names = append(r.names, name)
		}
	}
	return r, nil
}

func options(cfg Config) []expr.Option {
	env := types.Map{meterName: types.Any}
	for name, t := range cfg.Names {
		env[name] = t.library()
	}
	list := []expr.Option{
		expr.Env(env),
		expr.MaxNodes(uint(cfg.MaxNodes)),
		expr.Optimize(false), // it folds 1..1000000 into a list while compiling, outside any budget
	}
	for _, name := range disabled {
		list = append(list, expr.DisableBuiltin(name))
	}
	list = append(list, counters()...)
	return append(list, ownFunctions()...)
}

// String returns the source.
func (r *Rule) String() string { return r.src }

// Names returns the names that the rule uses, sorted. A caller need not make values for the others.
func (r *Rule) Names() []string { return slices.Clone(r.names) }

// Uses reports whether the rule uses a name.
func (r *Rule) Uses(name string) bool { return slices.Contains(r.names, name) }

// Eval evaluates the rule on values by name; a missing one is nil, or "" for a Text. Values may be anything that
// Value takes and are not changed. The result is of the shape that Value returns; NaN and infinities are passed on.
// The error is an *Error: the rule failed on these values, or it wraps ErrLimit.
func (r *Rule) Eval(values map[string]any) (any, error) {
	env := make(map[string]any, len(r.names)+1)
	for _, name := range r.names {
		v := Value(values[name])
		if v == nil {
			v = r.config.Names[name].empty()
		}
		env[name] = v
	}
	env[meterName] = &meter{left: r.config.MaxSteps}
	machine := vm.VM{MemoryBudget: uint(r.config.MaxCells)}
	out, err := machine.Run(r.program, env)
	if err != nil {
		return nil, errorOf(err, true)
	}
	return Value(out), nil
}

// empty is what stands for a value that was not given.
func (t Type) empty() any {
	switch t.kind {
	case textKind:
		return ""
	case mapKind, recordKind:
		return map[string]any{}
	case listKind:
		return []any{}
	}
	return nil
}
