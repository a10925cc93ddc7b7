package pool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
)

func TestMachine(t *testing.T) {
	const meminfo = "MemTotal: 16000000 kB\nMemAvailable:    10240000 kB\nBuffers: 1 kB\n"
	for _, c := range []struct {
		name      string
		files     map[string]string
		memory    sandbox.Size
		processes int
	}{
		{"nothing can be read", nil, 0, 0},
		{"the machine's memory", map[string]string{"proc/meminfo": meminfo, "proc/sys/kernel/threads-max": "100000\n", "proc/sys/kernel/pid_max": "32768\n"}, 8192000 * sandbox.KiB, 16384},
		{"a container's memory, v2", map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "5368709120\n", "sys/fs/cgroup/pids.max": "1000\n"}, 4 * sandbox.GiB, 500},
		{"a container's memory, v1", map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory/memory.limit_in_bytes": "5368709120\n"}, 4 * sandbox.GiB, 0},
		{"no limit of a container", map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8192000 * sandbox.KiB, 0},
		{"a small one has to do", map[string]string{"sys/fs/cgroup/memory.max": "268435456\n", "sys/fs/cgroup/pids.max": "20\n"}, sandbox.GiB, 128},
		{"nonsense is no bound", map[string]string{"proc/meminfo": "MemAvailable: many kB\n", "proc/sys/kernel/threads-max": "-5\n"}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.files {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b := machine(root)
			if b.Jobs < 1 || b.Memory != c.memory || b.Processes != c.processes {
				t.Errorf("got %+v, want memory %v, processes %d", b, c.memory, c.processes)
			}
		})
	}
}
