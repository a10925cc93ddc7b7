package judge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/verifyd/verifyd/rollout"
)

// Placeholder stands for a privileged gold in a reason.
const Placeholder = "<reference>"

// alwaysHidden is the length in characters from which a gold is hidden also inside a longer token. Shorter ones are
// hidden as whole tokens only: the gold "1" must not eat the 1 of "17 of 21 tests".
const alwaysHidden = 4

// Redact returns the reason without any scalar of the row's privileged golds; each becomes Placeholder.
func Redact(r *rollout.Row, reason string) string {
	if reason == "" {
		return reason
	}
	for _, secret := range r.Secrets() {
		reason = hideSpellings(reason, rollout.ScalarText(secret))
	}
	return reason
}

// hideSpellings hides a gold in all the ways in which it may turn up: as it is, trimmed, line by line, and in Python's
// words for bools.
func hideSpellings(reason, s string) string {
	reason = hide(reason, s)
	if t := strings.TrimSpace(s); t != s {
		reason = hide(reason, t)
	}
	if strings.ContainsRune(s, '\n') {
		for line := range strings.SplitSeq(s, "\n") {
			reason = hide(reason, line)
		}
	}
	switch s {
	case "true":
		return hide(reason, "True")
	case "false":
		return hide(reason, "False")
	}
	return reason
}

func hide(reason, secret string) string {
	if strings.TrimSpace(secret) == "" || !strings.Contains(reason, secret) {
		return reason
	}
	if utf8.RuneCountInString(secret) >= alwaysHidden {
		return strings.ReplaceAll(reason, secret, Placeholder)
	}
	var b strings.Builder
	for {
		i := strings.Index(reason, secret)
		if i < 0 {
			break
		}
		end := i + len(secret)
		whole := !tokenRune(lastRune(reason[:i])) && !tokenRune(firstRune(reason[end:]))
		whole = whole || !tokenRune(firstRune(secret)) && !tokenRune(lastRune(secret))
		b.WriteString(reason[:i])
		if whole {
			b.WriteString(Placeholder)
		} else {
			b.WriteString(secret)
		}
		reason = reason[end:]
	}
	b.WriteString(reason)
	return b.String()
}

func tokenRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }

func firstRune(s string) rune {
	c, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ' '
	}
	return c
}

func lastRune(s string) rune {
	c, n := utf8.DecodeLastRuneInString(s)
	if n == 0 {
		return ' '
	}
	return c
}
