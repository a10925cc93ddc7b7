package rewrite

// Opcodes that are looked at.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrTable     = 0x0e
	opCall        = 0x10
	opCallIndir   = 0x11
	opDrop        = 0x1a
	opSelectT     = 0x1c
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opI32Const    = 0x41
	opI64Const    = 0x42
	opI64LtS      = 0x53
	opI64Sub      = 0x7d
	opI64ShrU     = 0x88
	opI64ExtendU  = 0xad
	opRefNull     = 0xd0
	opRefFunc     = 0xd2
	opPrefixed    = 0xfc

	subMemoryInit = 8
	subDataDrop   = 9
	subMemoryCopy = 10
	subMemoryFill = 11
	subTableInit  = 12
	subElemDrop   = 13
	subTableCopy  = 14
	subTableFill  = 17

	typeI32, typeI64 = 0x7f, 0x7e
	emptyBlock       = 0x40
)

// instruction reads one instruction past its immediates and gives its opcode, and the second one of a prefixed instruction.
func (r *reader) instruction() (op byte, sub uint32) {
	op = r.byte()
	switch {
	case op == opBlock || op == opLoop || op == opIf:
		r.signed() // a type, or the index of one
	case op == opBr || op == opBr+1 || op == opCall, op >= opLocalGet && op <= 0x26, op == opRefFunc:
		r.index()
	case op == opBrTable:
		for range r.count() {
			r.index()
		}
		r.index()
	case op == opCallIndir:
		r.index()
		r.index()
	case op == opSelectT:
		r.bytes(uint64(r.count()))
	case op >= 0x28 && op <= 0x3e: // loads and stores: alignment, offset
		r.index()
		r.index()
	case op == 0x3f || op == 0x40: // memory.size, memory.grow
		r.index()
	case op == opI32Const || op == opI64Const:
		r.signed()
	case op == 0x43:
		r.bytes(4)
	case op == 0x44:
		r.bytes(8)
	case op == opRefNull:
		r.byte()
	case op == opPrefixed:
		sub = r.prefixed()
	case op == opUnreachable || op == 0x01 || op == opElse || op == opEnd || op == 0x0f || op == opDrop || op == 0x1b || op == 0xd1:
	case op >= 0x45 && op <= 0xc4: // numeric, without immediates
	default:
		r.fail("instruction %#x is not known", op)
	}
	return op, sub
}

// prefixed reads the rest of an instruction of the 0xfc group.
func (r *reader) prefixed() uint32 {
	sub := r.index()
	switch {
	case sub <= 7: // saturating conversions
	case sub == subMemoryInit || sub == subMemoryCopy || sub == subTableInit || sub == subTableCopy:
		r.index()
		r.index()
	case sub == subDataDrop || sub == subMemoryFill || sub >= subElemDrop && sub <= subTableFill:
		r.index()
	default:
		r.fail("instruction 0xfc %d is not known", sub)
	}
	return sub
}
