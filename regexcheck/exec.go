package regexcheck

// execute runs the program from the start of a match at pos. The main loop stands whole: it is the one place where each
// instruction is given its meaning, and calls would cost more than what they do.
func execute[T char](m *machine, t []T, pos int32) outcome {
	insts := m.prog.insts
	n := int32(len(t))
	pc := int32(1) // the first instruction notes the start
	m.reset()
	m.slots[0] = pos
	for {
		if m.steps++; m.steps > m.limit || len(m.stack) > maxFrames {
			return exhausted
		}
		in := &insts[pc]
		ok := true
		switch in.op {
		case opRune:
			ok = pos < n && rune(t[pos]) == in.r
			pos++
			pc++
		case opString:
			ok = hasAt(t, pos, in.str)
			m.steps += int64(len(in.str) >> 3)
			pos += int32(len(in.str))
			pc++
		case opSet:
			ok = pos < n && in.set.has(rune(t[pos]))
			pos++
			pc++
		case opAny:
			ok = pos < n && t[pos] != '\n'
			pos++
			pc++
		case opAll:
			ok = pos < n
			pos++
			pc++
		case opSplit:
			pc, ok = split(m, in, t, pc, pos)
		case opJump:
			pc = in.x
		case opRun:
			pos, ok = run(m, in, t, pc, pos)
			pc++
		case opSave:
			m.setSlot(in.n, pos)
			pc++
		case opEnter:
			m.setReg(in.n, 0)
			m.setReg(in.n+1, -1)
			pc++
		case opLoop:
			pc, ok = loop(m, in, t, pc, pos)
		case opRef:
			pos, ok = reference(m, in, t, pos)
			pc++
		case opCond:
			pc++
			if !m.took(in.n) {
				pc = in.x
			}
		case opLook, opAtomic:
			m.push(frameBarrier, pc, pos, m.base)
			m.base = int32(len(m.stack))
			pos -= in.n
			ok = pos >= 0
			pc++
		case opLookEnd, opAtomicEnd:
			pc, pos, ok = m.accept(pos)
		case opMatch:
			if !m.full || pos == n {
				return matched
			}
			ok = false
		default:
			ok = holds(in, t, pos)
			pc++
		}
		if !ok {
			if m.known {
				m.known = false
				pc = insts[m.stack[m.base-1].pc].x - 1 // the end of the assertion
				continue
			}
			if pc, pos, ok = backtrack(m, t); !ok {
				return failed
			}
		}
	}
}

func hasAt[T char](t []T, pos int32, str []rune) bool {
	if int(pos)+len(str) > len(t) {
		return false
	}
	for i, r := range str {
		if rune(t[int(pos)+i]) != r {
			return false
		}
	}
	return true
}

// holds answers the places without width.
func holds[T char](in *inst, t []T, pos int32) bool {
	n := int32(len(t))
	switch in.op {
	case opTextStart:
		return pos == 0
	case opTextEnd:
		return pos == n
	case opDollar:
		return pos == n || pos == n-1 && t[pos] == '\n'
	case opLineStart:
		return pos == 0 || t[pos-1] == '\n'
	case opLineEnd:
		return pos == n || t[pos] == '\n'
	}
	// Python finds neither \b nor \B in an empty text.
	before := pos > 0 && isWord(rune(t[pos-1]), in.ascii)
	after := pos < n && isWord(rune(t[pos]), in.ascii)
	return n > 0 && (before != after) != in.negated
}

func isWord(r rune, ascii bool) bool {
	if r < 128 || ascii {
		return isASCIIWord(r)
	}
	return wordBitmap().has(r)
}

// took tells whether a group has matched, as a conditional asks: in a later round of its own group, whose end is still that
// of the round before, it has if the end is not before the new start.
func (m *machine) took(group int32) bool {
	start, end := m.slots[2*group], m.slots[2*group+1]
	return start >= 0 && end >= start
}

func reference[T char](m *machine, in *inst, t []T, pos int32) (int32, bool) {
	if !m.took(in.n) {
		return pos, false
	}
	start, end := m.slots[2*in.n], m.slots[2*in.n+1]
	size := end - start
	if size > int32(len(t))-pos {
		return pos, false
	}
	m.steps += int64(size >> 3)
	for i := range size {
		a, b := rune(t[start+i]), rune(t[pos+i])
		if a != b && (!in.fold || lower(a, in.ascii) != lower(b, in.ascii)) {
			return pos, false
		}
	}
	return pos + size, true
}

// visit asks the memory about the point at pc, and sees to it that a failure will be remembered.
func (m *machine) visit(in *inst, pc, pos int32) bool {
	if m.memo.seen(m, in.point, pos) {
		return false
	}
	if m.memo.succeeded(in.point, pos) {
		m.known = true
		return false
	}
	if m.base == 0 {
		m.memo.mark(m, in.point, pos)
	} else {
		m.push(frameMark, pc, pos, 0)
	}
	return true
}

func split[T char](m *machine, in *inst, t []T, pc, pos int32) (int32, bool) {
	if in.firstX != nil || in.firstY != nil {
		canX, canY := in.firstX == nil, in.firstY == nil
		if pos < int32(len(t)) {
			r := rune(t[pos])
			canX = canX || in.firstX.can(r)
			canY = canY || in.firstY.can(r)
		}
		switch {
		case !canX:
			return in.y, canY
		case !canY:
			return in.x, true
		}
	}
	if m.memo != nil && in.point != nil && !m.visit(in, pc, pos) {
		return pc, false
	}
	if m.prog.residue && !in.loose && in.branch {
		m.push(frameKept, 0, 0, 0)
	}
	m.push(frameGoto, in.y, pos, in.looseChoice())
	return in.x, true
}

// loop decides at the end of a round, or before the first, as Python does: while the minimum is not reached there is no choice;
// then another round may follow unless the maximum is reached or the round that ended was empty.
func loop[T char](m *machine, in *inst, t []T, pc, pos int32) (int32, bool) {
	if in.counted && m.regs[in.n] < in.min {
		if m.memo != nil && in.point != nil && !m.visit(in, pc, pos) {
			return pc, false
		}
		m.setReg(in.n, m.regs[in.n]+1)
		return in.x, true
	}
	body := in.canGoOn(m, pos)
	tail := true
	if in.firstX != nil || in.firstY != nil {
		if pos < int32(len(t)) {
			r := rune(t[pos])
			body = body && (in.firstX == nil || in.firstX.can(r))
			tail = in.firstY == nil || in.firstY.can(r)
		} else {
			body = body && in.firstX == nil
			tail = in.firstY == nil
		}
	}
	if !body {
		return pc + 1, tail
	}
	if m.memo != nil && in.point != nil && !m.visit(in, pc, pos) {
		return pc, false
	}
	if in.greed == lazy {
		if tail {
			m.push(frameLazyLoop, pc, pos, 0)
			return pc + 1, true
		}
	} else if tail {
		m.push(frameGoto, pc+1, pos, 0)
	}
	in.round(m, pos)
	return in.x, true
}

func (in *inst) canGoOn(m *machine, pos int32) bool {
	if in.counted && in.max != endless && m.regs[in.n] >= in.max {
		return false
	}
	return !in.nullable || m.regs[in.n+1] != pos
}

// round notes the beginning of a round beyond the minimum.
func (in *inst) round(m *machine, pos int32) {
	if in.counted && (in.max != endless || m.regs[in.n] < in.min) {
		m.setReg(in.n, m.regs[in.n]+1)
	}
	if in.nullable {
		m.setReg(in.n+1, pos)
	}
}

// looseChoice returns 1 if marks changed by the first alternative stay when the second is tried.
func (in *inst) looseChoice() int32 {
	if in.loose && !in.optional {
		return 1
	}
	return 0
}

// backtrack takes frames off the stack until one says where to go on.
func backtrack[T char](m *machine, t []T) (pc, pos int32, ok bool) {
	pc, pos, loose, ok := unwind(m, t)
	if ok && m.prog.residue {
		m.resume(loose)
	}
	return pc, pos, ok
}

func unwind[T char](m *machine, t []T) (pc, pos int32, loose, ok bool) {
	for len(m.stack) > 0 {
		top := len(m.stack) - 1
		f := &m.stack[top]
		switch f.kind {
		case frameSlot, frameReg, frameHighest:
			m.restore(*f)
			m.stack = m.stack[:top]
		case frameKept:
			m.residue = m.residue[:0]
			m.stack = m.stack[:top]
		case frameGoto:
			m.stack = m.stack[:top]
			return f.pc, f.pos, f.arg != 0, true
		case frameRun:
			if pos, ok = giveBack(m, f, t); ok {
				return f.pc + 1, pos, m.prog.insts[f.pc].loose, true
			}
		case frameLazyRun:
			if pos, ok = takeMore(m, f, t); ok {
				return f.pc + 1, pos, m.prog.insts[f.pc].loose, true
			}
		case frameLazyLoop:
			pc, pos = f.pc, f.pos
			m.stack = m.stack[:top]
			in := &m.prog.insts[pc]
			in.round(m, pos)
			return in.x, pos, in.loose, true
		case frameMark:
			m.memo.mark(m, m.prog.insts[f.pc].point, f.pos)
			m.stack = m.stack[:top]
		case frameBarrier:
			pc, pos = f.pc, f.pos
			m.base = f.arg
			m.stack = m.stack[:top]
			if in := &m.prog.insts[pc]; in.op == opLook && in.negated {
				return in.x, pos, in.loose, true
			}
		}
		m.steps++
	}
	return 0, 0, false, false
}
