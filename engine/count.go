package engine

import (
	"errors"
	"strings"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// count adds the verdict of a row to the block's tally, and what a person will ask about it.
func (b *Block) count(ln *line, row *rollout.Row, v *judge.Verdict) {
	t := &b.Tally
	t.Add(v)
	if v.Status != judge.OK {
		t.note(v.Status, Sample{ln.number, ln.file, v.Reason})
	}
	if !unanswered(row) {
		return
	}
	if t.Unanswered++; t.Unanswered == 1 {
		t.Bare = Sample{ln.number, ln.file, keysOf(row)}
	}
}

func (b *Block) countBroken(ln *line, broke error) {
	b.Tally.Broken++
	b.Tally.Add(&broken)
	why := broke.Error()
	if syntax := (*rollout.SyntaxError)(nil); errors.As(broke, &syntax) {
		inLine := *syntax
		inLine.Line = 0 // the sample has it
		why = inLine.Error()
	}
	b.Tally.note(judge.Error, Sample{ln.number, ln.file, why})
}

// unanswered says that a row has no place for an answer. An answer that is there and empty is the candidate's.
func unanswered(r *rollout.Row) bool {
	if r.FinalText != "" {
		return false
	}
	for i := range r.Messages {
		if r.Messages[i].Role == "assistant" {
			return false
		}
	}
	v, _ := r.Get("final_text")
	return v.Kind() != '"'
}

// maxKeys is how many keys of a row are named: enough to see under which one its answer stands.
const maxKeys = 12

func keysOf(r *rollout.Row) string {
	keys := r.Keys()
	if len(keys) == 0 {
		return "no keys"
	}
	more := ""
	if len(keys) > maxKeys {
		keys, more = keys[:maxKeys], ", …"
	}
	for i, k := range keys {
		if runes := []rune(k); len(runes) > 40 {
			keys[i] = string(runes[:39]) + "…"
		}
	}
	return "keys " + strings.Join(keys, ", ") + more
}
