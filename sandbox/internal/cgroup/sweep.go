//go:build unix

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Groups of jobs carry their engine in their name, so that the next engine can tell whose they are:
//
//	verifyd-PIDNAMESPACE-PID-STARTTIME-WHAT
//
// A pid alone comes again; together with the time at which its process started it does not, within one pid namespace.

const namePrefix = "verifyd-"

// Owner is the name prefix for groups of this process.
func Owner() (string, error) {
	ns, start, err := identity(os.Getpid())
	if err != nil {
		return "", fmt.Errorf("cgroup: name of own groups: %w", err)
	}
	return fmt.Sprintf("%s%s-%d-%s", namePrefix, ns, os.Getpid(), start), nil
}

// identity gives a process's pid namespace and start time in clock ticks since boot (field 22 of proc_pid_stat(5)).
func identity(pid int) (ns, start string, err error) {
	link, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "", "", err
	}
	ns = strings.Trim(strings.TrimPrefix(link, "pid:"), "[]")
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", "", err
	}
	i := strings.LastIndexByte(string(text), ')') // the name before may hold anything
	f := strings.Fields(string(text[i+1:]))
	if i < 0 || len(f) < 20 {
		return "", "", errors.New("unreadable stat")
	}
	return ns, f[19], nil
}

// sweepFolders bounds the walk of Sweep, two milliseconds a thousand; a machine with more groups keeps what lies behind.
const sweepFolders = 20_000

// Sweep ends and removes what engines of the past left anywhere in the hierarchies that this one uses, since the next start may
// be in another login or service, and tells how many groups it removed. Groups of another pid namespace are only taken when they
// have been empty for an hour: their engine cannot be looked up from here.
func (l *Layout) Sweep() int {
	removed := 0
	for _, root := range l.roots {
		queue := []string{root}
		for seen := 0; len(queue) > 0 && seen < sweepFolders; seen++ {
			dir := queue[0]
			queue = queue[1:]
			if abandoned(filepath.Base(dir), dir) {
				if clear(dir) == nil {
					removed++
				}
				continue
			}
			entries, _ := os.ReadDir(dir) // one that went away has nothing to sweep
			for _, e := range entries {
				if e.IsDir() {
					queue = append(queue, filepath.Join(dir, e.Name()))
				}
			}
		}
	}
	return removed
}

// Abandoned tells whether a folder that is named by Owner and one more part belongs to an engine that is gone. Backends sweep folders
// of their own by it.
func Abandoned(dir string) bool { return abandoned(filepath.Base(dir), dir) }

func abandoned(name, dir string) bool {
	rest, ours := strings.CutPrefix(name, namePrefix)
	f := strings.Split(rest, "-")
	if !ours || len(f) != 4 {
		return false
	}
	pid, err := strconv.Atoi(f[1])
	if err != nil {
		return false
	}
	ownNS, _, err := identity(os.Getpid())
	if err != nil {
		return false
	}
	if f[0] != ownNS {
		st, err := os.Stat(dir)
		return err == nil && time.Since(st.ModTime()) > time.Hour && len(fields(filepath.Join(dir, "cgroup.procs"))) == 0
	}
	_, start, err := identity(pid)
	return err != nil || start != f[2]
}

// clear kills the members one by one, which works on every interface, and removes the group.
func clear(dir string) error {
	for range 20 {
		for _, p := range fields(filepath.Join(dir, "cgroup.procs")) {
			if pid, err := strconv.Atoi(p); err == nil && pid > 1 {
				_ = unix.Kill(pid, unix.SIGKILL) // it may be gone already
			}
		}
		if os.Remove(dir) == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("cgroup: %s is still in use", dir)
}
