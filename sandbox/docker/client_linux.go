package docker

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// callDeadline is for one call of the Docker engine: 0.2 s as a rule, this is for a machine at its limits.
const callDeadline = 30 * time.Second

const defaultHost = "unix:///var/run/docker.sock"

// openEngine makes a client for a socket file. The version of the protocol is agreed upon with the first call: the engine's own where
// the client knows it, back to 1.40 (Docker 19.03); an older engine is refused by the client with both versions named.
func openEngine(host string) (*client.Client, string, error) {
	host = cmp.Or(host, os.Getenv("DOCKER_HOST"), defaultHost)
	socket, ok := strings.CutPrefix(host, "unix://")
	if !ok || !filepath.IsAbs(socket) {
		return nil, "", fmt.Errorf("engine %.100q: only a socket file is used, as unix:///path: whoever reaches Docker by TCP is root there", host)
	}
	api, err := client.New(client.WithHost(host))
	if err != nil {
		return nil, "", fmt.Errorf("engine %s: %w", host, err)
	}
	return api, socket, nil
}

// Groups of jobs lie below the engine's own (see cgroup): what somebody gave or denied the engine holds for them. Docker's own
// choice puts all containers of the machine into one group, which on v1 gets as much of a busy machine as a single
// task does, and a job there waits many times longer than the same job behind namespaces. On v2 parents may not
// have processes of their own, and with systemd a parent is a slice: there it stays Docker's choice.

// facts are what the Docker engine says of itself.
type facts struct {
	version  string // of the engine
	remapped bool   // its containers have user ids of a range of their own, below 65536
	seccomp  bool
	apparmor bool
	groups   bool   // containers have groups of their own
	parent   string // group for containers; empty leaves it to the Docker engine
}

func ask(ctx context.Context, api *client.Client) (facts, error) {
	ctx, cancel := context.WithTimeout(ctx, callDeadline)
	defer cancel()
	answer, err := api.Info(ctx, client.InfoOptions{})
	if err != nil {
		return facts{}, fmt.Errorf("ask the Docker engine: %w", err)
	}
	info := answer.Info
	if info.OSType != "linux" {
		return facts{}, fmt.Errorf("the Docker engine runs containers of %s, not Linux", info.OSType)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(info.SecurityOptions, func(o string) bool { return slices.Contains(strings.Split(o, ","), "name="+name) })
	}
	f := facts{version: info.ServerVersion, remapped: has("userns") || has("rootless"), seccomp: has("seccomp"), apparmor: has("apparmor")}
	f.groups = info.CgroupDriver != "" && info.CgroupDriver != "none"
	if info.CgroupDriver == "cgroupfs" && info.CgroupVersion != "2" {
		f.parent, err = cgroup.OwnForCPU()
	}
	return f, err
}
