//go:build unix && !linux

package process

import (
	"errors"
	"os"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// groups are not to be had here.
type groups struct{}

func newGroups() (*groups, error) { return nil, errors.New("no cgroups on this system") }

func (*groups) enforced() (sandbox.Caps, error) { return sandbox.Caps{}, nil }

const (
	usualWeight = 100
	aloneWeight = 10000
)

// group stands for the group of a job, which limits and counts nothing.
type group struct{}

func (*groups) open(sandbox.Limits, int) (*group, error) { return &group{}, nil }

func (*group) CPU() (time.Duration, bool)                   { return 0, false }
func (*group) Stalled() (time.Duration, bool)               { return 0, false }
func (*group) OOMKills() int64                              { return 0 }
func (*group) ForksRefused() int64                          { return 0 }
func (*group) PeakMemory() int64                            { return 0 }
func (*group) Kill() bool                                   { return false }
func (*group) close() error                                 { return nil }
func (*group) descriptors() (all []*os.File, n int, b bool) { return nil, 0, false }
