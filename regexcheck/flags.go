package regexcheck

import (
	"fmt"
	"strings"
)

// Flags change what a pattern means. The zero value is Python's default: case counts, Unicode classes.
type Flags uint16

// The flags a caller may give, with Python's letters.
const (
	IgnoreCase Flags = 1 << iota // I: case does not count, by simple case folding
	Multiline                    // M: ^ and $ match at lines
	DotAll                       // S: a dot matches a line feed too
	Verbose                      // X: white space and comments in the pattern are skipped
	ASCII                        // A: \w \d \s \b and case folding know ASCII only

	// These two come from inline flags alone.
	flagUnicode  // (?u)
	flagTemplate // (?t), an oddity that forbids repeats

	flagLocale // (?L), always refused
)

const (
	typeFlags   = ASCII | flagUnicode | flagLocale
	publicFlags = IgnoreCase | Multiline | DotAll | Verbose | ASCII
)

const flagLetters = "IMSXA"

// ParseFlags reads letters of I, M, S, X and A, in any order; a letter given twice counts once. The empty string is no flags.
func ParseFlags(letters string) (Flags, error) {
	var f Flags
	for _, c := range letters {
		i := strings.IndexRune(flagLetters, c)
		if i < 0 {
			return 0, fmt.Errorf("regexcheck: unknown flag %q, want letters of %s", c, flagLetters)
		}
		f |= 1 << i
	}
	return f, nil
}

// String returns the letters of f in the order I, M, S, X, A, as ParseFlags reads them.
func (f Flags) String() string {
	var b strings.Builder
	for i := range len(flagLetters) {
		if f&(1<<i) != 0 {
			b.WriteByte(flagLetters[i])
		}
	}
	return b.String()
}

// combine returns the flags inside a group that turns add on and del off.
func (f Flags) combine(add, del Flags) Flags {
	if add&typeFlags != 0 {
		f &^= typeFlags
	}
	return (f | add) &^ del
}

// ascii tells whether classes and folding are those of ASCII. Python asks for the flag U, which is set unless A is.
func (f Flags) ascii() bool { return f&ASCII != 0 }
