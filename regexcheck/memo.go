package regexcheck

import "encoding/binary"

const (
	maxBits    = 4         // loops a point of the bit table may depend on; more make its key long
	maxTable   = 256 << 20 // bits of the table, 32 MB
	maxEntries = 1 << 21   // of the hash table, 24 MB at three quarters full
	maxContext = 1 << 17   // different contexts, about 16 MB

	longKeySteps = 8 // what it takes to look up a context, in steps
)

// A memo remembers at which positions a point cannot succeed. Points whose future depends on the position alone, and on a few
// yes-or-no matters, have a bit for each; the others are looked up by what it depends on. When a table is full nothing more is
// remembered, which costs steps and no correctness.
type memo struct {
	positions int
	bits      []uint64 // nil if the table would be too large
	good      []uint64 // a table alike of what can only succeed
	keys      []uint64 // a power of two of them; 0 is free
	least     []int32  // for each key, the lowest count that failed
	used      int
	contexts  map[string]uint32
	scratch   []byte
}

func newMemo(p *prog, positions int) *memo {
	m := &memo{positions: positions}
	if size := p.rows * positions; size <= maxTable {
		m.bits = make([]uint64, size/64+1)
		if p.succeeds {
			m.good = make([]uint64, size/64+1)
		}
	}
	return m
}

// moved returns one bit for each loop of p, set if the current round has not moved yet.
func (p *point) moved(m *machine, pos int32) int {
	b := 0
	for i, reg := range p.bits {
		if m.regs[reg+1] == pos {
			b |= 1 << i
		}
	}
	return b
}

func (o *memo) seen(m *machine, p *point, pos int32) bool {
	if p.dense && o.bits != nil {
		i := (int(p.row)+p.moved(m, pos))*o.positions + int(pos)
		return o.bits[i>>6]&(1<<(i&63)) != 0
	}
	key, count, ok := o.key(m, p, pos)
	if !ok || len(o.keys) == 0 {
		return false
	}
	i := o.find(key)
	return o.keys[i] == key && o.least[i] <= count
}

func (o *memo) mark(m *machine, p *point, pos int32) {
	if p.dense && o.bits != nil {
		i := (int(p.row)+p.moved(m, pos))*o.positions + int(pos)
		o.bits[i>>6] |= 1 << (i & 63)
		return
	}
	key, count, ok := o.key(m, p, pos)
	if !ok {
		return
	}
	if o.used*4 >= len(o.keys)*3 && !o.grow() {
		return
	}
	i := o.find(key)
	if o.keys[i] != key {
		o.used++
		o.keys[i], o.least[i] = key, count
	} else if count < o.least[i] {
		o.least[i] = count
	}
}

// succeeded tells whether the assertion around p has once succeeded from there.
func (o *memo) succeeded(p *point, pos int32) bool {
	if !p.succeeds || o.good == nil {
		return false
	}
	i := int(p.row)*o.positions + int(pos)
	return o.good[i>>6]&(1<<(i&63)) != 0
}

// succeed remembers that the assertion whose body has just matched succeeds from every choice on the way.
func (o *memo) succeed(m *machine, way []frame) {
	if o.good == nil {
		return
	}
	for _, f := range way {
		if f.kind != frameMark && f.kind != frameRun && f.kind != frameLazyRun {
			continue
		}
		p := m.prog.insts[f.pc].point
		if p == nil || !p.succeeds {
			continue
		}
		first := f.pos
		if f.kind != frameMark {
			if m.prog.insts[f.pc].max != endless {
				continue
			}
			first = f.arg
		}
		for pos := f.pos; pos >= first && !o.succeeded(p, pos); pos-- {
			i := int(p.row)*o.positions + int(pos)
			o.good[i>>6] |= 1 << (i & 63)
			m.steps++
		}
	}
}

// key returns what the future of p depends on as one number, and the count that is compared by size. ok is false if there are
// too many contexts to tell them apart.
func (o *memo) key(m *machine, p *point, pos int32) (key uint64, count int32, ok bool) {
	low := uint64(uint32(pos)) + 1
	if p.last >= 0 {
		count = m.regs[p.last]
	}
	short := p.last >= 0 && count < p.lastMin
	if !short && len(p.counters) == 0 && len(p.refs) == 0 && len(p.bits) <= maxBits {
		return 1<<63 | (p.id<<maxBits|uint64(p.moved(m, pos)))<<32 | low, count, true
	}
	b := binary.LittleEndian.AppendUint32(o.scratch[:0], uint32(p.id))
	for _, reg := range p.bits {
		if m.regs[reg+1] == pos {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	for _, reg := range p.counters {
		b = binary.LittleEndian.AppendUint32(b, uint32(m.regs[reg]))
	}
	if short {
		b = binary.LittleEndian.AppendUint32(b, uint32(count))
		count = 0
	} else if p.last >= 0 {
		b = append(b, 'm')
	}
	for _, r := range p.refs {
		start, end := m.slots[2*r.group], m.slots[2*r.group+1]
		switch {
		case start < 0:
			b = append(b, 0)
		case r.existence && end < start:
			b = append(b, 1)
		case r.existence:
			b = append(b, 2)
		default: // an open group too: its start decides what it will have taken
			b = append(b, 3)
			b = binary.LittleEndian.AppendUint32(b, uint32(start))
			b = binary.LittleEndian.AppendUint32(b, uint32(end))
		}
	}
	o.scratch = b
	m.steps += longKeySteps + int64(len(b)>>3)
	id, known := o.contexts[string(b)]
	if !known {
		if len(o.contexts) >= maxContext {
			return 0, 0, false
		}
		if o.contexts == nil {
			o.contexts = map[string]uint32{}
		}
		id = uint32(len(o.contexts))
		o.contexts[string(b)] = id
	}
	return uint64(id)<<32 | low, count, true
}

// find returns the place of key, or the free place where it belongs.
func (o *memo) find(key uint64) int {
	mask := uint64(len(o.keys) - 1)
	i := (key ^ key>>29) * 0x9e3779b97f4a7c15 >> 32 & mask
	for o.keys[i] != 0 && o.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

func (o *memo) grow() bool {
	size := max(2*len(o.keys), 1<<10)
	if size > maxEntries {
		return false
	}
	keys, least := o.keys, o.least
	o.keys, o.least = make([]uint64, size), make([]int32, size)
	for i, k := range keys {
		if k != 0 {
			j := o.find(k)
			o.keys[j], o.least[j] = k, least[i]
		}
	}
	return true
}
