//go:build unix

package cgroup

import (
	"os"
	"strconv"
	"strings"
)

// OwnerState tells what became of the engine that a name stands for: whether it has ended, and whether that can be known here. A
// name begins like those that Owner gives; engines of another pid namespace cannot be looked up.
func OwnerState(name string) (ended, known bool) {
	rest, ours := strings.CutPrefix(name, namePrefix)
	f := strings.Split(rest, "-")
	if !ours || len(f) < 3 {
		return false, false
	}
	pid, err := strconv.Atoi(f[1])
	if err != nil {
		return false, false
	}
	ownNS, _, err := identity(os.Getpid())
	if err != nil || f[0] != ownNS {
		return false, false
	}
	_, start, err := identity(pid)
	return err != nil || start != f[2], true
}
