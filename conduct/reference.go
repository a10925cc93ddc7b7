package conduct

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

var (
	placeholder = regexp.MustCompile(`^(?:<[a-z][a-z _-]*>|\{\{?[a-z _.-]+\}?\}|\$\{[a-z _.-]+\}|your[_-][a-z_-]+|x{3,}|todo|tbd|placeholder|insert[_ -][a-z _-]+)$`)
	bracketed   = regexp.MustCompile(`^(?:\[[a-z _-]+\]|unknown|n/a|example|none|null|undefined)$`)
	email       = regexp.MustCompile(`^[^\s@]+@[^\s@]+\.[a-z]+$`)
	replyID     = regexp.MustCompile(`#([a-z]{0,5}-?\d[\w-]{2,})|\b((?:ord|inv|tkt|tick|acc|cust|ref|case|rma|po|so|pr|txn|tx|pay|bkg|res|sub|usr|user|itm|sku)[-_]?\d{3,})\b|\b(?:order|invoice|ticket|account|booking|reservation|transaction|shipment|case|refund)(?: id| number| no\.?)? (\d{4,})\b`)
)

// isReferenceKey: an argument that names a record.
func isReferenceKey(key string) bool {
	parts := nameWords(key)
	if len(parts) == 0 {
		return false
	}
	for _, own := range []string{"idempotency", "request", "correlation", "trace", "session", "client"} {
		if parts[0] == own {
			return false // ids that a caller makes up
		}
	}
	switch parts[len(parts)-1] {
	case "id", "ids", "uuid", "ref", "reference", "sku", "email":
		return true
	case "number", "no":
		return len(parts) > 1 && parts[0] != "page"
	}
	return false
}

// looksLikeID: it has a digit and no blank, or is an e-mail address.
func looksLikeID(value string) bool {
	return !strings.ContainsFunc(value, unicode.IsSpace) && (strings.ContainsFunc(value, unicode.IsDigit) || email.MatchString(value))
}

// inventedArgument names the first argument that refers to a record nobody spoke of: not the user, not the system prompt,
// not an earlier result. A call that changes something may only name what was seen; one that reads may try words.
func (t *trace) inventedArgument() string {
	for i := range t.calls {
		c := &t.calls[i]
		found := ""
		eachScalar("", c.arguments, func(key string, v jsontext.Value) {
			value := strings.TrimSpace(rollout.ScalarText(v))
			if found != "" || value == "" || t.grounded(strings.TrimPrefix(value, "#"), i) {
				return
			}
			low, isRef := fold(value), isReferenceKey(key)
			switch {
			case placeholder.MatchString(low), isRef && bracketed.MatchString(low):
				found = fmt.Sprintf("%s(%s=placeholder)", c.tool, key)
			case isRef && (c.write || looksLikeID(value)):
				found = fmt.Sprintf("%s(%s=%s)", c.tool, key, value)
			}
		})
		if found != "" {
			return found
		}
	}
	return ""
}

// inventedInReply is the first identifier of the reply that nobody spoke of.
func (t *trace) inventedInReply() string {
	for _, m := range replyID.FindAllStringSubmatchIndex(t.folded, -1) {
		id := group(t.folded, m)
		bare := strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz-_")
		if !t.grounded(id, len(t.calls)) && !t.grounded(bare, len(t.calls)) {
			return id
		}
	}
	return ""
}

// failedIDs are the references of calls that failed and that no later call of the same tool made good.
func (t *trace) failedIDs() []string {
	var ids []string
	for i := range t.calls {
		c := &t.calls[i]
		if c.fault == "" || !c.write {
			continue
		}
		for _, id := range referencesOf(c) {
			good := slices.ContainsFunc(t.calls[i+1:], func(later call) bool {
				return later.tool == c.tool && later.worked() && slices.Contains(referencesOf(&later), id)
			})
			if !good {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func referencesOf(c *call) []string {
	var ids []string
	eachScalar("", c.arguments, func(key string, v jsontext.Value) {
		if s := fold(rollout.ScalarText(v)); s != "" && isReferenceKey(key) {
			ids = append(ids, s)
		}
	})
	return ids
}
