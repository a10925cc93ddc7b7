package namespace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/gate"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// Namespace is a sandbox.Sandbox. It is safe for concurrent use; every concurrent Run has a slot of its own.
type Namespace struct {
	config   Config
	rootless bool
	host     slot.Host
	kills    bool // v2 groups can be killed at once
	spawner  *spawner
	uidBase  int
	gate     gate.Gate // for jobs that want no other beside them

	mu     sync.Mutex // guards the fields below
	idle   []*room    // most recently used last
	uids   map[int]bool
	closed bool
}

// room is a slot with what it may be used for.
type room struct {
	*slot.Slot
	key string // of its root and server
	uid int    // of its jobs on the host; 0 where the engine is not root
}

// maxSlots bounds the user ids that are used, and so the slots that can be at once.
const maxSlots = 4096

// jobUsers are above what systemd gives to dynamic users and containers (systemd.io/UIDS-GIDS), and below the 31-bit
// limit of old programs. The last two ids of a range are nobody's, and one more.
var jobUsers = slot.UserIDs{First: 1_900_000_000, Count: maxSlots, Above: 2}

// New checks the walls by building a first slot, and sweeps what a killed engine left. Its error names the step that this
// machine refuses, and wraps sandbox.ErrNoWalls where Config.AllowWeak would help or a wall is missing.
func New(c Config) (*Namespace, error) {
	n, err := newNamespace(c.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("sandbox/namespace: %w", err)
	}
	return n, nil
}

func newNamespace(c Config) (*Namespace, error) {
	layout, err := cgroup.DetectSelf()
	if err != nil {
		return nil, err
	}
	owner, err := cgroup.Owner()
	if err != nil {
		return nil, err
	}
	layout.Sweep()
	n := &Namespace{config: c, rootless: os.Geteuid() != 0, uids: map[int]bool{}, uidBase: c.UIDBase}
	n.host = slot.Host{Layout: layout, Owner: owner + "-" + rand.Text()[:8]}
	if n.uidBase == 0 {
		n.uidBase = jobUsers.Pick()
	}
	n.spawner = newSpawner()
	first, err := n.take(sandbox.Spec{})
	if err != nil {
		n.spawner.close()
		return nil, fmt.Errorf("%w: %w", sandbox.ErrNoWalls, err)
	}
	n.findCaps(first.Slot)
	n.give(first)
	if len(n.host.Caps.Missing) > 0 && !c.AllowWeak {
		if refused := n.refusal(); refused != nil {
			return nil, errors.Join(refused, n.Close())
		}
	}
	return n, nil
}

func (n *Namespace) refusal() error {
	var why []string
	for _, m := range n.host.Caps.Missing {
		if m == "memory" || m == "processes" {
			why = append(why, m)
		}
	}
	if len(why) == 0 {
		return nil
	}
	return fmt.Errorf("%w: no cgroup limits the job's %s (%s). Start as root, or in a delegated group (systemd-run --user --scope -p Delegate=yes), or allow weak walls",
		sandbox.ErrNoWalls, strings.Join(why, " and "), strings.Join(n.host.Layout.Notes, "; "))
}

// findCaps tells what is enforced, from what the first slot found.
func (n *Namespace) findCaps(first *slot.Slot) {
	layout := n.host.Layout
	c := sandbox.Caps{
		Backend: "namespace", Isolation: "namespaces", Native: true, Talk: true, Disk: true, Inodes: true,
		Walls: []string{"user", "mount", "pid", "net", "ipc", "uts", "seccomp", "no_new_privs"},
	}
	if !first.Proc {
		c.Walls = c.Walls[1:]
		c.Missing = append(c.Missing, "user")
	}
	if first.Landlock > 0 {
		c.Walls = append(c.Walls, fmt.Sprintf("landlock-%d", first.Landlock))
	}
	_, c.Memory = layout.Has("memory")
	_, c.Processes = layout.Has("pids")
	if mode := layout.Mode(); mode != "none" {
		c.Walls = append(c.Walls, "cgroup-"+mode)
	}
	if !c.Memory {
		c.Missing = append(c.Missing, "memory")
	}
	if !c.Processes {
		c.Missing = append(c.Missing, "processes")
	}
	if c.CPU, c.OwnTime, n.kills = first.Enforced(); !c.CPU {
		c.Missing = append(c.Missing, "cpu") // each process has its own limit all the same
	}
	// A warm job is killed by its group; as the slot's own user it must also be kept from signalling its server (Landlock 6).
	c.Warm = c.CPU && layout.V2 != "" && (!n.rootless || first.Landlock >= 6) && first.Proc
	if !c.OwnTime {
		c.Missing = append(c.Missing, "own_time")
	}
	n.host.Caps = c
}

// Caps tells what is enforced here.
func (n *Namespace) Caps() sandbox.Caps { return n.host.Caps }

// take gives a slot whose root shows what is asked for: an idle one, or a new one.
func (n *Namespace) take(spec sandbox.Spec) (*room, error) {
	key := roomKey(spec)
	s, uid, err := n.takeIdle(key)
	if s != nil || err != nil {
		return s, err
	}
	root := &rootfs.Root{WorkDir: sandbox.WorkDir, Hostname: "sandbox", JobID: slot.JobID}
	for _, b := range spec.Root.Binds {
		host, err := filepath.EvalSymlinks(b.Host)
		if err != nil {
			n.freeUID(uid)
			return nil, fmt.Errorf("bind %s: %w", b.Host, err)
		}
		root.Binds = append(root.Binds, rootfs.Bind{Host: host, Job: filepath.Clean(b.Job)})
	}
	if spec.Server != nil {
		root.Extra = sandbox.ServerDir
	}
	made, err := n.newSlot(root, uid, spec.Server)
	if err != nil {
		n.freeUID(uid)
		return nil, err
	}
	return &room{made, key, uid}, nil
}

func (n *Namespace) takeIdle(key string) (*room, int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, 0, os.ErrClosed
	}
	for i := len(n.idle) - 1; i >= 0; i-- {
		if s := n.idle[i]; s.key == key {
			n.idle = append(n.idle[:i], n.idle[i+1:]...)
			return s, 0, nil
		}
	}
	if n.rootless {
		return nil, 0, nil
	}
	for uid := n.uidBase; uid < n.uidBase+maxSlots; uid++ {
		if !n.uids[uid] {
			n.uids[uid] = true
			return nil, uid, nil
		}
	}
	return nil, 0, fmt.Errorf("all %d slots are in use", maxSlots)
}

func (n *Namespace) freeUID(uid int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.uids, uid)
}

// give takes back a clean slot; the least recently used one makes room.
func (n *Namespace) give(s *room) {
	n.mu.Lock()
	n.idle = append(n.idle, s)
	var surplus []*room
	for n.closed && len(n.idle) > 0 || len(n.idle) > n.config.MaxIdle {
		surplus = append(surplus, n.idle[0])
		n.idle = n.idle[1:]
	}
	n.mu.Unlock()
	for _, s := range surplus {
		n.discard(s)
	}
}

func (n *Namespace) discard(s *room) {
	s.Close()
	n.freeUID(s.uid)
}

// Close waits for the runs that are under way and ends all slots. Later runs fail.
func (n *Namespace) Close() error {
	_ = n.gate.Enter(context.Background(), true) // waits for every Run; that context never ends
	defer n.gate.Leave()
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	n.closed = true
	idle := n.idle
	n.idle = nil
	n.mu.Unlock()
	for _, s := range idle {
		n.discard(s)
	}
	n.spawner.close()
	return nil
}

// roomKey tells which jobs can share a slot: those with equal roots and the same server.
func roomKey(spec sandbox.Spec) string {
	var b strings.Builder
	if spec.Server != nil {
		fmt.Fprintf(&b, "%p ", spec.Server)
	}
	for _, bind := range spec.Root.Binds {
		fmt.Fprintf(&b, "%q>%q ", bind.Host, bind.Job)
	}
	return b.String()
}
