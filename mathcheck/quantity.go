package mathcheck

import (
	"math/big"
	"strings"
)

// quantity is a value with its unit in normal form; percent and degrees are units too.
type quantity struct {
	val  *node
	unit string
}

func quantityOf(n *node) quantity {
	switch n.op {
	case opQty:
		if v, rest, ok := multiplied(n); ok {
			return quantity{v, unitAlias(rest)}
		}
		inner := quantityOf(n.kids[0])
		if inner.unit == "" || isCurrency(n.s) {
			return quantity{inner.val, unitAlias(n.s)}
		}
		return quantity{inner.val, inner.unit + " " + n.s}
	case opPct:
		return quantity{n.kids[0], "%"}
	case opDeg:
		return quantity{n.kids[0], "degrees"}
	case opAdd, opMul, opDiv:
		if v, ok := inDegrees(n); ok {
			return quantity{v, "degrees"}
		}
	case opNeg:
		if q := quantityOf(n.kids[0]); q.unit != "" {
			return quantity{mk(opNeg, q.val), q.unit}
		}
	}
	return quantity{n, ""}
}

// multiplied reads "1.5 million people": the first word is part of the number.
func multiplied(n *node) (val *node, unit string, ok bool) {
	word, rest, _ := strings.Cut(n.s, " ")
	zeros := map[string]string{"hundred": "00", "thousand": "000", "million": "000000", "billion": "000000000", "trillion": "000000000000"}[word]
	if word == "dozen" || word == "dozens" {
		return mk(opMul, n.kids[0], intNode(12)), rest, true
	}
	if zeros == "" {
		return nil, "", false
	}
	inner := quantityOf(n.kids[0])
	if inner.unit != "" {
		rest = inner.unit
	}
	return mk(opMul, inner.val, &node{op: opNum, num: &number{ip: "1" + zeros}}), rest, true
}

func unitAlias(s string) string {
	switch strings.TrimSpace(s) {
	case "percent", "pct", "per cent", "percentage", "percents", "percentage points":
		return "%"
	case "rad", "rads", "radian", "radians":
		return "rad"
	case "degrees celsius", "degree celsius", "degrees centigrade", "deg celsius":
		return "degC"
	case "degrees fahrenheit", "degree fahrenheit":
		return "degF"
	}
	return s
}

// quantities compares values with units. A unit may be missing on one side; two units must be the same or convert.
func (c *comparer) quantities(g, p *node) result {
	a, b := quantityOf(g), quantityOf(p)
	if isStructured(a.val) != isStructured(b.val) {
		return no
	}
	a.unit, b.unit = plainPercent(a.unit, b.unit), plainPercent(b.unit, a.unit)
	switch {
	case a.unit == "%" || b.unit == "%":
		return c.percents(a, b)
	case a.unit == "rad" && b.unit == "degrees", a.unit == "degrees" && b.unit == "rad":
		if c.opt.NoUnitConversion {
			return no
		}
		return c.scalars(radians(a), radians(b))
	case a.unit == "" || b.unit == "":
		r := c.values(a.val, b.val)
		if r != yes && (a.unit == "degrees" || b.unit == "degrees") && !c.opt.NoUnitConversion {
			if x, y := radians(a), radians(b); x.hasOp(opSym) || y.hasOp(opSym) || x.hasOp(opFn) || y.hasOp(opFn) {
				if s := c.scalars(x, y); s == yes {
					return s
				}
			}
		}
		return r
	case a.unit == b.unit:
		return c.values(a.val, b.val)
	}
	sa, da, okA := readUnit(a.unit)
	sb, db, okB := readUnit(b.unit)
	if !okA || !okB {
		if !okA && !okB && similarWords(a.unit, b.unit) {
			return c.values(a.val, b.val)
		}
		return no
	}
	if !sameDim(da, db) {
		return no
	}
	if sa.Cmp(sb) == 0 {
		return c.values(a.val, b.val)
	}
	if c.opt.NoUnitConversion {
		return no
	}
	return c.scalars(scaled(a.val, sa), scaled(b.val, sb))
}

// plainPercent drops the words behind a percent sign where the other side has none: 20% increase.
func plainPercent(unit, other string) string {
	if strings.HasPrefix(unit, "% ") && (other == "%" || other == "") {
		return "%"
	}
	return unit
}

func isStructured(n *node) bool {
	switch n.op {
	case opTuple, opSet, opList, opMatrix, opText, opRel:
		return true
	}
	return false
}

// radians converts degrees; other values stay.
func radians(q quantity) *node {
	if q.unit == "degrees" {
		return mk(opDeg, q.val)
	}
	return q.val
}

func scaled(n *node, s *big.Rat) *node {
	num := &node{op: opNum, num: &number{ip: s.Num().String()}}
	den := &node{op: opNum, num: &number{ip: s.Denom().String()}}
	return mk(opDiv, mk(opMul, n, num), den)
}

// similarWords reports whether one description holds the other: "students" and "more students".
func similarWords(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, w := range strings.Fields(a) {
		if !strings.Contains(" "+b+" ", " "+w+" ") && !strings.Contains(" "+b+" ", " "+w+"s ") && !strings.Contains(" "+b+" ", " "+strings.TrimSuffix(w, "s")+" ") {
			return false
		}
	}
	return true
}

// percents: 28% is 0.28, and 28 with the sign left out; 28 is never 0.28.
func (c *comparer) percents(a, b quantity) result {
	if a.unit == b.unit {
		return c.values(a.val, b.val)
	}
	pc, other := a, b
	if b.unit == "%" {
		pc, other = b, a
	}
	if other.unit != "" {
		return no
	}
	whole := mk(opPct, pc.val)
	if r := c.scalars(whole, other.val); r == yes || c.opt.NoBarePercent {
		return r
	}
	return c.scalars(pc.val, other.val)
}
