package rewrite

import (
	"fmt"
	"slices"
)

// Identifiers of sections.
const (
	secCustom    = 0
	secType      = 1
	secImport    = 2
	secFunction  = 3
	secMemory    = 5
	secGlobal    = 6
	secExport    = 7
	secStart     = 8
	secCode      = 10
	secData      = 11
	secDataCount = 12
)

// order of sections in a module; a number that is not here is no section.
var order = []byte{secType, secImport, secFunction, 4, secMemory, secGlobal, secExport, secStart, 9, secDataCount, secCode, secData}

var header = []byte("\x00asm\x01\x00\x00\x00")

type section struct {
	id   byte
	data []byte
}

type global struct {
	valueType byte
	mutable   bool
}

type export struct {
	name  string
	kind  byte // 0 function, 1 table, 2 memory, 3 global
	index uint32
}

// module is what of a module must be known to change it.
type module struct {
	sections []section
	params   []int    // of each type, how many
	forms    []string // of each type: value types of the parameters, 0x60, those of the results
	imported []uint32 // types of imported functions
	yield    int      // index of the imported function to call; -1
	types    []uint32 // types of own functions
	globals  []global // imported ones first
	exports  []export
	segments []Segment
	pages    uint32
	memories int
}

// parse reads a module. hook is the import that hands control to the host.
func parse(wasm []byte, hook Hook) (*module, error) {
	r := &reader{b: wasm}
	if string(r.bytes(8)) != string(header) {
		return nil, fmt.Errorf("this is no WebAssembly module of version 1")
	}
	m := &module{yield: -1}
	last := -1
	for r.more() {
		s := section{id: r.byte()}
		s.data = r.bytes(r.unsigned())
		if s.id == secCustom {
			continue
		}
		at := slices.Index(order, s.id)
		if at <= last {
			r.fail("section %d is not known, or not in its place", s.id)
			break
		}
		last = at
		m.sections = append(m.sections, s)
	}
	if r.err != nil {
		return nil, r.err
	}
	for _, s := range m.sections {
		r := &reader{b: s.data}
		m.section(s.id, r, hook)
		if r.err != nil {
			return nil, fmt.Errorf("section %d: %w", s.id, r.err)
		}
	}
	return m, nil
}

// section notes what matters of one section; the others are taken over as they are.
func (m *module) section(id byte, r *reader, hook Hook) {
	switch id {
	case secType:
		for range r.count() {
			m.functionType(r)
		}
	case secImport:
		for range r.count() {
			m.importOf(r, hook)
		}
	case secFunction:
		for range r.count() {
			m.types = append(m.types, r.index())
		}
	case secMemory:
		for range r.count() {
			m.memories++
			m.pages = m.limits(r)
		}
	case secGlobal:
		for range r.count() {
			m.globals = append(m.globals, m.globalType(r))
			m.constant(r)
		}
	case secExport:
		for range r.count() {
			m.exports = append(m.exports, export{r.name(), r.byte(), r.index()})
		}
	case secStart:
		r.fail("a start function would run again at each restore")
	case secData:
		for range r.count() {
			m.segment(r)
		}
	default:
		return // tables, elements and code are read elsewhere or not at all
	}
	if r.more() {
		r.fail("there is more than the section says")
	}
}

func (m *module) functionType(r *reader) {
	if form := r.byte(); form != 0x60 {
		r.fail("type of form %#x is not known", form)
	}
	params := r.bytes(uint64(r.count()))
	results := r.bytes(uint64(r.count()))
	m.params = append(m.params, len(params))
	m.forms = append(m.forms, string(params)+"\x60"+string(results))
}

func (m *module) importOf(r *reader, hook Hook) {
	from, name := r.name(), r.name()
	switch kind := r.byte(); kind {
	case 0:
		t := r.index()
		if from == hook.Module && name == hook.Name && int(t) < len(m.forms) && m.forms[t] == hook.form() {
			m.yield = len(m.imported)
		}
		m.imported = append(m.imported, t)
	case 3:
		m.globals = append(m.globals, m.globalType(r))
	default:
		r.fail("import of kind %d is not known", kind)
	}
}

func (m *module) globalType(r *reader) global {
	return global{r.byte(), r.byte() == 1}
}

// limits reads a memory's bounds and gives the lower one.
func (m *module) limits(r *reader) uint32 {
	flags, low := r.byte(), r.index()
	switch flags {
	case 0:
	case 1:
		r.index()
	default:
		r.fail("memory with flags %#x", flags)
	}
	return low
}

// constant reads a constant expression and gives its value where it is a number of 32 bits.
func (m *module) constant(r *reader) (value uint32, isConst bool) {
	for first := true; r.err == nil; first = false {
		start := r.at
		op, _ := r.instruction()
		if op == opEnd {
			return value, isConst
		}
		isConst = first && op == opI32Const
		if isConst {
			n := &reader{b: r.b[start+1 : r.at]}
			value = uint32(n.signed())
		}
	}
	return 0, false
}

// segment reads a data segment.
func (m *module) segment(r *reader) {
	switch kind := r.index(); kind {
	case 2:
		if memory := r.index(); memory != 0 {
			r.fail("data for memory %d", memory)
		}
		fallthrough
	case 0:
		offset, ok := m.constant(r)
		if !ok {
			r.fail("data at an offset that is no number")
		}
		m.segments = append(m.segments, Segment{offset, r.bytes(uint64(r.count()))})
	default:
		r.fail("passive data cannot be taken out")
	}
}
