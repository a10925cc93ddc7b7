package sandbox

import "testing"

func TestClassify(t *testing.T) {
	exit := func(code int, e Evidence) Evidence { e.ExitCode = code; return e }
	signal := func(sig int, e Evidence) Evidence { e.ExitCode, e.Signal = -1, sig; return e }
	none := Evidence{}
	for _, c := range []struct {
		name string
		e    Evidence
		want Status
	}{
		// each observation alone
		{"nothing special", none, OK},
		{"a non-zero exit", exit(1, none), ExitError},
		{"the largest exit code", exit(255, none), ExitError},
		{"a signal", signal(15, none), Signalled},
		{"a segmentation fault", signal(11, none), Signalled},
		{"killed, by nobody of ours", signal(9, none), Signalled},
		{"out-of-memory kill", signal(9, Evidence{MemoryKill: true}), MemoryLimit},
		{"too much output, killed", signal(9, Evidence{OverOutput: true}), OutputLimit},
		{"too much processor time, killed", signal(9, Evidence{OverCPU: true}), CPULimit},
		{"too much own time, killed", signal(9, Evidence{OverWall: true}), Timeout},
		{"the filter", signal(31, Evidence{FilterKill: true}), Forbidden},
		{"the file-size signal", signal(25, Evidence{FileSizeLimit: true}), DiskLimit},
		{"a refused write, then an error", exit(1, Evidence{WriteRefused: true}), DiskLimit},
		{"a refused write, then a signal", signal(6, Evidence{WriteRefused: true}), DiskLimit},
		{"a refused fork, then an error", exit(1, Evidence{ForkRefused: true}), ProcessLimit},
		{"a refused fork, then a signal", signal(6, Evidence{ForkRefused: true}), ProcessLimit},
		// refusals that the program copes with
		{"a refused write and success", Evidence{WriteRefused: true}, OK},
		{"a refused fork and success", Evidence{ForkRefused: true}, OK},
		{"both refusals and success", Evidence{ForkRefused: true, WriteRefused: true}, OK},
		// limits that were passed by a program that ended by itself count all the same
		{"too much output, then exit 0", Evidence{OverOutput: true}, OutputLimit},
		{"too much processor time, then exit 0", Evidence{OverCPU: true}, CPULimit},
		{"too much own time, then exit 0", Evidence{OverWall: true}, Timeout},
		{"too much own time, then exit 3", exit(3, Evidence{OverWall: true}), Timeout},
		{"a child was killed for memory, the parent ended well", Evidence{MemoryKill: true}, MemoryLimit},
		{"a child was killed for memory, the shell says 137", exit(137, Evidence{MemoryKill: true}), MemoryLimit},
		// exit codes that look like something
		{"a shell's code for SIGKILL", exit(137, none), ExitError},
		{"a shell's code for SIGSEGV", exit(139, none), ExitError},
		{"the code of timeout(1)", exit(124, none), ExitError},
		{"a shell's code for not found", exit(127, none), ExitError},
		// precedence, pair by pair
		{"memory before output", signal(9, Evidence{MemoryKill: true, OverOutput: true}), MemoryLimit},
		{"memory before processor time", signal(9, Evidence{MemoryKill: true, OverCPU: true}), MemoryLimit},
		{"memory before own time", signal(9, Evidence{MemoryKill: true, OverWall: true}), MemoryLimit},
		{"memory before a full disk", exit(1, Evidence{MemoryKill: true, WriteRefused: true}), MemoryLimit},
		{"memory before the filter", signal(31, Evidence{MemoryKill: true, FilterKill: true}), MemoryLimit},
		{"output before processor time", signal(9, Evidence{OverOutput: true, OverCPU: true}), OutputLimit},
		{"output before own time", signal(9, Evidence{OverOutput: true, OverWall: true}), OutputLimit},
		{"output before a refused fork", exit(1, Evidence{OverOutput: true, ForkRefused: true}), OutputLimit},
		{"processor time before own time", signal(9, Evidence{OverCPU: true, OverWall: true}), CPULimit},
		{"processor time before a refused fork", signal(9, Evidence{OverCPU: true, ForkRefused: true}), CPULimit},
		{"own time before a refused fork", signal(9, Evidence{OverWall: true, ForkRefused: true}), Timeout},
		{"own time before a refused write", signal(9, Evidence{OverWall: true, WriteRefused: true}), Timeout},
		{"own time before the filter", signal(31, Evidence{OverWall: true, FilterKill: true}), Timeout},
		{"the filter before a refused write", signal(31, Evidence{FilterKill: true, WriteRefused: true}), Forbidden},
		{"the file-size signal before a refused fork", signal(25, Evidence{FileSizeLimit: true, ForkRefused: true}), DiskLimit},
		{"a full disk before a refused fork", exit(1, Evidence{WriteRefused: true, ForkRefused: true}), DiskLimit},
		{"everything at once", signal(9, Evidence{OverOutput: true, OverCPU: true, OverWall: true, MemoryKill: true, ForkRefused: true, WriteRefused: true, FilterKill: true, FileSizeLimit: true}), MemoryLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Classify(c.e); got != c.want {
				t.Errorf("Classify(%+v) = %q, want %q", c.e, got, c.want)
			}
		})
	}
}

// Each status has one evidence that gives it, and adding evidence never turns a failure into ok.
func TestClassifyNeverForgivesForMoreEvidence(t *testing.T) {
	for bits := range 1 << 8 {
		e := Evidence{ExitCode: 1}
		set(&e, bits)
		if got := Classify(e); got == OK {
			t.Errorf("exit code 1 with %08b is ok", bits)
		}
		e = Evidence{}
		set(&e, bits)
		killed := e.OverOutput || e.OverCPU || e.OverWall || e.MemoryKill || e.FilterKill || e.FileSizeLimit
		if got := Classify(e); (got == OK) == killed {
			t.Errorf("exit code 0 with %08b is %q", bits, got)
		}
	}
}

func set(e *Evidence, bits int) {
	for i, f := range []*bool{&e.OverOutput, &e.OverCPU, &e.OverWall, &e.MemoryKill, &e.ForkRefused, &e.WriteRefused, &e.FilterKill, &e.FileSizeLimit} {
		*f = bits>>i&1 == 1
	}
}
