package docker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"
	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// Labels of all that is made here.
const (
	labelEngine = "io.verifyd.engine" // cgroup.Owner of the engine that made it
	labelRole   = "io.verifyd.role"   // slot, or root: the image under the host's own programs
)

// box is a running container and the connection that keeps it alive.
type box struct {
	docker *Docker
	id     string
	uid    int
	life   *net.UnixConn
	pidFD  int // of process 1; -1 where the engine cannot see it
	layout *cgroup.Layout
	gone   chan struct{} // closed when process 1 has ended
	once   sync.Once     // for Kill
}

// plan is what a container is made of.
type plan struct {
	image  string // id
	env    []string
	mounts []mount.Mount
	memory int64
	pids   int64
}

// startBox makes a container and waits for its process 1.
func (d *Docker) startBox(p plan, uid int) (*box, error) {
	dir, err := os.MkdirTemp(d.temp, "box-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the container holds what it still needs
	listener, err := listen(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }() // one connection is all
	ctx, cancel := context.WithTimeout(context.Background(), 2*callDeadline)
	defer cancel()
	p.mounts = append(p.mounts, bindMount(dir, socketDir))
	b := &box{docker: d, uid: uid, pidFD: -1, gone: make(chan struct{})}
	made, err := d.api.ContainerCreate(ctx, d.describe(p, uid))
	if err != nil {
		return nil, fmt.Errorf("create a container: %w", err)
	}
	b.id = made.ID
	if _, err := d.api.ContainerStart(ctx, b.id, client.ContainerStartOptions{}); err != nil {
		return nil, errors.Join(fmt.Errorf("start a container: %w", err), b.remove())
	}
	if err := b.accept(listener); err != nil {
		return nil, errors.Join(err, b.remove())
	}
	return b, nil
}

// listen makes the socket file. Who can enter the folder is settled above it; below, the container's user must get in.
func listen(dir string) (*net.UnixListener, error) {
	name := filepath.Join(dir, socketIn)
	listener, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: name, Net: "unixpacket"})
	if err != nil {
		return nil, fmt.Errorf("socket file: %w", err)
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(name, 0o666)); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// describe is a container as the Docker engine takes it.
func (d *Docker) describe(p plan, uid int) client.ContainerCreateOptions {
	user := fmt.Sprintf("%d:%d", uid, uid)
	security := []string{"no-new-privileges", "seccomp=" + d.profile}
	if d.facts.apparmor {
		security = append(security, "apparmor="+d.appArmor())
	}
	return client.ContainerCreateOptions{
		Config: &container.Config{
			Image: p.image, User: user, WorkingDir: "/", Hostname: "sandbox", NetworkDisabled: true,
			Entrypoint: []string{"sandbox-stage:" + stageName}, Cmd: []string{}, Env: p.env,
			Healthcheck: &container.HealthConfig{Test: []string{"NONE"}}, // an image's own would be a program beside the slot
			Labels:      map[string]string{labelEngine: d.owner, labelRole: "slot"},
		},
		HostConfig: &container.HostConfig{
			NetworkMode: "none", IpcMode: "none", ReadonlyRootfs: true, AutoRemove: true, Runtime: d.config.Runtime,
			CapDrop: []string{"ALL"}, SecurityOpt: security, LogConfig: container.LogConfig{Type: "none"},
			MaskedPaths: []string{}, ReadonlyPaths: []string{}, // see doc.go
			Tmpfs:     map[string]string{"/tmp": "size=16k,nr_inodes=8,mode=700"}, // the place of the slot's new root
			Mounts:    p.mounts,
			Resources: container.Resources{Memory: p.memory, MemorySwap: p.memory, PidsLimit: &p.pids, CgroupParent: d.facts.parent},
		},
	}
}

func bindMount(source, target string) mount.Mount {
	return mount.Mount{Type: mount.TypeBind, Source: source, Target: target, ReadOnly: true}
}

// accept waits for process 1, and finds its groups.
func (b *box) accept(listener *net.UnixListener) error {
	if err := listener.SetDeadline(time.Now().Add(callDeadline)); err != nil {
		return err
	}
	conn, err := listener.AcceptUnix()
	if err != nil {
		return fmt.Errorf("process 1 of the container does not connect: %w", err)
	}
	b.life = conn
	pid, err := peer(conn)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	if err := b.isOurs(pid); err != nil {
		return errors.Join(err, conn.Close())
	}
	if pid > 0 { // else the engine is in a pid namespace of its own
		if b.pidFD, err = unix.PidfdOpen(pid, 0); err != nil {
			return errors.Join(fmt.Errorf("process 1 of the container: %w", err), conn.Close())
		}
		b.layout, err = cgroup.InContainer(pid, b.uid)
	} else {
		b.layout = &cgroup.Layout{Notes: []string{"the engine is in a pid namespace of its own and cannot see the container's groups"}}
	}
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	go b.watch()
	return nil
}

// isOurs refuses a connection from outside of the container: its groups are named after it, by cgroupfs and by systemd.
func (b *box) isOurs(pid int) error {
	if pid == 0 || !b.docker.facts.groups {
		return nil // it cannot be told; who can enter the folder is settled by its rights
	}
	groups, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return fmt.Errorf("process 1 of the container: %w", err)
	}
	if !bytes.Contains(groups, []byte(b.id)) {
		return fmt.Errorf("process %d connected, which is not in container %.12s", pid, b.id)
	}
	return nil
}

// peer is the process at the other end, 0 where it is in no pid namespace that can be seen from here.
func peer(conn *net.UnixConn) (int, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var got error
	err = raw.Control(func(fd uintptr) { cred, got = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(err, got); err != nil {
		return 0, fmt.Errorf("who connects: %w", err)
	}
	return int(cred.Pid), nil
}

// watch waits for the end of process 1, which never sends anything.
func (b *box) watch() {
	defer close(b.gone)
	var buf [16]byte
	for {
		if _, err := b.life.Read(buf[:]); err != nil {
			return
		}
	}
}

// endDeadline is for the end of process 1 and all below it, a few milliseconds as a rule.
const endDeadline = 3 * time.Second

// Kill ends the container and waits until no process of it is left. Docker removes it afterwards.
func (b *box) Kill() {
	b.once.Do(func() {
		_ = b.life.Close() // the order to end; the other end may be gone
		<-b.gone
		if b.pidFD < 0 || !awaitEnd(b.pidFD, endDeadline) {
			_ = b.remove() // what is left is swept by Close, or the next New
		}
		if b.pidFD >= 0 {
			_ = unix.Close(b.pidFD) // nothing was written
		}
		b.docker.freeUID(b.uid)
	})
}

// awaitEnd waits for a process: its descriptor can be read when it has ended, and process 1 of a pid namespace ends last
// (pid_namespaces(7)).
func awaitEnd(pidFD int, d time.Duration) bool {
	for end := time.Now().Add(d); ; {
		left := time.Until(end)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(pidFD), Events: unix.POLLIN}}, int(max(left, 0)/time.Millisecond))
		if n > 0 || err != nil && err != unix.EINTR || left <= 0 {
			return n > 0
		}
	}
}

// remove takes the container away by force.
func (b *box) remove() error { return removeContainer(b.docker.api, b.id) }

func removeContainer(api *client.Client, id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
	defer cancel()
	_, err := api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if err != nil && !gone(err) {
		return fmt.Errorf("remove container %.12s: %w", id, err)
	}
	return nil
}
