package spawn

import (
	"encoding/base64"
	"encoding/json"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A script can also be walked by another process: a fork server, which clones and makes the same calls. Addresses mean nothing
// there, so Portable writes the bytes that they point to, and descriptors keep their numbers, since the other process gives
// the ones it receives the numbers that they have here.

// Portable is a script in the form that sandbox.Server describes.
type Portable struct {
	Clone  [11]uint64      `json:"clone"`
	Calls  json.RawMessage `json:"calls,omitempty"`
	FDs    []int           `json:"fds"`    // numbers of the descriptors that travel beside it
	Report int             `json:"report"` // one of them
	Args   []string        `json:"args"`
	Env    []string        `json:"env"`
}

// memory is what a kept address points to.
type memory struct {
	start  unsafe.Pointer
	size   uintptr
	offset uintptr // of an address within it, where inner is set
	inner  []byte
}

// KeepLinked is Keep for a value that holds, at an offset, the address of further bytes.
func KeepLinked[T any](s *Script, v *T, offset uintptr, inner []byte) uintptr {
	at := Keep(s, v)
	m := s.memory[at]
	m.offset, m.inner = offset, inner
	s.memory[at] = m
	return at
}

// Port exports a script but for its calls, which PortCalls exports.
func (s *Script) Port(report int) Portable {
	args := cloneArgs{flags: uint64(s.Flags) | unix.CLONE_PARENT, cgroup: uint64(s.Group)}
	if s.Group > 0 {
		args.flags |= unix.CLONE_INTO_CGROUP
	}
	return Portable{Clone: *(*[11]uint64)(unsafe.Pointer(&args)), Report: report}
}

// PortCalls exports the calls of a script.
func (s *Script) PortCalls() (json.RawMessage, error) {
	var calls [][]any
	for _, c := range s.Calls {
		call := []any{c.Step, c.Nr, c.Ignore}
		for _, a := range c.Arg {
			call = append(call, s.port(a))
		}
		calls = append(calls, call)
	}
	return json.Marshal(calls)
}

func (s *Script) port(arg uintptr) any {
	m, isAddress := s.memory[arg]
	if !isAddress {
		return int64(arg)
	}
	text := base64.StdEncoding.EncodeToString(unsafe.Slice((*byte)(m.start), m.size))
	if m.inner == nil {
		return []any{text}
	}
	return []any{text, m.offset, base64.StdEncoding.EncodeToString(m.inner)}
}

// Report waits for the end of a child's script through the reading end of its report pipe, which it closes. nil means that the
// child runs; a failed one has been ended, and is the caller's to wait for.
func Report(fd int, s *Script) error {
	fail, failed, err := readFailure(fd)
	if err != nil || !failed {
		return err
	}
	step := "execve"
	if int(fail.step) < len(s.Calls) {
		step = s.Calls[fail.step].Step
	}
	return &StepError{step, syscall.Errno(fail.errno)}
}
