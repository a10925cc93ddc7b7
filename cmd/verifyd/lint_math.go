package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/mathcheck"
	"github.com/verifyd/verifyd/rollout"
)

// mathSpec reports whether a spec compares answers by mathematics, itself or in its tree, and runs no program; field is
// where it finds its reference, "" for the usual places.
func mathSpec(spec jsontext.Value) (field string, ok bool) {
	var tree any
	if err := json.Unmarshal(spec, &tree); err != nil {
		return "", false
	}
	code := false
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			code = code || v["kind"] == "code_exec"
			if v["kind"] == "math_equal" && !ok {
				ok = true
				field, _ = v["field"].(string)
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(tree)
	return field, ok && !code
}

// mathGroup is what is known of one reference: its first row, and the different answers that the rows of its group give.
type mathGroup struct {
	id      string
	line    int64
	golds   []string
	invalid error
	answers map[string]bool
	order   []string
}

// maxLintedAnswers bounds the answers of one group that are compared with each other.
const maxLintedAnswers = 64

// lintedGold is the answer for one reference.
type lintedGold struct {
	ID       string              `json:"id"`
	Line     int64               `json:"line"`
	Kind     string              `json:"kind"`    // as what it is read; empty if it is not
	Answers  int                 `json:"answers"` // different answers in the group
	Paid     int                 `json:"paid"`    // those that equal the reference
	Findings []codecheck.Finding `json:"findings"`
}

// lintMath reads all rows, puts those of one prompt and reference together, and tells of each reference whether it can
// be read in one way, and whether it pays answers that differ from each other.
func (a *app) lintMath(ctx context.Context, names []string, f *lintFlags, field string) error {
	in, err := a.openInputs(ctx, names)
	if err != nil {
		return err
	}
	defer in.close()
	groups := map[[sha256.Size]byte]*mathGroup{}
	var order []*mathGroup
	for {
		t, err := f.next(in)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if t.err != nil {
			order = append(order, &mathGroup{line: t.line, invalid: t.err})
			continue
		}
		golds := mathGolds(t.row, field)
		key := sha256.Sum256([]byte(strings.Join(append([]string{string(keyOf(t.row))}, golds...), "\x00")))
		g := groups[key]
		if g == nil {
			g = &mathGroup{id: t.row.ID, line: t.line, golds: golds, answers: map[string]bool{}}
			groups[key] = g
			order = append(order, g)
		}
		if s := t.row.Candidate(); s != "" && !g.answers[s] && len(g.order) < maxLintedAnswers {
			g.answers[s] = true
			g.order = append(g.order, s)
		}
	}
	unsound := 0
	for _, g := range order {
		l := g.lint()
		if len(l.Findings) > 0 {
			unsound++
		}
		if err := l.write(a.out, f.json); err != nil {
			return err
		}
	}
	if !f.json {
		fmt.Fprintf(a.out, "%d references, %d with findings\n", len(order), unsound)
	}
	if unsound > 0 {
		return &exitError{exitGate, errSilent}
	}
	return nil
}

// keyOf is what rows of one group share beside their reference.
func keyOf(r *rollout.Row) []byte {
	if v, ok := r.Get("prompt"); ok {
		return v
	}
	return []byte(r.ID)
}

// mathGolds lists the references of a row; a list means any of them.
func mathGolds(r *rollout.Row, field string) []string {
	v, ok := r.Reference(field)
	if !ok {
		return nil
	}
	if v.Kind() != '[' {
		return []string{rollout.ScalarText(v)}
	}
	var out []string
	for item := range rollout.Elements(v) {
		out = append(out, rollout.ScalarText(item))
	}
	return out
}

func (g *mathGroup) lint() lintedGold {
	l := lintedGold{ID: g.id, Line: g.line, Answers: len(g.order), Findings: []codecheck.Finding{}}
	find := func(kind, detail string) {
		l.Findings = append(l.Findings, codecheck.Finding{Kind: kind, Detail: detail})
	}
	if g.invalid != nil {
		find("invalid_row", g.invalid.Error())
		return l
	}
	gold, err := mathcheck.CompileAny(g.golds, mathcheck.Options{})
	if err != nil {
		find("no_reference", "the row has no reference answer")
		return l
	}
	l.Kind = gold.Kind()
	for _, s := range g.golds {
		one, err := mathcheck.Compile(s, mathcheck.Options{})
		if err != nil {
			continue
		}
		if !one.Readable() {
			find("unreadable_reference", "it pays identical text only")
		} else if why := mathcheck.Ambiguous(s); why != "" {
			find("ambiguous_reference", why)
		}
	}
	var paid []string
	for _, s := range g.order {
		if v := gold.Check(s); v.Equal {
			l.Paid++
			paid = append(paid, v.Extracted)
		}
	}
	if a, b, ok := differing(paid); ok && len(g.golds) == 1 {
		find("pays_different_answers", fmt.Sprintf("%.60s and %.60s both equal it, and not each other", a, b))
	}
	return l
}

// differing finds two answers that are not equal in either order.
func differing(list []string) (a, b string, found bool) {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a != b && !mathcheck.Equal(a, b).Equal && !mathcheck.Equal(b, a).Equal {
				return a, b, true
			}
		}
	}
	return "", "", false
}

func (l lintedGold) write(w io.Writer, asJSON bool) error {
	if asJSON {
		text, err := json.Marshal(l)
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	}
	name, kind := l.ID, l.Kind
	if name == "" {
		name = fmt.Sprintf("line %d", l.Line)
	}
	if kind == "" {
		kind = "–"
	}
	line := fmt.Sprintf("%s  reads as %s, pays %d of %d answers", name, kind, l.Paid, l.Answers)
	for _, x := range l.Findings {
		line += fmt.Sprintf("  %s: %s", x.Kind, x.Detail)
	}
	_, err := fmt.Fprintln(w, strings.NewReplacer("\n", " ", "\r", " ").Replace(line))
	return err
}
