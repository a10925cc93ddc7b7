package exprcheck

import (
	"fmt"
	"math"

	"github.com/expr-lang/expr"
)

// The library counts cells of lists and maps, but no steps: three nested predicates over a few thousand elements run
// for hours, and `reduce(1..40, # + #acc)` on texts doubles memory at each turn. So a rule is compiled with counters
// in its tree:
//
//   - The body of each predicate, which is the only thing that repeats, is wrapped: each turn costs the nodes of the
//     body.
//   - Each operand whose size can matter (text, list, map) of an operator or function that reads it whole is wrapped:
//     it costs its size at that moment, in units of 16 bytes of text, or 1 a value.
//   - Functions whose cost is not linear in their operands (join, replace, repeat, uniq…) are replaced by ones that
//     compute their cost first.
//
// What an operation makes is bounded by what it reads, so memory is bounded with the steps: at most some 32 bytes a
// step. The count depends on rule and values alone. One step is 50-100 ns.

// meter is the state of one evaluation. It travels as a variable that no source can name.
type meter struct {
	left int
}

// Names in the tree that the lexer cannot produce: a middle dot is no letter.
const (
	meterName = "·meter"
	useName   = "·use"
	textName  = "·text"
	turnName  = "·turn"
)

const bytesPerStep = 16

var errSteps = fmt.Errorf("takes too many steps: %w", ErrLimit)

func (m *meter) pay(steps int) error {
	if steps > m.left {
		m.left = 0
		return errSteps
	}
	m.left -= steps
	return nil
}

// payText pays for reading a text of n bytes, times a factor.
func (m *meter) payText(n, factor int) error {
	return m.pay(product(n/bytesPerStep+1, factor))
}

func product(a, b int) int {
	if a > 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}

// How the size of an operand counts.
const (
	shallow = iota // its own elements
	deep           // all it holds
	within         // the right side of in: a map is looked up, a list is searched
	squared        // deep, for a function that compares each element with each
)

// paySize pays for v.
func (m *meter) paySize(v any, how, factor int) error {
	switch v := v.(type) {
	case string:
		return m.payText(len(v), factor)
	case []byte:
		return m.payText(len(v), factor)
	case map[string]any:
		if how == within {
			return nil
		}
	case []any:
		if how == squared {
			if err := m.pay(product(len(v), len(v))); err != nil {
				return err
			}
		}
	}
	return m.payParts(v, how == shallow, factor)
}

// payParts pays one step for each value in v, and for each text its length; only for its elements when flat.
func (m *meter) payParts(v any, flat bool, factor int) error {
	switch v := v.(type) {
	case string:
		return m.payText(len(v), factor)
	case []any:
		if err := m.pay(product(len(v), factor)); err != nil || flat {
			return err
		}
		for _, e := range v {
			if err := m.payParts(e, false, factor); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := m.pay(product(len(v), factor)); err != nil || flat {
			return err
		}
		for k, e := range v {
			if err := m.payText(len(k), factor); err != nil {
				return err
			}
			if err := m.payParts(e, false, factor); err != nil {
				return err
			}
		}
	case []string:
		return m.payTexts(v, factor)
	case []int:
		return m.pay(product(len(v), factor))
	case map[any][]any: // of groupBy
		for _, e := range v {
			if err := m.payParts(e, flat, factor); err != nil {
				return err
			}
		}
	}
	return m.pay(1)
}

func (m *meter) payTexts(list []string, factor int) error {
	for _, s := range list {
		if err := m.payText(len(s), factor); err != nil {
			return err
		}
	}
	return nil
}

// counters are the functions that the tree is wrapped in: each pays and returns its second argument.
func counters() []expr.Option {
	use := func(args ...any) (any, error) {
		return args[1], args[0].(*meter).paySize(args[1], args[2].(int), args[3].(int))
	}
	turn := func(args ...any) (any, error) {
		return args[1], args[0].(*meter).pay(args[2].(int))
	}
	return []expr.Option{
		expr.Function(useName, use, new(func(*meter, any, int, int) any)),
		expr.Function(textName, use, new(func(*meter, string, int, int) string)),
		expr.Function(turnName, turn, new(func(*meter, any, int) any)),
	}
}
