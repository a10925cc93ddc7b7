package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// container is a running container, seen from the engine. The runtime's process stays its parent until it ends.
type container struct {
	o      *OCI
	id     string
	bundle string
	cmd    *exec.Cmd
	words  slot.Words    // of the runtime and the slot
	exited chan struct{} // closed when the runtime has cleaned up and ended
	ready  atomic.Bool   // its slot has answered
	end    sync.Once
}

// startGrace is what a runtime gets that was asked to stop while it was making a container.
const startGrace = time.Second

// endDeadline is what a runtime gets to take a container away whose first process is asked to end; 30 ms is usual.
const endDeadline = 10 * time.Second

// start makes a container with a slot that is ready. It does not look for an idle one.
func (o *OCI) start(ctx context.Context, spec sandbox.Spec) (*box, error) {
	r := o.withImage(spec.Root)
	shared, err := o.rootOf(r)
	if err != nil {
		return nil, err
	}
	uid, err := o.takeUID()
	if err != nil {
		return nil, err
	}
	s, err := o.launch(ctx, shared, uid, spec.Server)
	if err != nil {
		o.freeUID(uid)
		return nil, explain(err)
	}
	return &box{s, boxKey(r, spec.Server), uid}, nil
}

func (o *OCI) launch(ctx context.Context, r *root, uid int, server *sandbox.Server) (*slot.Slot, error) {
	c := &container{o: o, id: o.host.Name("box"), exited: make(chan struct{})}
	c.bundle = filepath.Join(o.state, fmt.Sprintf("bundle%d", o.made.Add(1)))
	if err := os.Mkdir(c.bundle, 0o711); err != nil {
		return nil, err
	}
	if err := o.writeBundle(c.bundle, c.id, r, uid, server); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.bundle))
	}
	group, err := o.host.Layout.New(o.host.Name("slot"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.bundle))
	}
	control, err := c.run(group)
	if err != nil {
		return nil, errors.Join(err, group.Remove(time.Now()), os.RemoveAll(c.bundle))
	}
	config := slot.Config{JobUser: slot.JobID, Rootless: o.rootless, OwnUsers: o.rootless, Kills: o.kills, Around: o.tool.ownKernel, Server: server, Group: group, End: c.close, Words: c.words.String}
	if o.rootless {
		config.JobUser = 0
	}
	s, err := slot.New(ctx, &o.host, control, config)
	if err != nil {
		return nil, err
	}
	c.ready.Store(true)
	return s, nil
}

// run starts the runtime, with the other end of control as the container's descriptor 3.
func (c *container) run(group *cgroup.Group) (control *os.File, err error) {
	control, child, err := slot.Pair()
	if err != nil {
		return nil, err
	}
	defer func() { _ = child.Close() }() // the container has its copy
	c.cmd = c.o.command("run", c.o.tool.passFD, "--bundle", c.bundle, c.id)
	c.cmd.ExtraFiles = []*os.File{child}
	c.cmd.Stdout, c.cmd.Stderr = &c.words, &c.words
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what a terminal sends to the engine is not for it
	c.cmd.WaitDelay = time.Second
	start := c.cmd.Start
	if c.o.tool.ownKernel {
		start = func() error { return startWithin(c.cmd, group, c.o.host.Name("job")) }
	}
	if err := start(); err != nil {
		_ = control.Close() // nobody is at the other end
		return nil, err
	}
	go func() {
		_ = c.cmd.Wait() // what it has to say is in words
		close(c.exited)
	}()
	return control, nil
}

// startWithin starts a runtime whose containers the host sees as processes like any other, all of it born in a job's group: on v2
// by name, on v1 from a thread that is a member and ends afterwards.
func startWithin(cmd *exec.Cmd, group *cgroup.Group, name string) error {
	folder, err := group.Begin(name, cgroup.Limits{})
	if err != nil {
		return err
	}
	if folder != nil {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(folder.Fd())
	}
	tasks, err := group.Threads()
	if err != nil {
		return err
	}
	return onSpareThread(func() error {
		var errs []error
		for _, f := range tasks {
			_, err := f.WriteString("0")
			errs = append(errs, err, f.Close())
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
		return cmd.Start()
	})
}

// onSpareThread runs f on a thread that ends afterwards. The process's first thread never ends, and is what /proc/self tells of: where
// the goroutine meets it, it holds on to it until another one is done.
func onSpareThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if syscall.Gettid() == os.Getpid() {
			defer runtime.UnlockOSThread()
			done <- onSpareThread(f)
			return
		}
		done <- f() // never unlocked: the thread ends with the goroutine
	}()
	return <-done
}

// command makes a command of the runtime. It inherits nothing but what it needs to find its own helpers.
func (o *OCI) command(args ...string) *exec.Cmd { return runtimeCommand(o.tool, o.state, args...) }

func runtimeCommand(t tool, state string, args ...string) *exec.Cmd {
	all := append([]string{"--root", filepath.Join(state, runtimeFolder)}, t.global...)
	cmd := exec.Command(t.path, append(all, args...)...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+dir)
	}
	return cmd
}

// close waits for the end of a container whose slot has been told to end, and ends it by force where it does not.
func (c *container) close() {
	c.end.Do(func() {
		patience := endDeadline
		if !c.ready.Load() {
			patience = startGrace
		}
		select {
		case <-c.exited:
		case <-time.After(patience):
			remove(c.o.tool, c.o.state, c.id)
			_ = c.cmd.Process.Kill() // it may have ended
			<-c.exited
		}
		_ = os.RemoveAll(c.bundle) // what is left is swept at the next start
	})
}

// remove takes a container away by force.
func remove(t tool, state, id string) {
	ctx, cancel := context.WithTimeout(context.Background(), endDeadline)
	defer cancel()
	cmd := runtimeCommand(t, state, "delete", "--force", id)
	if cmd.Start() != nil {
		return // then there is no runtime that could
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // it may have ended
	defer stop()
	_ = cmd.Wait() // nothing is left to be done where it failed
}
