package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/docker"
	"github.com/verifyd/verifyd/sandbox/namespace"
	"github.com/verifyd/verifyd/sandbox/oci"
	"github.com/verifyd/verifyd/sandbox/pool"
	"github.com/verifyd/verifyd/sandbox/process"
	"github.com/verifyd/verifyd/sandbox/wasm"
	"github.com/verifyd/verifyd/verifiers"
)

// backend is one way of isolating, as the command line knows it. This file is the only one that names them.
type backend struct {
	name    string
	trusted bool // no boundary: used only where it is asked for by name
	byName  bool // a boundary, and used only where it is asked for by name all the same: it makes things elsewhere
	detail  bool // another backend with one thing settled: doctor shows the other one
	open    func(weak bool) (sandbox.Sandbox, error)
	probe   func() []finding // what doctor shows; may be nil
}

// backends, strongest first.
var backends = []backend{
	{name: "namespace", open: func(weak bool) (sandbox.Sandbox, error) {
		n, err := namespace.New(namespace.Config{AllowWeak: weak})
		if err != nil {
			return nil, err // not n: a nil *Namespace in an interface is not nil
		}
		return n, nil
	}, probe: func() (list []finding) {
		for _, f := range namespace.Probe() {
			list = append(list, finding(f))
		}
		return list
	}},
	{name: "wasm", open: func(bool) (sandbox.Sandbox, error) {
		w, err := wasm.New(wasm.Config{Progress: func(text string) { fmt.Fprintln(os.Stderr, "verifyd: "+text) }})
		if err != nil {
			return nil, err
		}
		return w, nil
	}, probe: func() (list []finding) {
		for _, f := range wasm.Probe(wasm.Config{}) {
			list = append(list, finding(f))
		}
		return list
	}},
	ociBackend("oci", ""), // with the first runtime that is there
	ociBackend("oci/runc", "runc"),
	ociBackend("oci/crun", "crun"),
	ociBackend("oci/runsc", "runsc"),
	{name: "docker", byName: true, open: func(weak bool) (sandbox.Sandbox, error) {
		d, err := docker.New(docker.Config{AllowWeak: weak})
		if err != nil {
			return nil, err
		}
		return d, nil
	}, probe: func() (list []finding) {
		for _, f := range docker.Probe(docker.Config{}) {
			list = append(list, finding(f))
		}
		return list
	}},
	{name: "process", trusted: true, open: func(bool) (sandbox.Sandbox, error) {
		p, err := process.New(process.Config{AllowWeak: true}) // whoever names it knows
		if err != nil {
			return nil, err
		}
		return p, nil
	}},
}

// ociBackend is the backend of containers with one runtime; only the general one says in doctor what the machine gives.
func ociBackend(name, runtime string) backend {
	b := backend{name: name, byName: true, detail: runtime != "", open: func(weak bool) (sandbox.Sandbox, error) {
		o, err := oci.New(oci.Config{Runtime: runtime, AllowWeak: weak, Images: imageFolder()})
		if err != nil {
			return nil, err
		}
		return o, nil
	}}
	if runtime == "" {
		b.probe = func() (list []finding) {
			for _, f := range oci.Probe(oci.Config{Images: imageFolder()}) {
				list = append(list, finding(f))
			}
			return list
		}
	}
	return b
}

// finding is one thing that the machine gives to a backend, or does not.
type finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Needed bool   `json:"needed"` // the backend refuses without it
	Detail string `json:"detail,omitzero"`
	Fix    string `json:"fix,omitzero"`
}

func backendNames() []string {
	var names []string
	for _, b := range backends {
		names = append(names, b.name)
	}
	return names
}

// backendHelp names the backends, and which of them are no boundary.
func backendHelp() string {
	names := backendNames()
	for i, b := range backends {
		if b.trusted {
			names[i] += " (no boundary, for trusted code)"
		}
	}
	return strings.Join(names, ", ")
}

// check refuses a --backend that is not there, also where no program will be run.
func (b *boxes) check() error {
	if b.backend == "" || slices.Contains(backendNames(), b.backend) {
		return nil
	}
	return usage("--backend: %w", unknownBackend(b.backend))
}

func unknownBackend(name string) error {
	return fmt.Errorf("unknown backend %.40q; known are %s", name, strings.Join(backendNames(), ", "))
}

// noBackendError says that programs cannot be run here, and why.
type noBackendError struct {
	cause error
	weak  bool // they can with --allow-weak
}

func (e *noBackendError) Error() string {
	if e.weak {
		return "programs cannot be run here: " + brief(e.cause) + "; --allow-weak runs them without, verifyd doctor tells the fix"
	}
	return "programs cannot be run here: " + brief(e.cause) + "; verifyd doctor tells more"
}

// brief is what is missing, without the name of a package and without what was tried, which doctor shows.
func brief(err error) string {
	text := packagePath.ReplaceAllString(flat(err), "")
	text, _, _ = strings.Cut(text, " (")
	return strings.TrimPrefix(text, sandbox.ErrNoWalls.Error()+": ")
}

// packagePath stands before an error of a sandbox.
var packagePath = regexp.MustCompile(`^sandbox(/[a-z]+)?: `)

func (e *noBackendError) Unwrap() error { return e.cause }

// boxes opens sandboxes when they are first needed and closes them at the end.
type boxes struct {
	backend   string
	allowWeak bool
	wall      time.Duration // the most own time of a program; 0: no bound but its limits. Set before the first use

	mu   sync.Mutex
	open map[string]*box // by name of the backend; guarded by mu
}

type box struct {
	sandbox *pool.Pool // admits jobs to the backend; nil after an error
	runner  *codecheck.Runner
	err     error
}

// runner gives verifiers the runner of a backend; "" is that of --backend, else the first that works.
func (b *boxes) runner(name string) (verifiers.CodeRunner, error) {
	r, err := b.get(name)
	if err != nil {
		return nil, err
	}
	if b.wall > 0 {
		return capped{r.runner, b.wall}, nil
	}
	return r.runner, nil
}

// capped keeps the own time of a program below what is left of the time for a row, so that a program which sleeps meets
// its own limit, and scores 0, before the row's deadline would leave it without a reward.
type capped struct {
	verifiers.CodeRunner
	wall time.Duration
}

// Check runs the program under the tighter limit.
func (c capped) Check(ctx context.Context, t codecheck.Task) (codecheck.Report, error) {
	if t.Limits.Wall == 0 {
		t.Limits.Wall = sandbox.DefaultLimits().Wall
	}
	t.Limits.Wall = min(t.Limits.Wall, c.wall)
	return c.CodeRunner.Check(ctx, t)
}

func (b *boxes) get(name string) (*box, error) {
	if name == "" {
		name = b.backend
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if opened, ok := b.open[name]; ok {
		return opened, opened.err
	}
	opened := b.choose(name)
	if b.open == nil {
		b.open = map[string]*box{}
	}
	b.open[name] = opened
	return opened, opened.err
}

// choose opens a backend by name, or the first that works and is a boundary.
func (b *boxes) choose(name string) *box {
	var faults []error
	weak := false
	for _, candidate := range backends {
		if name != candidate.name && (name != "" || candidate.trusted || candidate.byName) {
			continue
		}
		s, err := candidate.open(b.allowWeak)
		if err != nil {
			faults = append(faults, err)
			weak = weak || !b.allowWeak && worksWeak(candidate, err)
			continue
		}
		admitted := pool.New(s, pool.Machine())
		languages, err := withRuntimes()
		if err != nil {
			return &box{err: err}
		}
		runner, err := codecheck.New(admitted, codecheck.Config{Languages: languages})
		return &box{sandbox: admitted, runner: runner, err: err}
	}
	if faults == nil && name != "" {
		return &box{err: unknownBackend(name)}
	}
	if faults == nil {
		faults = append(faults, errors.New("this build has no sandbox backend"))
	}
	return &box{err: &noBackendError{errors.Join(faults...), weak}}
}

// worksWeak says whether a backend that refused for want of walls could be used without them.
func worksWeak(b backend, refused error) bool {
	if b.trusted || !errors.Is(refused, sandbox.ErrNoWalls) {
		return false
	}
	s, err := b.open(true)
	if err != nil {
		return false
	}
	_ = s.Close() // what is left is swept at the next start
	return true
}

// waiting tells how many jobs of all backends wait for room.
func (b *boxes) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, opened := range b.open {
		if opened.sandbox != nil {
			n += opened.sandbox.Load().Waiting
		}
	}
	return n
}

func (b *boxes) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, opened := range b.open {
		if opened.sandbox != nil {
			_ = opened.sandbox.Close() // the process ends; what is left is swept at the next start
		}
	}
	b.open = nil
}
