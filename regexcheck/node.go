package regexcheck

import "math"

type nodeKind uint8

const (
	nodeLiteral nodeKind = iota // r
	nodeNotLiteral
	nodeAny    // .
	nodeSet    // items, negated
	nodeAt     // at
	nodeRef    // group
	nodeCond   // group; subs[0] if it took part, subs[1] (may be absent) if not
	nodeAlt    // one of subs
	nodeGroup  // subs[0], captured as group unless that is 0, under other flags
	nodeAtomic // subs[0]
	nodeLook   // subs[0], ahead or behind, negated or not
	nodeRepeat // subs[0], min to max times
)

// A place is a position in the text that has no width.
type place uint8

const (
	atStart    place = iota // ^
	atEnd                   // $
	atTextBeg               // \A
	atTextEnd               // \Z
	atBoundary              // \b
	atInside                // \B
)

// How a repeat chooses: as often as possible, as seldom, or as often and without taking anything back.
type greed uint8

const (
	greedy greed = iota
	lazy
	possessive
)

// unlimited is the greatest repetition number, one above the last that can be written.
const unlimited = math.MaxUint32

// A sequence is the nodes of one branch.
type sequence []*node

// A node is one item of a parsed pattern. Which fields hold depends on the kind.
type node struct {
	kind     nodeKind
	r        rune
	negated  bool
	behind   bool
	at       place
	greed    greed
	items    []setItem
	group    int
	add, del Flags
	min, max int64
	subs     []sequence

	width *width // of a group, once asked for
}

// A width is the least and the most code points that something can take, cut at math.MaxUint64.
type width struct{ min, max uint64 }

func addSat(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

func mulSat(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

func (w width) or(v width) width { return width{min(w.min, v.min), max(w.max, v.max)} }

// widthOf adds up the widths of a sequence. refs holds the widths of the groups closed so far.
func widthOf(seq sequence, refs []*width) width {
	var w width
	for _, n := range seq {
		v := n.widthIn(refs)
		w = width{addSat(w.min, v.min), addSat(w.max, v.max)}
		if n.kind == nodeRepeat && n.max == unlimited && v.max != 0 {
			w.max = math.MaxUint64
		}
	}
	return w
}

func (n *node) widthIn(refs []*width) width {
	if n.width != nil {
		return *n.width
	}
	w := n.measure(refs)
	n.width = &w
	return w
}

func (n *node) measure(refs []*width) width {
	switch n.kind {
	case nodeAt, nodeLook:
		return width{}
	case nodeRef:
		return *refs[n.group]
	case nodeAlt:
		w := widthOf(n.subs[0], refs)
		for _, s := range n.subs[1:] {
			w = w.or(widthOf(s, refs))
		}
		return w
	case nodeCond:
		w := widthOf(n.subs[0], refs)
		if len(n.subs) == 1 {
			w.min = 0
			return w
		}
		return w.or(widthOf(n.subs[1], refs))
	case nodeGroup, nodeAtomic:
		return widthOf(n.subs[0], refs)
	case nodeRepeat:
		w := widthOf(n.subs[0], refs)
		return width{mulSat(w.min, uint64(n.min)), mulSat(w.max, uint64(n.max))}
	}
	return width{1, 1}
}

// same tells whether two nodes without parts are written alike.
func (n *node) same(m *node) bool {
	if n.kind != m.kind || n.r != m.r || n.negated != m.negated || n.at != m.at || n.group != m.group ||
		len(n.subs) != 0 || len(m.subs) != 0 || len(n.items) != len(m.items) {
		return false
	}
	for i, it := range n.items {
		if it != m.items[i] {
			return false
		}
	}
	return true
}
