package verifiers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
)

// Verifier is a judge that is a program and can be written down.
type Verifier interface {
	judge.Judge
	judge.Prompt
	Name() string // the spec's name, else its kind
	Kind() string
	Spec() jsontext.Value // canonical: defaults left out, keys in a fixed order
}

// BuildFunc makes a verifier of one kind from its spec. Faults are *judge.SpecError with paths relative to the spec.
type BuildFunc func(b *Builder, spec jsontext.Value) (Verifier, error)

// Registry maps kinds to build functions. It is a value that is passed in; there is no global one. Safe for concurrent
// use once filled.
type Registry struct {
	kinds  map[string]BuildFunc
	code   func(backend string) (CodeRunner, error)
	models func(model.Config) (*model.Client, error)
	fates  *fates // of programs, whatever spec judged them
}

// Config holds what some kinds need from outside. Its zero value works: code_exec then answers that it has no sandbox,
// and kinds that ask a model that they have none.
type Config struct {
	// Code hands out the runner that code_exec uses, by the name of a sandbox backend; "" asks for the default one. It
	// is called while a spec is built, may be called at once from several goroutines, and its error is a fault of the spec.
	Code func(backend string) (CodeRunner, error)

	// Model makes the clients of rubric and reward_model; the method Client of a model.Pool is one. It decides which endpoints
	// and which variables with keys a spec may name: where strangers write specs it must refuse what is not theirs. It may be
	// called at once from several goroutines. Nil refuses both kinds.
	Model func(model.Config) (*model.Client, error)
}

// NewRegistry returns a registry of all built-in kinds.
func NewRegistry(c Config) *Registry {
	return &Registry{code: c.Code, models: c.Model, fates: new(fates), kinds: map[string]BuildFunc{
		"exact_match":     buildExactMatch,
		"includes":        buildIncludes,
		"multiple_choice": buildMultipleChoice,
		"numeric":         buildNumeric,
		"regex":           buildRegex,
		"math_equal":      buildMathEqual,
		"json_valid":      buildJSONValid,
		"json_field":      buildJSONField,
		"json_schema":     buildJSONSchema,
		"rule":            buildRule,
		"instruction":     buildInstruction,
		"format":          buildFormat,
		"tool_calls":      buildToolCalls,
		"similarity":      buildSimilarity,
		"code_exec":       buildCodeExec,
		"rubric":          buildRubric,
		"reward_model":    buildRewardModel,
		"conduct":         buildConduct,
		"task_checklist":  buildTaskChecklist,
		"all":             buildAll,
		"any":             buildAny,
		"none":            buildNone,
		"not":             buildNot,
		"weighted":        buildWeighted,
	}}
}

// Add gives a kind a build function; an existing one is replaced.
func (r *Registry) Add(kind string, build BuildFunc) { r.kinds[kind] = build }

// Kinds returns the known kinds, sorted.
func (r *Registry) Kinds() []string { return slices.Sorted(maps.Keys(r.kinds)) }

// Bounds of a spec: far above what people write, low enough that a stranger's spec costs nothing.
const (
	maxDepth = 32
	maxNodes = 1000
	maxSpec  = 8 << 20 // bytes
)

// Builder builds one spec and its children; it counts them.
type Builder struct {
	registry *Registry
	depth    int
	nodes    *int
	schemas  *jsoncheck.Budget // of all JSON Schemas in the spec
}

// Build makes a verifier from a spec. Every error is a *judge.SpecError.
func (r *Registry) Build(spec jsontext.Value) (Verifier, error) {
	if len(spec) > maxSpec {
		return nil, &judge.SpecError{Msg: fmt.Sprintf("the spec has %d bytes, over the limit of %d", len(spec), maxSpec)}
	}
	nodes := 0
	v, err := (&Builder{registry: r, nodes: &nodes, schemas: new(jsoncheck.Budget)}).Build(spec)
	if err != nil {
		return nil, plain(err)
	}
	return v, nil
}

// plain is a spec's fault in words without the names of packages; what is behind it can still be asked for.
func plain(err error) error {
	var fault *judge.SpecError
	if !errors.As(err, &fault) {
		return &judge.SpecError{Msg: spoken(err.Error()), Err: err}
	}
	text := fault.Msg
	if text == "" && fault.Err != nil {
		text = fault.Err.Error()
	}
	return &judge.SpecError{Path: fault.Path, Msg: strings.TrimPrefix(spoken(text), fault.Path+": "), Err: fault.Err}
}

// Build makes a verifier from a spec inside the one that is being built.
func (b *Builder) Build(spec jsontext.Value) (Verifier, error) {
	kind, err := kindOf(spec)
	if err != nil {
		return nil, err
	}
	build, ok := b.registry.kinds[kind]
	if !ok {
		return nil, &judge.SpecError{Path: "kind", Msg: b.registry.unknownKind(kind)}
	}
	if *b.nodes++; *b.nodes > maxNodes || b.depth >= maxDepth {
		return nil, &judge.SpecError{Msg: fmt.Sprintf("the tree is too large: at most %d checks, %d deep", maxNodes, maxDepth)}
	}
	return build(&Builder{b.registry, b.depth + 1, b.nodes, b.schemas}, spec)
}

func (r *Registry) unknownKind(kind string) string {
	known := r.Kinds()
	return fmt.Sprintf("unknown kind %.40q%s; known are %s", kind, didYouMean(kind, known), strings.Join(known, ", "))
}

// Child builds a child spec; path is where it stands in its parent, and is put before the paths of its faults.
func (b *Builder) Child(path string, spec jsontext.Value) (Verifier, error) {
	v, err := b.Build(spec)
	if err != nil {
		return nil, under(path, err)
	}
	return v, nil
}
