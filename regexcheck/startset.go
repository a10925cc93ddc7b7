package regexcheck

// startSet returns what a search of CPython's asks of the first character before it tries to match, if that is not what the
// pattern says; nil if it is. A pattern that begins with a set in a group with (?a:...) or (?u:...) is searched for with the set's
// classes read by the flags outside of the group: (?a:\W) is not found in "é", though it matches there.
func startSet(t *tree) *charSet {
	if widthOf(t.body, t.widths).min == 0 {
		return nil
	}
	seq, f := t.body, t.flags
	for len(seq) > 0 && seq[0].kind == nodeGroup {
		f = f.combine(seq[0].add, seq[0].del)
		seq = seq[0].subs[0]
	}
	if len(seq) == 0 || seq[0].kind != nodeSet || f.ascii() == t.flags.ascii() {
		return nil
	}
	classes := false
	for _, it := range seq[0].items {
		switch {
		case it.kind != itemRange:
			classes = true
		case f&IgnoreCase != 0 && hasCase(it, f.ascii()):
			return nil
		}
	}
	if !classes {
		return nil
	}
	return newSet(seq[0].items, seq[0].negated, t.flags&^IgnoreCase)
}

// hasCase tells whether a member has a character with case, or is a range that Python does not look through.
func hasCase(it setItem, ascii bool) bool {
	if it.written && it.hi > 0xffff {
		return true
	}
	for r := it.lo; r <= it.hi; r++ {
		if ascii && isLetter(r) {
			return true
		}
		if ascii {
			continue
		}
		if _, ok := cases().lower[r]; ok {
			return true
		}
		if _, ok := cases().upper[r]; ok {
			return true
		}
	}
	return false
}
