package model

import (
	"errors"
	"fmt"
	"time"
)

// ErrBudget: the client has spent what it may.
var ErrBudget = errors.New("the budget is spent")

// Kind says what was wrong with an answer, for counting.
type Kind string

// The kinds of an *Error.
const (
	NoKey       Kind = "no_key"       // the variable of the key is empty
	Unreachable Kind = "unreachable"  // no connection, or it was cut
	HTTPStatus  Kind = "http_status"  // not 200; Status says which
	TooLarge    Kind = "too_large"    // more bytes than MaxAnswer
	Stalled     Kind = "stalled"      // one try took longer than Timeout or was silent longer than Stall
	Malformed   Kind = "malformed"    // no JSON of the protocol, or a stream without its end
	Empty       Kind = "empty"        // no choice, or one with nothing in it
	RateLimited Kind = "rate_limited" // 429, the tries used up or the wait too long
)

// Error is a request that got no answer after all its tries.
type Error struct {
	Kind     Kind
	Status   int    // of HTTP; 0 where there was none
	Code     string // the endpoint's own word for it, of small letters and _ alone
	Attempts int

	wait      time.Duration // Retry-After; -1 where there was none
	permanent bool
}

func (e *Error) Error() string {
	s := "model: " + string(e.Kind)
	if e.Status != 0 {
		s += fmt.Sprintf(", HTTP %d", e.Status)
	}
	if e.Code != "" {
		s += ", " + e.Code
	}
	return fmt.Sprintf("%s, after %d tries", s, e.Attempts)
}

// Malformed reports whether the endpoint did answer, and what it said is no answer.
func (e *Error) Malformed() bool {
	return e.Kind == Malformed || e.Kind == Empty || e.Kind == TooLarge
}

// codeOf keeps an endpoint's word only where it is one: free text might hold anything.
func codeOf(w *wireError) string {
	if w == nil {
		return ""
	}
	s, _ := w.Code.(string)
	if s == "" {
		s = w.Type
	}
	if len(s) > 40 {
		return ""
	}
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c == '_') {
			return ""
		}
	}
	return s
}
