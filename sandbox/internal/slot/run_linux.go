package slot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/capture"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/channel"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
)

// Outcome is what became of the slot in a run.
type Outcome struct {
	Clean   bool // nothing of the job is left, and the slot can serve the next one; else it has been closed
	Started bool // the job's program ran
}

// Run runs a job whose Spec has been checked. Its errors wrap those of sandbox.Sandbox's Run, or ErrSlot.
func (s *Slot) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, Outcome, error) {
	j := &job{host: s.host, slot: s, spec: spec}
	res, err := j.run(ctx)
	return res, Outcome{j.clean, j.watch.meter != nil}, err
}

// job is one run.
type job struct {
	host   *Host
	slot   *Slot
	spec   sandbox.Spec
	limits sandbox.Limits
	id     int64
	group  *cgroup.Group
	clean  bool // the slot has reported that nothing of the job is left

	channel.Set
	over  atomic.Bool // a stream passed its limit
	out   *os.File    // memfd for collected files
	watch watch
}

func (j *job) run(ctx context.Context) (sandbox.Result, error) {
	var err error
	if j.limits, err = j.spec.Limits.OrDefaults(); err != nil {
		return sandbox.Result{}, err
	}
	j.id = j.host.named.Add(1)
	j.watch.weight = usualWeight
	if j.spec.Alone {
		j.watch.weight = aloneWeight
	}
	defer j.unlift()
	j.group = j.slot.group
	if j.slot.config.Around {
		lim := cgroup.Limits{Memory: int64(j.limits.Memory) + aroundMemory, Pids: aroundPids + 8*j.limits.Processes, Weight: j.watch.weight}
		if err := j.group.Restart(lim); err != nil {
			return sandbox.Result{}, fmt.Errorf("%w: %w", ErrSlot, err)
		}
		return j.follow(ctx, nil)
	}
	defer func() {
		if err := j.group.End(time.Now().Add(2 * time.Second)); err != nil {
			j.clean = false // something of the job may be alive: its slot must not go on
			j.slot.Close()
		}
	}()
	servers := 0
	if version, _ := j.host.Layout.Has("pids"); version == "v1" && j.spec.Server != nil {
		servers = 1 // its thread is a member, as the slot's is
	}
	dir, err := j.group.Begin(j.host.Name("job"), cgroup.Limits{Memory: int64(j.limits.Memory), Pids: j.limits.Processes + servers, Weight: j.watch.weight})
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("%w: %w", ErrSlot, err)
	}
	return j.follow(ctx, dir)
}

// aroundMemory is what a kernel of the job's own may take beyond the job's memory limit while it serves the job. The job's processes
// are held to the limit within; this is the wall around them.
const aroundMemory = 64 << 20

// aroundPids keeps a kernel of the job's own, which needs a thread or two of the host for each thread of the job, from using up
// the host's.
const aroundPids = 1024

// follow starts the job, which joins the group dir where there is one, and sees it through.
func (j *job) follow(ctx context.Context, dir *os.File) (sandbox.Result, error) {
	if err := j.start(dir); err != nil {
		j.slot.Close()
		j.finish()
		return sandbox.Result{}, err
	}
	rep, err := j.supervise(ctx)
	return j.conclude(rep, err)
}

// start makes the channels and orders the slot to run the job, which joins the group dir where there is one.
func (j *job) start(dir *os.File) error {
	child, err := j.openStreams() // the slot gets copies
	defer func() {
		for _, f := range child {
			_ = f.Close() // the slot holds its own
		}
	}()
	if err != nil {
		return err
	}
	o := order{Op: "run", Job: j.id, Talk: j.spec.Talk != nil}
	send := slices.Clone(child)
	if len(j.spec.CopyOut) > 0 {
		if j.out, err = memfd("collected"); err != nil {
			return err
		}
		o.Out, send = true, append(send, j.out)
	}
	if o.Talk {
		var end *os.File
		if j.Talk, end, err = channel.NewTalk(clock); err != nil {
			return err
		}
		child, send = append(child, end), append(send, end)
	}
	switch {
	case dir == nil:
	case j.slot.config.Opens:
		o.Group, send = groupFolder, append(send, dir)
	default:
		files, err := openGroup(dir.Name())
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSlot, err)
		}
		o.Group, child, send = len(files), append(child, files...), append(send, files...)
	}
	return j.order(o, send)
}

// openStreams gives the job's ends of its standard streams, also those made before an error.
func (j *job) openStreams() (child []*os.File, err error) {
	over := func() {
		j.over.Store(true)
		j.wake()
	}
	in, err := j.openStdin()
	if err != nil {
		return nil, err
	}
	child = append(child, in)
	for _, stream := range []**capture.Stream{&j.Stdout, &j.Stderr} {
		var p [2]int
		if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
			return child, fmt.Errorf("pipe: %w", err)
		}
		child = append(child, os.NewFile(uintptr(p[1]), "pipe"))
		*stream = capture.New(p[0], int64(j.limits.Output), over)
		if err := unix.SetNonblock(p[0], true); err != nil {
			return child, fmt.Errorf("pipe: %w", err)
		}
	}
	return child, nil
}

// order sends the job to the slot: in a packet where it fits, else in a memfd.
func (j *job) order(o order, files []*os.File) error {
	spec, err := j.describe()
	if err != nil {
		return err
	}
	fds := make([]int, len(files))
	for i, f := range files {
		fds[i] = int(f.Fd())
	}
	data := make([][]byte, len(j.spec.Files))
	for i, f := range j.spec.Files {
		data[i] = f.Data
	}
	o.What = spec
	err = j.slot.sendData(o, data, fds...)
	if err == nil {
		return nil
	}
	if !errors.Is(err, errLarge) {
		return fmt.Errorf("%w: %w", ErrSlot, err) // it may have ended while it was idle
	}
	description, size, err := pack(spec, j.spec.Files)
	if err != nil {
		return err
	}
	defer func() { _ = description.Close() }() // the slot has its copy
	o.What, o.Spec = nil, size
	return j.slot.send(o, slices.Insert(fds, fdFixed, int(description.Fd()))...)
}

// describe makes the job's description for the slot.
func (j *job) describe() (*jobSpec, error) {
	caps := j.host.Caps
	spec := &jobSpec{
		Args: j.spec.Args, Env: j.spec.Env, Dir: j.spec.Dir, Limits: j.limits, Tree: j.slot.config.Around || !caps.Memory || !caps.Processes,
		Disk: int64(j.limits.Disk), Inodes: j.limits.Inodes,
	}
	if j.slot.config.Around || !caps.Memory || !caps.CPU {
		spec.TreeMemory, spec.TreeCPU = int64(j.limits.Memory), int64(j.limits.CPU)
	}
	for _, f := range j.spec.Files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return nil, err
		}
		spec.Files = append(spec.Files, rootfs.File{Name: rel, Size: int64(len(f.Data)), Exec: f.Exec, ReadOnly: f.ReadOnly})
		spec.Disk += int64(len(f.Data)+4095) &^ 4095
		spec.Inodes += 1 + depth(rel)
	}
	for _, name := range j.spec.CopyOut {
		rel, err := sandbox.JobPath(name)
		if err != nil {
			return nil, err
		}
		spec.CopyOut = append(spec.CopyOut, rel)
	}
	return spec, nil
}

// pack writes a description and the data of files into a memfd, and gives the description's size.
func pack(description any, files []sandbox.File) (*os.File, int64, error) {
	header, err := json.Marshal(description)
	if err != nil {
		return nil, 0, err
	}
	f, err := memfd("job")
	if err != nil {
		return nil, 0, err
	}
	if err := writeAll(f, header, files); err != nil {
		_ = f.Close() // memory only
		return nil, 0, err
	}
	return f, int64(len(header)), nil
}

func depth(rel string) int {
	n := 0
	for _, c := range rel {
		if c == '/' {
			n++
		}
	}
	return n
}

func writeAll(f *os.File, header []byte, files []sandbox.File) error {
	if _, err := f.Write(header); err != nil {
		return err
	}
	for _, file := range files {
		if _, err := f.Write(file.Data); err != nil {
			return err
		}
	}
	return nil
}

// openStdin gives the job's end of its standard input, and starts feeding it.
func (j *job) openStdin() (*os.File, error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	in := os.NewFile(uintptr(p[0]), "pipe")
	if len(j.spec.Stdin) == 0 {
		_ = unix.Close(p[1]) // gives the program its end of file
		return in, nil
	}
	if err := unix.SetNonblock(p[1], true); err != nil {
		return nil, errors.Join(err, unix.Close(p[1]), in.Close())
	}
	j.Stdin = channel.Feed(os.NewFile(uintptr(p[1]), "pipe"), j.spec.Stdin)
	return in, nil
}

// finish ends all channels of a job whose processes are gone.
func (j *job) finish() (stdout, stderr sandbox.Output) {
	if j.out != nil {
		defer func() { _ = j.out.Close() }() // memory only
	}
	return j.Finish(time.Now().Add(time.Second))
}

// readFiles reads collected files from the memfd.
func (j *job) readFiles(list []rootfs.Collected) ([]sandbox.File, error) {
	var files []sandbox.File
	at := int64(0)
	for _, c := range list {
		data := make([]byte, c.Size)
		if _, err := j.out.ReadAt(data, at); err != nil && err != io.EOF {
			return nil, fmt.Errorf("collected %s: %w", c.Name, err)
		}
		at += c.Size
		files = append(files, sandbox.File{Name: c.Name, Data: data, Exec: c.Exec})
	}
	return files, nil
}
