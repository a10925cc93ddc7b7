package seccomp

import (
	"fmt"
	"slices"
)

// Inst is one instruction of classic BPF, laid out as struct sock_filter.
type Inst struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// Instruction codes and return values, from linux/bpf_common.h and linux/seccomp.h.
const (
	ldW  = 0x20 // load the word at K of struct seccomp_data
	jeq  = 0x15
	jge  = 0x35
	jset = 0x45
	ret  = 0x06

	retAllow = 0x7fff0000
	retErrno = 0x00050000
	retKill  = 0x80000000 // of the whole process

	eperm, enosys = 1, 38

	offNr, offArch, offArg = 0, 4, 16 // arguments are 8 bytes each, low word first on both architectures
)

var auditArch = map[string]uint32{"amd64": 0xC000003E, "arm64": 0xC00000B7}

const x32Bit = 0x40000000

// namespaceFlags are all CLONE_NEW… flags that clone can carry.
const namespaceFlags = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

const afUnix = 1

// Filter compiles the policy for an architecture by its Go name: amd64 or arm64.
func Filter(arch string) ([]Inst, error) {
	table, known := numbers[arch]
	if !known {
		return nil, fmt.Errorf("seccomp: no table for architecture %s", arch)
	}
	prog := []Inst{
		{ldW, 0, 0, offArch}, {jeq, 1, 0, auditArch[arch]}, {ret, 0, 0, retKill},
		{ldW, 0, 0, offNr},
	}
	if arch == "amd64" {
		prog = append(prog, Inst{jge, 0, 1, x32Bit}, Inst{ret, 0, 0, retKill})
	}
	prog = append(prog, Inst{jge, 0, 1, newest[arch] + 1}, Inst{ret, 0, 0, retErrno | enosys})
	for _, name := range examined {
		if nr, ok := table[name]; ok {
			body := rule(name)
			prog = append(prog, Inst{jeq, 0, uint8(len(body)), nr})
			prog = append(prog, body...)
		}
	}
	var nrs []uint32
	for _, name := range allowed {
		if nr, ok := table[name]; ok {
			nrs = append(nrs, nr)
		}
	}
	slices.Sort(nrs)
	return append(prog, search(ranges(slices.Compact(nrs)))...), nil
}

// rule is the body for a call whose arguments are looked at. It always returns. Upper halves of 64-bit arguments are
// ignored where the kernel itself reads an int.
func rule(name string) []Inst {
	allow, deny := Inst{ret, 0, 0, retAllow}, Inst{ret, 0, 0, retErrno | eperm}
	switch name {
	case "clone":
		return []Inst{{ldW, 0, 0, offArg}, {jset, 0, 1, namespaceFlags}, deny, allow}
	case "clone3":
		return []Inst{{ret, 0, 0, retErrno | enosys}}
	case "socketpair":
		return []Inst{{ldW, 0, 0, offArg}, {jeq, 0, 1, afUnix}, allow, deny}
	case "prlimit64": // pid 0 is the caller
		return []Inst{{ldW, 0, 0, offArg}, {jeq, 0, 1, 0}, allow, deny}
	case "ioctl":
		const tiocsti, tioclinux, tiocsetd = 0x5412, 0x541C, 0x5423
		return []Inst{{ldW, 0, 0, offArg + 8}, {jeq, 2, 0, tiocsti}, {jeq, 1, 0, tioclinux}, {jeq, 0, 1, tiocsetd}, deny, allow}
	case "personality":
		const query, noRandomize = 0xffffffff, 0x0040000
		return []Inst{{ldW, 0, 0, offArg}, {jeq, 2, 0, 0}, {jeq, 1, 0, query}, {jeq, 0, 1, noRandomize}, allow, deny}
	}
	panic("seccomp: no rule for " + name)
}

type span struct{ lo, hi uint32 } // both included

func ranges(nrs []uint32) []span {
	var out []span
	for _, n := range nrs {
		if len(out) > 0 && out[len(out)-1].hi+1 == n {
			out[len(out)-1].hi = n
			continue
		}
		out = append(out, span{n, n})
	}
	return out
}

// search is a binary tree of comparisons that ends in allow within a span and in EPERM between them. Jump offsets are a
// byte; a tree over a few dozen spans stays far below that.
func search(spans []span) []Inst {
	deny := Inst{ret, 0, 0, retErrno | eperm}
	if len(spans) == 0 {
		return []Inst{deny}
	}
	if len(spans) == 1 {
		return []Inst{{jge, 0, 2, spans[0].lo}, {jge, 1, 0, spans[0].hi + 1}, {ret, 0, 0, retAllow}, deny}
	}
	mid := len(spans) / 2
	low, high := search(spans[:mid]), search(spans[mid:])
	return append(append([]Inst{{jge, uint8(len(low)), 0, spans[mid].lo}}, low...), high...)
}
