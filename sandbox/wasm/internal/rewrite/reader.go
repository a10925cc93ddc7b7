package rewrite

import (
	"errors"
	"fmt"
)

// errEnd is the error of a module that ends in the middle of something.
var errEnd = errors.New("the module ends too early")

// reader takes a module apart. The first fault stays in err, and every read after it gives zero.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("at byte %d: "+format, append([]any{r.at}, args...)...)
		r.at = len(r.b)
	}
}

func (r *reader) more() bool { return r.err == nil && r.at < len(r.b) }

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.fail("%w", errEnd)
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

// bytes gives the next n bytes, which stay part of the module.
func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)-r.at) {
		r.fail("%w", errEnd)
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at : r.at]
}

// unsigned reads an LEB128 number of at most 64 bits.
func (r *reader) unsigned() uint64 {
	var n uint64
	for shift := 0; shift < 70; shift += 7 {
		c := r.byte()
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.fail("a number is too long")
	return 0
}

// index reads a number of 32 bits.
func (r *reader) index() uint32 {
	n := r.unsigned()
	if n > 1<<32-1 {
		r.fail("%d is no index", n)
		return 0
	}
	return uint32(n)
}

// count reads the length of a vector whose elements have at least one byte.
func (r *reader) count() int {
	n := r.unsigned()
	if n > uint64(len(r.b)-r.at) {
		r.fail("%w", errEnd)
		return 0
	}
	return int(n)
}

// signed reads a signed LEB128 number of at most 64 bits.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		c := r.byte()
		n |= int64(c&0x7f) << shift
		if c < 0x80 {
			if shift+7 < 64 && c&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.fail("a number is too long")
	return 0
}

// name reads a name.
func (r *reader) name() string { return string(r.bytes(uint64(r.count()))) }

func putUnsigned(b []byte, n uint64) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func putSigned(b []byte, n int64) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func putName(b []byte, name string) []byte {
	return append(putUnsigned(b, uint64(len(name))), name...)
}
