package regexcheck

import "slices"

// emitPoint writes an instruction that can be reached in several ways.
func (c *compiler) emitPoint(in inst) int {
	pc := c.emit(in)
	from := pc
	if c.outer >= 0 {
		from = c.outer
	}
	c.places = append(c.places, pointPlace{pc: pc, from: from, region: c.region, loops: c.loops})
	return pc
}

// maxOpen and maxRefs bound what the key of a point can hold; a point that needs more has no memory.
const (
	maxOpen = 32
	maxRefs = 64
)

// points works out what the future of each point depends on: the loops that are open there, and the groups that are asked
// for anywhere it can lead to.
func (c *compiler) points() {
	var asking []int // where references and conditionals stand
	for pc, in := range c.insts {
		if in.op == opRef || in.op == opCond {
			asking = append(asking, pc)
		}
	}
	for id, pl := range c.places {
		lo, _ := slices.BinarySearch(asking, pl.from)
		hi, _ := slices.BinarySearch(asking, c.regions[pl.region])
		if hi-lo > maxRefs || len(pl.loops) > maxOpen {
			continue
		}
		p := &point{last: -1, id: uint64(id)}
		p.depend(pl.loops)
		for _, pc := range asking[lo:hi] {
			ref := groupRef{c.insts[pc].n, c.insts[pc].op == opCond}
			if !slices.Contains(p.refs, ref) {
				p.refs = append(p.refs, ref)
			}
		}
		p.dense = len(p.counters) == 0 && p.last < 0 && len(p.refs) == 0 && len(p.bits) <= maxBits
		p.succeeds = p.dense && len(p.bits) == 0 && c.pureRegion(pl.region)
		c.succeeds = c.succeeds || p.succeeds
		if p.dense {
			p.row = int32(c.rows)
			c.rows += 1 << len(p.bits)
		}
		c.insts[pl.pc].point = p
	}
}

// pureRegion tells whether a region is an assertion of which only the outcome matters.
func (c *compiler) pureRegion(region int) bool {
	end := c.regions[region]
	return end < len(c.insts) && c.insts[end].op == opLookEnd && c.insts[c.insts[end].x].pure
}

// depend notes the loops that are open at p.
func (p *point) depend(loops []openLoop) {
	for _, lp := range loops {
		if lp.nullable {
			p.bits = append(p.bits, lp.reg)
		}
		if lp.counted {
			if p.last >= 0 {
				p.counters = append(p.counters, p.last)
			}
			p.last, p.lastMin = lp.reg, lp.min
		}
	}
}
