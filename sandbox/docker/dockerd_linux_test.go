package docker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ownEngine starts a Docker engine for one test, as a child of the test. kill ends it as an accident would. Its containers are made below
// parent, where that is not empty and they name no other group.
func ownEngine(t testing.TB, parent string) (host string, kill func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start a Docker engine")
	}
	dockerd, err := exec.LookPath("dockerd")
	if err != nil {
		t.Skip("no dockerd on this machine (package docker.io)")
	}
	dir, err := os.MkdirTemp("", "verifyd-dockerd-")
	if err != nil {
		t.Fatal(err)
	}
	host = "unix://" + dir + "/docker.sock"
	cmd := exec.Command(dockerd, "--data-root", dir+"/data", "--exec-root", dir+"/run", "--pidfile", dir+"/pid", "--host", host,
		"--bridge", "none", "--iptables=false", "--ip-forward=false", "--ip-masq=false", "--cgroup-parent", cmp.Or(parent, "/"+filepath.Base(dir)))
	log, err := os.Create(dir + "/log")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := errors.Join(cmd.Start(), log.Close()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // how it ended is no matter
	}()
	kill = func() {
		_ = cmd.Process.Kill() // it may be dead
		<-ended
	}
	t.Cleanup(func() {
		kill()
		cleanUp(t, dir)
	})
	awaitEngine(t, host, ended)
	return host, kill
}

// awaitEngine skips the test where the Docker engine does not come up.
func awaitEngine(t testing.TB, host string, ended <-chan struct{}) {
	t.Helper()
	api, _, err := openEngine(host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = api.Close() }() // it was only asked
	for end := time.Now().Add(30 * time.Second); ; {
		if _, err = ask(context.Background(), api); err == nil {
			return
		}
		select {
		case <-ended:
			t.Skip("no Docker engine can be started here")
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(end) {
			t.Skipf("no Docker engine can be started here: %v", err)
		}
	}
}

// cleanUp takes away what a killed Docker engine leaves: the keepers of its containers, mounts, groups and the folder.
func cleanUp(t testing.TB, dir string) {
	t.Helper()
	for _, name := range globs("/proc/[0-9]*/cmdline") {
		text, _ := os.ReadFile(name) // it may have ended
		if p := filepath.Base(filepath.Dir(name)); bytes.Contains(text, []byte(dir+"/")) && !bytes.Contains(text, []byte("-test.")) {
			_ = exec.Command("kill", "-KILL", p).Run() // the same
		}
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo") // without it the folder stays, which is said below
	for _, line := range strings.Split(string(mounts), "\n") {
		if f := strings.Fields(line); len(f) > 4 && strings.HasPrefix(f[4], dir+"/") {
			_ = exec.Command("umount", "-l", f[4]).Run() // the same
		}
	}
	removeGroups(globs("/sys/fs/cgroup/*/"+filepath.Base(dir), "/sys/fs/cgroup/"+filepath.Base(dir)))
	if err := os.RemoveAll(dir); err != nil {
		t.Log(err)
	}
}

func removeGroups(dirs []string) {
	for _, dir := range dirs {
		_ = exec.Command("find", dir, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";").Run() // some are gone
	}
}

func globs(patterns ...string) (all []string) {
	for _, p := range patterns {
		names, _ := filepath.Glob(p) // well-formed
		all = append(all, names...)
	}
	return all
}
