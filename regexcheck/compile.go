package regexcheck

import (
	"fmt"
	"math"
)

// A compiler writes the program of a tree. It recurses over groups, whose depth the parser bounds.
type compiler struct {
	succeeds   bool // some point remembers success
	saves      int  // groups written so far
	tree       *tree
	insts      []inst
	regs       int
	rows       int
	loops      []openLoop // around what is being written, up to the nearest assertion or atomic group
	outer      int        // where the outermost loop in that range begins, -1 without one
	regions    []int      // ends of assertions, atomic groups and the whole, once known
	region     int
	places     []pointPlace
	possessive int                 // possessive repeats around it that have no other repeat around them
	around     int                 // loops around what is being written, assertions or not; see residue.go
	residue    bool                // an old mark can be seen
	open       map[int]bool        // groups being written
	sets       map[string]*charSet // made so far, by how they are written
	err        *SyntaxError
}

type openLoop struct {
	reg      int32
	counted  bool
	nullable bool
	min      int32
}

// A pointPlace remembers where a point stands until it is known which references follow.
type pointPlace struct {
	pc, from, region int
	loops            []openLoop
}

func compile(t *tree) (*prog, error) {
	c := &compiler{tree: t, outer: -1, regions: []int{0}, sets: map[string]*charSet{}, open: map[int]bool{}}
	c.emit(inst{op: opSave, n: 0})
	c.sequence(t.body, t.flags)
	c.emit(inst{op: opSave, n: 1})
	c.emit(inst{op: opMatch})
	if c.err != nil {
		return nil, c.err
	}
	c.regions[0] = len(c.insts)
	c.points()
	p := &prog{insts: c.insts, slots: 2 * len(t.names), regs: c.regs, rows: c.rows, succeeds: c.succeeds}
	p.residue = c.residue
	if !p.residue {
		p.findFirst()
	}
	prefix, required := literals(t)
	p.prefix, p.required = []byte(prefix), required
	p.findStart()
	p.start = startSet(t)
	p.pool.New = func() any { return newMachine(p) }
	return p, nil
}

func (c *compiler) emit(in inst) int {
	in.loose = in.loose || c.around == 0
	c.insts = append(c.insts, in)
	return len(c.insts) - 1
}

func (c *compiler) here() int32 { return int32(len(c.insts)) }

func (c *compiler) fail(msg string) {
	if c.err == nil {
		c.err = &SyntaxError{Msg: msg, Pos: -1}
	}
}

func (c *compiler) sequence(seq sequence, f Flags) {
	for i := 0; i < len(seq); i++ {
		if n := c.text(seq[i:], f); n > 1 {
			i += n - 1
			continue
		}
		c.node(seq[i], f)
	}
}

// text writes the characters that seq begins with as one instruction, if there are several, and says how many.
func (c *compiler) text(seq sequence, f Flags) int {
	if f&IgnoreCase != 0 {
		return 0
	}
	n := 0
	for n < len(seq) && seq[n].kind == nodeLiteral {
		n++
	}
	if n > 1 {
		str := make([]rune, n)
		for i := range str {
			str[i] = seq[i].r
		}
		c.emit(inst{op: opString, str: str})
	}
	return n
}

func (c *compiler) node(n *node, f Flags) {
	switch n.kind {
	case nodeAt:
		c.emit(placeInst(n.at, f))
	case nodeRef:
		c.emit(inst{op: opRef, n: int32(n.group), fold: f&IgnoreCase != 0, ascii: f.ascii()})
	case nodeCond:
		c.conditional(n, f)
	case nodeAlt:
		c.alternatives(n.subs, f)
	case nodeGroup:
		c.group(n, f.combine(n.add, n.del))
	case nodeAtomic:
		c.atomic(func() { c.sequence(n.subs[0], f) })
	case nodeLook:
		c.look(n, f)
	case nodeRepeat:
		c.repeat(n, f)
	default:
		c.emit(c.unitInst(n, f))
	}
}

// unitInst makes the instruction of one character.
func (c *compiler) unitInst(n *node, f Flags) inst {
	switch {
	case n.kind == nodeAny && f&DotAll != 0:
		return inst{op: opAll}
	case n.kind == nodeAny:
		return inst{op: opAny}
	case n.kind == nodeSet:
		return inst{op: opSet, set: c.set(n, f)}
	case f&IgnoreCase != 0:
		set := c.set(n, f)
		if n.kind == nodeLiteral && set.size() == 1 {
			return inst{op: opRune, r: n.r}
		}
		return inst{op: opSet, set: set}
	case n.kind == nodeNotLiteral:
		return inst{op: opSet, set: newSet([]setItem{single(n.r)}, true, 0)}
	}
	return inst{op: opRune, r: n.r}
}

// set makes the set of a node, or finds the one made for another written alike.
func (c *compiler) set(n *node, f Flags) *charSet {
	negated := n.negated || n.kind == nodeNotLiteral
	key := fmt.Sprint(n.kind == nodeSet, negated, f&(IgnoreCase|ASCII), n.r, n.items)
	s := c.sets[key]
	if s == nil {
		if n.kind == nodeSet {
			s = newSet(n.items, negated, f)
		} else {
			s = literalSet(n.r, negated, f.ascii())
		}
		c.sets[key] = s
	}
	return s
}

func placeInst(at place, f Flags) inst {
	switch {
	case at == atStart && f&Multiline != 0:
		return inst{op: opLineStart}
	case at == atStart || at == atTextBeg:
		return inst{op: opTextStart}
	case at == atEnd && f&Multiline != 0:
		return inst{op: opLineEnd}
	case at == atEnd:
		return inst{op: opDollar}
	case at == atTextEnd:
		return inst{op: opTextEnd}
	}
	return inst{op: opBoundary, negated: at == atInside, ascii: f.ascii()}
}

func (c *compiler) conditional(n *node, f Flags) {
	c.residue = c.residue || c.open[n.group]
	cond := c.emit(inst{op: opCond, n: int32(n.group)})
	c.sequence(n.subs[0], f)
	if len(n.subs) == 1 {
		c.insts[cond].x = c.here()
		return
	}
	jump := c.emit(inst{op: opJump})
	c.insts[cond].x = c.here()
	c.sequence(n.subs[1], f)
	c.insts[jump].x = c.here()
}

func (c *compiler) alternatives(subs []sequence, f Flags) {
	var jumps []int
	for i, s := range subs {
		if i == len(subs)-1 {
			c.sequence(s, f)
			break
		}
		split := c.emitPoint(inst{op: opSplit, branch: true, x: c.here() + 1})
		c.sequence(s, f)
		jumps = append(jumps, c.emit(inst{op: opJump}))
		c.insts[split].y = c.here()
	}
	for _, j := range jumps {
		c.insts[j].x = c.here()
	}
}

func (c *compiler) group(n *node, f Flags) {
	if n.group == 0 {
		c.sequence(n.subs[0], f)
		return
	}
	c.residue = c.residue || c.possessive > 0
	c.saves++
	c.emit(inst{op: opSave, n: int32(2 * n.group)})
	c.open[n.group] = true
	c.sequence(n.subs[0], f)
	delete(c.open, n.group)
	c.emit(inst{op: opSave, n: int32(2*n.group + 1)})
}

// closed writes a body whose outcome does not depend on the loops around it.
func (c *compiler) closed(body func()) {
	loops, outer, region := c.loops, c.outer, c.region
	c.loops, c.outer, c.region = nil, -1, len(c.regions)
	c.regions = append(c.regions, 0)
	body()
	c.regions[c.region] = len(c.insts)
	c.loops, c.outer, c.region = loops, outer, region
}

func (c *compiler) atomic(body func()) {
	at := c.emit(inst{op: opAtomic})
	c.closed(body)
	c.emit(inst{op: opAtomicEnd, x: int32(at)})
	c.insts[at].x = c.here()
}

func (c *compiler) look(n *node, f Flags) {
	in := inst{op: opLook, negated: n.negated, behind: n.behind}
	if n.behind {
		w := widthOf(n.subs[0], c.tree.widths)
		switch {
		case w.min > math.MaxUint32:
			c.fail("looks too much behind")
		case w.min != w.max:
			c.fail("look-behind requires fixed-width pattern")
		}
		in.n = clamp(int64(min(w.min, endless)))
	}
	at := c.emit(in)
	saves := c.saves
	c.closed(func() { c.sequence(n.subs[0], f) })
	c.insts[at].pure = n.negated || c.saves == saves
	c.emit(inst{op: opLookEnd, x: int32(at)})
	c.insts[at].x = c.here()
}
