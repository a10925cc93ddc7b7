package mathcheck

import (
	"math/big"
	"math/bits"
)

// Identity of rational functions by evaluation at random points of a prime field (Schwartz 1980, Zippel 1979).
//
// An expression made of numbers, letters, + - * / and integer powers is mapped to F_p with every letter replaced by a
// random integer. Different polynomials of degree d agree at a random point with probability at most d/p, about
// 10^-12 for d = 10^6 and p near 2^61; three points with three primes make that vanish. A difference is a proof of
// inequality, as the map is a homomorphism. Nothing is ever expanded: (a+b+c+d)^20 costs a few multiplications.
//
// The primes are 1 modulo 4, so -1 has a square root, which stands for i. π and e become letters of their own: their
// algebraic independence is not proven but never contradicted, so agreement counts and difference does not refute.
// Exponents are evaluated exactly, as integers, at the same integer points, and reduced modulo p-1 (Fermat); so
// 2^(n+1) and 2·2^n agree, and 3^(10^9) costs 30 multiplications.

type fieldPrime struct{ p, i uint64 }

// fieldPrimes are primes near 2^61 and 2^60 that are 1 mod 4, each with a square root of -1; a test checks both claims.
var fieldPrimes = [...]fieldPrime{
	{2305843009213693921, 583529827753931384},
	{2017612633061982181, 1298049992639808754},
	{1152921504606846869, 383824447308448458},
}

func mulMod(a, b, p uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, p)
	return r
}

func powMod(a, e, p uint64) uint64 {
	r := uint64(1)
	for a %= p; e > 0; e >>= 1 {
		if e&1 == 1 {
			r = mulMod(r, a, p)
		}
		a = mulMod(a, a, p)
	}
	return r
}

// field evaluates at one point.
type field struct {
	prime fieldPrime
	env   map[string]*big.Rat // integer values of the letters, for exponents
	vals  map[string]uint64   // the same modulo p, and π, e
	b     *budget
	trans bool // π or e was met
	pole  bool // a denominator vanished
}

// eval returns the value, or false if the tree is no such expression or has a pole here.
func (f *field) eval(n *node) (uint64, bool) {
	if !f.b.spend(1) {
		return 0, false
	}
	p := f.prime.p
	switch n.op {
	case opNum:
		if n.num.isInt() && len(n.num.ip) <= 18 {
			v := uint64(0)
			for i := 0; i < len(n.num.ip); i++ {
				v = v*10 + uint64(n.num.ip[i]-'0')
			}
			return v % p, true
		}
		r, ok := n.num.rat()
		if !ok || !f.b.spend(words(r)) {
			return 0, false
		}
		return f.rat(r)
	case opSym:
		switch n.s {
		case "i":
			return f.prime.i, true
		case "pi", "e":
			f.trans = true
		}
		v, ok := f.vals[n.s]
		return v, ok
	case opAdd, opMul:
		acc := uint64(0)
		if n.op == opMul {
			acc = 1
		}
		for _, k := range n.kids {
			v, ok := f.eval(k)
			if !ok {
				return 0, false
			}
			if n.op == opAdd {
				acc = (acc + v) % p
			} else {
				acc = mulMod(acc, v, p)
			}
		}
		return acc, true
	case opNeg:
		v, ok := f.eval(n.kids[0])
		return (p - v) % p, ok
	case opMixed:
		a, ok := f.eval(n.kids[0])
		b, ok2 := f.eval(n.kids[1])
		return (a + b) % p, ok && ok2
	case opPct:
		v, ok := f.eval(n.kids[0])
		return mulMod(v, powMod(100, p-2, p), p), ok
	case opDiv:
		a, ok := f.eval(n.kids[0])
		if !ok {
			return 0, false
		}
		b, ok := f.eval(n.kids[1])
		if !ok {
			return 0, false
		}
		if b == 0 {
			f.pole = true
			return 0, false
		}
		return mulMod(a, powMod(b, p-2, p), p), true
	case opPow:
		return f.pow(n)
	}
	return 0, false
}

func (f *field) rat(r *big.Rat) (uint64, bool) {
	p := new(big.Int).SetUint64(f.prime.p)
	num := new(big.Int).Mod(r.Num(), p).Uint64()
	den := new(big.Int).Mod(r.Denom(), p).Uint64()
	if den == 0 {
		return 0, false
	}
	return mulMod(num, powMod(den, f.prime.p-2, f.prime.p), f.prime.p), true
}

func (f *field) pow(n *node) (uint64, bool) {
	a, ok := f.eval(n.kids[0])
	if !ok {
		return 0, false
	}
	x := exact{env: f.env, b: f.b}
	e, ok := x.eval(n.kids[1])
	if !ok || !e.IsInt() {
		return 0, false
	}
	if a == 0 {
		if e.Sign() <= 0 {
			f.pole = true
			return 0, false
		}
		return 0, true
	}
	f.b.spend(64)
	m := new(big.Int).SetUint64(f.prime.p - 1)
	return powMod(a, new(big.Int).Mod(e.Num(), m).Uint64(), f.prime.p), true
}

// splitmix is the generator of all random points: its seed is a hash of both answers, so that a verdict never
// depends on anything but the pair.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func seedOf(a, b string) splitmix {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{a, b} {
		for i := 0; i < len(s); i++ {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return splitmix(h)
}

// period is how many whole numbers in a row the exponent of a periodic power goes through.
const period = 12

// isPeriodic reports a power such as (-1)^n or i^n, whose values repeat: few random points may miss all but one of them.
func isPeriodic(n *node) bool {
	return n.op == opPow && n.kids[1].hasLetters() && !n.kids[0].hasLetters() && n.kids[0].has(func(m *node) bool { return m.op == opNeg || m.op == opSym && m.s == "i" })
}

// fieldEqual compares two expressions over the fields. It returns unsure if one of them is not made of the operations
// that the field knows.
func fieldEqual(a, b *node, names []string, rng *splitmix, bud *budget) result {
	trans := false
	agreed, need := 0, 3
	periodic := a.has(isPeriodic) || b.has(isPeriodic)
	if periodic {
		need = period
	}
	for round := 0; round < 2*need && agreed < need; round++ {
		pr := fieldPrimes[round%len(fieldPrimes)]
		f := &field{prime: pr, env: make(map[string]*big.Rat, len(names)), vals: make(map[string]uint64, len(names)+2), b: bud}
		for i, s := range names {
			v := rng.next()>>22 + 2
			if periodic && i == 0 { // every remainder once
				v += (uint64(round) + period - v%period) % period
			}
			f.env[s] = new(big.Rat).SetInt64(int64(v))
			f.vals[s] = v % pr.p
		}
		f.vals["pi"], f.vals["e"] = rng.next()%pr.p, rng.next()%pr.p
		x, ok := f.eval(a)
		if !ok {
			if f.pole {
				continue
			}
			return unsure
		}
		y, ok := f.eval(b)
		if !ok {
			if f.pole {
				continue
			}
			return unsure
		}
		trans = trans || f.trans
		if x != y {
			if trans {
				return unsure
			}
			return no
		}
		agreed++
	}
	if agreed < need {
		return unsure
	}
	return yes
}
