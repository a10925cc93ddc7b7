package regexcheck

// Theory of residue.
//
// CPython keeps the ends of groups as numbered marks, and the number of the highest mark that counts. When it backs out of a
// branch it puts that number back, which hides the marks set since; a mark below it that was changed since keeps the new
// value, unless a repeat of more than one character stands around the branch: then all marks are copied before and put back.
// Where no such repeat stands around it, a group is gone through once, and a changed mark below the number can only be
//   - the end of a group that is open, which a conditional inside of the group can ask for: ((a)(?(1)b|x)*?)\Z matches abb,
//     because trying the end of the text first left an end of group 1 behind;
//   - a mark of a round before in a possessive repeat, which is no repeat in this sense: (?:(bc)|)*+ in bcbcb leaves group 1
//     empty at 4, because the third round began a group and failed.
//
// A branch, or a run of one character, that fails with a repeat around it puts the marks back at the end as well (frameKept).
//
// Both are faults of CPython that a caller sees. Programs in which they can be seen are marked when they are compiled and run
// with this bookkeeping; all others put everything back, which comes to the same and costs less. A choice skipped because it
// cannot succeed leaves no residue, so such programs look at no first characters. The memory of failures skips choices too: in
// texts that need it the residue may be missing.

// A residue is the newest value of a slot that back-tracking has just put back.
type residue struct{ slot, value int32 }

// noteUndo remembers what a slot held, if it is the first time in this back-tracking.
func (m *machine) noteUndo(slot int32) {
	for _, r := range m.residue {
		if r.slot == slot {
			return
		}
	}
	m.residue = append(m.residue, residue{slot, m.slots[slot]})
}

// setMark sets a slot of a program with residue: marks between the highest so far and a new highest do not count.
func (m *machine) setMark(slot, v int32) {
	for s := m.highest + 1; s < slot; s++ {
		m.change(s, -1)
	}
	m.change(slot, v)
	if slot > m.highest {
		m.push(frameHighest, 0, 0, m.highest)
		m.highest = slot
	}
}

func (m *machine) change(slot, v int32) {
	if m.slots[slot] != v {
		m.push(frameSlot, slot, 0, m.slots[slot])
		m.slots[slot] = v
	}
}

// resume ends back-tracking at a choice. A loose one gets back the residue of the marks that count.
func (m *machine) resume(loose bool) {
	if loose {
		for _, r := range m.residue {
			if r.slot <= m.highest {
				m.change(r.slot, r.value)
			}
		}
	}
	m.residue = m.residue[:0]
}
