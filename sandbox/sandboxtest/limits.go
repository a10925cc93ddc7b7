package sandboxtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Programs of the limit cases. Each takes its measure as a number.
const (
	pyTouch   = "b = bytearray(%d << 20)\nfor i in range(0, len(b), 4096): b[i] = 1\n" // uses memory
	pySpin    = "import time\nwhile time.process_time() < %g: pass\n"                  // uses processor time
	pyTree    = "import os\nfor i in range(%d):\n if os.fork() == 0:\n  %s\n  os._exit(0)\nbad = 0\nfor i in range(%d): bad |= os.wait()[1]\nos._exit(1 if bad else 0)\n"
	pyForks   = "import os, time\nfor i in range(%d):\n if os.fork() == 0:\n  time.sleep(30)\n  os._exit(0)\nos._exit(0)\n"
	pyThreads = "import os, threading, time\nfor i in range(%d): threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\nos._exit(0)\n"
)

func limits(t *testing.T, b Backend) {
	const ms = time.Millisecond
	MiB := sandbox.MiB
	tree := func(n int, body string) string { return fmt.Sprintf(pyTree, n, body, n) }
	runCases(t, b, []testCase{
		// own time
		{name: "wall below", needs: "own_time", sh: "sleep 0.2", limits: sandbox.Limits{Wall: 700 * ms}, want: sandbox.OK},
		{name: "wall over, asleep", sh: "sleep 60", limits: sandbox.Limits{Wall: 300 * ms}, want: sandbox.Timeout},
		{name: "wall over, by a waited-for child", sh: "sh -c 'sleep 60'", limits: sandbox.Limits{Wall: 300 * ms}, want: sandbox.Timeout},
		{name: "wall over, asleep with fifty waking threads", python: "import threading, time\ndef f():\n while True: time.sleep(0.01)\nfor i in range(50): threading.Thread(target=f, daemon=True).start()\ntime.sleep(60)", limits: sandbox.Limits{Wall: 500 * ms, CPU: 20 * time.Second}, want: sandbox.Timeout},
		{name: "wall over, waiting for input that does not come", needs: "talk", python: "import os\nos.read(0, 1)\nr, w = os.pipe()\nos.read(r, 1)", limits: sandbox.Limits{Wall: 300 * ms}, want: sandbox.Timeout},
		// processor time
		{name: "cpu below", needs: "cpu", python: fmt.Sprintf(pySpin, 0.2), limits: sandbox.Limits{CPU: 1500 * ms, Wall: 20 * time.Second}, want: sandbox.OK},
		{name: "cpu over", needs: "cpu", python: "while True: pass", limits: sandbox.Limits{CPU: 400 * ms, Wall: 20 * time.Second}, want: sandbox.CPULimit},
		{name: "cpu over before an equal wall limit is met", needs: "cpu", python: "import threading\nimport os\nfor i in range(3): os.fork()\nwhile True: pass", limits: sandbox.Limits{CPU: 500 * ms, Wall: 500 * ms}, want: sandbox.CPULimit},
		{name: "cpu below by a tree", needs: "cpu", python: tree(4, fmt.Sprintf("import time\n  while time.process_time() < %g: pass", 0.1)), limits: sandbox.Limits{CPU: 3 * time.Second, Wall: 20 * time.Second}, want: sandbox.OK},
		{name: "cpu over by a tree, each below", needs: "processes", python: tree(8, fmt.Sprintf("import time\n  while time.process_time() < %g: pass", 0.3)), limits: sandbox.Limits{CPU: 1200 * ms, Wall: 20 * time.Second}, want: sandbox.CPULimit},
		{name: "cpu over by children in a row", needs: "processes", python: "import os\nfor i in range(1000):\n if os.fork() == 0:\n  x = sum(range(300000))\n  os._exit(0)\n os.wait()", limits: sandbox.Limits{CPU: 500 * ms, Wall: 30 * time.Second}, want: sandbox.CPULimit},
		// memory
		{name: "memory below", needs: "memory", python: fmt.Sprintf(pyTouch, 40), limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.OK},
		{name: "memory over", needs: "memory", python: fmt.Sprintf(pyTouch, 200), limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.MemoryLimit},
		{name: "memory reserved and not used is free", needs: "memory", python: "import mmap\nm = mmap.mmap(-1, 2 << 30)\nm[0] = 1", limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.OK},
		{name: "memory below by a tree", needs: "memory", python: tree(3, "b = bytearray(10 << 20)\n  for i in range(0, len(b), 4096): b[i] = 1"), limits: sandbox.Limits{Memory: 128 * MiB}, want: sandbox.OK},
		{name: "memory over by a tree, each below", needs: "memory", python: tree(6, "b = bytearray(30 << 20)\n  for i in range(0, len(b), 4096): b[i] = 1\n  import time; time.sleep(1)"), limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.MemoryLimit},
		{name: "memory over in a child whose parent goes on", needs: "memory", python: "import os\nif os.fork() == 0:\n b = bytearray(300 << 20)\n for i in range(0, len(b), 4096): b[i] = 1\n os._exit(0)\nos.wait()\nprint('fine')", limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.MemoryLimit},
		{name: "memory over by shared pages", needs: "memory", python: "import mmap\nm = mmap.mmap(-1, 200 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1", limits: sandbox.Limits{Memory: 96 * MiB}, want: sandbox.MemoryLimit},
		{name: "memory over by files in memory", needs: "memory,disk", sh: "head -c 150000000 /dev/zero > /tmp/x", limits: sandbox.Limits{Memory: 64 * MiB, Disk: 256 * MiB, File: 256 * MiB}, want: sandbox.MemoryLimit},
		{name: "a memory limit below what the program needs to start", needs: "memory", python: "print(1)", limits: sandbox.Limits{Memory: 2 * MiB}, want: sandbox.MemoryLimit},
		{name: "memory over while output floods", needs: "memory", python: "import os, threading\nb = []\nwhile True: b.append(bytearray(b'x') * (1 << 24))", limits: sandbox.Limits{Memory: 96 * MiB, Output: 1000}, want: sandbox.MemoryLimit},
		// processes
		{name: "processes at the limit", needs: "processes", python: fmt.Sprintf(pyForks, 9), limits: sandbox.Limits{Processes: 10}, want: sandbox.OK},
		{name: "processes over", needs: "processes", python: fmt.Sprintf(pyForks, 10), limits: sandbox.Limits{Processes: 10}, want: sandbox.ProcessLimit},
		{name: "threads at the limit", needs: "processes", python: fmt.Sprintf(pyThreads, 9), limits: sandbox.Limits{Processes: 10}, want: sandbox.OK},
		{name: "threads over", needs: "processes", python: fmt.Sprintf(pyThreads, 10), limits: sandbox.Limits{Processes: 10}, want: sandbox.ProcessLimit},
		{name: "a refused fork that the program copes with is ok", needs: "processes", python: "import os, time\nn = 0\ntry:\n for i in range(50):\n  if os.fork() == 0: time.sleep(30)\nexcept OSError: pass\nos._exit(0)", limits: sandbox.Limits{Processes: 10}, want: sandbox.OK},
		{name: "one process is enough for a program without children", needs: "processes", args: []string{"/bin/true"}, limits: sandbox.Limits{Processes: 1}, want: sandbox.OK},
		// files
		{name: "file at the limit", sh: "head -c 1048576 /dev/zero > x", limits: sandbox.Limits{File: MiB}, want: sandbox.OK},
		{name: "file over, by the signal", sh: "exec head -c 1048577 /dev/zero > x", limits: sandbox.Limits{File: MiB}, want: sandbox.DiskLimit},
		{name: "file over, by the error", python: "f = open('x', 'wb')\nf.write(bytes(1 << 20))\nf.write(b'1')\nf.flush()", limits: sandbox.Limits{File: MiB}, want: sandbox.DiskLimit, needs: "disk"},
		{name: "disk at the limit", needs: "disk", sh: "head -c 2097152 /dev/zero > x; head -c 2097152 /dev/zero > /tmp/y", limits: sandbox.Limits{Disk: 4 * MiB}, want: sandbox.OK},
		{name: "disk over by one file", needs: "disk", sh: "head -c 5000000 /dev/zero > x || exit 1", limits: sandbox.Limits{Disk: 4 * MiB}, want: sandbox.DiskLimit},
		{name: "disk over by three folders together", needs: "disk", sh: "for d in . /tmp /dev/shm; do head -c 2000000 /dev/zero > $d/x || exit 1; done", limits: sandbox.Limits{Disk: 4 * MiB}, want: sandbox.DiskLimit},
		{name: "disk over and coped with is ok", needs: "disk", sh: "head -c 5000000 /dev/zero > x; rm x; exit 0", limits: sandbox.Limits{Disk: 4 * MiB}, want: sandbox.OK},
		{name: "given files do not use up the disk", needs: "disk", files: []sandbox.File{{Name: "big", Data: make([]byte, 3<<20)}}, sh: "head -c 4000000 /dev/zero > x", limits: sandbox.Limits{Disk: 4 * MiB}, want: sandbox.OK},
		{name: "inodes below", needs: "inodes", python: "for i in range(90): open('f%d' % i, 'w').close()", limits: sandbox.Limits{Inodes: 100}, want: sandbox.OK},
		{name: "inodes over", needs: "inodes", python: "for i in range(110): open('f%d' % i, 'w').close()", limits: sandbox.Limits{Inodes: 100}, want: sandbox.DiskLimit},
		{name: "open files below", python: "import os\nl = [os.open('/dev/null', 0) for i in range(20)]", limits: sandbox.Limits{OpenFiles: 32}, want: sandbox.OK},
		{name: "open files over is the program's own error", python: "import os\nl = [os.open('/dev/null', 0) for i in range(40)]", limits: sandbox.Limits{OpenFiles: 32}, want: sandbox.ExitError, exit: 1},
		// stack
		{name: "a deep stack over its limit is a signal", files: []sandbox.File{}, python: "import sys, ctypes\nimport resource\nprint(resource.getrlimit(resource.RLIMIT_STACK)[0])", limits: sandbox.Limits{Stack: 16 * MiB}, want: sandbox.OK, stdout: "16777216\n"},
		// two limits at once: the order of Classify decides
		{name: "forking for ever and flooding: output", needs: "processes", python: "import os\nwhile True:\n os.write(1, b'x' * 4096)\n try: os.fork()\n except OSError: pass", limits: sandbox.Limits{Processes: 10, Output: 10000}, want: sandbox.OutputLimit},
		{name: "a full disk and too many processes: disk", needs: "processes,disk", python: "import os, time\ntry:\n for i in range(20):\n  if os.fork() == 0: time.sleep(30)\nexcept OSError: pass\nf = open('x', 'wb')\nwhile True: f.write(bytes(4096))", limits: sandbox.Limits{Processes: 10, Disk: MiB}, want: sandbox.DiskLimit},
		{name: "memory over in a child while the parent sleeps past its wall limit: memory", needs: "memory", python: "import os, time\nif os.fork() == 0:\n b = bytearray(300 << 20)\n for i in range(0, len(b), 4096): b[i] = 1\ntime.sleep(60)", limits: sandbox.Limits{Memory: 96 * MiB, Wall: 3 * time.Second}, want: sandbox.MemoryLimit},
		{name: "spinning threads with equal limits: cpu", needs: "cpu", python: "import threading\ndef f():\n while True: pass\nfor i in range(4): threading.Thread(target=f, daemon=True).start()\nf()", limits: sandbox.Limits{CPU: 500 * ms, Wall: 500 * ms}, want: sandbox.CPULimit},
		{name: "output at its limit and then asleep: wall", sh: "head -c 1000 /dev/zero; sleep 60", limits: sandbox.Limits{Output: 1000, Wall: 300 * ms}, want: sandbox.Timeout},
		// the filter
		{name: "a call of another architecture is forbidden", needs: "boundary", python: x32Call, want: sandbox.Forbidden},
	})
}

// x32Call makes a call with an x32 number where that means something, and ends by the same signal where it does not.
const x32Call = `
import ctypes, os, platform, signal
if platform.machine() == "x86_64":
    ctypes.CDLL(None).syscall(0x40000000 + 39)
else:
    os.kill(os.getpid(), signal.SIGSYS)
`
