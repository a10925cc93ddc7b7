//go:build unix

package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
)

const stageName = "process"

// Descriptors of the keeper beside the program's own streams.
const (
	fdTalk    = 3 // for the program; the null device where it has none
	fdControl = 4 // orders; its end means the engine's end
	fdReport  = 5 // reports, JSON values one after the other
	fdGroups  = 6 // and those behind it: see group.descriptors
)

func init() { sandbox.RegisterStage(stageName, keep) }

// start is what the keeper must know; it comes first on the control descriptor.
type start struct {
	Args, Env []string
	Dir       string
	Temp      string // the job's folder
	Talk      bool
	Limits    []limit
	Threads   int  // files of v1 groups, from fdGroups on
	Birth     bool // the v2 group behind them
}

type limit struct {
	Resource  int
	Soft, Max uint64
}

// report is what the keeper says: started or failed, then ended.
type report struct {
	Op           string
	Err          string
	NoProgram    bool
	Exit, Signal int
	Wall, CPU    time.Duration // from start to end of the program; of all its processes that were waited for
	MaxRSS       int64         // bytes of the largest
}

// keep is the stage.
func keep() error {
	inheritNothing()
	orders, out := json.NewDecoder(os.NewFile(fdControl, "control")), json.NewEncoder(os.NewFile(fdReport, "report"))
	var s start
	if err := orders.Decode(&s); err != nil {
		return fmt.Errorf("read order: %w", err)
	}
	becomeSubreaper()
	cmd, err := launchAside(s)
	if err != nil {
		return out.Encode(report{Op: "failed", Err: err.Error(), NoProgram: isNoProgram(err)})
	}
	began := time.Now()
	if err := out.Encode(report{Op: "started"}); err != nil {
		killTree(cmd.Process.Pid)
		return err
	}
	go func() { // an order to kill, or the end of the engine
		var kill struct{}
		_ = orders.Decode(&kill) // whatever comes means the same
		killTree(cmd.Process.Pid)
	}()
	_ = cmd.Wait() // its story is in ProcessState
	ended := report{Op: "ended", Wall: time.Since(began), Exit: cmd.ProcessState.ExitCode()}
	killTree(cmd.Process.Pid)
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		ended.Exit, ended.Signal = -1, int(ws.Signal())
	}
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_CHILDREN, &u) // cannot fail for this argument
	ended.CPU, ended.MaxRSS = time.Duration(u.Utime.Nano()+u.Stime.Nano()), maxRSS(u)
	if err := out.Encode(ended); err != nil { // the engine is gone, and cannot clean up
		return errors.Join(err, removeAll(s.Temp))
	}
	return nil
}

// inheritNothing keeps what the engine was given by its own parent from the program: descriptors, and signals that are ignored.
func inheritNothing() {
	// Caught and forgotten, not ignored: the program would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGXFSZ, syscall.SIGUSR1, syscall.SIGUSR2)
	forgetIgnored()
	for fd := fdTalk; fd < 1024; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// launchAside launches from another thread than the keeper's first one: that one stands for the whole keeper where the kernel looks for
// a process of a group to kill for its memory (mm/memcontrol.c, mem_cgroup_scan_tasks, takes leaders of thread groups).
func launchAside(s start) (cmd *exec.Cmd, err error) {
	runtime.LockOSThread() // so the other goroutine is on another thread
	done := make(chan struct{})
	go func() {
		cmd, err = launch(s)
		close(done)
		select {} // its thread stays in the groups, whose limit of tasks counts it
	}()
	<-done
	return cmd, err
}

func launch(s start) (*exec.Cmd, error) {
	if !s.Talk {
		_ = unix.Close(fdTalk) // the null device, which only kept the number
	}
	cmd := exec.Command(s.Args[0])
	cmd.Args, cmd.Env, cmd.Dir = s.Args, s.Env, s.Dir
	if s.Env == nil {
		cmd.Env = []string{}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if s.Talk {
		cmd.ExtraFiles = []*os.File{os.NewFile(fdTalk, "talk")}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if path, err := find(s); err != nil {
		return nil, err
	} else {
		cmd.Path, cmd.Err = path, nil
	}
	for _, l := range s.Limits {
		if err := setLimit(l); err != nil {
			return nil, fmt.Errorf("limit %d: %w", l.Resource, err)
		}
	}
	if err := bear(cmd, s.Threads, s.Birth); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	born(s.Threads, s.Birth)
	// The streams are the program's; as long as the keeper holds them too, their readers see no end.
	for _, f := range append([]*os.File{os.Stdin, os.Stdout, os.Stderr}, cmd.ExtraFiles...) {
		_ = f.Close() // not used by the keeper
	}
	return cmd, nil
}

// find looks the program up in the path of the job's own environment.
func find(s start) (string, error) {
	path := "/usr/local/bin:/usr/bin:/bin"
	for _, kv := range s.Env {
		if len(kv) > 5 && kv[:5] == "PATH=" {
			path = kv[5:]
		}
	}
	if err := os.Setenv("PATH", path); err != nil {
		return "", err
	}
	if err := os.Chdir(s.Dir); err != nil {
		return "", err
	}
	found, err := exec.LookPath(s.Args[0])
	if errors.Is(err, exec.ErrDot) {
		err = nil
	}
	return found, err
}

func isNoProgram(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) ||
		errors.Is(err, syscall.ENOEXEC) || errors.Is(err, syscall.EISDIR)
}

// setLimit lowers a limit of the keeper, which the program inherits; it never tries to raise one.
func setLimit(l limit) error {
	var have unix.Rlimit
	if err := unix.Getrlimit(l.Resource, &have); err != nil {
		return err
	}
	have.Max = min(have.Max, l.Max)
	have.Cur = min(l.Soft, have.Max)
	return unix.Setrlimit(l.Resource, &have)
}

// limitsOf are those that every unix has.
func limitsOf(l sandbox.Limits) []limit {
	cpu := uint64((l.CPU + time.Second - 1) / time.Second)
	return []limit{
		{unix.RLIMIT_CORE, 0, 0},
		{unix.RLIMIT_CPU, cpu, cpu + 1},
		{unix.RLIMIT_FSIZE, uint64(l.File), uint64(l.File)},
		{unix.RLIMIT_STACK, uint64(l.Stack), uint64(l.Stack)},
		{unix.RLIMIT_NOFILE, uint64(l.OpenFiles), uint64(l.OpenFiles)},
	}
}
