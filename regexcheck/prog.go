package regexcheck

import (
	"math"
	"sync"
)

type opcode uint8

const (
	opRune      opcode = iota // one character r
	opString                  // the characters str
	opSet                     // one character of set
	opAny                     // one character but a line feed
	opAll                     // one character
	opSplit                   // x, or y
	opJump                    // x
	opRun                     // a repeated set, min to max times
	opSave                    // note the position in slot n
	opEnter                   // begin the loop with register n
	opLoop                    // decide whether the body x of loop n comes again
	opTextStart               // \A, ^
	opTextEnd                 // \Z
	opDollar                  // $
	opLineStart               // ^ under M
	opLineEnd                 // $ under M
	opBoundary                // \b, or \B if negated
	opRef                     // what group n took
	opCond                    // go on if group n took part, else x
	opLook                    // the assertion that stands up to opLookEnd; x is what follows it
	opLookEnd                 // x is where it began
	opAtomic                  // what stands up to opAtomicEnd, without a way back; x is what follows it
	opAtomicEnd               // x is where it began
	opMatch
)

// endless stands for no upper limit of a repeat; no text is as long.
const endless = math.MaxInt32

// An inst is one instruction. Which fields hold depends on the op.
type inst struct {
	branch   bool // opSplit: of alternatives
	op       opcode
	greed    greed
	negated  bool
	fold     bool // opRef: regardless of case
	ascii    bool // opBoundary, opRef
	counted  bool // opLoop: the number of rounds matters
	nullable bool // opLoop: the body can match nothing, so empty rounds must end the loop
	behind   bool // opLook: n is how far back the body begins
	alone    bool // opRun: what follows cannot begin with a member of the set, so giving back is in vain
	pure     bool // opLook: nothing but the outcome matters
	loose    bool // of what follows, old marks stay: see residue.go
	optional bool // opSplit: of an option, which is a loop to Python, and not a lazy one
	r        rune
	n        int32
	x, y     int32
	min, max int32
	set      *charSet
	str      []rune
	firstX   *firstSet // of x, or of what follows an opRun
	firstY   *firstSet
	point    *point // where a memory of failures is worth keeping and possible
}

// A point says on what besides the position the future of an instruction depends.
type point struct {
	row      int32   // of the bit table
	bits     []int32 // loop registers of which it matters whether the round has moved
	counters []int32 // loop registers whose count matters
	last     int32   // the innermost counter, -1 if there is none: from its minimum on, a lower count can do all that a higher can
	lastMin  int32
	refs     []groupRef
	id       uint64
	dense    bool // the bit table serves
	succeeds bool // in an assertion whose outcome alone matters: a success is worth remembering too
}

// A groupRef is a group that is asked for later, or of which it is only asked whether it took part.
type groupRef struct {
	group     int32
	existence bool
}

// A firstSet holds the characters something can begin with; it cannot match nothing.
type firstSet struct {
	latin [4]uint64
	wide  bool // any character above U+00FF
}

// A prog is a compiled pattern.
type prog struct {
	start       *charSet // asked of the first character by searches; nil unless startset.go says otherwise
	insts       []inst
	slots       int    // two for each group and for the whole
	regs        int    // two for each loop that needs them: rounds, and where the last round began
	rows        int    // of the bit table
	anchor      opcode // opTextStart, opLineStart or opBoundary if every match begins so
	anchorASCII bool
	lead        *inst     // a run that every match begins with, if none of the starts within it can do better than the first
	first       *firstSet // of the whole
	prefix      []byte    // what every match begins with, as UTF-8
	required    string    // what every match contains, as UTF-8
	succeeds    bool      // some point remembers success
	residue     bool      // see residue.go
	pool        sync.Pool // of *machine
}
