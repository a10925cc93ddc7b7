//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/capture"
	"github.com/verifyd/verifyd/sandbox/internal/channel"
)

// job is one run.
type job struct {
	spec   sandbox.Spec
	limits sandbox.Limits
	caps   sandbox.Caps
	dir    string
	group  *group

	keeper  *os.Process
	control *os.File
	reports chan report // closed when the keeper is gone
	channel.Set
	over  chan struct{}
	watch watch
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
	child, j.Stdin = append(child, in), channel.Feed(w, j.spec.Stdin)
	for _, s := range []**capture.Stream{&j.Stdout, &j.Stderr} {
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

// openTalk makes the channel and gives the program's end, or the null device where there is no Talk.
func (j *job) openTalk() (theirs *os.File, err error) {
	if j.spec.Talk == nil {
		return os.Open(os.DevNull)
	}
	j.Talk, theirs, err = channel.NewTalk(j.watch.clock)
	return theirs, err
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
	j.Finish(time.Now().Add(time.Second))
}

func waitFor(p *os.Process) error {
	_, err := p.Wait()
	return err
}
