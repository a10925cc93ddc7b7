package mathcheck

import (
	"math/big"
)

// result is the outcome of a comparison in three values.
type result uint8

const (
	no result = iota
	yes
	unsure // neither proven nor refuted; not equal for the caller
)

// comparer holds what one Check needs. It lives on one goroutine.
type comparer struct {
	opt      *Options
	b        *budget
	bareList bool // one side is a comma list without brackets
	numeric  bool // some part rests on numeric agreement
	kind     string
}

// note remembers that an equality is numeric.
func (c *comparer) note(r result) result {
	if r == yes {
		c.numeric = true
	}
	return r
}

// scalars compares two values. Cheapest proof first:
//
//  1. the same tree up to the order of sums and products;
//  2. exact rationals, with the rounding rule for decimals;
//  3. the field identity (field.go) for rational functions;
//  4. balls at random points (numeric.go): disjoint balls refute, agreement at high precision counts as equal.
func (c *comparer) scalars(g, p *node) result {
	if g == p || g.canon() == p.canon() {
		return yes
	}
	gl, pl := g.hasLetters(), p.hasLetters()
	if !gl && !pl {
		return c.constants(g, p)
	}
	return c.expressions(g, p)
}

// decimalOf returns the numeral if the tree is one decimal numeral, perhaps signed or in percent or scientific form.
func decimalOf(n *node) (*number, bool) {
	switch n.op {
	case opNeg, opPct:
		return decimalOf(n.kids[0])
	case opNum:
		return n.num, n.num.isDecimal()
	case opMul:
		if len(n.kids) == 2 && n.kids[0].op == opNum && n.kids[0].num.isDecimal() && isPowerOfTen(n.kids[1]) {
			return n.kids[0].num, true
		}
	}
	return nil, false
}

func isPowerOfTen(n *node) bool {
	if n.op != opPow || n.kids[0].op != opNum || n.kids[0].num.String() != "10" {
		return false
	}
	_, ok := smallInt(n.kids[1])
	return ok
}

// plainNumeral reports whether the tree is a numeral or a power of ten times one, so that comparison is exact.
func plainNumeral(n *node) bool {
	switch n.op {
	case opNeg, opPct:
		return plainNumeral(n.kids[0])
	case opNum:
		return n.num.rep == ""
	case opMul:
		return len(n.kids) == 2 && n.kids[0].op == opNum && isPowerOfTen(n.kids[1])
	}
	return isPowerOfTen(n)
}

// constants compares two values without letters.
func (c *comparer) constants(g, p *node) result {
	if tooLong(g) || tooLong(p) { // numerals of thousands of digits: written alike or different
		return no
	}
	x := &exact{b: c.b}
	a, okA := x.eval(g)
	b, okB := x.eval(p)
	if okA && okB {
		if a.Cmp(b) == 0 {
			return yes
		}
		return c.rounded(g, p, a, b)
	}
	if c.b.hit {
		return unsure
	}
	if r := c.decimalAgainst(g, p); r != unsure {
		return r
	}
	rng := seedOf("", "")
	if r := fieldEqual(g, p, nil, &rng, c.b); r != unsure {
		return r
	}
	return c.atPoints(g, p, nil)
}

func tooLong(n *node) bool {
	return n.op == opNum && len(n.num.ip)+len(n.num.fp) > maxDigits || n.op == opNeg && tooLong(n.kids[0])
}

// rounded applies the rounding rule to two different rationals: a decimal stands for an exact value written otherwise
// if it is its correct rounding to enough significant digits.
func (c *comparer) rounded(g, p *node, a, b *big.Rat) result {
	dg, okG := decimalOf(g)
	dp, okP := decimalOf(p)
	switch {
	case okG == okP || plainNumeral(g) && plainNumeral(p):
		return no
	case okG:
		return c.roundsTo(dg, g, a, b)
	}
	return c.roundsTo(dp, p, b, a)
}

// printedDigits is the length from which a decimal counts as a printed double, whose last digit may be off by one.
const printedDigits = 15

func (c *comparer) roundsTo(d *number, n *node, dec, exact *big.Rat) result {
	sig := d.significant()
	if sig < c.opt.roundingDigits() {
		return no
	}
	unit := lastUnit(d, n)
	diff := new(big.Rat).Sub(dec, exact)
	diff.Abs(diff)
	limit := unit
	if sig < printedDigits {
		limit = new(big.Rat).Quo(unit, big.NewRat(2, 1))
	}
	if diff.Cmp(limit) <= 0 {
		return yes
	}
	return no
}

// lastUnit is the value of one unit of the last digit written.
func lastUnit(d *number, n *node) *big.Rat {
	place := d.lastPlace()
	for m := n; ; {
		switch m.op {
		case opPct:
			place -= 2
			m = m.kids[0]
			continue
		case opNeg:
			m = m.kids[0]
			continue
		case opMul:
			if e, ok := smallInt(m.kids[1].kids[1]); ok {
				place += e
			}
		}
		break
	}
	if place < -maxDigits || place > maxDigits {
		return new(big.Rat)
	}
	if place < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow10(-place))
	}
	return new(big.Rat).SetInt(pow10(place))
}

// decimalAgainst compares one decimal numeral with an irrational value by the rounding rule.
func (c *comparer) decimalAgainst(g, p *node) result {
	dg, okG := decimalOf(g)
	dp, okP := decimalOf(p)
	if okG == okP {
		return unsure
	}
	d, dn, other := dg, g, p
	if okP {
		d, dn, other = dp, p, g
	}
	x := &exact{b: c.b}
	dec, ok := x.eval(dn)
	if !ok || d.significant() > 60 {
		return unsure
	}
	pt := &point{k: &kernel{prec: 384, b: c.b}}
	v, ok := pt.eval(other)
	if !ok || !v.real() || v.e > v.mag()-250 {
		return unsure
	}
	r, _ := v.re.Rat(nil)
	if r == nil {
		return no
	}
	if pt.k.sub(pt.k.fromRat(dec), v).zero() {
		return c.note(yes)
	}
	return c.note(c.roundsTo(d, dn, dec, r))
}

// precisions of the balls: enough to part what fits on a line, then what is made to look equal.
var precisions = [...]uint{160, 640, 2200}

// atPoints compares by balls at one assignment (nil: none needed).
func (c *comparer) atPoints(g, p *node, env map[string]*big.Rat) result {
	levels := precisions[:]
	if env != nil {
		levels = levels[:2]
	}
	limit := g.has(isLimit) || p.has(isLimit)
	for i, prec := range levels {
		k := &kernel{prec: prec, b: c.b}
		pt := &point{k: k, env: env}
		a, ok := pt.eval(g)
		if !ok {
			return unsure
		}
		b, ok := pt.eval(p)
		if !ok {
			return unsure
		}
		d := k.sub(a, b)
		if !d.zero() {
			return no
		}
		scale := max(a.mag(), b.mag())
		if limit {
			if d.e < max(scale, 0)-20 {
				return c.note(yes)
			}
			return unsure
		}
		last := i == len(levels)-1 || env != nil && i == 0
		if last {
			if scale == exactErr || d.e < scale-int(prec)/2 || scale < -int(prec)/2 && d.e < -int(prec)/2 {
				return c.note(yes)
			}
		}
		if i == 0 && !needsMore(g) && !needsMore(p) && d.e < scale-int(prec)/2 {
			return c.note(yes)
		}
	}
	return unsure
}

func isLimit(n *node) bool { return n.op == opBig && n.s == "lim" }

// needsMore reports whether the tree can be made to differ from another in very late digits only: large exponents,
// long numerals, factorials.
func needsMore(n *node) bool {
	return n.has(func(m *node) bool {
		switch m.op {
		case opNum:
			return len(m.num.ip)+len(m.num.fp) > 12 || m.num.sci
		case opPow:
			e, ok := smallInt(m.kids[1])
			return ok && (e > 8 || e < -8)
		case opFact, opBig:
			return true
		}
		return false
	})
}

// expressions compares two values of which at least one has letters.
func (c *comparer) expressions(g, p *node) result {
	names := unionNames(g.letters(), p.letters())
	rng := seedOf(g.canon(), p.canon())
	if r := fieldEqual(g, p, names, &rng, c.b); r != unsure {
		return r
	}
	whole := map[string]bool{}
	wholeLetters(g, whole)
	wholeLetters(p, whole)
	pool := kinks(g, p)
	valid, rounds := 0, 14
	if pool != nil {
		rounds = 24
	}
	for round := 0; round < rounds && valid < rounds/2; round++ {
		env := make(map[string]*big.Rat, len(names))
		for _, s := range names {
			env[s] = randomValue(&rng, round, whole[s], pool)
		}
		r := c.atPoints(g, p, env)
		if c.b.hit {
			return unsure
		}
		switch r {
		case no:
			return no
		case yes:
			valid++
		}
	}
	if valid >= 2 {
		return c.note(yes)
	}
	return unsure
}

// randomValue draws a letter's value: positive in the early rounds, then of either sign; near zero, near one or larger
// by turns, so that arcsin and ln both find points of their domain. Whole letters get small whole numbers. The pool
// holds constants at which an absolute value may turn: some rounds draw from both sides of them.
func randomValue(rng *splitmix, round int, whole bool, pool []*big.Rat) *big.Rat {
	v := int64(rng.next() >> 44) // 20 bits
	if whole {
		return new(big.Rat).SetInt64(2 + v%17)
	}
	r := big.NewRat(v*2+1, 1<<21) // (0,1)
	if len(pool) > 0 && round%2 == 1 {
		if rng.next()&1 == 1 {
			r.Neg(r)
		}
		return r.Add(r, pool[rng.next()%uint64(len(pool))])
	}
	switch round % 6 {
	case 1, 4:
		r.Mul(r, big.NewRat(3, 1))
	case 2:
		r.Add(r, big.NewRat(1, 1))
	case 3:
		r.Mul(r, big.NewRat(40, 1))
	}
	if round >= 4 && rng.next()&1 == 1 {
		r.Neg(r)
	}
	return r
}

// kinks returns the constants of expressions with an absolute value, a maximum or the like, with either sign, and nil
// for smooth ones. A piecewise expression agrees with one of its pieces on one side of such a place only.
func kinks(g, p *node) []*big.Rat {
	bent := func(n *node) bool {
		return n.op == opFn && (n.s == "abs" || n.s == "max" || n.s == "min" || n.s == "sgn") || n.op == opRoot && n.kids[0].hasLetters()
	}
	if !g.has(bent) && !p.has(bent) {
		return nil
	}
	out := []*big.Rat{new(big.Rat), big.NewRat(1000, 1), big.NewRat(-1000, 1)}
	add := func(n *node) bool {
		if n.op == opNum && len(out) < 24 {
			if r, ok := n.num.rat(); ok && bitsOf(r) < 64 {
				out = append(out, r, new(big.Rat).Neg(r))
			}
		}
		return false
	}
	g.has(add)
	p.has(add)
	return out
}

// wholeLetters collects letters that only make sense as whole numbers: in factorials, binomials, bounds of sums, and
// exponents of negative constants.
func wholeLetters(n *node, out map[string]bool) {
	mark := func(m *node) {
		for _, s := range m.letters() {
			out[s] = true
		}
	}
	switch n.op {
	case opFact:
		mark(n.kids[0])
	case opFn:
		if n.s == "binom" || n.s == "gcd" || n.s == "lcm" || n.s == "mod" {
			for _, k := range n.kids {
				mark(k)
			}
		}
	case opBig:
		if n.s == "sum" || n.s == "prod" {
			mark(n.kids[1])
			mark(n.kids[2])
		}
	case opPow:
		if n.kids[0].op == opNeg && !n.kids[0].hasLetters() {
			mark(n.kids[1])
		}
	}
	for _, k := range n.kids {
		wholeLetters(k, out)
	}
}

func unionNames(a, b []string) []string {
	out := append([]string(nil), a...)
	for _, s := range b {
		found := false
		for _, t := range a {
			found = found || s == t
		}
		if !found {
			out = append(out, s)
		}
	}
	return out
}
