package seccomp

import (
	"slices"
	"testing"
)

func TestComputeAllowsItsListAndThreads(t *testing.T) {
	const thread, newUser = 0x00010000, 0x10000000
	for arch, table := range numbers {
		prog, err := Compute(arch)
		if err != nil {
			t.Fatal(err)
		}
		for name, nr := range table {
			want := uint32(retErrno | eperm)
			switch {
			case name == "clone3":
				want = retErrno | enosys
			case name == "clone": // without flags: a process
			case slices.Contains(computing, name):
				want = retAllow
			}
			if got := eval(t, prog, auditArch[arch], nr); got != want {
				t.Errorf("%s: %s gives %#x, want %#x", arch, name, got, want)
			}
		}
		for flags, want := range map[uint64]uint32{thread: retAllow, newUser: retErrno | eperm} {
			if got := eval(t, prog, auditArch[arch], table["clone"], flags); got != want {
				t.Errorf("%s: clone with %#x gives %#x, want %#x", arch, flags, got, want)
			}
		}
		if got := eval(t, prog, 0x40000003, 1); got != retKill {
			t.Errorf("%s: another architecture gives %#x", arch, got)
		}
		for _, name := range []string{"openat", "socketpair", "execve", "kill", "fork", "ptrace", "memfd_create", "prctl"} {
			if nr, ok := table[name]; ok && eval(t, prog, auditArch[arch], nr) == retAllow {
				t.Errorf("%s: %s is allowed", arch, name)
			}
		}
	}
}
