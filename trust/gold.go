package trust

import (
	"math"
	"strconv"

	"github.com/verifyd/verifyd/rollout"
)

// Who wrote gold labels, most trusted first. "verifier" is read as program.
const (
	Human   = "human"
	Program = "program"
	Model   = "model"
	Unknown = "unknown" // a label with no record of its origin
)

var trustOrder = []string{Human, Program, Model, Unknown}

// label is the binary label in a member: the number 0 or 1. Text and booleans are none, unlike in evaluate.Label: a label decides
// about a judge and must not be guessed.
func label(r *rollout.Row, field string) (passed, ok bool) {
	v, ok := score(r, field)
	return v == 1, ok && (v == 0 || v == 1)
}

// score is the finite number in a member.
func score(r *rollout.Row, field string) (float64, bool) {
	v, ok := r.Get(field)
	if !ok || v.Kind() != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// goldKind is who wrote a row's label.
func goldKind(r *rollout.Row) string {
	switch kind := r.Text("gold_kind"); kind {
	case Human, Program, Model:
		return kind
	case "verifier":
		return Program
	}
	return Unknown
}
