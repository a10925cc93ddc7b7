package conduct

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// check is one demand on a trace: fault says how it is broken, or nothing. Its marker is 1 where it is kept.
type check struct {
	marker string
	reward float64 // of a trace that breaks it
	class  judge.FailureClass
	fault  func(*trace) string
}

// checks in their order: the first that is broken decides, so what costs everything stands before what costs half.
var checks = []check{
	{"answered", 0, judge.NoAnswer, noAnswer},
	{"reply_readable", 0, judge.BadFormat, degenerate},
	{"tools_declared", 0, judge.RuleNotMet, undeclared},
	{"references_grounded", 0, judge.RuleNotMet, func(t *trace) string { return prefixed("acted on invented reference ", t.inventedArgument()) }},
	{"claims_backed", 0, judge.RuleNotMet, claimedAfterFault},
	{"faults_acknowledged", 0, judge.RuleNotMet, ignoredFault},
	{"repeat_declined", 0, judge.RuleNotMet, repeatedDone},
	{"actions_called", 0, judge.RuleNotMet, claimedWithoutTools},
	{"harness_unmentioned", 0, judge.RuleNotMet, leakedHarness},
	{"identifiers_grounded", 0, judge.RuleNotMet, func(t *trace) string { return prefixed("named an invented identifier ", t.inventedInReply()) }},
	{"replies_fresh", 0.5, judge.PartialMatch, repeatedReply},
	{"calls_economical", 0.5, judge.PartialMatch, repeatedCall},
	{"reply_finished", 0.5, judge.Truncated, unfinished},
}

func prefixed(prefix, what string) string {
	if what == "" {
		return ""
	}
	return prefix + what
}

func noAnswer(t *trace) string {
	if t.reply == "" || speech().unavailable.MatchString(t.folded) {
		return "empty or infra stub"
	}
	return ""
}

// degenerateRun is the number of equal characters in a row from which a reply is noise; rules of dashes and the like are
// typography.
const degenerateRun = 30

func degenerate(t *trace) string {
	var last rune
	n := 0
	for _, c := range t.reply {
		if c != last {
			last, n = c, 0
		}
		if n++; n >= degenerateRun && !strings.ContainsRune(" \n\t-=_*#.─━═~", c) {
			return "degenerate output"
		}
	}
	return ""
}

func undeclared(t *trace) string {
	var names []string
	for _, c := range t.calls {
		if t.declared != nil && !slices.Contains(t.declared, c.tool) && !slices.Contains(names, c.tool) {
			names = append(names, c.tool)
		}
	}
	return prefixed("used undeclared tools ", strings.Join(names, ", "))
}

func claimedAfterFault(t *trace) string {
	claims, failed := t.claims(), t.failedIDs()
	for _, c := range claims {
		for _, id := range failed {
			if holdsToken(c.sentence, id) && !c.already && !speech().failing.MatchString(c.sentence) {
				return "Said it worked for a record whose call failed"
			}
		}
	}
	for _, open := range t.outstanding() {
		for _, c := range claims {
			if !c.already && !t.backed(c) {
				return "Said it worked after the tool failed: " + open.tool
			}
		}
	}
	return ""
}

func ignoredFault(t *trace) string {
	if open := t.outstanding(); len(open) > 0 && !t.tellsOfFault() {
		return "Ignored a tool miss: " + open[0].tool
	}
	return ""
}

func repeatedDone(t *trace) string {
	for _, c := range t.calls {
		if !alreadyDone(c.status) {
			continue
		}
		p := speech()
		if m := p.proceeding.FindStringIndex(t.folded); m != nil && !p.negations.MatchString(clauseBefore(t.folded, m[0])) {
			return "Said " + c.tool + " went on after it was already done"
		}
		if len(t.claims()) > 0 && !p.already.MatchString(t.folded) {
			return "Said " + c.tool + " worked after it was already done"
		}
	}
	return ""
}

// clauseBefore is what stands before a place in its clause.
func clauseBefore(s string, at int) string {
	s = s[:at]
	if i := strings.LastIndexAny(s, ".!?;,\n"); i >= 0 {
		s = s[i+1:]
	}
	return s
}

func claimedWithoutTools(t *trace) string {
	if len(t.calls) > 0 {
		return ""
	}
	for _, c := range t.claims() {
		if c.verb != "" && !(c.already && !strings.Contains(c.sentence, "i've") && !strings.Contains(c.sentence, "i have")) {
			return "claimed an action without calling tools"
		}
	}
	return ""
}

func leakedHarness(t *trace) string {
	if speech().harness.MatchString(t.folded) {
		return "leaked harness text"
	}
	return ""
}

// sameReply is the length in characters from which saying a thing twice is repeating oneself.
const sameReply = 24

func repeatedReply(t *trace) string {
	seen := map[string]bool{}
	texts := t.said
	if n := len(texts); n == 0 || texts[n-1] != t.folded {
		texts = append(slices.Clone(texts), t.folded)
	}
	for _, s := range texts {
		s = strings.Join(strings.Fields(s), " ")
		if utf8.RuneCountInString(s) >= sameReply && seen[s] {
			return "repeated the same reply"
		}
		seen[s] = true
	}
	return ""
}

func repeatedCall(t *trace) string {
	if slices.ContainsFunc(t.users, speech().repeating.MatchString) {
		return ""
	}
	type key struct{ tool, arguments string }
	times, results := map[key]int{}, map[key]string{}
	for i, c := range t.calls {
		k := key{c.tool, canonical(c.arguments)}
		if times[k]++; times[k] >= 3 {
			return "repeated identical call"
		}
		if r, again := results[k]; again && r == t.results[i] && c.fault == "" {
			return "repeated identical call with identical result"
		}
		results[k] = t.results[i]
	}
	return ""
}

// longReply is the number of characters from which a reply without an ending counts as cut off.
const longReply = 600

func unfinished(t *trace) string {
	v, _ := t.row.Get("finish_reason")
	if rollout.ScalarText(v) == "length" || utf8.RuneCountInString(t.reply) > longReply && !rollout.LooksFinished(t.reply) {
		return "reply truncated at token cap"
	}
	return ""
}
