package oci

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/gate"
	"github.com/verifyd/verifyd/sandbox/internal/image"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// OCI is a sandbox.Sandbox. It is safe for concurrent use; every concurrent Run has a container of its own.
type OCI struct {
	config   Config
	rootless bool
	tool     tool
	host     slot.Host
	state    string // folder of this engine, removed at its end
	kills    bool   // v2 groups can be killed at once
	program  program
	images   image.Store
	uidBase  int
	made     atomic.Int64 // containers
	gate     gate.Gate    // for jobs that want no other beside them

	mu     sync.Mutex // guards the fields below
	idle   []*box     // most recently used last
	roots  map[string]*root
	uids   map[int]bool
	closed bool
}

// box is a container with its slot.
type box struct {
	*slot.Slot
	key string // of its root and server
	uid int    // first of two ids on the host; 0 where the engine is not root
}

// maxBoxes bounds the user ids that are used, and so the containers that can be at once.
const maxBoxes = 1024

// boxUsers are above the ids of the namespace backend, which begin at 1900000000, or below those at the top of a range.
var boxUsers = slot.UserIDs{First: 1_900_010_000, Count: 2 * maxBoxes, Above: 4096 + 2}

// New finds the runtime, sweeps what a killed engine left, and checks the walls by starting a first container. Its error
// holds the runtime's own words with the way out where that is known, and wraps sandbox.ErrNoWalls where walls or limits are
// missing.
func New(c Config) (*OCI, error) {
	o, err := newOCI(c.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("sandbox/oci: %w", err)
	}
	return o, nil
}

func newOCI(c Config) (*OCI, error) {
	t, err := findTool(c.Runtime)
	if err != nil {
		return nil, err
	}
	layout, err := cgroup.DetectSelf()
	if err != nil {
		return nil, err
	}
	owner, err := cgroup.Owner()
	if err != nil {
		return nil, err
	}
	o := &OCI{config: c, rootless: os.Geteuid() != 0, tool: t, roots: map[string]*root{}, uids: map[int]bool{}, uidBase: c.UIDBase}
	if o.uidBase == 0 {
		o.uidBase = boxUsers.Pick()
	}
	parent := stateFolder(c.State)
	sweep(parent)
	layout.Sweep()
	o.host = slot.Host{Layout: layout, Owner: owner + "-" + rand.Text()[:8]}
	o.images = image.Store{Dir: c.Images}
	o.state = filepath.Join(parent, o.host.Owner)
	if err := os.MkdirAll(o.state, 0o711); err != nil {
		return nil, err
	}
	if err := reachable(o.state); err != nil {
		return nil, errors.Join(err, os.RemoveAll(o.state))
	}
	if err := o.begin(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(o.state))
	}
	return o, nil
}

// begin starts the first container and finds out what it can do.
func (o *OCI) begin() error {
	var err error
	if o.program, err = prepareProgram(o.state); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(o.state, toolFile), []byte(o.tool.path), 0o600); err != nil {
		return err
	}
	first, err := o.take(context.Background(), sandbox.Spec{})
	if err != nil {
		return fmt.Errorf("%w: %w", sandbox.ErrNoWalls, err)
	}
	o.findCaps(first)
	o.put(first) // one that has served no job is as good as a prepared one
	if refused := o.refusal(); refused != nil && !o.config.AllowWeak {
		return errors.Join(refused, o.Close())
	}
	return nil
}

// Caps tells what is enforced here.
func (o *OCI) Caps() sandbox.Caps { return o.host.Caps }

// Run implements sandbox.Sandbox. An error wraps sandbox.ErrUnsupported, ErrNoProgram, ErrMachine, or the context's error; any
// other is a fault of the machine, the runtime or this package.
func (o *OCI) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	res, err := o.run(ctx, spec)
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("sandbox/oci: %w", err)
	}
	return res, nil
}

func (o *OCI) run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	if err := spec.Check(); err != nil {
		return sandbox.Result{}, err
	}
	if spec.Server != nil && !o.host.Caps.Warm {
		return sandbox.Result{}, fmt.Errorf("a warm server: %w", sandbox.ErrUnsupported)
	}
	if ctx.Err() != nil {
		return sandbox.Result{}, context.Cause(ctx)
	}
	leave, err := o.gate.Admit(ctx, spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer leave()
	res, started, err := o.try(ctx, spec)
	if errors.Is(err, slot.ErrSlot) && !started && ctx.Err() == nil {
		res, _, err = o.try(ctx, spec) // a container can be hit by what hits the machine; nothing of the job ran
	}
	return res, err
}

// try gives the job to a container. started tells whether its program ran.
func (o *OCI) try(ctx context.Context, spec sandbox.Spec) (res sandbox.Result, started bool, err error) {
	b, err := o.take(ctx, spec)
	if err != nil {
		return sandbox.Result{}, false, err
	}
	res, outcome, err := b.Run(ctx, spec)
	if outcome.Clean && spec.Server != nil {
		o.put(b)
	} else {
		o.discard(b)
	}
	return res, outcome.Started, err
}

// Reserve implements sandbox.Reserver: no job that wants to be alone comes in between these, and where one of these does, no job
// but these runs.
func (o *OCI) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	within, leave, err := o.gate.Reserve(ctx, specs...)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox/oci: %w", err)
	}
	return within, leave, nil
}

// Prepare starts containers ahead for jobs with this root and, where it is not nil, this server, so that the first jobs do not
// wait for them. Without a server each serves one job. More than Config.MaxIdle are refused.
func (o *OCI) Prepare(ctx context.Context, r sandbox.Root, server *sandbox.Server, containers int) error {
	if containers > o.config.MaxIdle {
		return fmt.Errorf("sandbox/oci: prepare %d containers: at most %d are kept", containers, o.config.MaxIdle)
	}
	if server != nil && !o.host.Caps.Warm {
		return fmt.Errorf("sandbox/oci: prepare: a warm server: %w", sandbox.ErrUnsupported)
	}
	spec := sandbox.Spec{Root: r, Server: server}
	key := boxKey(o.withImage(r), server)
	o.mu.Lock()
	for _, b := range o.idle {
		if b.key == key {
			containers--
		}
	}
	o.mu.Unlock()
	for range containers {
		b, err := o.start(ctx, spec)
		if err != nil {
			return fmt.Errorf("sandbox/oci: prepare: %w", err)
		}
		o.put(b)
	}
	return nil
}

// take gives a container whose root shows what is asked for: an idle one, or a new one.
func (o *OCI) take(ctx context.Context, spec sandbox.Spec) (*box, error) {
	key := boxKey(o.withImage(spec.Root), spec.Server)
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return nil, os.ErrClosed
	}
	for i := len(o.idle) - 1; i >= 0; i-- {
		if b := o.idle[i]; b.key == key {
			o.idle = slices.Delete(o.idle, i, i+1)
			o.mu.Unlock()
			return b, nil
		}
	}
	o.mu.Unlock()
	return o.start(ctx, spec)
}

func (o *OCI) takeUID() (int, error) {
	if o.rootless {
		return 0, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for uid := o.uidBase; uid < o.uidBase+2*maxBoxes; uid += 2 {
		if !o.uids[uid] {
			o.uids[uid] = true
			return uid, nil
		}
	}
	return 0, fmt.Errorf("all %d containers are in use", maxBoxes)
}

func (o *OCI) freeUID(uid int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.uids, uid)
}

// put keeps a container for the next job; the least recently used one makes room.
func (o *OCI) put(b *box) {
	o.mu.Lock()
	o.idle = append(o.idle, b)
	var surplus []*box
	for o.closed && len(o.idle) > 0 || len(o.idle) > o.config.MaxIdle {
		surplus = append(surplus, o.idle[0])
		o.idle = o.idle[1:]
	}
	o.mu.Unlock()
	for _, b := range surplus {
		o.discard(b)
	}
}

func (o *OCI) discard(b *box) {
	b.Close()
	o.freeUID(b.uid)
}

// Close waits for the runs that are under way and ends all containers. Later runs fail.
func (o *OCI) Close() error {
	if err := o.gate.Enter(context.Background(), true); err != nil { // waits for every Run
		return err
	}
	defer o.gate.Leave()
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return nil
	}
	o.closed = true
	idle := o.idle
	o.idle = nil
	o.mu.Unlock()
	var ended sync.WaitGroup
	for _, b := range idle {
		ended.Go(func() { o.discard(b) })
	}
	ended.Wait()
	return removeState(o.state)
}

// withImage names the image that a root without one gets.
func (o *OCI) withImage(r sandbox.Root) sandbox.Root {
	if r.Image == "" {
		r.Image = o.config.Image
	}
	return r
}

// boxKey tells which jobs can share a container: those with equal roots and the same server.
func boxKey(r sandbox.Root, server *sandbox.Server) string {
	if server == nil {
		return rootKey(r)
	}
	return fmt.Sprintf("%p %s", server, rootKey(r))
}

func rootKey(r sandbox.Root) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q ", r.Image)
	for _, bind := range r.Binds {
		fmt.Fprintf(&b, "%q>%q ", bind.Host, bind.Job)
	}
	return b.String()
}
