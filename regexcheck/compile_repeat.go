package regexcheck

import "slices"

// clamp fits a repetition number into an instruction. Numbers that large differ in nothing a text could show.
func clamp(n int64) int32 { return int32(min(n, endless)) }

func (c *compiler) repeat(n *node, f Flags) {
	if f&flagTemplate != 0 || c.tree.flags&flagTemplate != 0 {
		c.fail("internal: unsupported template operator")
		return
	}
	body := n.subs[0]
	if u, flags, ok := unit(body, f); ok {
		c.run(n, c.unitInst(u, flags))
		return
	}
	switch {
	case n.max == 0:
		// The body is written all the same, and passed by, so that its faults are found.
		jump := c.emit(inst{op: opJump})
		c.sequence(body, f)
		c.insts[jump].x = c.here()
	case n.greed == possessive:
		// Each round is final, and so is the number of rounds.
		outermost := c.possessive
		if c.around == 0 {
			c.possessive++
		}
		c.atomic(func() { c.loop(n, possessive, func() { c.atomic(func() { c.sequence(body, f) }) }) })
		c.possessive = outermost
	default:
		c.loop(n, n.greed, func() { c.sequence(body, f) })
	}
}

// unit finds the single character that a body consists of, under the flags that hold there.
func unit(body sequence, f Flags) (*node, Flags, bool) {
	for len(body) == 1 {
		n := body[0]
		switch n.kind {
		case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet:
			return n, f, true
		case nodeGroup:
			if n.group == 0 {
				body, f = n.subs[0], f.combine(n.add, n.del)
				continue
			}
		}
		break
	}
	return nil, f, false
}

// run writes the repeat of one character.
func (c *compiler) run(n *node, in inst) {
	set := in.set
	switch in.op {
	case opRune:
		set = newSet([]setItem{single(in.r)}, false, 0)
	case opAny:
		set = newSet([]setItem{single('\n')}, true, 0)
	case opAll:
		set = newSet(nil, true, 0)
	}
	c.emitPoint(inst{op: opRun, y: int32(in.op), r: in.r, set: set, greed: n.greed, min: clamp(n.min), max: clamp(n.max)})
}

// loop writes a repeat of anything else.
func (c *compiler) loop(n *node, g greed, body func()) {
	lo, hi := clamp(n.min), clamp(n.max)
	if g != possessive {
		inner := body
		body = func() {
			c.around++
			inner()
			c.around--
		}
	}
	switch {
	case lo == 1 && hi == 1:
		body()
		return
	case lo == 0 && hi == 1:
		c.option(g, body)
		return
	}
	w := widthOf(n.subs[0], c.tree.widths)
	lp := openLoop{reg: -1, min: lo, nullable: w.min == 0 || refers(n.subs[0]), counted: hi != endless || lo > 1}
	if lp.counted || lp.nullable {
		lp.reg = int32(c.regs)
		c.regs += 2
		c.emit(inst{op: opEnter, n: lp.reg})
	}
	outer := c.outer
	if outer < 0 {
		c.outer = len(c.insts)
	}
	jump := -1
	if lp.counted || lo == 0 {
		jump = c.emit(inst{op: opJump})
	}
	start := c.here()
	around := c.loops
	c.loops = append(slices.Clip(around), lp)
	body()
	if jump >= 0 {
		c.insts[jump].x = c.here()
	}
	c.emitPoint(inst{op: opLoop, n: lp.reg, x: start, min: lo, max: hi, greed: g, counted: lp.counted, nullable: lp.nullable})
	c.loops = around
	c.outer = outer
}

// option writes what may come once.
func (c *compiler) option(g greed, body func()) {
	split := c.emitPoint(inst{op: opSplit, optional: g != lazy})
	body()
	in := &c.insts[split]
	in.x, in.y = int32(split+1), c.here()
	if g == lazy {
		in.x, in.y = in.y, in.x
	}
}

// refers tells whether there is a back-reference in seq: what a group takes can be shorter than its width says (residue.go).
func refers(seq sequence) bool {
	return slices.ContainsFunc(seq, func(n *node) bool {
		return n.kind == nodeRef || slices.ContainsFunc(n.subs, refers)
	})
}
