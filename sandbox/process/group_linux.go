package process

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// groups makes a cgroup for each job, as far as this machine lets it: they limit and count a job's whole tree, and kill it at once.
type groups struct {
	layout *cgroup.Layout
	owner  string
	named  atomic.Int64
}

func newGroups() (*groups, error) {
	layout, err := cgroup.DetectSelf()
	if err != nil {
		return nil, err
	}
	owner, err := cgroup.Owner()
	if err != nil {
		return nil, err
	}
	layout.Sweep()
	return &groups{layout: layout, owner: owner}, nil
}

func (g *groups) name(what string) string {
	return fmt.Sprintf("%s-process-%s%d", g.owner, what, g.named.Add(1))
}

// enforced tells what groups of this machine limit and count.
func (g *groups) enforced() (c sandbox.Caps, err error) {
	one, err := g.open(sandbox.DefaultLimits(), usualWeight)
	if err != nil {
		return c, err
	}
	_, c.Memory = g.layout.Has("memory")
	_, c.Processes = g.layout.Has("pids")
	_, c.CPU = one.CPU()
	_, c.OwnTime = one.Stalled()
	return c, one.close()
}

const (
	usualWeight = 100
	aloneWeight = 10000
)

// group is the group of one job, with what its keeper needs to start the job there.
type group struct {
	*cgroup.Group
	files []*os.File // threads of the v1 groups
	birth *os.File   // of the v2 group; nil where there is none
}

func (g *groups) open(l sandbox.Limits, weight int) (*group, error) {
	made, err := g.layout.New(g.name("tree"))
	if err != nil {
		return nil, err
	}
	one := &group{Group: made}
	if one.files, err = made.Threads(); err == nil {
		one.birth, err = made.Begin(g.name("job"), cgroup.Limits{Memory: int64(l.Memory), Pids: l.Processes, Weight: weight})
	}
	if err != nil {
		_ = one.close() // the error that counts is the first
		return nil, err
	}
	return one, nil
}

// descriptors are for the keeper: threads of v1 first, then the v2 group.
func (g *group) descriptors() (all []*os.File, threads int, birth bool) {
	all = append(all, g.files...)
	if g.birth != nil {
		all = append(all, g.birth)
	}
	return all, len(g.files), g.birth != nil
}

// close takes the group away, once the job and its keeper are gone.
func (g *group) close() error {
	for _, f := range g.files {
		_ = f.Close() // the keeper had its copy
	}
	return g.Remove(time.Now().Add(2 * time.Second))
}
