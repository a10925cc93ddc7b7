package regexcheck

// Theory of the matcher.
//
// The program is run by back-tracking. Choices not yet tried, and values to be put back, stand on one stack of small frames;
// nothing recurses, so a long text costs heap and no call stack. An assertion or an atomic group pushes a barrier; when its body
// has matched, the choices above the barrier are dropped, and the values to be put back stay.
//
// Plain back-tracking is fast on nearly every pair of pattern and text, and exponential on some: (a+)+$ on aaaa! tries each way
// to cut the a's. So a start gets a small allowance of steps first. When that is spent, the start is run again with a memory:
// where an instruction that can be reached in several ways (a point) has failed at a position once, it is not tried there again.
//
//	(a+)+$  on  aaaa!     plain: 2^4 ways            with memory: each (point, position) once
//
// That is sound if the same question has the same answer. What comes after a point depends on the position, and further on
//   - whether the current round of an enclosing loop has moved, if empty rounds are possible: Python ends a loop then;
//   - the number of rounds, if it is limited: from the minimum on, fewer rounds done can do all that more can, so one number
//     for each position, the least that failed, is enough for the innermost loop;
//   - what groups took, if a reference to them comes later.
//
// These are part of the key. Captured text is not otherwise, because it decides nothing but the answer. Outside of assertions
// and atomic groups, having been there is as good as having failed: success there ends the search. Inside of them a point is
// marked when its frame is taken off the stack, that is, when all it could do has failed. The memory outlives the start: what
// cannot succeed at a position cannot succeed there for a later start either. A run of one character (a*, [^x]+?) marks every
// position it could have stopped at, and does not run on into marked ones; so a* over the same a's is scanned once and not once
// for each start.
//
// Within an assertion that captures nothing, or is negated, success is remembered as well: (?=.*x) looks for the x once and not
// once for each position.
//
// Cost: with only bit-table points at most points * 2^(loops that can be empty) * positions steps; else whatever the key
// leaves, up to the bound.

// A char is a code point: of a text that is all ASCII, or of any.
type char interface{ ~uint8 | ~int32 }

type frameKind int32

const (
	frameGoto     frameKind = iota // go on at pc, pos
	frameRun                       // give back one more of a greedy run down to arg
	frameLazyRun                   // take one more of a lazy run up to arg
	frameLazyLoop                  // run the body of the lazy loop at pc
	frameSlot                      // put arg back into slot pc
	frameReg                       // put arg back into register pc
	frameBarrier                   // an assertion or atomic group at pc, begun at pos; arg is the barrier before it
	frameHighest                   // put arg back as the highest mark
	frameKept                      // marks changed since are as they were here: no residue
	frameMark                      // the point at pc has failed at pos
)

type frame struct {
	kind frameKind
	pc   int32
	pos  int32
	arg  int32
}

// maxFrames bounds the stack: 64 MB. A text would have to make four million choices at once.
const maxFrames = 4 << 20

// keepFrames is the greatest stack that is kept for the next match.
const keepFrames = 1 << 16

// A machine is the changing part of a match. It belongs to one match at a time.
type machine struct {
	known   bool // the innermost assertion is known to succeed from here
	prog    *prog
	stack   []frame
	slots   []int32
	regs    []int32
	base    int32 // above the innermost barrier; 0 without one
	steps   int64
	limit   int64
	full    bool // a match must end where the text ends
	memo    *memo
	highest int32 // the highest slot that counts, in a program with residue
	residue []residue
	bytes   []byte
	runes   []rune
}

func newMachine(p *prog) *machine {
	return &machine{prog: p, slots: make([]int32, p.slots), regs: make([]int32, p.regs)}
}

// An outcome is how a run ended.
type outcome uint8

const (
	failed outcome = iota
	matched
	exhausted // the limit of steps was met
)

func (m *machine) reset() {
	m.stack = m.stack[:0]
	m.base = 0
	m.known = false
	m.highest, m.residue = 1, m.residue[:0]
	m.steps += int64(len(m.slots) >> 3)
	for i := range m.slots {
		m.slots[i] = -1
	}
}

func (m *machine) push(kind frameKind, pc, pos, arg int32) {
	m.stack = append(m.stack, frame{kind, pc, pos, arg})
}

// set changes a slot so that back-tracking puts it back.
func (m *machine) setSlot(slot, v int32) {
	if m.prog.residue && slot > 1 {
		m.setMark(slot, v)
		return
	}
	if len(m.stack) > 0 {
		m.push(frameSlot, slot, 0, m.slots[slot])
	}
	m.slots[slot] = v
}

func (m *machine) setReg(reg, v int32) {
	if len(m.stack) > 0 {
		m.push(frameReg, reg, 0, m.regs[reg])
	}
	m.regs[reg] = v
}

// accept ends the body of the innermost barrier with success and returns where to go on. Choices are dropped; values to be put
// back stay, unless the assertion is negated: then everything is put back, and ok is false.
func (m *machine) accept(pos int32) (pc, at int32, ok bool) {
	b := m.base - 1
	f := m.stack[b]
	in := &m.prog.insts[f.pc]
	m.base = f.arg
	m.steps += int64(int32(len(m.stack))-b) >> 3
	if m.memo != nil && in.op == opLook && in.pure {
		m.memo.succeed(m, m.stack[b+1:])
	}
	if in.op == opLook && in.negated {
		for i := int32(len(m.stack)) - 1; i > b; i-- {
			m.restore(m.stack[i])
		}
		m.stack = m.stack[:b]
		return 0, 0, false
	}
	keep := b
	for _, g := range m.stack[b+1:] {
		if g.kind == frameSlot || g.kind == frameReg || g.kind == frameHighest {
			m.stack[keep] = g
			keep++
		}
	}
	m.stack = m.stack[:keep]
	if in.op == opLook {
		pos = f.pos
	}
	return in.x, pos, true
}

func (m *machine) restore(f frame) {
	switch f.kind {
	case frameSlot:
		if m.prog.residue {
			m.noteUndo(f.pc)
		}
		m.slots[f.pc] = f.arg
	case frameHighest:
		m.highest = f.arg
	case frameReg:
		m.regs[f.pc] = f.arg
	}
}
