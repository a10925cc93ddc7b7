package mathcheck

import "math/big"

// Expressions with letters are compared at random points.

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
		for i, s := range names {
			env[s] = randomValue(&rng, round, whole[s], pool)
			if whole[s] && env[s].Num().Bit(0) != uint(round>>(i%3))&1 { // odd and even in turn
				env[s].Add(env[s], big.NewRat(1, 1))
			}
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
