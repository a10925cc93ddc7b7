package slot

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

// group is what a slot gets of its job's v2 cgroup: nothing where there is none; the folder where the slot may open what is in it, so
// that the job can be born there; or else the files of groupFiles, opened by the engine.
type group []int

const groupFolder = 1 // length of a group that is a folder

// groupFiles are what a slot needs that is root of a user namespace only. It could not open them, and what is written counts as
// written by the one who opened (Documentation/admin-guide/cgroup-v2.rst, Delegation Containment; Linux 5.16).
var groupFiles = []struct {
	name string
	flag int
}{{groupProcs, os.O_WRONLY}, {groupEvents, os.O_RDONLY}, {groupKill, os.O_WRONLY}}

const (
	groupProcs  = "cgroup.procs"
	groupEvents = "cgroup.events"
	groupKill   = "cgroup.kill"
)

// openGroup opens the files of a v2 group.
func openGroup(dir string) (files []*os.File, err error) {
	for _, f := range groupFiles {
		file, err := os.OpenFile(filepath.Join(dir, f.name), f.flag, 0)
		if errors.Is(err, os.ErrNotExist) && f.name == groupKill { // before Linux 5.14
			file, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		}
		if err != nil {
			for _, f := range files {
				_ = f.Close() // nothing was written
			}
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// joined lets a script's child join the group whose first descriptor it has as groupFD: by birth into the folder, or by a write
// into the file.
func joined(sc *spawn.Script, descriptors int) error {
	switch descriptors {
	case 0:
	case groupFolder:
		sc.Group = groupFD
	default:
		zero, err := spawn.KeepString(sc, "0")
		if err != nil {
			return err
		}
		sc.Do("join cgroup", unix.SYS_WRITE, groupFD, zero, 1)
	}
	return nil
}

// use calls f with the descriptor of one of groupFiles.
func (g group) use(name string, f func(fd int) error) error {
	switch len(g) {
	case 0:
		return errors.New("the job has no group of its own")
	case groupFolder:
		flag := unix.O_RDONLY
		if name == groupKill {
			flag = unix.O_WRONLY
		}
		fd, err := unix.Openat(g[0], name, flag|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		return errors.Join(f(fd), unix.Close(fd))
	}
	for i, file := range groupFiles {
		if file.name == name {
			return f(g[i])
		}
	}
	return os.ErrNotExist
}

// events gives the text of cgroup.events.
func (g group) events() (text string, err error) {
	err = g.use(groupEvents, func(fd int) error {
		var buf [256]byte
		n, err := unix.Pread(fd, buf[:], 0)
		text = string(buf[:max(n, 0)])
		return err
	})
	return text, err
}

// kill ends all that is in the group (Linux 5.14).
func (g group) kill() error {
	return g.use(groupKill, func(fd int) error {
		_, err := unix.Write(fd, []byte("1"))
		return err
	})
}
