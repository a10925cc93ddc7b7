package regexcheck

import (
	"slices"
	"strings"
)

// maxFirst bounds how many instructions are looked at to find what something can begin with.
const maxFirst = 64

// can tells whether what f describes can begin with r.
func (f *firstSet) can(r rune) bool {
	if r < 256 {
		return f.latin[r>>6]&(1<<(r&63)) != 0
	}
	return f.wide
}

func (f *firstSet) addRune(r rune) {
	if r < 256 {
		f.latin[r>>6] |= 1 << (r & 63)
	} else {
		f.wide = true
	}
}

func (f *firstSet) addSet(s *charSet) {
	for i := range f.latin {
		f.latin[i] |= s.latin[i]
	}
	f.wide = f.wide || s.negated || s.words != 0 || len(s.spans) > 0
}

// apart tells whether no member of s can begin what f describes.
func (f *firstSet) apart(s *charSet) bool {
	for i := range f.latin {
		if f.latin[i]&s.latin[i] != 0 {
			return false
		}
	}
	return !f.wide || !s.negated && s.words == 0 && len(s.spans) == 0
}

// A firstFinder looks at what a program can begin with in one place after the other.
type firstFinder struct {
	insts []inst
	seen  []int32 // the last walk that came by, for each instruction
	walk  int32
}

// findFirst fills in what the whole and each choice can begin with.
func (p *prog) findFirst() {
	f := &firstFinder{insts: p.insts, seen: make([]int32, len(p.insts))}
	p.first = f.at(0)
	for i := range p.insts {
		in := &p.insts[i]
		switch in.op {
		case opSplit:
			in.firstX, in.firstY = f.at(in.x), f.at(in.y)
		case opRun:
			in.firstX = f.at(int32(i + 1))
			in.alone = in.firstX != nil && in.firstX.apart(in.set)
		case opLoop:
			in.firstX, in.firstY = f.at(in.x), f.at(int32(i+1))
		}
	}
}

// at returns what the program can begin with at pc, nil if it can match nothing there or would take long to look at.
func (f *firstFinder) at(pc int32) *firstSet {
	var set firstSet
	f.walk++
	looked := 0
	todo := []int32{pc}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f.seen[pc] == f.walk {
			continue
		}
		f.seen[pc] = f.walk
		if looked++; looked > maxFirst {
			return nil
		}
		in := &f.insts[pc]
		if in.op == opAtomicEnd && f.seen[in.x] != f.walk {
			return nil // the choice lies inside, and its body is final once it has matched
		}
		next, ok := set.step(in, pc)
		if !ok {
			return nil
		}
		todo = append(todo, next...)
	}
	return &set
}

// step adds what one instruction can begin with and returns where to look on; ok is false if nothing can be said.
func (f *firstSet) step(in *inst, pc int32) (next []int32, ok bool) {
	switch in.op {
	case opRune:
		f.addRune(in.r)
	case opString:
		f.addRune(in.str[0])
	case opSet:
		f.addSet(in.set)
	case opAny, opAll:
		f.addAny(in.op == opAll)
	case opRun:
		f.addSet(in.set)
		if in.min == 0 {
			next = append(next, pc+1)
		}
	case opSplit:
		next = append(next, in.x, in.y)
	case opLoop, opCond:
		next = append(next, in.x, pc+1)
	case opLook:
		// What an assertion demands of the next characters is a demand like any other.
		if !in.negated && !in.behind {
			return append(next, pc+1), true
		}
		next = append(next, in.x)
	case opJump:
		next = append(next, in.x)
	case opRef, opMatch, opLookEnd:
		return nil, false
	default:
		next = append(next, pc+1)
	}
	return next, true
}

func (f *firstSet) addAny(lineFeed bool) {
	had := f.can('\n')
	f.latin = [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	f.wide = true
	if !lineFeed && !had {
		f.latin[0] &^= 1 << '\n'
	}
}

// findStart looks at what every match begins with: a place, or a run whose failure settles all starts within it.
func (p *prog) findStart() {
	p.anchor = opMatch
	at := 0
	for p.insts[at].op == opSave {
		at++
	}
	in := &p.insts[at]
	switch {
	case in.op == opTextStart, in.op == opLineStart, in.op == opBoundary && !in.negated:
		p.anchor, p.anchorASCII = in.op, in.ascii
	case in.op == opRun && in.min <= 1 && in.max == endless && (in.greed == possessive || in.greed == greedy && in.alone) && !p.refers():
		// From wherever in the run it starts, a match has to go on from the same end.
		p.lead = in
	}
}

func (p *prog) refers() bool {
	return slices.ContainsFunc(p.insts, func(in inst) bool { return in.op == opRef || in.op == opCond })
}

// literals returns the text that every match begins with and the longest one found that every match contains.
func literals(t *tree) (prefix, required string) {
	var parts []string
	var cur strings.Builder
	flush := func() {
		parts = append(parts, cur.String())
		cur.Reset()
	}
	collect(t.body, t.flags, &cur, flush)
	flush()
	for _, s := range parts {
		if len(s) > len(required) {
			required = s
		}
	}
	return parts[0], required
}

// collect walks what must match, one after the other; flush is called where something unknown stands.
func collect(seq sequence, f Flags, cur *strings.Builder, flush func()) {
	for _, n := range seq {
		switch {
		case n.kind == nodeLiteral && literalBytes(n.r, f):
			cur.WriteRune(n.r)
		case n.kind == nodeGroup:
			collect(n.subs[0], f.combine(n.add, n.del), cur, flush)
		case n.kind == nodeRepeat && n.min > 0:
			flush()
			collect(n.subs[0], f, cur, flush)
			flush()
		case n.kind == nodeAt && n.at != atStart && n.at != atTextBeg:
			// No width, so the text goes on. What begins with an anchor has no need of a prefix.
		default:
			flush()
		}
	}
}

// literalBytes tells whether r is found in a text wherever its UTF-8 bytes are, and nowhere else.
func literalBytes(r rune, f Flags) bool {
	return r != 0xfffd && (r < 0xd800 || r > 0xdfff) && (f&IgnoreCase == 0 || literalSet(r, false, f.ascii()).size() == 1)
}
