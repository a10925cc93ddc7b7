//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/gate"
)

// Process is a sandbox.Sandbox without walls, for trusted code. It is safe for concurrent use.
type Process struct {
	config Config
	groups *groups // nil where no job can have one
	caps   sandbox.Caps
	gate   gate.Gate // for jobs that want no other beside them
}

// New makes one, and sweeps groups that a killed engine left. Without Config.AllowWeak it refuses, with an error that wraps
// sandbox.ErrNoWalls and names what is not enforced here.
func New(c Config) (*Process, error) {
	if _, err := sandbox.StageArgs(stageName); err != nil {
		return nil, err
	}
	p := &Process{config: c}
	if g, err := newGroups(); err == nil {
		if p.caps, err = g.enforced(); err == nil {
			p.groups = g
		}
	}
	p.caps.Backend, p.caps.Isolation, p.caps.Native, p.caps.Talk = "process", "none", true, true
	p.caps.Missing = missing(p.caps)
	if !c.AllowWeak {
		return nil, fmt.Errorf("sandbox/process: %w: not enforced here: %s", sandbox.ErrNoWalls, strings.Join(p.caps.Missing, ", "))
	}
	return p, nil
}

func missing(c sandbox.Caps) []string {
	all := []string{"boundary"}
	for _, limit := range []struct {
		name string
		held bool
	}{{"memory", c.Memory}, {"processes", c.Processes}, {"cpu", c.CPU}, {"disk", c.Disk}, {"inodes", c.Inodes}, {"own_time", c.OwnTime}} {
		if !limit.held {
			all = append(all, limit.name)
		}
	}
	return all
}

// Caps tells what is enforced. Disk and inodes never are.
func (p *Process) Caps() sandbox.Caps { return p.caps }

// Close does nothing: nothing outlives a Run.
func (*Process) Close() error { return nil }

// Run implements sandbox.Sandbox. The job's working folder is a temporary one, whatever Spec.Dir says below sandbox.WorkDir; an
// argument that is a path below it is put there too. Spec.Root means nothing, since all of the host is visible.
func (p *Process) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	res, err := p.run(ctx, spec)
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("sandbox/process: %w", err)
	}
	return res, nil
}

// Reserve implements sandbox.Reserver. Its error is that of the context.
func (p *Process) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	within, leave, err := p.gate.Reserve(ctx, specs...)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox/process: waiting: %w", err)
	}
	return within, leave, nil
}

func (p *Process) run(ctx context.Context, spec sandbox.Spec) (res sandbox.Result, err error) {
	if err := errors.Join(spec.Check(), ctx.Err()); err != nil {
		return res, err
	}
	if spec.Root.Image != "" {
		return res, fmt.Errorf("image %q: %w", spec.Root.Image, sandbox.ErrUnsupported)
	}
	if spec.Server != nil {
		return res, fmt.Errorf("a warm server: %w", sandbox.ErrUnsupported)
	}
	leave, err := p.gate.Admit(ctx, spec)
	if err != nil {
		return res, err
	}
	defer leave()
	return p.inFolder(ctx, spec)
}

// inFolder runs a job in a fresh folder.
func (p *Process) inFolder(ctx context.Context, spec sandbox.Spec) (res sandbox.Result, err error) {
	limits, err := spec.Limits.OrDefaults()
	if err != nil {
		return res, err
	}
	dir, err := os.MkdirTemp(p.config.TempDir, "verifyd-")
	if err != nil {
		return res, err
	}
	defer func() {
		if gone := removeAll(dir); gone != nil && err == nil {
			err = gone
		}
	}()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return res, err
	}
	defer func() { _ = root.Close() }() // opened for reading
	if err := put(root, spec.Files); err != nil {
		return res, err
	}
	if res, err = p.follow(ctx, spec, limits, dir); err == nil {
		res.Files = collect(root, spec.CopyOut, int64(limits.Disk))
		res.Degraded = p.caps.Missing
	}
	return res, err
}

// follow starts a job, in a group where there are any, and sees it through.
func (p *Process) follow(ctx context.Context, spec sandbox.Spec, limits sandbox.Limits, dir string) (res sandbox.Result, err error) {
	j := &job{spec: spec, limits: limits, caps: p.caps, dir: dir, over: make(chan struct{}, 2), reports: make(chan report, 2), group: &group{}}
	if p.groups != nil {
		weight := usualWeight
		if spec.Alone {
			weight = aloneWeight
		}
		if j.group, err = p.groups.open(limits, weight); err != nil {
			return res, err
		}
		defer func() { _ = j.group.close() }() // what cannot be removed is swept by the next New
	}
	if err := j.start(); err != nil {
		j.abandon()
		return res, err
	}
	return j.supervise(ctx)
}

// removeAll also removes what the job made unreadable.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error { // RemoveAll tells what is left
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) // of a folder that is going to be removed
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func put(root *os.Root, files []sandbox.File) error {
	for _, f := range files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return err
		}
		if err := root.MkdirAll(filepath.Dir(rel), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if f.ReadOnly {
			mode = 0o444
		}
		if f.Exec {
			mode |= 0o111
		}
		if err := root.WriteFile(rel, f.Data, mode); err != nil {
			return err
		}
	}
	return nil
}

// collect brings back plain files; names are opened within the folder only.
func collect(root *os.Root, names []string, remaining int64) []sandbox.File {
	var all []sandbox.File
	for _, name := range names {
		rel, err := sandbox.JobPath(name)
		if err != nil {
			continue // Check refused it before
		}
		st, err := root.Lstat(rel)
		if err != nil || !st.Mode().IsRegular() || st.Size() > remaining {
			continue // missing, or not plain: left out
		}
		f, err := root.Open(rel)
		if errors.Is(err, fs.ErrPermission) && root.Chmod(rel, st.Mode().Perm()|0o400) == nil { // an ordinary user's own file
			f, err = root.Open(rel)
		}
		if err != nil {
			continue // below a folder that the job closed
		}
		data, err := io.ReadAll(io.LimitReader(f, st.Size()))
		_ = f.Close() // opened for reading
		if err == nil {
			all = append(all, sandbox.File{Name: rel, Data: data, Exec: st.Mode()&0o100 != 0})
			remaining -= int64(len(data))
		}
	}
	return all
}
