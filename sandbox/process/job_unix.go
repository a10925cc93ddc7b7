//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/capture"
)

// job is one run.
type job struct {
	spec   sandbox.Spec
	limits sandbox.Limits
	caps   sandbox.Caps
	dir    string
	group  *group

	keeper         *os.Process
	control        *os.File
	reports        chan report // closed when the keeper is gone
	stdout, stderr *capture.Stream
	over           chan struct{}
	stdin          *os.File
	fed            chan struct{}
	talk           *conn
	watch          watch
}

// start makes the channels and starts the keeper, which starts the program.
func (j *job) start() error {
	args, err := sandbox.StageArgs(stageName)
	if err != nil {
		return err
	}
	child, err := j.open()
	defer func() {
		for _, f := range child {
			_ = f.Close() // the keeper has its copy
		}
	}()
	if err != nil {
		return err
	}
	reports, w, err := os.Pipe()
	if err != nil {
		return err
	}
	child = append(child, w)
	inherited, threads, birth := j.group.descriptors()
	attr := &os.ProcAttr{Files: append(slices.Clone(child), inherited...), Env: []string{"GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0"}, Dir: j.dir}
	if j.keeper, err = os.StartProcess(self(), args, attr); err != nil {
		_ = reports.Close() // unused
		return fmt.Errorf("start keeper: %w", err)
	}
	go j.listen(reports)
	return json.NewEncoder(j.control).Encode(start{
		Args: j.args(), Env: j.spec.Env, Dir: j.workDir(), Temp: j.dir, Talk: j.spec.Talk != nil, Limits: limitsOf(j.limits),
		Threads: threads, Birth: birth,
	})
}

// open makes the program's streams and the channel of orders, and gives the ends that the keeper is to have from 0 on.
func (j *job) open() (child []*os.File, err error) {
	in, w, err := os.Pipe()
	if err != nil {
		return child, err
	}
	child, j.stdin, j.fed = append(child, in), w, feed(w, j.spec.Stdin)
	for _, s := range []**capture.Stream{&j.stdout, &j.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			return child, err
		}
		child = append(child, w)
		*s = capture.Start(r, int64(j.limits.Output), func() { j.over <- struct{}{} })
	}
	talk, err := j.openTalk()
	if err != nil {
		return child, err
	}
	child = append(child, talk)
	orders, control, err := os.Pipe()
	if err != nil {
		return child, err
	}
	j.control = control
	return append(child, orders), nil
}

// self is this binary; where there is a /proc it is found even if its file was replaced.
func self() string {
	const link = "/proc/self/exe"
	if _, err := os.Stat(link); err == nil {
		return link
	}
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}

// args are the job's arguments, with paths below sandbox.WorkDir put where that folder is here: callers name a job's files
// by their place in the job.
func (j *job) args() []string {
	args := make([]string, len(j.spec.Args))
	for i, arg := range j.spec.Args {
		args[i] = arg
		if rest, below := strings.CutPrefix(arg, sandbox.WorkDir); below && (rest == "" || rest[0] == '/') {
			args[i] = filepath.Join(j.dir, rest)
		}
	}
	return args
}

func (j *job) workDir() string {
	if rest, below := strings.CutPrefix(j.spec.Dir, sandbox.WorkDir); below {
		return filepath.Join(j.dir, rest)
	}
	if j.spec.Dir != "" {
		return j.spec.Dir
	}
	return j.dir
}

func feed(w *os.File, data []byte) chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = w.Write(data) // EPIPE: the program ended or closed it, which is its right
		_ = w.Close()        // gives the program its end of file
	}()
	return done
}

func (j *job) listen(r *os.File) {
	defer close(j.reports)
	defer func() { _ = r.Close() }() // opened for reading
	for in := json.NewDecoder(r); ; {
		var rep report
		if in.Decode(&rep) != nil {
			return
		}
		j.reports <- rep
	}
}

// abandon ends a job that could not be started.
func (j *job) abandon() {
	if j.control != nil {
		_ = j.control.Close() // the order to end
	}
	if j.keeper != nil {
		_, _ = j.keeper.Kill(), waitFor(j.keeper)
		for range j.reports { // until listen has ended
		}
	}
	j.finish()
}

func waitFor(p *os.Process) error {
	_, err := p.Wait()
	return err
}
