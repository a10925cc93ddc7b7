package wasm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/memfs"
)

// Stages of this binary: the first one shuts in the thread that becomes the second one, which is the worker.
const (
	stageName    = "wasm"
	workerSuffix = "-worker"
)

func init() {
	sandbox.RegisterStage(stageName, enter)
	sandbox.RegisterStage(stageName+workerSuffix, work)
}

// setup is what a worker must know. Files are named by their paths, or as "fd:3" where they were opened before.
type setup struct {
	Program, Library string
	Image            string // empty: the interpreter has to be started
	Cache            string // folder of compiled code

	// A worker that makes an image instead of running jobs.
	Make    string // where it goes; empty: this one runs jobs
	Sources []string
	Files   map[string][]byte
}

// work is the worker.
func work() error {
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), &sender{w: os.Stdout}
	m, err := readMessage(in)
	if err != nil || m.kind != msgSetup {
		return fmt.Errorf("read setup: %q, %w", m.kind, err)
	}
	var s setup
	if err := json.Unmarshal(m.body, &s); err != nil {
		return fmt.Errorf("read setup: %w", err)
	}
	w := &worker{out: out, jobs: make(chan order)}
	if err := w.prepare(s); err != nil {
		return out.send(msgFault, 0, []byte(err.Error()))
	}
	missing := []string{}
	if s.Make == "" {
		missing = confine()
	}
	text, err := json.Marshal(missing)
	if err != nil {
		return err
	}
	if err := out.send(msgReady, 0, text); err != nil || s.Make != "" {
		return err
	}
	go w.listen(in)
	for o := range w.jobs {
		if err := w.run(o); err != nil {
			return err
		}
	}
	return nil
}

// worker runs jobs one after the other.
type worker struct {
	interpreter *guest.Interpreter
	image       *guest.Image
	out         *sender
	jobs        chan order

	mu      sync.Mutex // guards current
	current order
}

// order is one job.
type order struct {
	number  uint32
	job     guest.Job
	channel *guest.Channel // set also where the job has none: the order to kill goes there
}

func (w *worker) prepare(s setup) error {
	ctx := context.Background()
	program, err := readProgram(s.Program)
	if err != nil {
		return err
	}
	var library *memfs.Shared
	if s.Library != "" {
		data, err := mapFile(s.Library)
		if err != nil {
			return fmt.Errorf("library: %w", err)
		}
		if library, err = memfs.FromZip(data); err != nil {
			return err
		}
	}
	if w.interpreter, err = guest.New(ctx, program, s.Cache, library); err != nil {
		return err
	}
	if s.Image != "" {
		f, err := openFile(s.Image)
		if err != nil {
			return err
		}
		if w.image, err = guest.OpenImage(f); err != nil {
			return err
		}
	}
	if s.Make == "" {
		return nil
	}
	return w.make(ctx, s)
}

// make makes an image.
func (w *worker) make(ctx context.Context, s setup) error {
	f, err := os.CreateTemp(filepath.Dir(s.Make), ".image-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone already where all went well
	var log bytes.Buffer
	err = w.interpreter.Prepare(ctx, w.image, s.Sources, s.Files, f, &log)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%w: %.2000s", err, strings.TrimSpace(log.String()))
	}
	return os.Rename(f.Name(), s.Make)
}

// listen takes the engine's messages. Its end is the worker's, in the middle of a job, too.
func (w *worker) listen(in io.Reader) {
	for {
		m, err := readMessage(in)
		if err != nil {
			os.Exit(0)
		}
		if m.kind == msgJob {
			w.accept(m)
			continue
		}
		w.mu.Lock()
		o := w.current
		w.mu.Unlock()
		if o.number != m.job || o.channel == nil {
			continue
		}
		switch m.kind {
		case msgData:
			o.channel.Deliver(m.body)
		case msgEaten:
			o.channel.Allow(number(m.body))
		case msgPause, msgResume:
			o.channel.Pause(m.kind == msgPause)
		case msgKill:
			o.channel.Kill()
		}
	}
}

// accept takes a job; what comes after it for its channel finds it.
func (w *worker) accept(m message) {
	o := order{number: m.job}
	var err error
	var talk bool
	if o.job, talk, err = decodeJob(m.body); err != nil {
		_ = w.out.send(msgFault, m.job, []byte(err.Error())) // the engine is gone, else
		return
	}
	o.channel = guest.NewChannel(func(p []byte) {
		_ = w.out.send(msgData, m.job, p) // the engine is gone, else
	}, w.eater(m.job))
	o.job.Control, o.job.Talk = o.channel, talk
	w.mu.Lock()
	w.current = o
	w.mu.Unlock()
	w.jobs <- o
}

// eater tells the engine now and then how much a job has read: the window is larger than what is untold.
func (w *worker) eater(job uint32) func(int) {
	untold := 0
	return func(n int) {
		if untold += n; untold >= guest.Window/4 {
			_ = w.out.eaten(job, untold) // the engine is gone, else
			untold = 0
		}
	}
}

func (w *worker) run(o order) error {
	outcome, err := w.interpreter.Run(context.Background(), w.image, o.job)
	if err != nil {
		return w.out.send(msgFault, o.number, []byte(err.Error()))
	}
	parts, err := encodeOutcome(outcome)
	if err != nil {
		return err
	}
	return w.out.send(msgEnd, o.number, parts...)
}
