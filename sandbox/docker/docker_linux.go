package docker

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/gate"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// Docker is a sandbox.Sandbox. It is safe for concurrent use; every concurrent Run has a container of its own.
type Docker struct {
	config  Config
	api     *client.Client
	socket  string // file of the Docker engine
	facts   facts
	owner   string // of containers, groups and folders: names this engine
	temp    string // folder of socket files, removed at the end
	profile string
	self    binary
	root    *hostRoot
	caps    sandbox.Caps
	notes   []string // why something is missing
	kills   bool     // v2 groups can be killed at once
	gate    gate.Gate

	mu     sync.Mutex // guards the fields below
	idle   []*place   // most recently used last
	uids   map[int]bool
	closed bool
}

// New finds the Docker engine, sweeps what a killed engine left in it, and checks the walls by starting a first container. Its error
// names the step that failed, and wraps sandbox.ErrNoWalls where walls or limits are missing.
func New(c Config) (*Docker, error) {
	d, err := newDocker(c)
	if err != nil {
		return nil, fmt.Errorf("sandbox/docker: %w", err)
	}
	return d, nil
}

func newDocker(c Config) (*Docker, error) {
	if c.MaxIdle == 0 {
		c.MaxIdle = max(8, 4*runtime.NumCPU())
	}
	for _, image := range c.Images {
		if err := checkImageName(image); err != nil {
			return nil, fmt.Errorf("allowed images: %w", err)
		}
	}
	d := &Docker{config: c, uids: map[int]bool{}}
	var err error
	if d.self, err = findSelf(); err != nil {
		return nil, err
	}
	if d.owner, err = cgroup.Owner(); err != nil {
		return nil, err
	}
	if d.profile, err = profile(); err != nil {
		return nil, err
	}
	if d.api, d.socket, err = openEngine(c.Host); err != nil {
		return nil, err
	}
	if d.facts, err = ask(context.Background(), d.api); err != nil {
		return nil, errors.Join(err, d.api.Close())
	}
	d.owner += "-" + rand.Text()[:8]
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// open makes what all containers share, and the first one.
func (d *Docker) open() error {
	parent := cmp.Or(d.config.TempDir, os.TempDir())
	sweepFolders(parent)
	if err := sweep(d.api); err != nil {
		return err
	}
	d.temp = filepath.Join(parent, d.owner)
	mode := os.FileMode(0o700)
	if d.facts.remapped { // root of a container is somebody else here, and opens the folder itself; names below cannot be listed
		mode = 0o711
	}
	if err := errors.Join(os.Mkdir(d.temp, 0o700), os.Chmod(d.temp, mode)); err != nil {
		return err
	}
	var err error
	if d.root, err = d.makeHostRoot(); err != nil {
		return err
	}
	first, err := d.take(context.Background(), sandbox.Spec{}, "")
	if err != nil {
		return fmt.Errorf("%w: %w", sandbox.ErrNoWalls, err)
	}
	d.findCaps(first)
	if err := d.refusal(first); err != nil && !d.config.AllowWeak {
		d.discard(first)
		return err
	}
	d.discard(first) // the look at its walls has spent its group
	return nil
}

// findCaps looks at what the first container got.
func (d *Docker) findCaps(first *place) {
	cpu, ownTime, kills := first.slot.Enforced()
	d.kills = kills
	c := sandbox.Caps{
		Backend: "docker", Isolation: "container", Native: true, Images: true, Talk: true, Disk: true, Inodes: true, CPU: cpu, OwnTime: ownTime,
		Walls: []string{"container", "user", "mount", "pid", "net", "ipc", "uts", "seccomp", "no_new_privs"},
	}
	missing := func(has bool, name string) {
		if !has {
			c.Missing = append(c.Missing, name)
		}
	}
	missing(d.facts.seccomp, "container_seccomp")
	if first.slot.Landlock > 0 {
		c.Walls = append(c.Walls, fmt.Sprintf("landlock-%d", first.slot.Landlock))
	}
	layout := first.box.layout
	d.notes = layout.Notes
	if mode := layout.Mode(); mode != "none" {
		c.Walls = append(c.Walls, "cgroup-"+mode)
	}
	_, c.Memory = layout.Has("memory")
	_, c.Processes = layout.Has("pids")
	missing(c.Memory, "memory")
	missing(c.Processes, "processes")
	missing(c.CPU, "cpu")
	missing(c.OwnTime, "own_time")
	// A warm job is killed by its group, and as its server's own user must be kept from signalling it (Landlock 6).
	c.Warm = c.CPU && kills && first.slot.Landlock >= 6 && first.slot.Proc
	d.caps = c
}

func (d *Docker) refusal(first *place) error {
	var why []string
	if !d.caps.Memory {
		why = append(why, "memory")
	}
	if !d.caps.Processes {
		why = append(why, "processes")
	}
	if !first.slot.Proc {
		return fmt.Errorf("%w: a container cannot mount a /proc of its own", sandbox.ErrNoWalls)
	}
	if !d.facts.seccomp {
		return fmt.Errorf("%w: the Docker engine has no system-call filters", sandbox.ErrNoWalls)
	}
	if len(why) == 0 {
		return nil
	}
	return fmt.Errorf("%w: no cgroup limits the job's %s (%s). Start as root, which may make groups below a container's, or allow weak walls",
		sandbox.ErrNoWalls, strings.Join(why, " and "), strings.Join(first.box.layout.Notes, "; "))
}

// Caps tells what is enforced here.
func (d *Docker) Caps() sandbox.Caps { return d.caps }

// Reserve implements sandbox.Reserver: no job that wants to be alone comes in between these, and where one of these does, no job
// but these runs. Its error is that of the context.
func (d *Docker) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	within, leave, err := d.gate.Reserve(ctx, specs...)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox/docker: waiting: %w", err)
	}
	return within, leave, nil
}

// Run implements sandbox.Sandbox. An error wraps sandbox.ErrUnsupported (an image that is not allowed), ErrNoProgram, ErrMachine, or
// the context's error; any other is a fault of the machine, of the Docker engine or of this package.
func (d *Docker) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	res, err := d.run(ctx, spec)
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("sandbox/docker: %w", err)
	}
	return res, nil
}

func (d *Docker) run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	if err := errors.Join(spec.Check(), ctx.Err()); err != nil {
		return sandbox.Result{}, err
	}
	if spec.Server != nil && !d.caps.Warm {
		return sandbox.Result{}, fmt.Errorf("a warm server: %w", sandbox.ErrUnsupported)
	}
	image, err := d.resolve(ctx, spec.Root.Image)
	if err != nil {
		return sandbox.Result{}, err
	}
	leave, err := d.gate.Admit(ctx, spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer leave()
	for try := 0; ; try++ {
		res, started, err := d.try(ctx, spec, image)
		if !errors.Is(err, slot.ErrSlot) || started || ctx.Err() != nil || try > 0 {
			return res, err
		}
	}
}

// try gives the job to a slot. started tells whether its program ran.
func (d *Docker) try(ctx context.Context, spec sandbox.Spec, image string) (res sandbox.Result, started bool, err error) {
	p, err := d.take(ctx, spec, image)
	if err != nil {
		return sandbox.Result{}, false, err
	}
	res, outcome, err := p.slot.Run(ctx, spec)
	if outcome.Clean && !d.config.Fresh {
		d.give(p)
	} else {
		d.discard(p)
	}
	return res, outcome.Started, err
}

func (d *Docker) appArmor() string { return cmp.Or(d.config.AppArmor, "unconfined") }
