package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// place is a container with its slot. One job at a time uses it.
type place struct {
	key  string // of its root, server and size
	box  *box
	slot *slot.Slot
}

// Users of containers: ids that nobody else on the host has, above those of the namespace backend. Where the Docker engine maps ids they
// are below 65536, and belong to its containers as it is.
const (
	userBase     = 1_900_100_000
	remappedBase = 40_000
	maxPlaces    = 4096
)

// take gives a place whose root shows what is asked for: an idle one whose container still runs, or a new one. image is an id.
func (d *Docker) take(ctx context.Context, spec sandbox.Spec, image string) (*place, error) {
	limits, err := spec.Limits.OrDefaults()
	if err != nil {
		return nil, err
	}
	size := sizeFor(limits)
	key := placeKey(spec, image, size)
	idle, uid, err := d.takeIdle(key)
	if idle != nil || err != nil {
		return idle, err
	}
	p, err := d.newPlace(ctx, spec, image, size, uid)
	if err != nil {
		return nil, err
	}
	p.key = key
	return p, nil
}

func (d *Docker) takeIdle(key string) (*place, int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, 0, os.ErrClosed
	}
	for i := len(d.idle) - 1; i >= 0; i-- {
		p := d.idle[i]
		if p.key != key && !p.ended() {
			continue
		}
		d.idle = slices.Delete(d.idle, i, i+1)
		if !p.ended() {
			return p, 0, nil
		}
		go d.discard(p) // ended from outside, with dockerd for example
	}
	base := userBase
	if d.facts.remapped {
		base = remappedBase
	}
	for uid := base; uid < base+maxPlaces; uid++ {
		if !d.uids[uid] {
			d.uids[uid] = true
			return nil, uid, nil
		}
	}
	return nil, 0, fmt.Errorf("all %d containers are in use", maxPlaces)
}

func (p *place) ended() bool {
	select {
	case <-p.box.gone:
		return true
	default:
		return false
	}
}

func (d *Docker) freeUID(uid int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.uids, uid)
}

// give takes back a clean place; the least recently used one makes room.
func (d *Docker) give(p *place) {
	d.mu.Lock()
	d.idle = append(d.idle, p)
	var surplus []*place
	for d.closed && len(d.idle) > 0 || len(d.idle) > d.config.MaxIdle {
		surplus = append(surplus, d.idle[0])
		d.idle = d.idle[1:]
	}
	d.mu.Unlock()
	for _, s := range surplus {
		d.discard(s)
	}
}

func (d *Docker) discard(p *place) { p.slot.Close() }

// newPlace starts a container and a slot in it.
func (d *Docker) newPlace(ctx context.Context, spec sandbox.Spec, image string, size size, uid int) (*place, error) {
	plan, root, err := d.planFor(spec, image, size)
	if err != nil {
		d.freeUID(uid)
		return nil, err
	}
	b, err := d.startBox(plan, uid)
	if err != nil {
		d.freeUID(uid)
		return nil, err
	}
	s, err := d.startSlot(ctx, b, root, spec)
	if err != nil {
		b.Kill()
		return nil, err
	}
	return &place{box: b, slot: s}, nil
}

func (d *Docker) startSlot(ctx context.Context, b *box, root *rootfs.Root, spec sandbox.Spec) (*slot.Slot, error) {
	control, child, err := slot.Pair()
	if err != nil {
		return nil, err
	}
	defer func() { _ = child.Close() }() // the slot has its copy
	words, err := b.launch(child)
	if err != nil {
		return nil, errors.Join(err, control.Close())
	}
	host := &slot.Host{Layout: b.layout, Owner: d.owner, Caps: d.caps}
	group, err := b.layout.New(host.Name("slot"))
	if err != nil {
		return nil, errors.Join(err, control.Close())
	}
	return slot.New(ctx, host, control, slot.Config{
		Root: root, Rootless: true, OwnUsers: true, Kills: d.kills, Server: spec.Server, Group: group,
		End: func() {
			b.Kill()
			words.Finish()
		},
		Words: words.String,
	})
}

// size is a class of containers: jobs of a class share them.
type size struct{ memory, pids int64 }

// sizeFor gives the outer limits of a container for a job: the next power of two that leaves room for the slot and its server, so that
// the job's own limit is always met first.
func sizeFor(l sandbox.Limits) size {
	const slotMemory, leastMemory, slotPids, leastPids = 192 << 20, 1 << 30, 64, 256
	up := func(n, least int64) int64 {
		for least < n {
			least *= 2
		}
		return least
	}
	return size{up(int64(l.Memory)+slotMemory, leastMemory), up(int64(l.Processes)+slotPids, leastPids)}
}

// placeKey tells which jobs can share a place: those with equal roots, the same server and limits of one class.
func placeKey(spec sandbox.Spec, image string, s size) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %d ", image, s.memory, s.pids)
	if spec.Server != nil {
		fmt.Fprintf(&b, "%p ", spec.Server)
	}
	for _, bind := range spec.Root.Binds {
		fmt.Fprintf(&b, "%q>%q ", bind.Host, bind.Job)
	}
	return b.String()
}

// Prepare makes containers ahead for jobs with this root and, where it is not nil, this server, so that the first jobs of default
// limits do not wait for them. They stay as long as they are among the last Config.MaxIdle that were used. More than those are
// refused.
func (d *Docker) Prepare(root sandbox.Root, server *sandbox.Server, containers int) error {
	if containers > d.config.MaxIdle || d.config.Fresh {
		return fmt.Errorf("sandbox/docker: prepare %d containers: at most %d are kept", containers, d.config.MaxIdle)
	}
	if server != nil && !d.caps.Warm {
		return fmt.Errorf("sandbox/docker: prepare: a warm server: %w", sandbox.ErrUnsupported)
	}
	ctx := context.Background()
	leave, err := d.gate.Admit(ctx)
	if err != nil {
		return err
	}
	defer leave()
	image, err := d.resolve(ctx, root.Image)
	if err != nil {
		return fmt.Errorf("sandbox/docker: prepare: %w", err)
	}
	var made []*place
	for range containers {
		p, takeErr := d.take(ctx, sandbox.Spec{Root: root, Server: server}, image)
		if takeErr != nil {
			err = fmt.Errorf("sandbox/docker: prepare: %w", takeErr)
			break
		}
		made = append(made, p)
	}
	for _, p := range made {
		d.give(p)
	}
	return err
}

// Close waits for the runs that are under way, ends all containers and waits until Docker has removed them. Later runs fail.
func (d *Docker) Close() error {
	_ = d.gate.Enter(context.Background(), true) // this context does not end
	defer d.gate.Leave()
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	idle := d.idle
	d.idle = nil
	d.mu.Unlock()
	for _, p := range idle {
		d.discard(p)
	}
	err := d.removeAll(time.Now().Add(callDeadline))
	if d.temp != "" {
		err = errors.Join(err, os.RemoveAll(d.temp))
	}
	if err = errors.Join(err, d.api.Close()); err != nil {
		return fmt.Errorf("sandbox/docker: close: %w", err)
	}
	return nil
}
