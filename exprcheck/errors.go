package exprcheck

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/file"
)

// ErrLimit is wrapped by an error of Compile when the rule is too large, and of Eval when it took too many steps or
// too much memory for these values.
var ErrLimit = errors.New("over the rule's limit")

// An Error says where a rule is wrong, or where it failed.
type Error struct {
	Line, Column int    // in the rule's source, both from 1; 0 when no place is known
	Msg          string // quotes the rule, never a value it was evaluated on
	limit        bool
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "exprcheck: " + e.Msg
	}
	return fmt.Sprintf("exprcheck: line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Is makes errors.Is(err, ErrLimit) hold for errors that met a bound.
func (e *Error) Is(target error) bool { return e.limit && target == ErrLimit }

// errorOf turns an error of the library into ours. At run time its messages quote values, among them references.
func errorOf(err error, running bool) error {
	if err == nil {
		return nil
	}
	e := &Error{Msg: err.Error(), limit: errors.Is(err, ErrLimit)}
	var at *file.Error
	if errors.As(err, &at) {
		e.Line, e.Column, e.Msg = at.Line, at.Column+1, at.Message
	}
	if e.Msg == "memory budget exceeded" {
		e.Msg, e.limit = "takes too much memory", true
	}
	if strings.HasSuffix(e.Msg, "exceeds maximum allowed nodes") {
		e.limit = true
	}
	if running && !e.limit {
		e.Msg = withoutValues(e.Msg)
	}
	return e
}

var (
	fetched = regexp.MustCompile(`^(cannot (?:fetch|get)) .* (from .*)$`)
	calls   = regexp.MustCompile(`\(.*$`)
	quoted  = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|'[^']*'")
)

// withoutValues takes out of a message what may be a value: "int(secret)" becomes "int(…)".
func withoutValues(msg string) string {
	msg = fetched.ReplaceAllString(msg, "$1 a member $2")
	msg = quoted.ReplaceAllString(msg, "…")
	if strings.HasPrefix(msg, "invalid operation: int(") || strings.HasPrefix(msg, "invalid operation: float(") {
		return calls.ReplaceAllString(msg, "(…)")
	}
	msg, _, _ = strings.Cut(msg, "\n")
	return msg
}
