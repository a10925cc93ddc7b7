package wasm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// process is a worker, seen from the engine. One job has it at a time.
type process struct {
	cmd  *exec.Cmd
	out  *sender
	in   io.Closer
	last *tail         // what it said on its standard error
	dead chan struct{} // closed when it has ended and was waited for

	ready   chan message // its first word
	missing []string     // walls
	jobs    uint32       // how many it was given; the number of the present one

	mu      sync.Mutex // guards current
	current *run
}

// run is one job on a worker.
type run struct {
	number uint32
	conn   *conn
	done   chan message // gets msgEnd or msgFault
	began  time.Time
}

// startDeadline is for a machine at its limits: loading takes 0.2 s, making an image 5.
const startDeadline = 3 * time.Minute

// startProcess starts a worker and waits until it is ready. image is its image, open; nil where setup names it, or there is none.
func startProcess(ctx context.Context, s setup, image *os.File) (*process, error) {
	folder := ""
	if s.Make == "" { // one that makes something writes it there
		folder = filepath.Dir(s.Cache)
	}
	args, err := sandbox.StageArgs(stageName)
	if err != nil {
		return nil, err
	}
	if folder != "" {
		args = append(args, folder)
	}
	p := &process{cmd: exec.Command(self()), last: &tail{}, dead: make(chan struct{}), ready: make(chan message, 1)}
	p.cmd.Args, p.cmd.Env, p.cmd.Dir, p.cmd.Stderr = args, workerEnv(), filepath.Dir(s.Cache), p.last
	if image != nil {
		if runtime.GOOS == "windows" {
			s.Image = image.Name()
		} else {
			p.cmd.ExtraFiles, s.Image = []*os.File{image}, "fd:3"
		}
	}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	p.in, p.out = in, &sender{w: in}
	go p.listen(bufio.NewReaderSize(out, 64<<10))
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	_ = p.out.send(msgSetup, 0, text) // if it is gone, that is found below
	return p, p.await(ctx)
}

// workerEnv is all that a worker knows of the engine's environment.
func workerEnv() []string {
	env := []string{"GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0", "GOTRACEBACK=single"}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT")) // the system's own libraries look for it
	}
	return env
}

func (p *process) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startDeadline)
	defer cancel()
	select {
	case m := <-p.ready:
		if m.kind == msgReady {
			return json.Unmarshal(m.body, &p.missing)
		}
		p.kill()
		return fmt.Errorf("worker: %s", m.body)
	case <-p.dead:
		return fmt.Errorf("worker ended before it was ready: %v: %s", p.cmd.ProcessState, p.last)
	case <-ctx.Done():
		p.kill()
		return context.Cause(ctx)
	}
}

// listen takes the worker's messages, and waits for its end.
func (p *process) listen(in io.Reader) {
	defer close(p.dead)
	defer func() { _ = p.cmd.Wait() }() // its story is in ProcessState
	for {
		m, err := readMessage(in)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				_ = p.cmd.Process.Kill() // what it says cannot be understood
			}
			return
		}
		if m.kind == msgReady || m.kind == msgFault && m.job == 0 {
			select {
			case p.ready <- m:
			default: // it says so once
			}
			continue
		}
		p.mu.Lock()
		r := p.current
		p.mu.Unlock()
		if r == nil || r.number != m.job {
			continue
		}
		switch m.kind {
		case msgData:
			r.conn.deliver(m.body)
		case msgEaten:
			r.conn.allow(number(m.body))
		case msgEnd, msgFault:
			select {
			case r.done <- m:
			default: // a job ends once
			}
		}
	}
}

// begin gives the worker a job.
func (p *process) begin(body [][]byte) *run {
	p.jobs++
	r := &run{number: p.jobs, conn: newConn(p.out, p.jobs), done: make(chan message, 1), began: time.Now()}
	p.mu.Lock()
	p.current = r
	p.mu.Unlock()
	_ = p.out.send(msgJob, r.number, body...) // if it is gone, that is found by who waits for the end
	return r
}

// kill ends the worker at once, and waits for that.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.in.Close()         // nobody reads
	<-p.dead
}

// tail keeps the end of a text.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - most; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// makeImage lets a worker make an image.
func makeImage(ctx context.Context, s setup) error {
	p, err := startProcess(ctx, s, nil)
	if err != nil {
		return err
	}
	_ = p.in.Close() // it ends
	<-p.dead
	return nil
}
