package main

import (
	"regexp"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// readsCandidate says whether a judge of this spec reads the answer of a row: all kinds do but tool_calls, a rule that does
// not name it, and trees of these. So a set of rows without answers is warned of where it matters.
func readsCandidate(spec jsontext.Value) bool {
	kind, _ := rollout.Member(spec, "kind")
	switch rollout.ScalarText(kind) {
	case "tool_calls":
		return false
	case "rule":
		expr, _ := rollout.Member(spec, "expr")
		return candidateName.MatchString(rollout.ScalarText(expr))
	}
	leaf := true
	if check, ok := rollout.Member(spec, "check"); ok {
		leaf = false
		if readsCandidate(check) {
			return true
		}
	}
	of, _ := rollout.Member(spec, "of")
	for part := range rollout.Elements(of) {
		leaf = false
		if check, ok := rollout.Member(part, "check"); ok {
			part = check
		}
		if readsCandidate(part) {
			return true
		}
	}
	return leaf
}

var candidateName = regexp.MustCompile(`\bcandidate\b`)
