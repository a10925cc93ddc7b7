package judge

import (
	"context"
	"errors"
	"fmt"
)

// Errors that a Judge wraps to say which status its failure has. Any other error is status error.
var (
	ErrMissingReward = errors.New("no usable reference")
	ErrInvalidResult = errors.New("not a verdict")
)

// SpecError says that a spec cannot be built, and where: a path such as of[1].check.pattern, empty for the top.
// It is a caller's fault, found before any row is touched; asked row by row it is status error.
type SpecError struct {
	Path string
	Msg  string
	Err  error // may be nil
}

func (e *SpecError) Error() string {
	msg := e.Msg
	if msg == "" && e.Err != nil {
		msg = e.Err.Error()
	}
	if e.Path == "" {
		return msg
	}
	return e.Path + ": " + msg
}

func (e *SpecError) Unwrap() error { return e.Err }

// MissingReference is the error of a row without a usable answer key; it names where one was looked for.
func MissingReference(where string) error {
	return fmt.Errorf("%w: %s", ErrMissingReward, where)
}

// statusOf classifies an error of a judge.
func statusOf(err error) Status {
	switch {
	case errors.Is(err, ErrMissingReward):
		return MissingReward
	case errors.Is(err, ErrInvalidResult):
		return InvalidResult
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return Error
}
