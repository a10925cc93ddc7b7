package codecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Compare says when an answer equals the expected one. The zero value is strict: values of the same JSON type, exact
// numbers, a tuple where a list is expected; of printed text the same lines, blanks at line ends and blank lines at the
// end aside.
type Compare struct {
	FloatTol, RelTol float64    // a float is right within max(FloatTol, RelTol*|want|); 0 means exactly equal
	IntIsFloat       bool       // 3 equals 3.0
	TupleIsNotList   bool       // a tuple is no list
	Unordered        bool       // the outermost lists (or lines) are compared as multisets
	AnyOf            bool       // the expected value is a list of right answers
	Whitespace       Whitespace // of printed text
}

// Whitespace says how printed text is compared. The empty value means Lines.
type Whitespace string

// The ways.
const (
	ExactText Whitespace = "exact"
	Lines     Whitespace = "lines"
	Tokens    Whitespace = "tokens"
)

type wireCompare struct {
	FloatTol    float64 `json:"float_tol"`
	RelTol      float64 `json:"rel_tol"`
	IntIsFloat  bool    `json:"int_is_float"`
	TupleIsList *bool   `json:"tuple_is_list"`
	Unordered   bool    `json:"unordered"`
	AnyOf       bool    `json:"any_of"`
	Whitespace  string  `json:"whitespace"`
}

func parseCompare(raw json.RawMessage) (Compare, error) {
	var w wireCompare
	if len(raw) == 0 || string(raw) == "null" {
		return Compare{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return Compare{}, errors.New("compare: an option is not known or has the wrong type")
	}
	if w.FloatTol < 0 || w.RelTol < 0 {
		return Compare{}, errors.New("compare: tolerances must not be negative")
	}
	switch ws := Whitespace(w.Whitespace); ws {
	case "", ExactText, Lines, Tokens:
		return Compare{w.FloatTol, w.RelTol, w.IntIsFloat, w.TupleIsList != nil && !*w.TupleIsList, w.Unordered, w.AnyOf, ws}, nil
	}
	return Compare{}, fmt.Errorf("compare.whitespace: %.20q is none of exact, lines, tokens", w.Whitespace)
}

// text reports whether printed output is right.
func (c Compare) text(got, want string) bool {
	switch c.Whitespace {
	case ExactText:
		return got == want
	case Tokens:
		return c.same(strings.Fields(got), strings.Fields(want))
	}
	return c.same(textLines(got), textLines(want))
}

func (c Compare) same(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	if c.Unordered {
		count := map[string]int{}
		for i := range got {
			count[got[i]]++
			count[want[i]]--
		}
		for _, n := range count {
			if n != 0 {
				return false
			}
		}
		return true
	}
	for i := range got {
		if got[i] != want[i] && !c.sameNumbers(got[i], want[i]) {
			return false
		}
	}
	return true
}

// sameNumbers compares lines or tokens word by word where a tolerance was asked for.
func (c Compare) sameNumbers(got, want string) bool {
	if c.FloatTol == 0 && c.RelTol == 0 && !c.IntIsFloat {
		return false
	}
	g, w := strings.Fields(got), strings.Fields(want)
	if len(g) != len(w) {
		return false
	}
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		a, errA := strconv.ParseFloat(g[i], 64)
		b, errB := strconv.ParseFloat(w[i], 64)
		if errA != nil || errB != nil || !c.close(a, b) {
			return false
		}
	}
	return true
}

// close compares two floats: NaN equals NaN, infinities equal themselves, the rest within the tolerance.
func (c Compare) close(got, want float64) bool {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return true
	}
	if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return false
	}
	return math.Abs(got-want) <= max(c.FloatTol, c.RelTol*math.Abs(want))
}

// textLines splits text at line ends, without blanks at the end of a line and blank lines at the end of the text.
func textLines(s string) []string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r\v\f")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
