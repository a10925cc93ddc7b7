package sandbox

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// scripted answers one try after the other.
type scripted struct {
	tries []func() (Result, error)
	alone []bool
}

func (s *scripted) Run(_ context.Context, spec Spec) (Result, error) {
	s.alone = append(s.alone, spec.Alone)
	next := s.tries[0]
	s.tries = s.tries[1:]
	return next()
}

func (*scripted) Caps() Caps   { return Caps{} }
func (*scripted) Close() error { return nil }

func TestRunSure(t *testing.T) {
	ok := func() (Result, error) { return Result{Status: OK}, nil }
	timeout := func() (Result, error) { return Result{Status: Timeout}, nil }
	unsure := func() (Result, error) { return Result{Status: Timeout, Unsure: true}, nil }
	machine := func() (Result, error) { return Result{}, fmt.Errorf("x: %w", ErrMachine) }
	fault := func() (Result, error) { return Result{}, errors.New("fault") }
	type try = func() (Result, error)
	for _, c := range []struct {
		name  string
		tries []try
		alone []bool
		want  Status
		err   error
	}{
		{"a verdict stands", []try{ok}, []bool{false}, OK, nil},
		{"a sure timeout stands", []try{timeout}, []bool{false}, Timeout, nil},
		{"an unsure one is tried alone", []try{unsure, ok}, []bool{false, true}, OK, nil},
		{"and that stands", []try{unsure, unsure}, []bool{false, true}, Timeout, nil},
		{"the machine's fault is tried alone", []try{machine, ok}, []bool{false, true}, OK, nil},
		{"twice the machine's fault", []try{machine, machine}, []bool{false, true}, "", ErrMachine},
		{"another fault is the caller's to try again", []try{fault}, []bool{false}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scripted{tries: c.tries}
			r, err := RunSure(t.Context(), s, Spec{})
			if r.Status != c.want || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("%q, %v", r.Status, err)
			}
			if fmt.Sprint(s.alone) != fmt.Sprint(c.alone) || len(s.tries) != 0 {
				t.Errorf("tries %v, want %v", s.alone, c.alone)
			}
		})
	}
}
