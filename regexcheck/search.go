package regexcheck

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	// baseSteps is what a text of any size may cost; about a tenth of a second.
	baseSteps = 8 << 20
	// pointSteps is what each position may cost for each row of the bit table, several times what it takes.
	pointSteps = 16
	// positionSteps is what each position may cost at most, so that a pattern cannot ask for more by being long.
	positionSteps = 512
	// maxSteps is what anything may cost; about a second.
	maxSteps = 1 << 27
	// plainSteps is what each position may cost before failures are remembered. Chosen by feel.
	plainSteps = 32
)

// Bound returns the number of steps at which a match in a text of n code points is given up: 2^23 and up to 512 for each position,
// 2^27 in all. A step is about one instruction, or sixteen characters of a run. The bound is meant for back-references,
// conditionals, assertions that capture and limited repeats of groups: other patterns take a number of steps in proportion to
// the text, and meet it only if they have dozens of choices or the text has millions of characters.
func (p *Pattern) Bound(n int) int64 {
	each := min(positionSteps, pointSteps*int64(p.prog.rows+8))
	return min(maxSteps, baseSteps+each*int64(n+1))
}

// run answers one question about text.
func (p *Pattern) run(text string, how mode) (Match, error) {
	return p.runAllowed(text, how, plainSteps)
}

// runAllowed is run with another allowance for plain back-tracking, in steps for each position; below 0 there is none.
func (p *Pattern) runAllowed(text string, how mode, plain int64) (Match, error) {
	if len(text) > math.MaxInt32-2 {
		return Match{}, ErrSteps
	}
	if r := p.prog.required; r != "" && !strings.Contains(text, r) {
		return Match{Steps: 1}, nil
	}
	m := p.prog.pool.Get().(*machine)
	defer m.release()
	m.bytes = append(m.bytes[:0], text...)
	m.full = how == modeFull
	var out outcome
	ascii := allASCII(m.bytes)
	if ascii {
		out = answer(p, m, m.bytes, how, plain)
	} else {
		m.runes = decode(text, m.runes[:0])
		out = answer(p, m, m.runes, how, plain)
	}
	switch out {
	case exhausted:
		return Match{Steps: m.steps}, ErrSteps
	case failed:
		return Match{Steps: m.steps}, nil
	}
	return Match{Found: true, Groups: p.groups(m, text, ascii), Steps: m.steps}, nil
}

// release gives the machine back, without buffers that a large text has left.
func (m *machine) release() {
	if cap(m.stack) > keepFrames {
		m.stack = nil
	}
	if cap(m.bytes) > keepText {
		m.bytes = nil
	}
	if cap(m.runes) > keepText {
		m.runes = nil
	}
	m.memo = nil
	m.prog.pool.Put(m)
}

// keepText is the greatest buffer of text that is kept, in characters.
const keepText = 1 << 16

func allASCII(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// answer tries each start that how allows, from the left.
func answer[T char](p *Pattern, m *machine, t []T, how mode, plain int64) outcome {
	bound := p.Bound(len(t))
	m.steps, m.memo = 0, nil
	m.limit = min(bound, (1<<5+int64(len(t)))*plain)
	for pos := int32(0); ; pos++ {
		if how == modeSearch {
			if pos = nextStart(p.prog, t, pos); pos < 0 {
				return failed
			}
			if first := p.prog.start; first != nil && (pos >= int32(len(t)) || !first.has(rune(t[pos]))) {
				if pos >= int32(len(t)) {
					return failed
				}
				continue
			}
		}
		out := execute(m, t, pos)
		if out == exhausted && m.memo == nil && m.limit < bound {
			m.memo = newMemo(p.prog, len(t)+1)
			m.limit = bound
			out = execute(m, t, pos)
		}
		if out != failed || how != modeSearch || pos >= int32(len(t)) {
			return out
		}
		if lead := p.prog.lead; lead != nil {
			pos = max(pos, runEnd(lead, t, pos, int32(len(t)))-1)
		}
	}
}

// nextStart returns the first position from pos on where a match can begin, -1 if there is none.
func nextStart[T char](p *prog, t []T, pos int32) int32 {
	n := int32(len(t))
	if pos > n {
		return -1
	}
	switch p.anchor {
	case opTextStart:
		if pos > 0 {
			return -1
		}
		return pos
	case opLineStart:
		for pos > 0 && t[pos-1] != '\n' {
			if pos++; pos > n {
				return -1
			}
		}
		return pos
	case opBoundary:
		for before := pos > 0 && isWord(rune(t[pos-1]), p.anchorASCII); pos < n; pos++ {
			r := rune(t[pos])
			after := isWord(r, p.anchorASCII)
			if before != after && (p.first == nil || p.first.can(r)) {
				return pos
			}
			before = after
		}
		if p.first != nil || n == 0 || !isWord(rune(t[n-1]), p.anchorASCII) {
			return -1
		}
		return n
	}
	if b, ok := any(t).([]byte); ok && len(p.prefix) > 0 {
		i := bytes.Index(b[pos:], p.prefix)
		if i < 0 {
			return -1
		}
		return pos + int32(i)
	}
	if p.first == nil {
		return pos
	}
	for ; pos < n; pos++ {
		if p.first.can(rune(t[pos])) {
			return pos
		}
	}
	return -1
}

// groups reads the answer off the slots.
func (p *Pattern) groups(m *machine, text string, ascii bool) []Group {
	out := make([]Group, len(p.names))
	offset := byteOffsets(m.slots, text, ascii)
	for i := range out {
		start, end := int(m.slots[2*i]), int(m.slots[2*i+1])
		if start < 0 || end < start {
			out[i] = Group{Name: p.names[i], Start: -1, End: -1}
			continue
		}
		out[i] = Group{Name: p.names[i], Text: text[offset(start):offset(end)], Start: start, End: end, Took: true}
	}
	return out
}

// byteOffsets returns a function from the positions in slots to offsets in text.
func byteOffsets(slots []int32, text string, ascii bool) func(int) int {
	if ascii {
		return func(pos int) int { return pos }
	}
	want := map[int]int{}
	for _, s := range slots {
		want[int(s)] = 0
	}
	pos := 0
	for i := 0; i < len(text); pos++ {
		if _, ok := want[pos]; ok {
			want[pos] = i
		}
		_, n := decodeRune(text[i:])
		i += n
	}
	if _, ok := want[pos]; ok {
		want[pos] = len(text)
	}
	return func(pos int) int { return want[pos] }
}
