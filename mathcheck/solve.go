package mathcheck

import (
	"sort"
	"strings"
)

// Answers come with names that may be dropped: x=5, f(x)=…, AB=…, (p,q)=(3,2), x∈…. A statement is an item with its
// names taken off.

// stated is one item: names (none, one, or those of a tuple), and the value. solved is false for equations and
// inequalities that are no mere naming of a value.
type stated struct {
	names  []string
	lhs    *node // the left side of name = value
	val    *node
	solved bool
}

// isName reports whether a tree is one thing that a value can be given to: a letter, product of capitals (a segment),
// function value, angle, length |AB|, ratio of such.
func isName(n *node) bool {
	switch n.op {
	case opSym:
		return !isConstSym(n.s) || n.s == "e"
	case opText:
		return true
	case opFn:
		if strings.HasPrefix(n.s, "!") {
			return true
		}
		return n.s == "abs" && isName(n.kids[0]) || inverseNames[n.s] != "" && len(n.kids) == 1 && isAngleName(n.kids[0])
	case opMul:
		if n.call {
			return len(n.kids) == 2 && nameArgs(n.kids[1])
		}
		if len(n.kids) == 2 && n.kids[0].op == opSym && n.kids[0].s == "m" && n.kids[1].op == opSym && strings.HasPrefix(n.kids[1].s, "angle") {
			return true
		}
		for i, k := range n.kids {
			if k.op == opMul && k.call && i == len(n.kids)-1 {
				return isName(k)
			}
			if k.op != opSym || k.s[0] < 'A' || k.s[0] > 'Z' {
				return false
			}
		}
		return true
	case opRatio:
		for _, k := range n.kids {
			if !isName(k) {
				return false
			}
		}
		return true
	case opPow: // f^{-1}(x), A^T
		return n.kids[0].op == opSym && n.kids[1].op == opSym && n.kids[1].s == "T"
	case opTuple:
		return len(n.kids) > 0 && n.s == "()" && allNames(n.kids)
	case opDiv: // dy/dx
		return isDifferential(n.kids[0]) && isDifferential(n.kids[1])
	}
	return false
}

// isAngleName reports a Greek letter, a capital or an angle: the sine of one is a value to be given, where \sin x = 1/2
// is an equation to be solved.
func isAngleName(n *node) bool {
	if n.op != opSym || isConstSym(n.s) {
		return false
	}
	return len(n.s) > 1 && n.s[1] != '_' || n.s[0] >= 'A' && n.s[0] <= 'Z'
}

func isDifferential(n *node) bool {
	return n.op == opMul && len(n.kids) == 2 && n.kids[0].op == opSym && (n.kids[0].s == "d" || n.kids[0].s == "partial") && n.kids[1].op == opSym
}

func allNames(list []*node) bool {
	for _, k := range list {
		if k.op != opSym {
			return false
		}
	}
	return true
}

func nameArgs(n *node) bool {
	switch n.op {
	case opSym, opNum, opTuple, opText, opNeg, opMul, opDiv, opUnion, opInter, opRel, opAdd:
		return true
	}
	return false
}

// state takes the names off an item.
func state(n *node) stated {
	switch n.op {
	case opQty:
		s := state(n.kids[0])
		if len(s.names) > 0 || s.val != n.kids[0] {
			s.val = &node{op: opQty, s: n.s, kids: []*node{s.val}}
			return s
		}
	case opMul:
		if counted(n) != nil { // C(8,3) may be a number
			break
		}
		if n.call && len(n.kids) == 2 && n.kids[1].op == opTuple && n.kids[0].op == opSym && n.kids[0].s >= "A" && n.kids[0].s < "[" {
			return stated{val: n.kids[1], solved: true} // the point A(1,2)
		}
	case opRel:
		return stateRel(n)
	case opSet: // \{x | x > 3\} says x > 3
		if c := condition(n); c != nil {
			return stateRel(c)
		}
	}
	return stated{val: n, solved: true}
}

// condition returns the relation of a set that is described by one, for a single letter.
func condition(n *node) *node {
	if n.op != opSet || len(n.kids) != 1 || n.kids[0].op != opFn || n.kids[0].s != "such" {
		return nil
	}
	v, c := n.kids[0].kids[0], n.kids[0].kids[1]
	if v.op == opRel && len(v.kids) == 2 && v.ops[0] == "in" && v.kids[1].op == opNumbers && v.kids[1].s == "R" {
		v = v.kids[0]
	}
	if v.op != opSym || c.op != opRel {
		return nil
	}
	return c
}

func stateRel(n *node) stated {
	first, last := n.kids[0], n.kids[len(n.kids)-1]
	eq := true
	for i, o := range n.ops {
		switch o {
		case "=":
		case "~":
			if i > 0 || !isName(first) { // a ≈ b: the exact a counts
				cut := &node{op: opRel, kids: n.kids[:i+1], ops: n.ops[:i]}
				if i == 0 {
					return state(first)
				}
				return stateRel(cut)
			}
		case "in":
			if len(n.ops) == 1 && isName(first) {
				if last.op == opNumbers && last.s != "R" {
					return stated{val: n}
				}
				return stated{names: namesOf(first), val: last, solved: true}
			}
			eq = false
		default:
			eq = false
		}
	}
	if !eq {
		return stated{val: n}
	}
	if len(n.kids) == 2 && !isName(first) && isName(last) && !first.hasLetters() {
		first, last = last, first
	}
	if isName(first) {
		return stated{names: namesOf(first), lhs: first, val: last, solved: !(last.op == opRel)}
	}
	return stated{val: n}
}

func namesOf(n *node) []string {
	if n.op == opTuple {
		out := make([]string, len(n.kids))
		for i, k := range n.kids {
			out[i] = k.s
		}
		return out
	}
	return []string{strings.TrimPrefix(n.canon(), "angle ")}
}

// assignment is a whole answer that names its values: x=1, y=2.
type assignment map[string]*node

// assigned reads a list of solved items with different names, one value each.
func assigned(items []stated) assignment {
	a := assignment{}
	for _, it := range items {
		if len(it.names) == 0 || !it.solved {
			return nil
		}
		vals := []*node{it.val}
		if len(it.names) > 1 {
			if it.val.op != opTuple || len(it.val.kids) != len(it.names) {
				return nil
			}
			vals = it.val.kids
		}
		for i, name := range it.names {
			if a[name] != nil {
				return nil
			}
			a[name] = vals[i]
		}
	}
	return a
}

// names lists the names by the alphabet.
func (a assignment) names() []string {
	names := make([]string, 0, len(a))
	for s := range a {
		names = append(names, s)
	}
	sort.Strings(names)
	return names
}

// inOrder lists the values by the alphabet of their names.
func (a assignment) inOrder() []*node {
	names := a.names()
	out := make([]*node, len(names))
	for i, s := range names {
		out[i] = a[s]
	}
	return out
}

// grouped turns "p=5,q=2;p=7,q=2" into tuples: the names repeat in cycles.
func grouped(items []stated) *node {
	if len(items) < 4 {
		return nil
	}
	cycle := 0
	for i := 1; i < len(items); i++ {
		if len(items[i].names) == 1 && len(items[0].names) == 1 && items[i].names[0] == items[0].names[0] {
			cycle = i
			break
		}
	}
	if cycle < 2 || len(items)%cycle != 0 {
		return nil
	}
	out := &node{op: opList, s: ","}
	for i := 0; i < len(items); i += cycle {
		a := assigned(items[i : i+cycle])
		if len(a) != cycle {
			return nil
		}
		out.kids = append(out.kids, &node{op: opTuple, s: "()", kids: a.inOrder()})
	}
	return out
}
