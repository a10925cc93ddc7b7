package mathcheck

import (
	"sort"
	"strconv"
	"strings"
)

// op names what a node of the answer tree is.
type op uint8

const (
	opNum     op = iota // number literal
	opSym               // letter, Greek letter or subscripted name
	opAdd               // sum of kids
	opMul               // product of kids
	opDiv               // kids[0] / kids[1]
	opNeg               // -kids[0]
	opPow               // kids[0] ^ kids[1]
	opRoot              // kids[1]-th root of kids[0]
	opFn                // function s of kids
	opFact              // kids[0]!
	opPct               // kids[0] percent
	opDeg               // kids[0] degrees
	opPM                // ± kids[0]; s is "+" or "-" for the upper sign
	opInf               // infinity
	opTuple             // bracketed list, s holds both brackets
	opSet               // braced list
	opMatrix            // kids row by row, n columns
	opList              // bare list, s is ",", "and" or "or"
	opRel               // chain kids[0] ops[0] kids[1] ...
	opUnion             // union of kids
	opInter             // intersection of kids
	opMinus             // kids[0] without kids[1]
	opRatio             // kids[0]:kids[1]:...
	opBase              // numeral s in base n
	opText              // words
	opQty               // kids[0] followed by the unit or words s
	opDots              // ellipsis
	opEmpty             // the empty set
	opNumbers           // a number set: s is "R", "Z", "Q", "N" or "C"
	opBig               // sum, prod, int, lim (s); kids: variable, low, high, body
	opSeq               // a -> b -> c
	opMixed             // whole number kids[0] and proper fraction kids[1]
)

// node is one vertex of a parsed answer. Trees are immutable after parsing and safe to share.
type node struct {
	op   op
	s    string
	kids []*node
	ops  []string // opRel: the relation signs between kids
	num  *number  // opNum
	n    int      // opMatrix: columns; opBase: base
	call bool     // opMul written as letter(…): may be a function value
}

func mk(o op, kids ...*node) *node { return &node{op: o, kids: kids} }

func sym(s string) *node { return &node{op: opSym, s: s} }

func fn(s string, kids ...*node) *node { return &node{op: opFn, s: s, kids: kids} }

func intNode(i int) *node { return &node{op: opNum, num: intNumber(i)} }

// maxDerived bounds the trees that rules build out of an answer. Such trees share parts, and a walk visits a part as
// often as it occurs, so their size is counted the same way.
const maxDerived = 20_000

// within reports whether a walk of the tree visits at most limit vertices.
func (n *node) within(limit int) bool {
	return n.count(&limit)
}

func (n *node) count(left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	for _, k := range n.kids {
		if !k.count(left) {
			return false
		}
	}
	return true
}

// has reports whether some vertex of the tree satisfies f.
func (n *node) has(f func(*node) bool) bool {
	if f(n) {
		return true
	}
	for _, k := range n.kids {
		if k.has(f) {
			return true
		}
	}
	return false
}

func (n *node) hasOp(o op) bool { return n.has(func(m *node) bool { return m.op == o }) }

// isConstSym reports whether the name stands for a constant, not for a letter.
func isConstSym(s string) bool { return s == "pi" || s == "e" || s == "i" }

// letters returns the sorted free names of the tree. Bound variables of sums and integrals are left out.
func (n *node) letters() []string {
	seen := map[string]bool{}
	n.collect(seen, nil)
	if len(seen) == 0 {
		return nil
	}
	out := make([]string, 0, len(seen))
	for s := range seen {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}

func (n *node) collect(seen map[string]bool, bound []string) {
	switch n.op {
	case opSym:
		for _, b := range bound {
			if b == n.s {
				return
			}
		}
		if !isConstSym(n.s) {
			seen[n.s] = true
		}
	case opBig:
		for _, k := range n.kids[1:3] {
			k.collect(seen, bound)
		}
		n.kids[3].collect(seen, append(bound[:len(bound):len(bound)], n.kids[0].s))
	default:
		for _, k := range n.kids {
			k.collect(seen, bound)
		}
	}
}

// hasLetters reports whether a free name occurs.
func (n *node) hasLetters() bool {
	switch n.op {
	case opSym:
		return !isConstSym(n.s)
	case opBig:
		return len(n.letters()) > 0
	}
	for _, k := range n.kids {
		if k.hasLetters() {
			return true
		}
	}
	return false
}

var opNames = [...]string{opNum: "num", opSym: "sym", opAdd: "add", opMul: "mul", opDiv: "div", opNeg: "neg", opPow: "pow", opRoot: "root", opFn: "fn", opFact: "factorial",
	opPct: "percent", opDeg: "degrees", opPM: "plusminus", opInf: "inf", opTuple: "tuple", opSet: "set", opMatrix: "matrix", opList: "list", opRel: "relation", opUnion: "union",
	opInter: "intersection", opMinus: "without", opRatio: "ratio", opBase: "base", opText: "text", opQty: "quantity", opDots: "dots", opEmpty: "empty", opNumbers: "numbers",
	opBig: "big", opSeq: "sequence", opMixed: "mixed"}

// canon writes the tree so that trees equal up to the order of sums, products and sets are written alike.
func (n *node) canon() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

// inOrder writes the tree as canon does but with the factors of products as they stand.
func (n *node) inOrder() string {
	if n.op != opMul {
		if len(n.kids) == 0 {
			return n.canon()
		}
		s := opNames[n.op] + n.s + "("
		for _, k := range n.kids {
			s += k.inOrder() + ","
		}
		return s + ")"
	}
	var parts []string
	for _, k := range n.kids {
		parts = append(parts, k.inOrder())
	}
	return "mul(" + strings.Join(parts, ",") + ")"
}

func (n *node) write(b *strings.Builder) {
	switch n.op {
	case opNum:
		b.WriteString(n.num.String())
		return
	case opSym:
		b.WriteString(n.s)
		return
	case opInf:
		b.WriteString("inf")
		return
	}
	b.WriteString(opNames[n.op])
	if n.s != "" && n.op != opList {
		b.WriteByte('"')
		b.WriteString(n.s)
		b.WriteByte('"')
	}
	if n.n != 0 {
		b.WriteString("#" + strconv.Itoa(n.n))
	}
	parts := make([]string, len(n.kids))
	for i, k := range n.kids {
		parts[i] = k.canon()
	}
	switch n.op {
	case opAdd, opMul, opSet, opList, opUnion, opInter:
		if n.op != opList || !n.hasOp(opDots) {
			sort.Strings(parts)
		}
	}
	b.WriteByte('(')
	for i, p := range parts {
		if i > 0 {
			if n.op == opRel {
				b.WriteString(n.ops[i-1])
			} else {
				b.WriteByte(',')
			}
		}
		b.WriteString(p)
	}
	b.WriteByte(')')
}
