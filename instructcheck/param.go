package instructcheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says why an instruction cannot be compiled.
type Error struct {
	Param string // the parameter at fault; "id" where the id is unknown
	Msg   string
}

func (e *Error) Error() string { return e.Param + ": " + e.Msg }

// params reads the parameters of one instruction. The first fault is kept; what was not asked for at the end is unknown.
// A null parameter is an absent one.
type params struct {
	raw  map[string]json.RawMessage
	seen map[string]bool
	err  *Error
}

func (p *params) fail(name, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Param: name, Msg: fmt.Sprintf(format, args...)}
	}
}

// optional returns a parameter, and whether it is there.
func (p *params) optional(name string) (json.RawMessage, bool) {
	p.seen[name] = true
	v, ok := p.raw[name]
	if !ok || string(v) == "null" {
		return nil, false
	}
	return v, true
}

func (p *params) need(name string) (json.RawMessage, bool) {
	v, ok := p.optional(name)
	if !ok {
		p.fail(name, "missing")
	}
	return v, ok
}

// finish reports the first fault, unknown parameters included.
func (p *params) finish() error {
	for _, name := range slices.Sorted(maps.Keys(p.raw)) {
		if !p.seen[name] && string(p.raw[name]) != "null" {
			p.fail(name, "unknown parameter")
		}
	}
	if p.err != nil {
		return p.err
	}
	return nil
}

// maxCount stands for all larger counts: no text has as many of anything.
const maxCount = math.MaxInt32

// count is a whole number that is not negative.
func (p *params) count(name string) int {
	v, ok := p.need(name)
	if !ok {
		return 0
	}
	n, ok := wholeNumber(v)
	if !ok || n < 0 {
		p.fail(name, "must be a whole number of 0 or more")
	}
	return n
}

// position counts from 1.
func (p *params) position(name string) int {
	v, ok := p.need(name)
	if !ok {
		return 1
	}
	n, ok := wholeNumber(v)
	if !ok || n < 1 {
		p.fail(name, "must be a whole number of 1 or more")
	}
	return n
}

// wholeNumber reads a number without a fraction, however it is written; larger ones than maxCount are that.
func wholeNumber(v json.RawMessage) (int, bool) {
	if len(v) == 0 || v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil && !math.IsInf(f, 0) || f != math.Trunc(f) && !math.IsInf(f, 0) {
		return 0, false
	}
	return int(min(max(f, -maxCount), maxCount)), true
}

// percent is a number from 0 to 100.
func (p *params) percent(name string) float64 {
	v, ok := p.need(name)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || v[0] == '"' || !(f >= 0 && f <= 100) {
		p.fail(name, "must be a number from 0 to 100")
	}
	return f
}

// text is a text that is not blank.
func (p *params) text(name string) string {
	v, ok := p.need(name)
	if !ok {
		return ""
	}
	return p.textOf(name, v)
}

func (p *params) textOf(name string, v json.RawMessage) string {
	var s string
	if v[0] != '"' || json.Unmarshal(v, &s) != nil {
		p.fail(name, "must be text")
		return ""
	}
	if isBlank(s) {
		p.fail(name, "must not be empty")
	}
	return normalized(s)
}

// words is a text with a word in it, as its words.
func (p *params) words(name string) []string {
	list := wordsOf(p.text(name))
	if len(list) == 0 {
		p.fail(name, "must have a word in it")
	}
	return list
}

// texts is a list of texts that are not blank.
func (p *params) texts(name string) []string {
	v, ok := p.need(name)
	if !ok {
		return nil
	}
	return p.textsOf(name, v)
}

func (p *params) textsOf(name string, v json.RawMessage) []string {
	var items []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &items) != nil {
		p.fail(name, "must be a list of texts")
		return nil
	}
	if len(items) == 0 {
		p.fail(name, "must not be an empty list")
	}
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = p.textOf(fmt.Sprintf("%s[%d]", name, i), item)
	}
	return list
}

func (p *params) keyword(name string) keyword { return newKeyword(p.text(name)) }

func (p *params) keywords(name string) []keyword {
	texts := p.texts(name)
	list := make([]keyword, len(texts))
	for i, s := range texts {
		list[i] = newKeyword(s)
	}
	return list
}

// amount is a count and its relation.
func (p *params) amount(count, rel string) amount {
	a := amount{want: p.count(count)}
	v, ok := p.need(rel)
	if !ok {
		return a
	}
	a.relation = relation(p.textOf(rel, v))
	if relations[a.relation] == nil {
		p.fail(rel, "must be one of: %s", strings.Join(relationNames(), ", "))
	}
	return a
}

func relationNames() []string {
	names := make([]string, 0, len(relations))
	for r := range relations {
		names = append(names, string(r))
	}
	slices.Sort(names)
	return names
}

// character is one character.
func (p *params) character(name string) string {
	v, ok := p.need(name)
	if !ok {
		return ""
	}
	var s string
	if v[0] != '"' || json.Unmarshal(v, &s) != nil {
		p.fail(name, "must be text")
		return ""
	}
	s = normalized(s)
	if utf8.RuneCountInString(s) != 1 {
		p.fail(name, "must be one character")
	}
	return s
}

func (p *params) language(name string) string {
	code := p.text(name)
	if p.err == nil && !KnownLanguage(code) {
		p.fail(name, "unknown language %.20q; known are %s", code, strings.Join(Languages(), ", "))
	}
	return code
}
