//go:build unix

package remote

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

var errDied = errors.New("the judge's process ended without an answer")

// process is one process of a judge. One goroutine at a time.
type process struct {
	command *exec.Cmd
	in, out *os.File
	lines   *bufio.Reader
	mark    string // stands in the environment of all that it starts
}

func start(c ExecConfig) (*process, error) {
	inside, in, err := os.Pipe()
	if err != nil {
		return nil, errors.New("the judge cannot be started: no pipe")
	}
	out, outside, err := os.Pipe()
	if err != nil {
		_, _ = inside.Close(), in.Close() // nothing was written
		return nil, errors.New("the judge cannot be started: no pipe")
	}
	p := &process{in: in, out: out, lines: bufio.NewReaderSize(out, 64<<10), mark: "VERIFYD_JUDGE=" + rand.Text()}
	p.command = exec.Command(c.Args[0], c.Args[1:]...)
	p.command.Env = append(c.Env[:len(c.Env):len(c.Env)], p.mark)
	p.command.Dir, p.command.Stdin, p.command.Stdout = c.Dir, inside, outside
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = p.command.Start()
	_, _ = inside.Close(), outside.Close() // the child has its own
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, fmt.Errorf("the judge cannot be started: %w", errors.Unwrap(err))
	}
	return p, nil
}

// ask sends a line and reads one, without its end. With an error comes what was read before it.
func (p *process) ask(ctx context.Context, question []byte) ([]byte, error) {
	if p.pending() {
		return nil, errDied // it spoke unasked: as good as dead, and not this row's fault
	}
	past := time.Unix(1, 0)
	stop := context.AfterFunc(ctx, func() { _, _ = p.in.SetDeadline(past), p.out.SetDeadline(past) })
	defer stop()
	if _, err := p.in.Write(question); err != nil {
		return nil, fault(ctx)
	}
	var line []byte
	for {
		part, err := p.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxAnswer:
			return line, notVerdict("the judge answered more than %d bytes", maxAnswer)
		case err == nil && !stop():
			return line, fault(ctx)
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, fault(ctx)
		}
	}
}

func fault(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errDied
}

// pending says whether the process has said something that nobody asked for.
func (p *process) pending() bool {
	if p.lines.Buffered() > 0 {
		return true
	}
	raw, err := p.out.SyscallConn()
	if err != nil {
		return true
	}
	var n int
	var one [1]byte
	_ = raw.Read(func(fd uintptr) bool { n, _ = syscall.Read(int(fd), one[:]); return true }) // -1 where it would wait
	return n > 0
}

// end kills the process with all that it started.
func (p *process) end() {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL) // gone already is as well
	_, _ = p.in.Close(), p.out.Close()
	_ = p.command.Wait() // it was killed; its status says nothing
	sweep(p.mark)
}
