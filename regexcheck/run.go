package regexcheck

import "bytes"

// runEnd returns the position after the members of a run's set that stand from pos to limit.
func runEnd[T char](in *inst, t []T, pos, limit int32) int32 {
	switch opcode(in.y) {
	case opAll:
		return limit
	case opAny:
		if b, ok := any(t).([]byte); ok {
			if i := bytes.IndexByte(b[pos:limit], '\n'); i >= 0 {
				return pos + int32(i)
			}
			return limit
		}
		for pos < limit && t[pos] != '\n' {
			pos++
		}
		return pos
	case opRune:
		for pos < limit && rune(t[pos]) == in.r {
			pos++
		}
		return pos
	}
	set := in.set
	for pos < limit {
		r := rune(t[pos])
		if r < 256 {
			if set.latin[r>>6]&(1<<(r&63)) == 0 {
				break
			}
		} else if !set.hasWide(r) {
			break
		}
		pos++
	}
	return pos
}

// run begins the repeat of one character and returns the first position to go on from.
func run[T char](m *machine, in *inst, t []T, pc, pos int32) (int32, bool) {
	left := int32(len(t)) - pos
	if left < in.min {
		return pos, false
	}
	limit := pos + min(in.max, left)
	least := pos + in.min
	if in.min > 0 && runEnd(in, t, pos, least) < least {
		m.steps += int64(in.min >> 4)
		return pos, false
	}
	m.steps += int64(in.min >> 4)
	if m.prog.residue && !in.loose && in.greed != possessive {
		m.push(frameKept, 0, 0, 0)
	}
	if m.memo != nil && in.point != nil && in.greed != possessive {
		if in.max == endless {
			return runRemembered(m, in, t, pc, least)
		}
		if !m.visit(in, pc, pos) {
			return pos, false
		}
	}
	if in.greed == lazy {
		return lazyRun(m, in, t, pc, least, limit)
	}
	end := runEnd(in, t, least, limit)
	m.steps += int64(end-least) >> 4
	switch {
	case end == least || in.greed == possessive:
	case in.alone:
		// No member of the set begins what follows.
	default:
		m.push(frameRun, pc, end, least)
		if in.firstX != nil {
			return giveBackFrom(m, in, t, end)
		}
	}
	return end, true
}

// giveBackFrom is used right after frameRun was pushed with an end that has not been tried.
func giveBackFrom[T char](m *machine, in *inst, t []T, end int32) (int32, bool) {
	if end < int32(len(t)) && in.firstX.can(rune(t[end])) {
		return end, true
	}
	return giveBack(m, &m.stack[len(m.stack)-1], t)
}

// giveBack shortens a greedy run to the next position where what follows can begin. The frame is taken off when it has none.
func giveBack[T char](m *machine, f *frame, t []T) (int32, bool) {
	in := &m.prog.insts[f.pc]
	pos := f.pos
	remember := m.memo != nil && in.point != nil && in.max == endless
	for {
		if remember {
			m.memo.mark(m, in.point, pos)
		}
		if pos <= f.arg {
			break
		}
		pos--
		if in.firstX == nil || in.firstX.can(rune(t[pos])) {
			m.steps += int64(f.pos-pos) >> 4
			if pos <= f.arg && !remember {
				m.stack = m.stack[:len(m.stack)-1]
				return pos, true
			}
			f.pos = pos
			return pos, true
		}
	}
	m.steps += int64(f.pos-pos) >> 4
	m.stack = m.stack[:len(m.stack)-1]
	return 0, false
}

// lazyRun goes to the first position at or after pos where what follows can begin.
func lazyRun[T char](m *machine, in *inst, t []T, pc, pos, limit int32) (int32, bool) {
	start := pos
	if in.firstX != nil {
		n := int32(len(t))
		for pos < n && !in.firstX.can(rune(t[pos])) {
			if pos >= limit || !in.set.has(rune(t[pos])) {
				m.steps += int64(pos-start) >> 4
				return pos, false
			}
			pos++
		}
		m.steps += int64(pos-start) >> 4
		if pos >= n {
			return pos, false
		}
	}
	if pos < limit {
		m.push(frameLazyRun, pc, pos, limit)
	}
	return pos, true
}

// takeMore lengthens a lazy run. The frame is taken off and pushed again if there is more to take.
func takeMore[T char](m *machine, f *frame, t []T) (int32, bool) {
	pc, pos, arg := f.pc, f.pos, f.arg
	in := &m.prog.insts[pc]
	m.stack = m.stack[:len(m.stack)-1]
	if m.memo != nil && in.point != nil && in.max == endless {
		return takeMoreRemembered(m, in, t, pc, pos, arg)
	}
	if !in.set.has(rune(t[pos])) {
		return 0, false
	}
	return lazyRun(m, in, t, pc, pos+1, arg)
}

// runRemembered begins a run without upper limit under memory. Each position where it could stop is a place of its own, and the
// run goes no further than the first that is known to fail.
func runRemembered[T char](m *machine, in *inst, t []T, pc, least int32) (int32, bool) {
	if m.memo.seen(m, in.point, least) {
		return least, false
	}
	if m.memo.succeeded(in.point, least) {
		m.known = true
		return least, false
	}
	if in.greed == lazy {
		return lazyRemembered(m, in, t, pc, least, least)
	}
	end, n := least, int32(len(t))
	for end < n && in.set.has(rune(t[end])) && !m.memo.seen(m, in.point, end+1) {
		if m.memo.succeeded(in.point, end+1) {
			m.known = true
			return least, false
		}
		end++
	}
	m.steps += int64(end-least) >> 2
	m.push(frameRun, pc, end, least)
	if in.firstX != nil {
		return giveBackFrom(m, in, t, end)
	}
	return end, true
}

// lazyRemembered is lazyRun under memory; pos is not marked yet, and from is where the run could first have stopped.
func lazyRemembered[T char](m *machine, in *inst, t []T, pc, pos, from int32) (int32, bool) {
	n := int32(len(t))
	start := pos
	for {
		if m.base == 0 {
			m.memo.mark(m, in.point, pos)
		}
		if in.firstX == nil || pos < n && in.firstX.can(rune(t[pos])) {
			break
		}
		if pos >= n || !in.set.has(rune(t[pos])) || m.memo.seen(m, in.point, pos+1) {
			m.steps += int64(pos-start) >> 2
			return lazyFailed(m, in, from, pos)
		}
		pos++
	}
	m.steps += int64(pos-start) >> 2
	m.push(frameLazyRun, pc, pos, from)
	return pos, true
}

func takeMoreRemembered[T char](m *machine, in *inst, t []T, pc, pos, from int32) (int32, bool) {
	if pos >= int32(len(t)) || !in.set.has(rune(t[pos])) || m.memo.seen(m, in.point, pos+1) {
		return lazyFailed(m, in, from, pos)
	}
	return lazyRemembered(m, in, t, pc, pos+1, from)
}

// lazyFailed marks what a lazy run within a barrier has passed; outside of one that was done on the way.
func lazyFailed(m *machine, in *inst, from, pos int32) (int32, bool) {
	if m.base != 0 {
		m.steps += int64(pos-from) >> 2
		for p := from; p <= pos; p++ {
			m.memo.mark(m, in.point, p)
		}
	}
	return 0, false
}
