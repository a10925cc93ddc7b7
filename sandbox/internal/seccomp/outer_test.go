package seccomp

import (
	"slices"
	"testing"
)

func TestTheOuterFilterAllowsWhatTheInnerOneDoes(t *testing.T) {
	outer := Outer()
	for _, name := range slices.Concat(allowed, examined, slotCalls) {
		if !slices.Contains(outer, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{"socket", "bpf", "ptrace", "keyctl", "io_uring_setup", "perf_event_open", "kexec_load", "init_module", "userfaultfd", "open_by_handle_at"} {
		if slices.Contains(outer, name) {
			t.Errorf("%s is allowed", name)
		}
	}
}
