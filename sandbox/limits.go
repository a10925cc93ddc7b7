package sandbox

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
)

// OrDefaults fills the zero fields from DefaultLimits and refuses negative ones.
func (l Limits) OrDefaults() (Limits, error) {
	d := DefaultLimits()
	for _, f := range []struct {
		name string
		v    *time.Duration
		def  time.Duration
	}{{"Wall", &l.Wall, d.Wall}, {"CPU", &l.CPU, d.CPU}} {
		if *f.v < 0 {
			return l, fmt.Errorf("sandbox: limit %s: %v is negative", f.name, *f.v)
		}
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	for _, f := range []struct {
		name string
		v    *Size
		def  Size
	}{
		{"Memory", &l.Memory, d.Memory}, {"Output", &l.Output, d.Output}, {"File", &l.File, d.File},
		{"Disk", &l.Disk, d.Disk}, {"Stack", &l.Stack, d.Stack},
	} {
		if *f.v < 0 {
			return l, fmt.Errorf("sandbox: limit %s: %d is negative", f.name, *f.v)
		}
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	if l.Fuel < 0 {
		return l, fmt.Errorf("sandbox: limit Fuel: %d is negative", l.Fuel)
	}
	for _, f := range []struct {
		name string
		v    *int
		def  int
	}{{"Processes", &l.Processes, d.Processes}, {"OpenFiles", &l.OpenFiles, d.OpenFiles}, {"Inodes", &l.Inodes, d.Inodes}} {
		if *f.v < 0 {
			return l, fmt.Errorf("sandbox: limit %s: %d is negative", f.name, *f.v)
		}
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	return l, nil
}

// Outer is the wall-clock time after which a run is the machine's fault: four times the own-time limit and five seconds.
func (l Limits) Outer() time.Duration { return 4*l.Wall + 5*time.Second }

// Overran tells which time limit a job has passed with an own time and a processor time. A program that computes all the
// time has nearly as much of the one as of the other, and with equal limits (the default) page faults and thread switches
// would decide which is met first, another one each time. So where the processor limit is not above the wall limit, own time
// that was used up by computing, to three quarters or more, is processor time over its limit.
func (l Limits) Overran(own, cpu time.Duration) (wall, processor bool) {
	wall = own > l.Wall
	return wall, cpu > l.CPU || wall && l.CPU <= l.Wall && cpu >= own/4*3
}

// JobPath turns the name of a job's file (relative to WorkDir, or absolute below it) into a path relative to WorkDir.
// Names that are empty, hold a NUL, or leave WorkDir are refused.
func JobPath(name string) (string, error) {
	rel := name
	if path.IsAbs(name) {
		inside, ok := strings.CutPrefix(path.Clean(name), WorkDir+"/")
		if !ok {
			return "", fmt.Errorf("sandbox: file %q: not below %s", name, WorkDir)
		}
		rel = inside
	}
	rel = path.Clean(rel)
	if rel == "." || !fs.ValidPath(rel) || strings.ContainsRune(rel, 0) {
		return "", fmt.Errorf("sandbox: file %q: not a path below %s", name, WorkDir)
	}
	return rel, nil
}

// Check refuses a Spec that no backend could run: no program, a broken name, a NUL byte, negative limits. Backends call
// it first; what they cannot enforce or offer they refuse themselves. A limit of fuel is refused here, since hardly any backend counts
// it: one that does takes it off before.
func (s Spec) Check() error {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return fmt.Errorf("sandbox: no program: Spec.Args is empty")
	}
	for _, list := range [][]string{s.Args, s.Env} {
		for _, a := range list {
			if strings.ContainsRune(a, 0) {
				return fmt.Errorf("sandbox: argument or variable %q holds a NUL byte", a)
			}
		}
	}
	if s.Dir != "" && !path.IsAbs(s.Dir) {
		return fmt.Errorf("sandbox: working directory %q is not absolute", s.Dir)
	}
	for _, f := range s.Files {
		if _, err := JobPath(f.Name); err != nil {
			return err
		}
	}
	for _, name := range s.CopyOut {
		if _, err := JobPath(name); err != nil {
			return err
		}
	}
	for _, b := range s.Root.Binds {
		if !path.IsAbs(b.Host) || !path.IsAbs(b.Job) || path.Clean(b.Job) == "/" {
			return fmt.Errorf("sandbox: bind %q at %q: both must be absolute, and not the root", b.Host, b.Job)
		}
	}
	if s.Limits.Fuel > 0 {
		return fmt.Errorf("sandbox: limit Fuel: %w", ErrUnsupported)
	}
	_, err := s.Limits.OrDefaults()
	return err
}
