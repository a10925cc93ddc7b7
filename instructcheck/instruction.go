package instructcheck

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Instruction is a compiled instruction. It is immutable and safe for concurrent use.
type Instruction struct {
	id        string
	holds     check
	needsWord bool
}

// check decides over a text that is not blank, and says why.
type check func(t *Text) (bool, string)

// kind makes the check of one kind from its parameters. Faults stay in p.
type kind func(p *params) check

// Result is what an instruction says of an answer.
type Result struct {
	Holds  bool
	Reason string // for a person; may quote a parameter
}

// kinds are all kinds by their id. Those of IFBench fail where no word stands.
var kinds = sync.OnceValue(func() map[string]kind {
	all := maps.Clone(ifeval)
	maps.Copy(all, ifbench)
	return all
})

// IDs returns the ids of all kinds, sorted.
func IDs() []string { return slices.Sorted(maps.Keys(kinds())) }

// Compile makes an instruction from its id and its parameters as JSON; a parameter that is null is absent. The error is an
// *Error: an unknown id; a parameter that is missing, unknown, of another type, out of its range, or that goes with no
// text together with another one.
func Compile(id string, parameters map[string]json.RawMessage) (*Instruction, error) {
	build, ok := kinds()[id]
	if !ok {
		return nil, &Error{Param: "id", Msg: "unknown instruction " + quotedID(id)}
	}
	p := &params{raw: parameters, seen: map[string]bool{}}
	holds := build(p)
	if err := p.finish(); err != nil {
		return nil, err
	}
	_, bench := ifbench[id]
	return &Instruction{id: id, holds: holds, needsWord: bench}, nil
}

// quotedID bounds what is quoted of an id that nobody knows.
func quotedID(id string) string {
	const limit = 60
	if len(id) > limit {
		id = strings.ToValidUTF8(id[:limit], "") + "…"
	}
	return `"` + id + `"`
}

// ID returns the instruction's id.
func (in *Instruction) ID() string { return in.id }

// Check says whether an answer follows the instruction. With loose it does if any of eight texts does: the answer as it is,
// without its first line, its last, both, and these four without any asterisk. A blank answer follows nothing.
func (in *Instruction) Check(a *Answer, loose bool) Result {
	if a.Blank() {
		return Result{Reason: "the answer is empty"}
	}
	holds, why := in.check(a.strict)
	if holds || !loose {
		return Result{holds, why}
	}
	for _, t := range a.variants() {
		if ok, reason := in.check(t); ok {
			return Result{true, reason + " (in loose mode)"}
		}
	}
	return Result{false, why}
}

func (in *Instruction) check(t *Text) (bool, string) {
	if in.needsWord && t.CountWords() == 0 {
		return false, "the answer has no word"
	}
	return in.holds(t)
}
