package mathcheck

import "math/big"

// Exact values. Every power, factorial and binomial is preceded by an estimate of its size in bits; what would exceed
// maxBits is not computed, so towers such as 9^(9^9) cost nothing.

// exact computes exact rational values of trees whose letters, if any, are given by env.
type exact struct {
	env map[string]*big.Rat
	b   *budget
}

func bitsOf(r *big.Rat) int { return r.Num().BitLen() + r.Denom().BitLen() }

// words is the price of an operation on r.
func words(r *big.Rat) int { return 1 + bitsOf(r)>>9 }

func (x *exact) eval(n *node) (*big.Rat, bool) {
	if !x.b.spend(2) {
		return nil, false
	}
	switch n.op {
	case opNum:
		return n.num.rat()
	case opSym:
		r, ok := x.env[n.s]
		return r, ok
	case opAdd, opMul:
		return x.fold(n)
	case opNeg:
		if r, ok := x.eval(n.kids[0]); ok {
			return new(big.Rat).Neg(r), true
		}
	case opDiv:
		a, ok := x.eval(n.kids[0])
		if !ok {
			return nil, false
		}
		b, ok := x.eval(n.kids[1])
		if !ok || b.Sign() == 0 {
			return nil, false
		}
		return new(big.Rat).Quo(a, b), true
	case opMixed:
		a, ok := x.eval(n.kids[0])
		if !ok {
			return nil, false
		}
		b, ok := x.eval(n.kids[1])
		if !ok {
			return nil, false
		}
		return new(big.Rat).Add(a, b), true
	case opPct:
		if r, ok := x.eval(n.kids[0]); ok {
			return new(big.Rat).Quo(r, big.NewRat(100, 1)), true
		}
	case opPow:
		a, ok := x.eval(n.kids[0])
		if !ok {
			return nil, false
		}
		e, ok := x.eval(n.kids[1])
		if !ok {
			return nil, false
		}
		return ratPow(a, e)
	case opFact:
		if r, ok := x.eval(n.kids[0]); ok {
			return x.factorial(r)
		}
	case opBase:
		v, ok := new(big.Int).SetString(n.s, n.n)
		if !ok || len(n.s) > 4000 {
			return nil, false
		}
		return new(big.Rat).SetInt(v), true
	case opRoot:
		return x.root(n)
	case opFn:
		return x.function(n)
	case opBig:
		if n.s == "sum" || n.s == "prod" {
			return x.bigOp(n)
		}
	}
	return nil, false
}

func (x *exact) fold(n *node) (*big.Rat, bool) {
	acc := new(big.Rat)
	if n.op == opMul {
		acc.SetInt64(1)
	}
	for _, k := range n.kids {
		r, ok := x.eval(k)
		if !ok || !x.b.spend(words(acc)+words(r)) || bitsOf(acc)+bitsOf(r) > 4*maxBits {
			return nil, false
		}
		if n.op == opAdd {
			acc.Add(acc, r)
		} else {
			acc.Mul(acc, r)
		}
	}
	return acc, true
}

// ratPow is a^e for integer e, and for e = p/q when a is an exact q-th power.
func ratPow(a, e *big.Rat) (*big.Rat, bool) {
	if !e.IsInt() {
		q := e.Denom()
		if !q.IsInt64() || q.Int64() > 64 {
			return nil, false
		}
		r, ok := ratRoot(a, int(q.Int64()))
		if !ok {
			return nil, false
		}
		return ratPow(r, new(big.Rat).SetInt(e.Num()))
	}
	if a.Sign() == 0 {
		if e.Sign() <= 0 {
			return nil, false
		}
		return new(big.Rat), true
	}
	one := a.IsInt() && a.Num().IsInt64() && (a.Num().Int64() == 1 || a.Num().Int64() == -1)
	if one {
		if a.Sign() > 0 || e.Num().Bit(0) == 0 {
			return big.NewRat(1, 1), true
		}
		return big.NewRat(-1, 1), true
	}
	if !e.Num().IsInt64() {
		return nil, false
	}
	k := e.Num().Int64()
	if k > maxBits || k < -maxBits || int64(bitsOf(a))*max(k, -k) > maxBits {
		return nil, false
	}
	abs := big.NewInt(max(k, -k))
	num := new(big.Int).Exp(a.Num(), abs, nil)
	den := new(big.Int).Exp(a.Denom(), abs, nil)
	if k < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den), true
}

// ratRoot is the exact q-th root, if there is one; of a negative number only for odd q.
func ratRoot(a *big.Rat, q int) (*big.Rat, bool) {
	if q < 1 || a.Sign() < 0 && q%2 == 0 {
		return nil, false
	}
	num, ok := intRoot(a.Num(), q)
	if !ok {
		return nil, false
	}
	den, ok := intRoot(a.Denom(), q)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetFrac(num, den), true
}

func intRoot(a *big.Int, q int) (*big.Int, bool) {
	neg := a.Sign() < 0
	m := new(big.Int).Abs(a)
	if m.BitLen() > 4096 {
		return nil, false
	}
	var r *big.Int
	if q == 2 {
		r = new(big.Int).Sqrt(m)
	} else { // Newton from above
		r = new(big.Int).Lsh(big.NewInt(1), uint(m.BitLen()/q+1))
		qq, q1 := big.NewInt(int64(q)), big.NewInt(int64(q-1))
		for {
			t := new(big.Int).Exp(r, q1, nil)
			if t.Sign() == 0 {
				break
			}
			t.Quo(m, t)
			t.Add(t, new(big.Int).Mul(r, q1))
			t.Quo(t, qq)
			if t.Cmp(r) >= 0 {
				break
			}
			r = t
		}
	}
	if new(big.Int).Exp(r, big.NewInt(int64(q)), nil).Cmp(m) != 0 {
		return nil, false
	}
	if neg {
		r.Neg(r)
	}
	return r, true
}

func (x *exact) root(n *node) (*big.Rat, bool) {
	a, ok := x.eval(n.kids[0])
	if !ok {
		return nil, false
	}
	q, ok := x.eval(n.kids[1])
	if !ok || !q.IsInt() || !q.Num().IsInt64() || q.Num().Int64() > 64 {
		return nil, false
	}
	return ratRoot(a, int(q.Num().Int64()))
}

// factorial is r! for whole r whose factorial fits in maxBits.
func (x *exact) factorial(r *big.Rat) (*big.Rat, bool) {
	if !r.IsInt() || r.Sign() < 0 || !r.Num().IsInt64() || r.Num().Int64() > 2500 {
		return nil, false
	}
	k := r.Num().Int64()
	if !x.b.spend(1 + int(k)) {
		return nil, false
	}
	return new(big.Rat).SetInt(new(big.Int).MulRange(1, k)), true
}

func (x *exact) args(n *node) ([]*big.Rat, bool) {
	out := make([]*big.Rat, len(n.kids))
	for i, k := range n.kids {
		r, ok := x.eval(k)
		if !ok {
			return nil, false
		}
		out[i] = r
	}
	return out, len(out) > 0
}

func (x *exact) function(n *node) (*big.Rat, bool) {
	switch n.s {
	case "abs", "floor", "ceil", "gcd", "lcm", "binom", "max", "min", "mod", "conj", "sgn":
	default:
		return nil, false
	}
	a, ok := x.args(n)
	if !ok {
		return nil, false
	}
	switch n.s {
	case "abs":
		return new(big.Rat).Abs(a[0]), len(a) == 1
	case "conj":
		return a[0], len(a) == 1
	case "sgn":
		return big.NewRat(int64(a[0].Sign()), 1), len(a) == 1
	case "floor":
		return new(big.Rat).SetInt(floorRat(a[0])), len(a) == 1
	case "ceil":
		f := floorRat(new(big.Rat).Neg(a[0]))
		return new(big.Rat).SetInt(f.Neg(f)), len(a) == 1
	case "max", "min":
		m := a[0]
		for _, r := range a[1:] {
			if (r.Cmp(m) > 0) == (n.s == "max") {
				m = r
			}
		}
		return m, true
	case "binom":
		return x.binomial(a)
	}
	for _, r := range a {
		if !r.IsInt() || r.Num().BitLen() > 4096 {
			return nil, false
		}
	}
	return intFunction(n.s, a)
}

func floorRat(r *big.Rat) *big.Int {
	q := new(big.Int)
	m := new(big.Int)
	q.DivMod(r.Num(), r.Denom(), m)
	return q
}

func (x *exact) binomial(a []*big.Rat) (*big.Rat, bool) {
	if len(a) != 2 || !a[0].IsInt() || !a[1].IsInt() || !a[0].Num().IsInt64() || !a[1].Num().IsInt64() {
		return nil, false
	}
	n, k := a[0].Num().Int64(), a[1].Num().Int64()
	if n < 0 || k < 0 {
		return nil, false
	}
	if k > n {
		return new(big.Rat), true
	}
	k = min(k, n-k)
	if k > 2000 || n > 1<<40 || !x.b.spend(1+int(k)) {
		return nil, false
	}
	return new(big.Rat).SetInt(new(big.Int).Binomial(n, k)), true
}

func intFunction(name string, a []*big.Rat) (*big.Rat, bool) {
	acc := new(big.Int).Abs(a[0].Num())
	for _, r := range a[1:] {
		v := r.Num()
		switch name {
		case "gcd":
			acc.GCD(nil, nil, acc, new(big.Int).Abs(v))
		case "lcm":
			if acc.Sign() == 0 || v.Sign() == 0 {
				return new(big.Rat), true
			}
			g := new(big.Int).GCD(nil, nil, acc, new(big.Int).Abs(v))
			acc.Mul(acc, new(big.Int).Quo(new(big.Int).Abs(v), g))
			if acc.BitLen() > maxBits {
				return nil, false
			}
		case "mod":
			if v.Sign() == 0 {
				return nil, false
			}
			acc.Mod(a[0].Num(), v)
		}
	}
	return new(big.Rat).SetInt(acc), name != "mod" || len(a) == 2
}

// maxTerms bounds the sums and products that are added up one by one.
const maxTerms = 2000

func (x *exact) bigOp(n *node) (*big.Rat, bool) {
	lo, ok := x.eval(n.kids[1])
	if !ok {
		return nil, false
	}
	hi, ok := x.eval(n.kids[2])
	if !ok || !lo.IsInt() || !hi.IsInt() || !lo.Num().IsInt64() || !hi.Num().IsInt64() {
		return nil, false
	}
	a, b := lo.Num().Int64(), hi.Num().Int64()
	if b > a+maxTerms || a > 1<<40 || a < -1<<40 {
		return nil, false
	}
	env := make(map[string]*big.Rat, len(x.env)+1)
	for k, v := range x.env {
		env[k] = v
	}
	y := &exact{env: env, b: x.b}
	acc := new(big.Rat)
	if n.s == "prod" {
		acc.SetInt64(1)
	}
	for k := a; k <= b; k++ {
		env[n.kids[0].s] = new(big.Rat).SetInt64(k)
		r, ok := y.eval(n.kids[3])
		if !ok || !x.b.spend(words(acc)+words(r)) || bitsOf(acc)+bitsOf(r) > 4*maxBits {
			return nil, false
		}
		if n.s == "sum" {
			acc.Add(acc, r)
		} else {
			acc.Mul(acc, r)
		}
	}
	return acc, true
}
