package rewrite

import (
	"errors"
	"fmt"
	"slices"
)

// fuelName is what the fuel is exported as, where that name is free.
const fuelName = "fuel"

// Segment is data of the module, at its place in memory.
type Segment struct {
	Offset uint32
	Data   []byte // a part of the module that was read
}

// Program is a module made ready.
type Program struct {
	Wasm    []byte    // the module, without data segments and custom sections
	Data    []Segment // what the memory holds before anything has run
	Pages   uint32    // of 64 KiB: the least size of the memory
	Fuel    string    // export name of the fuel: a mutable i64, 0 at first, used up below zero
	Globals []string  // export names of the mutable globals, fuel apart: with the memory all that a snapshot needs
}

// Hook is a function that the module imports, and what it is called with to hand control to the host. Its result is one number of 32
// bits, which is dropped.
type Hook struct {
	Module, Name string
	Args         []Arg
}

// Arg is a constant.
type Arg struct {
	Long  bool // of 64 bits, else of 32
	Value int64
}

// form is how the type of the hook looks among module.forms.
func (h Hook) form() string {
	var b []byte
	for _, a := range h.Args {
		b = append(b, map[bool]byte{false: typeI32, true: typeI64}[a.Long])
	}
	return string(b) + "\x60" + string([]byte{typeI32})
}

// call is the code that calls it.
func (h Hook) call(index int) (b []byte) {
	for _, a := range h.Args {
		b = putSigned(append(b, map[bool]byte{false: opI32Const, true: opI64Const}[a.Long]), a.Value)
	}
	return append(putUnsigned(append(b, opCall), uint64(index)), opDrop)
}

// Rewrite makes a module ready. The error says
// what the module has that cannot be handled: a start function, passive data, several memories, instructions not known here.
// Rewrite checks no more than it must to find its way; the result has to be validated like any module.
func Rewrite(wasm []byte, hook Hook) (*Program, error) {
	m, err := parse(wasm, hook)
	switch {
	case err != nil:
		return nil, fmt.Errorf("rewrite: %w", err)
	case m.yield < 0:
		return nil, fmt.Errorf("rewrite: the module does not import %s.%s of the type of the hook", hook.Module, hook.Name)
	case m.memories != 1:
		return nil, errors.New("rewrite: the module has not one memory of its own")
	}
	p := &Program{Data: m.segments, Pages: m.pages}
	exports := m.exportGlobals(p)
	p.Wasm = slices.Clone(header)
	for _, id := range order {
		data, present := m.data(id)
		switch id {
		case secData, secDataCount:
			continue
		case secGlobal: // one more: the fuel
			data, present = appendItem(data, []byte{typeI64, 1, opI64Const, 0, opEnd}), true
		case secExport:
			data, present = appendItem(data, exports...), true
		case secCode:
			if data, err = m.meter(data, hook); err != nil {
				return nil, fmt.Errorf("rewrite: code: %w", err)
			}
		}
		if present {
			p.Wasm = append(putUnsigned(append(p.Wasm, id), uint64(len(data))), data...)
		}
	}
	return p, nil
}

func (m *module) data(id byte) (data []byte, present bool) {
	for _, s := range m.sections {
		if s.id == id {
			return s.data, true
		}
	}
	return nil, false
}

// appendItem adds items to a vector that is there or not.
func appendItem(vector []byte, items ...[]byte) []byte {
	r := &reader{b: vector}
	n := uint64(0)
	if len(vector) > 0 {
		n = r.unsigned()
	}
	return append(append(putUnsigned(nil, n+uint64(len(items))), vector[r.at:]...), slices.Concat(items...)...)
}

// exportGlobals lists every mutable global's export name in p, and gives the exports that are to be added for that, and for the fuel.
func (m *module) exportGlobals(p *Program) (added [][]byte) {
	taken := map[string]bool{}
	byIndex := map[uint32]string{}
	for _, e := range m.exports {
		taken[e.name] = true
		if e.kind == 3 {
			byIndex[e.index] = e.name
		}
	}
	add := func(name string, index int) string {
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		added = append(added, putUnsigned(append(putName(nil, name), 3), uint64(index)))
		return name
	}
	for i, g := range m.globals {
		if !g.mutable {
			continue
		}
		name, ok := byIndex[uint32(i)]
		if !ok {
			name = add(fmt.Sprintf("global%d", i), i)
		}
		p.Globals = append(p.Globals, name)
	}
	p.Fuel = add(fuelName, len(m.globals))
	return added
}
