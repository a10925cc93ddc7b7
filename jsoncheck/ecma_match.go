package jsoncheck

import (
	"errors"
	"unicode/utf8"
)

// The second matcher. A tree becomes a small program; a search explores pairs (instruction, position), depth first,
// each pair once: since nothing is remembered but the position, a pair that failed once fails always. That is at
// most instructions times text, where a plain back-tracking engine takes 2^text. (The same idea is the bit-state
// matcher of Go's regexp and of RE2.)
//
// A look-around is a program of its own, run from the position where it stands; its answer is kept for that position.
// A look-behind runs backwards over the reversed tree. The steps of all of them are counted together.

const (
	maxProgram    = 200_000   // instructions; a{1,4000} takes 8,000
	maxMatchPairs = 1 << 27   // bits of one search: 16 MB
	maxMatchSteps = 5_000_000 // some 20 ns each
)

// errMatchSteps is thrown (the validator's interface for patterns has no error) and caught in Schema.Validate.
var errMatchSteps = errors.New("a pattern takes too many steps")

type inst struct {
	op  reOp
	alt bool // go on at next and at other
	end bool // the program has matched

	next, other int
	set         runeSet
	look        *program
}

// program is a compiled tree; backward ones read the text to the left.
type program struct {
	code     []inst
	backward bool
	id       int // of a look-around, to keep its answers
}

// assembler builds programs.
type assembler struct {
	size  int // of all programs so far
	looks int
}

var errProgram = errors.New("the pattern is too large")

func (a *assembler) compile(tree *re, backward bool) (*program, error) {
	p := &program{backward: backward, id: a.looks}
	a.looks++
	end, err := a.emit(p, inst{end: true})
	if err != nil {
		return nil, err
	}
	start, err := a.node(p, tree, end)
	if err != nil {
		return nil, err
	}
	_, err = a.emit(p, inst{op: opEmpty, next: start}) // the last instruction is the entry
	return p, err
}

func (a *assembler) emit(p *program, i inst) (int, error) {
	if a.size++; a.size > maxProgram {
		return 0, errProgram
	}
	p.code = append(p.code, i)
	return len(p.code) - 1, nil
}

// node emits the code of r that goes on at next, and returns its entry.
func (a *assembler) node(p *program, r *re, next int) (int, error) {
	switch r.op {
	case opEmpty:
		return next, nil
	case opCat:
		for i := range r.sub {
			sub := r.sub[len(r.sub)-1-i]
			if p.backward {
				sub = r.sub[i]
			}
			var err error
			if next, err = a.node(p, sub, next); err != nil {
				return 0, err
			}
		}
		return next, nil
	case opAlt:
		entry := -1
		for _, sub := range r.sub {
			start, err := a.node(p, sub, next)
			if err == nil && entry >= 0 {
				start, err = a.emit(p, inst{alt: true, next: entry, other: start})
			}
			if err != nil {
				return 0, err
			}
			entry = start
		}
		return entry, nil
	case opRepeat:
		return a.repeat(p, r, next)
	case opAhead, opNotAhead, opBehind, opNotBehind:
		look, err := a.compile(r.sub[0], r.op == opBehind || r.op == opNotBehind)
		if err != nil {
			return 0, err
		}
		return a.emit(p, inst{op: r.op, next: next, look: look})
	}
	return a.emit(p, inst{op: r.op, set: r.set.sorted(), next: next})
}

// repeat unrolls: the optional turns behind the required ones, a loop where there is no end.
func (a *assembler) repeat(p *program, r *re, next int) (int, error) {
	if r.max < 0 {
		loop, err := a.emit(p, inst{alt: true, other: next})
		if err != nil {
			return 0, err
		}
		body, err := a.node(p, r.sub[0], loop)
		if err != nil {
			return 0, err
		}
		p.code[loop].next = body
		next = loop
	}
	done := next
	for range max(0, r.max-r.min) {
		body, err := a.node(p, r.sub[0], next)
		if err == nil {
			next, err = a.emit(p, inst{alt: true, next: body, other: done})
		}
		if err != nil {
			return 0, err
		}
	}
	for range r.min {
		var err error
		if next, err = a.node(p, r.sub[0], next); err != nil {
			return 0, err
		}
	}
	return next, nil
}

// search is one question to a program with its look-arounds.
type search struct {
	text  string
	steps int
	looks map[[2]int]bool  // answers by look-around and position
	seen  map[int][]uint64 // pairs that failed, by look-around
}

// matches reports whether the program matches anywhere in text; it panics with errMatchSteps.
func (p *program) matches(text string) bool {
	s := search{text: text, looks: map[[2]int]bool{}, seen: map[int][]uint64{}}
	seen := s.pairs(p)
	for pos := 0; ; {
		if s.run(p, pos, seen) {
			return true
		}
		if pos >= len(text) {
			return false
		}
		_, n := utf8.DecodeRuneInString(text[pos:])
		pos += n
	}
}

// pairs makes the set of pairs that a search of p has seen.
func (s *search) pairs(p *program) []uint64 {
	n := mul(len(p.code), len(s.text)+1)
	if n > maxMatchPairs {
		panic(errMatchSteps)
	}
	s.pay(n / 1024) // clearing it
	return make([]uint64, n/64+1)
}

func (s *search) pay(steps int) {
	if s.steps += steps; s.steps > maxMatchSteps {
		panic(errMatchSteps)
	}
}

// run explores from pos. What seen holds has failed before.
func (s *search) run(p *program, pos int, seen []uint64) bool {
	type state struct{ pc, pos int }
	stack := []state{{len(p.code) - 1, pos}}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for {
			bit := top.pc*(len(s.text)+1) + top.pos
			if seen[bit/64]&(1<<(bit%64)) != 0 {
				break
			}
			seen[bit/64] |= 1 << (bit % 64)
			s.pay(1)
			i := &p.code[top.pc]
			if i.end {
				return true
			}
			if i.alt {
				stack = append(stack, state{i.other, top.pos})
				top.pc = i.next
				continue
			}
			next, ok := s.step(p, i, top.pos)
			if !ok {
				break
			}
			top = state{i.next, next}
		}
	}
	return false
}

// step tries one instruction and returns the position behind it.
func (s *search) step(p *program, i *inst, pos int) (int, bool) {
	switch i.op {
	case opSet:
		r, n := utf8.DecodeRuneInString(s.text[pos:])
		if p.backward {
			r, n = utf8.DecodeLastRuneInString(s.text[:pos])
			n = -n
		}
		return pos + n, n != 0 && i.set.has(r)
	case opBegin:
		return pos, pos == 0
	case opEnd:
		return pos, pos == len(s.text)
	case opWord, opNotWord:
		return pos, (s.word(pos-1) != s.word(pos)) == (i.op == opWord)
	case opAhead, opBehind:
		return pos, s.around(i.look, pos)
	case opNotAhead, opNotBehind:
		return pos, !s.around(i.look, pos)
	}
	return pos, true
}

// word reports whether the byte at i is a word character; those are ASCII.
func (s *search) word(i int) bool {
	return 0 <= i && i < len(s.text) && wordSet.has(rune(s.text[i]))
}

func (s *search) around(p *program, pos int) bool {
	key := [2]int{p.id, pos}
	ok, known := s.looks[key]
	if known {
		return ok
	}
	seen := s.seen[p.id]
	if seen == nil {
		seen = s.pairs(p)
		s.seen[p.id] = seen
	}
	if ok = s.run(p, pos, seen); ok { // what was seen on the way to a match has not failed
		s.pay(len(seen) / 16)
		clear(seen)
	}
	s.looks[key] = ok
	return ok
}
