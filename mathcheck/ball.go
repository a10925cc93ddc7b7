package mathcheck

import (
	"math/big"
	"sync"
)

// Ball arithmetic: a complex number is known as a midpoint and an error bound, |true - mid| <= 2^e for the real and the
// imaginary part alike. Every operation widens the bound by its own rounding and by what its operands bring; so two
// balls that do not meet prove that the numbers differ, whatever the precision. (Moore 1966; for balls in particular
// van der Hoeven, "Ball arithmetic", 2009.) Balls that meet at high precision prove nothing, but agreement to hundreds
// of digits of short expressions is what every computer algebra system takes for equality; the status says "numeric".

// ball is such a number. im == nil means exactly real. Its floats are never written after construction.
type ball struct {
	re, im *big.Float
	e      int // error exponent; exactErr if the midpoint is the number
}

const exactErr = -1 << 40

// unknown is the error exponent of a number that has left the scales on which anything is compared (2^±maxMag); such a
// ball meets every other.
const (
	unknown = 1 << 40
	maxMag  = 1 << 29
)

// mag returns an exponent m with |x| < 2^m, or exactErr for zero.
func mag(x *big.Float) int {
	if x == nil || x.Sign() == 0 {
		return exactErr
	}
	return x.MantExp(nil)
}

func (b ball) mag() int { return max(mag(b.re), mag(b.im)) }

// zero reports whether the ball may hold zero.
func (b ball) zero() bool { return mayVanish(b.re, b.e) && mayVanish(b.im, b.e) }

// mayVanish reports whether |x| <= 2^e is possible.
func mayVanish(x *big.Float, e int) bool {
	m := mag(x)
	return m == exactErr || m-1 <= e // 2^(m-1) <= |x|
}

// kernel computes with one working precision.
type kernel struct {
	prec uint
	b    *budget
}

func (k *kernel) float() *big.Float { return new(big.Float).SetPrec(k.prec) }

// plus is x + y. The big.Float addition shifts by the distance of the exponents, which an input can make as large as it
// likes; beyond the precision the smaller term is below the rounding error and is left out.
func (k *kernel) plus(x, y *big.Float) *big.Float {
	mx, my := mag(x), mag(y)
	far := int(k.prec) + 64
	switch {
	case my == exactErr || mx != exactErr && mx-my > far:
		return k.float().Set(x)
	case mx == exactErr || my-mx > far:
		return k.float().Set(y)
	}
	return k.float().Add(x, y)
}

func (k *kernel) minus(x, y *big.Float) *big.Float { return k.plus(x, k.float().Neg(y)) }

func (k *kernel) fromRat(r *big.Rat) ball {
	x := k.float().SetRat(r)
	return k.rounded(x, nil, exactErr)
}

// rounded wraps a fresh result: its own rounding error joins e.
func (k *kernel) rounded(re, im *big.Float, e int) ball {
	m := max(mag(re), mag(im))
	if m == exactErr {
		return ball{re, im, e}
	}
	return ball{re, im, max(e, m-int(k.prec)+1) + 1}
}

// price charges for n float operations: three steps each, more at high precision.
func (k *kernel) price(n int) bool { return k.b.spend(3 * n * (1 + int(k.prec*k.prec)>>18)) }

func (k *kernel) add(a, b ball) ball {
	re := k.plus(a.re, b.re)
	var im *big.Float
	switch {
	case a.im == nil:
		im = b.im
	case b.im == nil:
		im = a.im
	default:
		im = k.plus(a.im, b.im)
	}
	e := max(a.e, b.e)
	if e != exactErr {
		e++
	}
	m := max(a.mag(), b.mag())
	if m == exactErr {
		return ball{re, im, e}
	}
	return ball{re, im, max(e, m-int(k.prec)+1) + 1}
}

func (k *kernel) neg(a ball) ball {
	out := ball{k.float().Neg(a.re), nil, a.e}
	if a.im != nil {
		out.im = k.float().Neg(a.im)
	}
	return out
}

func (k *kernel) sub(a, b ball) ball { return k.add(a, k.neg(b)) }

func (k *kernel) mul(a, b ball) ball {
	if m := a.mag() + b.mag(); a.mag() != exactErr && b.mag() != exactErr && (m > maxMag || m < -maxMag) {
		return ball{re: k.float(), e: unknown}
	}
	e := exactErr
	if b.e != exactErr && a.mag() != exactErr {
		e = max(e, a.mag()+b.e)
	}
	if a.e != exactErr && b.mag() != exactErr {
		e = max(e, b.mag()+a.e)
	}
	if a.e != exactErr && b.e != exactErr {
		e = max(e, a.e+b.e)
	}
	if e != exactErr {
		e += 3
	}
	if a.im == nil && b.im == nil {
		return k.rounded(k.float().Mul(a.re, b.re), nil, e)
	}
	ai, bi := a.im, b.im
	if ai == nil {
		ai = new(big.Float)
	}
	if bi == nil {
		bi = new(big.Float)
	}
	re := k.minus(k.float().Mul(a.re, b.re), k.float().Mul(ai, bi))
	im := k.plus(k.float().Mul(a.re, bi), k.float().Mul(ai, b.re))
	m := a.mag()
	if b.mag() == exactErr || m == exactErr {
		return k.rounded(re, im, e)
	}
	return ball{re, im, max(e, m+b.mag()-int(k.prec)+2) + 1}
}

// inv is 1/a; it fails if a may be zero.
func (k *kernel) inv(a ball) (ball, bool) {
	if a.zero() || a.mag() == exactErr {
		return ball{}, false
	}
	m := a.mag()
	one := k.float().SetInt64(1)
	var out ball
	if a.im == nil {
		out = ball{re: k.float().Quo(one, a.re)}
	} else {
		n := k.plus(k.float().Mul(a.re, a.re), k.float().Mul(a.im, a.im))
		out = ball{re: k.float().Quo(a.re, n), im: k.float().Neg(k.float().Quo(a.im, n))}
	}
	e := exactErr
	if a.e != exactErr {
		if a.e > m-4 {
			return ball{}, false
		}
		e = a.e - 2*m + 5 // |1/a - 1/a'| = |a-a'| / |a a'|
	}
	return ball{out.re, out.im, max(e, -m+3-int(k.prec)+4)}, true
}

// real reports whether the number is real for certain.
func (b ball) real() bool { return b.im == nil }

// settle drops an imaginary part that is within its own error of zero and tiny against the real part: it is what
// rounding left of a real number such as e^{iπ}.
func (b ball) settle(prec uint) ball {
	if b.im != nil && mayVanish(b.im, b.e) && mag(b.im) < b.mag()-int(prec)/2 {
		b.im = nil
	}
	return b
}

// constants at the highest precision used.
const topPrec = 2304

var piTop = sync.OnceValue(func() *big.Float { // Machin: π = 16 atan(1/5) - 4 atan(1/239)
	x := new(big.Float).SetPrec(topPrec).Mul(atanInv(5), big.NewFloat(16))
	y := new(big.Float).SetPrec(topPrec).Mul(atanInv(239), big.NewFloat(4))
	return x.Sub(x, y)
})

var ln2Top = sync.OnceValue(func() *big.Float { // ln 2 = 2 atanh(1/3)
	prec := uint(topPrec)
	sum, term := new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec).Quo(big.NewFloat(2), big.NewFloat(3))
	for n := int64(1); mag(term) > -int(prec)-8; n += 2 {
		sum.Add(sum, new(big.Float).SetPrec(prec).Quo(term, new(big.Float).SetInt64(n)))
		term.Quo(term, big.NewFloat(9))
	}
	return sum
})

func atanInv(k int64) *big.Float {
	prec := uint(topPrec)
	sum := new(big.Float).SetPrec(prec)
	term := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), new(big.Float).SetInt64(k))
	k2 := new(big.Float).SetInt64(k * k)
	for n, sign := int64(1), 1; mag(term) > -int(prec)-8; n, sign = n+2, -sign {
		t := new(big.Float).SetPrec(prec).Quo(term, new(big.Float).SetInt64(n))
		if sign < 0 {
			t.Neg(t)
		}
		sum.Add(sum, t)
		term.Quo(term, k2)
	}
	return sum
}

func (k *kernel) pi() ball { return k.rounded(k.float().Set(piTop()), nil, exactErr) }
