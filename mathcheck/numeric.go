package mathcheck

import "math/big"

// point evaluates trees numerically at one assignment of the letters. It fails (false) where the tree is undefined:
// a pole, or an even root or logarithm of a negative number that depends on letters, since letters are real and roots
// and logs are taken where defined. Constants are complex: \sqrt{-4} is 2i.
type point struct {
	k    *kernel
	env  map[string]*big.Rat
	vals map[string]ball // bound variables that are not rational
}

func (pt *point) exact() *exact { return &exact{env: pt.env, b: pt.k.b} }

func (pt *point) eval(n *node) (ball, bool) {
	if !pt.k.price(1) {
		return ball{}, false
	}
	k := pt.k
	switch n.op {
	case opNum, opMixed, opBase, opFact:
		if r, ok := pt.exact().eval(n); ok {
			return k.fromRat(r), true
		}
	case opSym:
		return pt.name(n.s)
	case opAdd, opMul:
		return pt.fold(n)
	case opNeg:
		a, ok := pt.eval(n.kids[0])
		if !ok {
			return ball{}, false
		}
		return k.neg(a), true
	case opDiv:
		a, ok := pt.eval(n.kids[0])
		if !ok {
			return ball{}, false
		}
		b, ok := pt.eval(n.kids[1])
		if !ok {
			return ball{}, false
		}
		b, ok = k.inv(b)
		if !ok {
			return ball{}, false
		}
		return k.mul(a, b), true
	case opPct:
		a, ok := pt.eval(n.kids[0])
		return k.mul(orZeroBall(k, a), k.fromRat(big.NewRat(1, 100))), ok
	case opDeg:
		a, ok := pt.eval(n.kids[0])
		if !ok {
			return ball{}, false
		}
		return k.mul(k.mul(a, k.pi()), k.fromRat(big.NewRat(1, 180))), true
	case opPow:
		return pt.power(n)
	case opRoot:
		return pt.root(n)
	case opFn:
		return pt.function(n)
	case opBig:
		return pt.bigOp(n)
	}
	return ball{}, false
}

func orZeroBall(k *kernel, a ball) ball {
	if a.re == nil {
		return ball{re: k.float(), e: exactErr}
	}
	return a
}

func (pt *point) name(s string) (ball, bool) {
	if b, ok := pt.vals[s]; ok {
		return b, true
	}
	if r, ok := pt.env[s]; ok {
		return pt.k.fromRat(r), true
	}
	switch s {
	case "pi":
		return pt.k.pi(), true
	case "e":
		return pt.k.exp(pt.k.fromRat(big.NewRat(1, 1)))
	case "i":
		return ball{pt.k.float(), pt.k.float().SetInt64(1), exactErr}, true
	}
	return ball{}, false
}

func (pt *point) fold(n *node) (ball, bool) {
	var acc ball
	for i, kid := range n.kids {
		v, ok := pt.eval(kid)
		if !ok {
			return ball{}, false
		}
		switch {
		case i == 0:
			acc = v
		case n.op == opAdd:
			acc = pt.k.add(acc, v)
		default:
			acc = pt.k.mul(acc, v)
		}
	}
	return acc.settle(pt.k.prec), true
}

// power is a^b: by squaring for whole b, real roots for b with odd denominator, else exp(b ln a).
func (pt *point) power(n *node) (ball, bool) {
	base, ex := n.kids[0], n.kids[1]
	a, ok := pt.eval(base)
	if !ok {
		return ball{}, false
	}
	if r, ok := pt.exact().eval(ex); ok {
		if r.IsInt() && r.Num().IsInt64() && r.Num().BitLen() <= 24 {
			return pt.intPow(a, r.Num().Int64())
		}
		if a.real() && !a.zero() && a.re.Sign() < 0 {
			if r.Denom().Bit(0) == 1 && !r.IsInt() {
				v, ok := pt.expLn(pt.k.neg(a), pt.k.fromRat(r))
				if ok && r.Num().Bit(0) == 1 {
					v = pt.k.neg(v)
				}
				return v, ok
			}
			if base.hasLetters() {
				return ball{}, false
			}
		}
		if r.Cmp(big.NewRat(1, 2)) == 0 {
			return pt.k.sqrt(a)
		}
		if a.zero() && a.real() && a.e == exactErr && r.Sign() > 0 {
			return a, true
		}
		return pt.expLn(a, pt.k.fromRat(r))
	}
	if base.op == opSym && base.s == "e" && pt.env["e"] == nil {
		b, ok := pt.eval(ex)
		if !ok {
			return ball{}, false
		}
		v, ok := pt.k.exp(b)
		return v.settleIf(ok, pt.k.prec), ok
	}
	b, ok := pt.eval(ex)
	if !ok {
		return ball{}, false
	}
	if a.real() && a.re.Sign() < 0 && (base.hasLetters() || ex.hasLetters()) {
		return ball{}, false
	}
	return pt.expLn(a, b)
}

func (b ball) settleIf(ok bool, prec uint) ball {
	if ok {
		return b.settle(prec)
	}
	return b
}

func (pt *point) expLn(a, b ball) (ball, bool) {
	l, ok := pt.k.ln(a)
	if !ok {
		return ball{}, false
	}
	v, ok := pt.k.exp(pt.k.mul(l, b))
	return v.settleIf(ok, pt.k.prec), ok
}

func (pt *point) intPow(a ball, e int64) (ball, bool) {
	if e < 0 {
		b, ok := pt.k.inv(a)
		if !ok {
			return ball{}, false
		}
		a, e = b, -e
	}
	if e == 0 {
		return pt.k.fromRat(big.NewRat(1, 1)), true
	}
	if m := a.mag(); m != exactErr && (int64(max(m, -m))+2)*e > 1<<28 {
		return ball{}, false
	}
	out, have := ball{}, false
	for {
		if e&1 == 1 {
			if have {
				out = pt.k.mul(out, a)
			} else {
				out, have = a, true
			}
		}
		if e >>= 1; e == 0 {
			return out.settle(pt.k.prec), true
		}
		if !pt.k.price(1) {
			return ball{}, false
		}
		a = pt.k.mul(a, a)
	}
}

func (pt *point) root(n *node) (ball, bool) {
	a, ok := pt.eval(n.kids[0])
	if !ok {
		return ball{}, false
	}
	q, ok := pt.exact().eval(n.kids[1])
	if !ok || q.Sign() <= 0 {
		return ball{}, false
	}
	neg := a.real() && !a.zero() && a.re.Sign() < 0
	odd := q.IsInt() && q.Num().Bit(0) == 1
	if neg && !odd && n.kids[0].hasLetters() {
		return ball{}, false
	}
	if q.IsInt() && q.Num().Cmp(big.NewInt(2)) == 0 {
		return pt.k.sqrt(a)
	}
	if a.zero() {
		return a, a.e == exactErr
	}
	inv := pt.k.fromRat(new(big.Rat).Inv(q))
	if neg && odd {
		v, ok := pt.expLn(pt.k.neg(a), inv)
		if !ok {
			return ball{}, false
		}
		return pt.k.neg(v), true
	}
	return pt.expLn(a, inv)
}

// bigOp adds or multiplies term by term; integrals and limits are done in analysis.go.
func (pt *point) bigOp(n *node) (ball, bool) {
	switch n.s {
	case "int":
		return pt.integral(n)
	case "lim":
		return pt.limit(n)
	}
	lo, ok := pt.exact().eval(n.kids[1])
	if !ok {
		return ball{}, false
	}
	hi, ok := pt.exact().eval(n.kids[2])
	if !ok || !lo.IsInt() || !hi.IsInt() || !lo.Num().IsInt64() || !hi.Num().IsInt64() {
		return ball{}, false
	}
	a, b := lo.Num().Int64(), hi.Num().Int64()
	if b > a+maxTerms || a > 1<<40 || a < -1<<40 {
		return ball{}, false
	}
	acc := pt.k.fromRat(big.NewRat(map[string]int64{"sum": 0, "prod": 1}[n.s], 1))
	for k := a; k <= b; k++ {
		v, ok := pt.with(n.kids[0].s, new(big.Rat).SetInt64(k)).eval(n.kids[3])
		if !ok {
			return ball{}, false
		}
		if n.s == "sum" {
			acc = pt.k.add(acc, v)
		} else {
			acc = pt.k.mul(acc, v)
		}
	}
	return acc, true
}

// with binds one more name.
func (pt *point) with(name string, v *big.Rat) *point {
	env := make(map[string]*big.Rat, len(pt.env)+1)
	for k, r := range pt.env {
		env[k] = r
	}
	env[name] = v
	return &point{k: pt.k, env: env, vals: pt.vals}
}
