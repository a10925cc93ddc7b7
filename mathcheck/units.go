package mathcheck

import (
	"math/big"
	"strings"
)

// A unit is a scale (to the base unit of its dimension, as an exact fraction) and a dimension: exponents of length,
// mass, time, angle, money and so on, written as text. "km/h" is read factor by factor.
type unit struct {
	num, den int64
	dim      string
}

// annotation reads the unit or the words behind a value and returns them in normal form, "" if there are none. It
// takes whole words only; a word that turns the meaning (not, wrong, or a verb) is left for the caller to stumble over.
func (p *parser) annotation() string {
	start := p.i
	var b strings.Builder
	word := func(s string) {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "/") {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	words := 0
	for p.err == nil {
		t := p.peek()
		switch {
		case t.kind == tWord:
			low := strings.ToLower(t.s)
			if stopWords[low] || changers[low] {
				p.i = start
				return ""
			}
			word(low)
			words++
			p.i++
			continue
		case t.kind == tSym && (t.text || p.unitMode || t.s == "Omega" && words == 0 || words > 0 && p.at(-1).s == "/") && words < 12:
			word(t.s)
			words++
			p.i++
			continue
		case t.kind == tFn && (t.s == "min" || t.s == "deg" || t.s == "sec"):
			word(t.s)
			words++
			p.i++
			continue
		case words > 0 && t.kind == tOp && t.s == "^":
			save := p.i
			p.i++
			e := p.script()
			if p.err != nil {
				return ""
			}
			if v, ok := smallInt(e); ok {
				b.WriteString("^" + intText(v))
				continue
			}
			p.i = save
		case words > 0 && t.kind == tOp && (t.s == "/" || t.s == "*") && p.unitFollows(1):
			if t.s == "/" {
				b.WriteByte('/')
			}
			p.i++
			continue
		case words > 0 && t.kind == tOp && t.s == "." && p.at(1).kind != tEOF && !p.at(1).sp:
			p.i++
			continue
		case words > 0 && t.kind == tOp && (t.s == "." || t.s == "%"):
			p.i++
			continue
		case t.kind == tOpen && t.s == "(" && p.wordGroup() > 0: // 30 (students)
			for k := p.wordGroup(); k > 0; k-- {
				if u := p.next(); u.kind == tWord || u.kind == tSym {
					word(strings.ToLower(u.s))
					words++
				}
			}
			continue
		case t.kind == tOp && words == 0 && t.s != "$" && isCurrency(t.s): // 20 €
			word(t.s)
			words++
			p.i++
			continue
		case t.kind == tCmd && t.s == "frac" && p.unitFraction():
			word(p.fractionUnit())
			words++
			continue
		case t.kind == tOpen && t.s == "{" && p.unitFollows(1) && p.braceEnds(): // 138{adults}
			p.i++
			continue
		case words > 0 && t.kind == tClose && t.s == "}" && p.openBefore(start):
			p.i++
			continue
		case words > 0 && t.kind == tNum && t.text && !(words == 1 && unitKnown(b.String())): // "in 3 days"
			p.i++
			word("#")
			continue
		case words > 0 && t.kind == tOp && t.s == "'":
			p.i++
			continue
		}
		break
	}
	return b.String()
}

// unitFollows reports whether the k-th token ahead can be part of a unit.
func (p *parser) unitFollows(k int) bool {
	t := p.at(k)
	return t.kind == tWord && !stopWords[strings.ToLower(t.s)] || t.kind == tSym && (t.text || unitKnown(t.s)) || t.kind == tFn && t.s == "min"
}

// braceEnds reports whether the group at hand holds words only.
func (p *parser) braceEnds() bool {
	for k := 1; k < 8; k++ {
		t := p.at(k)
		switch t.kind {
		case tClose:
			return t.s == "}"
		case tWord, tSym:
		default:
			if !(t.kind == tOp && t.s == "/") {
				return false
			}
		}
	}
	return false
}

// openBefore reports whether an annotation brace is open since the token at start.
func (p *parser) openBefore(start int) bool {
	depth := 0
	for k := start; k < p.i; k++ {
		switch t := p.toks[k]; {
		case t.kind == tOpen && t.s == "{":
			depth++
		case t.kind == tClose && t.s == "}":
			depth--
		}
	}
	return depth > 0
}

var stopWords = set("not", "wrong", "incorrect", "is", "are", "was", "were", "isn't", "aren't", "cannot", "maybe", "perhaps", "false", "if", "when", "then", "but", "because", "nor", "neither", "either", "plus", "minus", "times", "equals", "divided", "where", "with", "would", "should", "could", "might", "which", "that", "so", "since", "be", "no")

// changers are words behind a numeral that make another value of it.
var changers = set("squared", "cubed", "factorial", "half", "halves", "third", "thirds", "quarter", "quarters", "fourths", "fifths", "sixths", "eighths", "tenths", "hundredths", "thousandths", "fold", "than", "choose", "multiplied", "modulo", "through")

func unitKnown(s string) bool { _, ok := unitTable[s]; return ok }

func intText(i int) string { return intNode(i).num.ip }

// smallInt returns the value of a small integer literal, signed.
func smallInt(n *node) (int, bool) {
	sign := 1
	if n.op == opNeg {
		n, sign = n.kids[0], -1
	}
	if n.op != opNum || !n.num.isInt() || len(n.num.ip) > 6 {
		return 0, false
	}
	v := 0
	for _, c := range n.num.ip {
		v = v*10 + int(c-'0')
	}
	return sign * v, true
}

// readUnit interprets a normal form: known units multiplied and divided. ok is false if a word is no unit.
func readUnit(s string) (scale *big.Rat, dim map[string]int, ok bool) {
	scale, dim = big.NewRat(1, 1), map[string]int{}
	sign, power := 1, 1
	any := false
	s = strings.ReplaceAll(s, "/", " / ")
	s = strings.ReplaceAll(s, " per ", " / ")
	for _, w := range strings.Fields(s) {
		switch w {
		case "/":
			sign = -1
			continue
		case "square", "sq":
			power = 2
			continue
		case "cubic", "cu":
			power = 3
			continue
		case "squared", "cubed":
			return nil, nil, false
		}
		e := power
		if k := strings.IndexByte(w, '^'); k > 0 {
			v := strings.TrimPrefix(w[k+1:], "-")
			if len(v) != 1 || v[0] < '1' || v[0] > '9' {
				return nil, nil, false
			}
			e = int(v[0] - '0')
			if w[k+1] == '-' {
				e = -e
			}
			w = w[:k]
		}
		u, known := unitTable[w]
		if !known {
			u, known = unitTable[strings.ToLower(w)]
		}
		if !known {
			return nil, nil, false
		}
		e *= sign
		f := big.NewRat(u.num, u.den)
		if e < 0 {
			f.Inv(f)
		}
		for k := 0; k < e || k < -e; k++ {
			scale.Mul(scale, f)
		}
		for _, d := range strings.Fields(u.dim) {
			m := 1
			if len(d) == 2 {
				m = int(d[1] - '0')
			} else if len(d) == 3 {
				m = -int(d[2] - '0')
			}
			dim[d[:1]] += m * e
		}
		power = 1
		any = true
	}
	for d, e := range dim {
		if e == 0 {
			delete(dim, d)
		}
	}
	return scale, dim, any
}

func sameDim(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// unitTable: L metre, M kilogram, T second, I ampere, K kelvin, N mole, A radian-free degree, V dollar, B byte; other
// currencies and counts have dimensions of their own, so that they never convert.
var unitTable = buildUnits()

// buildUnits is one long function because it is a table.
func buildUnits() map[string]unit {
	m := map[string]unit{}
	put := func(num, den int64, dim string, names ...string) {
		for _, n := range names {
			m[n] = unit{num, den, dim}
		}
	}
	put(1, 1, "L", "m", "meter", "meters", "metre", "metres")
	put(1, 100, "L", "cm", "centimeter", "centimeters", "centimetre", "centimetres")
	put(1, 1000, "L", "mm", "millimeter", "millimeters", "millimetre", "millimetres")
	put(1, 10, "L", "dm", "decimeter", "decimeters")
	put(1000, 1, "L", "km", "kilometer", "kilometers", "kilometre", "kilometres", "kms")
	put(1, 1000000, "L", "um", "micrometer", "micrometers", "micron", "microns")
	put(1, 1000000000, "L", "nm", "nanometer", "nanometers")
	put(254, 10000, "L", "in", "inch", "inches")
	put(3048, 10000, "L", "ft", "foot", "feet")
	put(9144, 10000, "L", "yd", "yds", "yard", "yards")
	put(1609344, 1000, "L", "mi", "mile", "miles")
	put(1852, 1, "L", "nmi")
	put(9460730472580800, 1, "L", "ly", "lightyear", "lightyears")
	put(1, 1, "M", "kg", "kgs", "kilogram", "kilograms", "kilo", "kilos")
	put(1, 1000, "M", "g", "gram", "grams", "gm")
	put(1, 1000000, "M", "mg", "milligram", "milligrams")
	put(1000, 1, "M", "t", "tonne", "tonnes")
	put(90718474, 100000, "M", "ton", "tons")
	put(45359237, 100000000, "M", "lb", "lbs", "pound", "pounds")
	put(45359237, 1600000000, "M", "oz", "ounce", "ounces")
	put(1, 1, "T", "s", "sec", "secs", "second", "seconds")
	put(1, 1000, "T", "ms", "millisecond", "milliseconds")
	put(60, 1, "T", "min", "mins", "minute", "minutes")
	put(3600, 1, "T", "h", "hr", "hrs", "hour", "hours")
	put(86400, 1, "T", "day", "days")
	put(604800, 1, "T", "week", "weeks", "wk", "wks")
	put(1, 1, "Y", "month", "months")
	put(12, 1, "Y", "year", "years", "yr", "yrs")
	put(120, 1, "Y", "decade", "decades")
	put(1200, 1, "Y", "century", "centuries")
	put(1, 1, "A", "degree", "degrees", "deg", "°")
	put(1, 60, "A", "arcminute", "arcminutes")
	put(1, 1000, "L3", "l", "L", "liter", "liters", "litre", "litres")
	put(1, 1000000, "L3", "ml", "mL", "milliliter", "milliliters", "millilitre", "cc")
	put(1, 100000, "L3", "cl", "cL", "centiliter", "centiliters")
	put(1, 10000, "L3", "dl", "dL", "deciliter", "deciliters")
	put(3785411784, 1000000000000, "L3", "gal", "gallon", "gallons")
	put(946352946, 1000000000000, "L3", "qt", "quart", "quarts")
	put(473176473, 1000000000000, "L3", "pt", "pint", "pints")
	put(236588236, 1000000000000, "L3", "cup", "cups")
	put(10000, 1, "L2", "ha", "hectare", "hectares")
	put(40468564224, 10000000, "L2", "acre", "acres")
	put(44704, 100000, "L T-1", "mph")
	put(1000, 3600, "L T-1", "kph", "kmh")
	put(1, 1, "M L T-2", "N", "newton", "newtons")
	put(1000, 1, "M L T-2", "kN")
	put(1, 1, "M L2 T-2", "J", "joule", "joules")
	put(1000, 1, "M L2 T-2", "kJ", "kilojoule", "kilojoules")
	put(3600000, 1, "M L2 T-2", "kWh")
	put(4184, 1000, "M L2 T-2", "cal")
	put(4184, 1, "M L2 T-2", "kcal")
	put(1, 1, "M L2 T-3", "W", "watt", "watts")
	put(1000, 1, "M L2 T-3", "kW", "kilowatt", "kilowatts")
	put(1000000, 1, "M L2 T-3", "MW", "megawatt", "megawatts")
	put(1, 1, "M L-1 T-2", "Pa", "pascal", "pascals")
	put(1000, 1, "M L-1 T-2", "kPa")
	put(101325, 1, "M L-1 T-2", "atm")
	put(1, 1, "T-1", "Hz", "hertz")
	put(1000, 1, "T-1", "kHz")
	put(1000000, 1, "T-1", "MHz")
	put(1, 1, "I", "A", "amp", "amps", "ampere", "amperes")
	put(1, 1000, "I", "mA")
	put(1, 1, "M L2 T-3 I-1", "V", "volt", "volts")
	put(1, 1, "M L2 T-3 I-2", "ohm", "ohms", "Omega", "Ω")
	put(1, 1, "I T", "C", "coulomb", "coulombs")
	put(1, 1, "K", "K", "kelvin", "kelvins")
	put(1, 1, "c", "degC", "celsius")
	put(1, 1, "f", "degF", "fahrenheit")
	put(1, 1, "N", "mol", "mole", "moles")
	put(1, 1, "V", "$", "dollar", "dollars", "usd", "USD", "bucks")
	put(1, 100, "V", "cent", "cents", "¢")
	put(1, 1, "E", "€", "euro", "euros", "eur", "EUR")
	put(1, 1, "P", "£", "gbp", "GBP")
	put(1, 1, "J", "¥", "yen")
	put(1, 1, "R", "₹", "rupee", "rupees", "rs")
	put(1, 1, "U", "yuan", "rmb")
	put(1, 1, "B", "B", "byte", "bytes")
	put(1, 8, "B", "bit", "bits")
	put(1000, 1, "B", "KB", "kB", "kilobyte", "kilobytes")
	put(1000000, 1, "B", "MB", "megabyte", "megabytes")
	put(1000000000, 1, "B", "GB", "gigabyte", "gigabytes")
	put(1, 1, "D", "dozen", "dozens")
	return m
}
