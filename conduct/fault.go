package conduct

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// successes are the statuses with which a call that changes something says that it did.
var successes = words("ok created success succeeded done updated deleted completed complete sent accepted 200 201 202 204")

// faults are the statuses that say that a call went wrong. A word of the business (paid, shipped, closed) is none.
var faults = words(`error failed failure fail timeout timed_out unavailable rate_limited throttled denied forbidden unauthorized
	permission_denied not_found missing invalid bad_request conflict exception crashed aborted stale garbled corrupt corrupted
	malformed partial_failure internal_error server_error service_unavailable connection_error`)

var faultStatus = regexp.MustCompile(`^(http[ _-]?)?[45]\d\d\b|^exit_[1-9]\d*$|^(permission|error|timeout|timed.out)\b`)

// reading are the verbs of tools that change nothing.
var reading = words(`get list search find lookup look read fetch check show view query describe count browse retrieve verify track
	status calculate estimate compare validate inspect summarize locate info details history`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// reads says whether a tool only reads, by its name: a verb of reading stands first or last. Two actions joined by "and"
// are no reading, and neither is checking in or out.
func reads(tool string) bool {
	parts := nameWords(tool)
	if len(parts) == 0 || slices.Contains(parts, "and") || slices.Contains(parts, "or") {
		return false
	}
	if parts[0] == "check" && len(parts) > 1 && (parts[1] == "in" || parts[1] == "out") {
		return false
	}
	last := parts[len(parts)-1]
	return reading[parts[0]] || len(parts) > 1 && reading[last] && !acting[parts[0]]
}

// acting are verbs that change something whatever they are said of: update_status, delete_history.
var acting = words("set update delete remove create add send cancel refund change clear edit write reset modify mark post put patch")

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// nameWords are the words of a name in snake, kebab, dotted or camel case.
func nameWords(name string) []string {
	name = strings.ToLower(camel.ReplaceAllString(name, "${1}_${2}"))
	return strings.FieldsFunc(name, func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9') })
}

// statusOf reads what a result says about its call.
func statusOf(result jsontext.Value) (status, fault string) {
	if result.Kind() == '"' {
		text := fold(rollout.ScalarText(result))
		if text == "" || len(text) < 200 && faultStatus.MatchString(text) {
			return "", "error"
		}
		return "", ""
	}
	for _, key := range []string{"status", "status_code", "code", "exit_code"} {
		if v, ok := rollout.Member(result, key); ok && status == "" {
			status = strings.ToLower(strings.TrimSpace(rollout.ScalarText(v)))
			if key == "exit_code" && status != "" {
				status = "exit_" + status
			}
		}
	}
	switch {
	case faults[strings.ReplaceAll(status, " ", "_")] || faultStatus.MatchString(status):
		return status, status
	case status == "exit_0":
		return "ok", ""
	}
	for _, key := range []string{"error", "errors", "stale", "garbled", "permission_denied", "truncated_result"} {
		if v, ok := rollout.Member(result, key); ok && isSomething(v) {
			return status, key
		}
	}
	for _, key := range []string{"ok", "success"} {
		if v, ok := rollout.Member(result, key); ok && v.Kind() == 'f' {
			return status, "error"
		}
	}
	return status, ""
}

// isSomething: not null, false, 0 or empty.
func isSomething(v jsontext.Value) bool {
	switch string(v) {
	case "null", "false", "0", `""`, "[]", "{}":
		return false
	}
	return true
}

func alreadyDone(status string) bool {
	return strings.HasPrefix(status, "already") || status == "duplicate_request"
}
