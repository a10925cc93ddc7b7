package rewrite

import "fmt"

// fuelBytes is how many bytes of a bulk copy cost one unit of fuel, as a power of two: about what a loop would move in a pass.
const fuelBytes = 6

// meter puts the checks into all functions.
func (m *module) meter(code []byte, hook Hook) ([]byte, error) {
	r := &reader{b: code}
	n := r.count()
	if n != len(m.types) {
		return nil, fmt.Errorf("%d functions have %d bodies", len(m.types), n)
	}
	out := putUnsigned(make([]byte, 0, len(code)+len(code)/4), uint64(n))
	check := m.check(hook)
	for i := range n {
		body := r.bytes(r.unsigned())
		if r.err != nil {
			return nil, r.err
		}
		f := &function{r: reader{b: body}, fuel: uint64(len(m.globals)), check: check}
		if t := m.types[i]; int(t) < len(m.params) {
			f.locals = uint64(m.params[t])
		} else {
			return nil, fmt.Errorf("function %d: type %d is not there", i, t)
		}
		if err := f.rewrite(); err != nil {
			return nil, fmt.Errorf("function %d: %w", i, err)
		}
		out = append(putUnsigned(out, uint64(len(f.out))), f.out...)
	}
	if r.more() {
		return nil, fmt.Errorf("there is more than the section says")
	}
	return out, r.err
}

// check is the code that takes one unit of fuel, and hands over where none is left.
func (m *module) check(hook Hook) []byte {
	fuel := uint64(len(m.globals))
	b := putUnsigned([]byte{opGlobalGet}, fuel)
	b = append(b, opI64Const, 1, opI64Sub, opGlobalSet)
	b = append(putUnsigned(b, fuel), opGlobalGet)
	b = append(putUnsigned(b, fuel), opI64Const, 0, opI64LtS, opIf, emptyBlock)
	return append(append(b, hook.call(m.yield)...), opEnd)
}

// function is one body under way.
type function struct {
	r      reader
	out    []byte
	fuel   uint64 // index of the global
	locals uint64 // parameters and locals; the next one is the local that is added
	check  []byte
}

// insertion is a place in a body before which something is put.
type insertion struct {
	at   int
	bulk bool // pay for the bytes that the next instruction moves, instead of one unit
}

func (f *function) rewrite() error {
	r := &f.r
	groups := r.count()
	first := r.at
	for range groups {
		f.locals += uint64(r.index())
		r.byte()
	}
	if f.locals > 1<<20 { // engines allow 50,000
		r.fail("too many locals")
	}
	start := r.at
	places := f.places(start)
	if r.err != nil {
		return r.err
	}
	bulk := false
	for _, p := range places {
		bulk = bulk || p.bulk
	}
	if bulk {
		f.out = append(putUnsigned(f.out, uint64(groups)+1), r.b[first:start]...)
		f.out = append(f.out, 1, typeI32)
	} else {
		f.out = append(putUnsigned(f.out, uint64(groups)), r.b[first:start]...)
	}
	last := start
	for _, p := range places {
		f.out = append(f.out, r.b[last:p.at]...)
		if last = p.at; p.bulk {
			f.out = append(f.out, f.payBytes()...)
		} else {
			f.out = append(f.out, f.check...)
		}
	}
	f.out = append(f.out, r.b[last:]...)
	return nil
}

// places lists where something has to be put, in order: at the entry of functions that call others, at the header of each loop,
// before each bulk copy. A function without calls and loops ends by itself.
func (f *function) places(start int) []insertion {
	r := &f.r
	var list []insertion
	calls := false
	depth := 1
	for r.err == nil && depth > 0 {
		at := r.at
		op, sub := r.instruction()
		switch {
		case op == opBlock || op == opIf:
			depth++
		case op == opLoop:
			depth++
			list = append(list, insertion{at: r.at})
		case op == opEnd:
			depth--
		case op == opCall || op == opCallIndir:
			calls = true
		case op == opPrefixed && (sub == subMemoryInit || sub == subDataDrop):
			r.fail("the code uses passive data")
		case op == opPrefixed && (sub == subMemoryCopy || sub == subMemoryFill):
			list = append(list, insertion{at, true})
		}
	}
	if r.more() {
		r.fail("there is more than the body says")
	}
	if calls {
		list = append([]insertion{{at: start}}, list...)
	}
	return list
}

// payBytes takes fuel for as many bytes as the number on top of the stack says, which stays there.
func (f *function) payBytes() []byte {
	b := append(putUnsigned([]byte{opLocalSet}, f.locals), opGlobalGet)
	b = append(putUnsigned(b, f.fuel), opLocalGet)
	b = append(putUnsigned(b, f.locals), opI64ExtendU, opI64Const, fuelBytes, opI64ShrU, opI64Sub, opGlobalSet)
	b = append(putUnsigned(b, f.fuel), opLocalGet)
	return putUnsigned(b, f.locals)
}
