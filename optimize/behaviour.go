package optimize

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// behaviour is the way a rollout went, without its words: each call with where its arguments came from and what became of it,
// whether the reply refuses, and roughly how long it is. Rollouts of one behaviour teach the same.
func behaviour(r *rollout.Row) string {
	var b strings.Builder
	known := fold(r.Prompt)
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Tool == "" {
			known += " " + fold(s.User)
			continue
		}
		b.WriteString(s.Tool)
		var origins []string
		if s.Arguments.Kind() == '{' {
			for name, v := range rollout.Members(s.Arguments) {
				origins = append(origins, name+"="+origin(v, fold(r.Prompt), known))
			}
		}
		slices.Sort(origins)
		fmt.Fprintf(&b, "(%s)%s;", strings.Join(origins, ","), status(s.Result))
		known += " " + fold(string(s.Result))
	}
	reply := strings.ToLower(r.Candidate())
	fmt.Fprintf(&b, "refuses=%v length=%d", refuses(reply), min(len(strings.Fields(reply))/12, 12))
	return b.String()
}

// origin says where an argument's value came from.
func origin(v jsontext.Value, prompt, known string) string {
	text := fold(rollout.ScalarText(v))
	switch {
	case text == "":
		return "absent"
	case strings.Contains(prompt, text):
		return "user"
	case strings.Contains(known, text):
		return "derived"
	}
	return "invented"
}

func status(result jsontext.Value) string {
	if result == nil || result.Kind() != '{' {
		return ""
	}
	v, _ := rollout.Member(result, "status")
	return rollout.ScalarText(v)
}

var refusals = []string{"i can't", "i cannot", "i can not", "i won't", "i'm unable", "i am unable", "not able to", "i'm sorry, but", "decline", "not allowed", "against policy"}

func refuses(reply string) bool {
	return slices.ContainsFunc(refusals, func(phrase string) bool { return strings.Contains(reply, phrase) })
}

// same is equal for duplicates: the same prompt, behaviour and reply.
func same(r *rollout.Row, behaviour string) [16]byte {
	sum := sha256.Sum256([]byte(fold(r.Prompt) + "\x00" + behaviour + "\x00" + fold(r.Candidate())))
	return [16]byte(sum[:16])
}

// noFault is the kind of a rollout that met no fault.
const noFault = "no fault"

// good are statuses of tools that did what they were asked.
var good = []string{"", "ok", "success", "created", "done", "updated", "deleted", "found"}

// fault is the kind of fault that a rollout met: what a tool answered, else what its world was told to do.
func fault(r *rollout.Row) string {
	for i := range r.Steps {
		if s := status(r.Steps[i].Result); !slices.Contains(good, s) {
			return s
		}
	}
	if faults, ok := r.Get("faults"); ok && faults.Kind() == '{' {
		for _, f := range rollout.Members(faults) {
			if f.Kind() == '{' {
				if v, ok := rollout.Member(f, "mode"); ok {
					return rollout.ScalarText(v)
				}
			}
		}
	}
	return noFault
}
