package seccomp

import (
	"slices"
	"testing"
)

// eval runs a filter as the kernel does.
func eval(t *testing.T, prog []Inst, arch, nr uint32, args ...uint64) uint32 {
	t.Helper()
	var acc uint32
	for pc := 0; pc < len(prog); pc++ {
		in := prog[pc]
		jump := func(cond bool) {
			if cond {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		}
		switch in.Code {
		case ldW:
			switch {
			case in.K == offNr:
				acc = nr
			case in.K == offArch:
				acc = arch
			default:
				i := (in.K - offArg) / 8
				acc = 0
				if int(i) < len(args) {
					acc = uint32(args[i])
				}
			}
		case jeq:
			jump(acc == in.K)
		case jge:
			jump(acc >= in.K)
		case jset:
			jump(acc&in.K != 0)
		case ret:
			return in.K
		default:
			t.Fatalf("instruction %d: code %#x", pc, in.Code)
		}
	}
	t.Fatal("filter ran over its end")
	return 0
}

func TestFilterAgreesWithThePolicyOnEveryNumber(t *testing.T) {
	for arch, table := range numbers {
		prog, err := Filter(arch)
		if err != nil {
			t.Fatal(err)
		}
		if len(prog) > 4096 {
			t.Errorf("%s: %d instructions, the kernel takes 4096", arch, len(prog))
		}
		names := map[uint32]string{}
		for name, nr := range table {
			names[nr] = name
		}
		for nr := uint32(0); nr < newest[arch]+50; nr++ {
			got := eval(t, prog, auditArch[arch], nr)
			want := uint32(retErrno | eperm)
			name := names[nr]
			switch {
			case name == "clone3" || nr > newest[arch]:
				want = retErrno | enosys
			case name == "socketpair": // of family 0
			case slices.Contains(allowed, name) || slices.Contains(examined, name):
				want = retAllow
			}
			if got != want {
				t.Errorf("%s: call %d %s: %#x, want %#x", arch, nr, name, got, want)
			}
		}
	}
}

func TestFilterLooksAtArguments(t *testing.T) {
	const deny, allow = retErrno | eperm, retAllow
	for _, c := range []struct {
		name, call string
		args       []uint64
		want       uint32
	}{
		{"a thread", "clone", []uint64{0x3d0f00}, allow},
		{"a fork", "clone", []uint64{17}, allow},
		{"a new user namespace", "clone", []uint64{0x10000000 | 17}, deny},
		{"a new mount namespace", "clone", []uint64{0x00020000 | 17}, deny},
		{"a new network namespace", "clone", []uint64{0x40000000 | 17}, deny},
		{"a unix pair", "socketpair", []uint64{1, 1}, allow},
		{"a netlink pair", "socketpair", []uint64{16, 3}, deny},
		{"own limits", "prlimit64", []uint64{0, 7}, allow},
		{"limits of process 1", "prlimit64", []uint64{1, 7}, deny},
		{"typing into a terminal", "ioctl", []uint64{0, 0x5412}, deny},
		{"typing with high bits set", "ioctl", []uint64{0, 0xdead00005412}, deny},
		{"asking the terminal size", "ioctl", []uint64{1, 0x5413}, allow},
		{"asking the personality", "personality", []uint64{0xffffffff}, allow},
		{"reads imply execution", "personality", []uint64{0x0400000}, deny},
	} {
		for arch := range numbers {
			prog, err := Filter(arch)
			if err != nil {
				t.Fatal(err)
			}
			if got := eval(t, prog, auditArch[arch], numbers[arch][c.call], c.args...); got != c.want {
				t.Errorf("%s on %s: %#x, want %#x", c.name, arch, got, c.want)
			}
		}
	}
}

func TestOtherArchitecturesAreKilled(t *testing.T) {
	const i386, armEABI = 0x40000003, 0x40000028
	for arch, other := range map[string]uint32{"amd64": i386, "arm64": armEABI} {
		prog, err := Filter(arch)
		if err != nil {
			t.Fatal(err)
		}
		for nr := range uint32(500) {
			if got := eval(t, prog, other, nr); got != retKill {
				t.Fatalf("%s: call %d of another architecture: %#x", arch, nr, got)
			}
		}
	}
	prog, err := Filter("amd64")
	if err != nil {
		t.Fatal(err)
	}
	if got := eval(t, prog, auditArch["amd64"], x32Bit+272); got != retKill {
		t.Errorf("x32 unshare: %#x", got)
	}
}

func TestDangerousCallsAreNotAllowed(t *testing.T) {
	for _, name := range []string{
		"unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "ptrace", "process_vm_readv", "process_vm_writev",
		"io_uring_setup", "io_uring_enter", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key",
		"open_by_handle_at", "name_to_handle_at", "pidfd_getfd", "kexec_load", "init_module", "open_tree", "fsopen",
		"mount_setattr", "socket", "connect", "bind", "listen", "accept", "accept4", "seccomp", "fanotify_init", "syslog",
	} {
		if slices.Contains(allowed, name) || slices.Contains(examined, name) {
			t.Errorf("%s is allowed", name)
		}
	}
}
