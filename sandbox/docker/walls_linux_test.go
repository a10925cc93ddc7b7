package docker

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox"
)

// TestAContainerIsShutIn looks at a running container as Docker describes it.
func TestAContainerIsShutIn(t *testing.T) {
	d := open(t, Config{})
	p, err := d.take(t.Context(), sandbox.Spec{Root: sandbox.Root{Binds: []sandbox.Bind{{Host: "/usr", Job: "/opt/usr"}}}}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer d.give(p)
	answer, err := d.api.ContainerInspect(t.Context(), p.box.id, client.ContainerInspectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := answer.Container
	h := c.HostConfig
	for name, ok := range map[string]bool{
		"no network":                 h.NetworkMode == "none",
		"a read-only root":           h.ReadonlyRootfs,
		"no capability":              slices.Equal(h.CapDrop, []string{"ALL"}) && len(h.CapAdd) == 0 && !h.Privileged,
		"no new privileges":          slices.Contains(h.SecurityOpt, "no-new-privileges"),
		"a filter":                   slices.ContainsFunc(h.SecurityOpt, func(o string) bool { return strings.HasPrefix(o, "seccomp={") }),
		"a memory limit":             h.Memory > 0 && h.MemorySwap == h.Memory,
		"a limit of processes":       h.PidsLimit != nil && *h.PidsLimit > 0,
		"a user that is not root":    c.Config.User != "" && !strings.HasPrefix(c.Config.User, "0") && !strings.HasPrefix(c.Config.User, "root"),
		"no namespace of the host's": h.PidMode == "" && h.IpcMode == "none" && h.UTSMode == "" && h.UsernsMode == "",
		"no device":                  len(h.Devices) == 0 && len(h.DeviceRequests) == 0,
		"its engine's name":          c.Config.Labels[labelEngine] == d.owner,
		"removal at its end":         h.AutoRemove,
	} {
		if !ok {
			t.Errorf("the container lacks %s", name)
		}
	}
	for _, m := range c.Mounts {
		if m.RW || strings.HasPrefix(d.socket, m.Source+"/") || m.Source == d.socket {
			t.Errorf("mount %s at %s: writable %v", m.Source, m.Destination, m.RW)
		}
	}
}

func TestNoBindHoldsTheEnginesSocket(t *testing.T) {
	d := open(t, Config{})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Dir(d.socket), link); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	listener, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // nobody connects
	for _, host := range []string{d.socket, filepath.Dir(d.socket), "/", link, other} {
		_, err := d.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}, Root: sandbox.Root{Binds: []sandbox.Bind{{Host: host, Job: "/x"}}}})
		if err == nil || !strings.Contains(err.Error(), "socket") {
			t.Errorf("bind of %s: %v", host, err)
		}
	}
}

func TestOnlySocketFilesAreUsed(t *testing.T) {
	for _, host := range []string{"tcp://127.0.0.1:2375", "tcp://[::1]:2376", "http://localhost", "https://localhost", "ssh://root@localhost", "npipe:////./pipe/docker_engine", "fd://", "unix://relative", "/var/run/docker.sock"} {
		if _, err := New(Config{Host: host}); err == nil || !strings.Contains(err.Error(), "socket file") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestAContainerHasRoomForItsJobs(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits sandbox.Limits
		want   size
	}{
		{"the defaults", sandbox.DefaultLimits(), size{1 << 30, 256}},
		{"a large job", sandbox.Limits{Memory: 4 * sandbox.GiB, Processes: 1000}, size{8 << 30, 2048}},
		{"one byte too many", sandbox.Limits{Memory: 832*sandbox.MiB + 1, Processes: 193}, size{2 << 30, 512}},
		{"just fits", sandbox.Limits{Memory: 832 * sandbox.MiB, Processes: 192}, size{1 << 30, 256}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sizeFor(c.limits); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestFreshContainers are one a job.
func TestFreshContainers(t *testing.T) {
	d := open(t, Config{Fresh: true})
	for range 2 {
		r, err := d.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/sh", "-c", "ls -A /tmp; echo x > /tmp/x"}})
		if err != nil || r.Status != sandbox.OK || len(r.Stdout.Data) > 0 {
			t.Fatalf("%q %q: %v", r.Status, r.Stdout.Data, err)
		}
		if len(d.idle) > 0 {
			t.Error("the container was kept")
		}
	}
}

// TestSomebodyElseConnects: whoever comes first to a container's socket file, only its own process 1 is talked to.
func TestSomebodyElseConnects(t *testing.T) {
	d := open(t, Config{})
	dir := t.TempDir()
	listener, err := listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // one connection is all
	conn, err := net.Dial("unixpacket", filepath.Join(dir, socketIn))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // it was refused
	b := &box{docker: d, id: strings.Repeat("0a", 32), pidFD: -1, gone: make(chan struct{})}
	if err := b.accept(listener); err == nil || !strings.Contains(err.Error(), "not in container") {
		t.Errorf("accepted: %v", err)
	}
}
