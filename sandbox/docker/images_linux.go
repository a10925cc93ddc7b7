package docker

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/containerd/errdefs"

	"github.com/verifyd/verifyd/sandbox"
)

// Images are named by what they hold, never by a name that somebody can move: "name@sha256:…" with the digest of a manifest, or the
// image's own "sha256:…". The name before the digest has the form that registries give to names (distribution/reference,
// grammar), which no option, path or shell word has.
var imageName = regexp.MustCompile(`^(?:(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*@)?sha256:[0-9a-f]{64}$`)

const longestImageName = 512 // far above any registry's

func checkImageName(name string) error {
	if len(name) > longestImageName || !imageName.MatchString(name) {
		return fmt.Errorf("image %.80q: only names by digest are taken, as name@sha256:… or sha256:…: %w", name, sandbox.ErrUnsupported)
	}
	return nil
}

// resolve gives the id of an allowed image, and checks that what is there is what was named. An empty name stays empty.
func (d *Docker) resolve(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if err := checkImageName(name); err != nil {
		return "", err
	}
	if !slices.Contains(d.config.Images, name) {
		return "", fmt.Errorf("image %s: not among the allowed ones: %w", name, sandbox.ErrUnsupported)
	}
	if d.self.dynamic {
		return "", fmt.Errorf("image %s: this binary is linked with the host's C library, and an image's own would run beside the slot; build with CGO_ENABLED=0: %w", name, sandbox.ErrUnsupported)
	}
	ctx, cancel := context.WithTimeout(ctx, callDeadline)
	defer cancel()
	found, err := d.api.ImageInspect(ctx, name)
	if errdefs.IsNotFound(err) {
		return "", fmt.Errorf("image %s: not in the Docker engine, and nothing is pulled: %w", name, sandbox.ErrUnsupported)
	}
	if err != nil {
		return "", fmt.Errorf("image %s: %w", name, err)
	}
	if found.ID != name && !slices.Contains(found.RepoDigests, name) {
		return "", fmt.Errorf("image %s: the Docker engine answers with another one, %s: %w", name, found.ID, sandbox.ErrUnsupported)
	}
	if found.Config != nil && len(found.Config.Volumes) > 0 {
		return "", fmt.Errorf("image %s: it declares volumes, which would be writable: %w", name, sandbox.ErrUnsupported)
	}
	return found.ID, nil
}

// environment is that of process 1. Docker adds the image's own to it, so each name that an image sets is set to nothing.
func (d *Docker) environment(image string) ([]string, error) {
	env := []string{"PATH=" + binDir, "GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0"}
	if image == "" {
		return env, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
	defer cancel()
	found, err := d.api.ImageInspect(ctx, image)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", image, err)
	}
	if found.Config == nil {
		return env, nil
	}
	for _, kv := range found.Config.Env {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.ContainsFunc(env, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			env = append(env, name+"=")
		}
	}
	return env, nil
}

// binary is this program as a file.
type binary struct {
	path    string
	dynamic bool // needs a C library and its loader
}

func findSelf() (binary, error) {
	if _, err := sandbox.StageArgs(stageName); err != nil {
		return binary{}, err
	}
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return binary{}, fmt.Errorf("this binary: %w", err)
	}
	f, err := elf.Open(path)
	if err != nil {
		return binary{}, fmt.Errorf("this binary: %w", err)
	}
	dynamic := slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	return binary{path, dynamic}, errors.Join(err, f.Close())
}

func gone(err error) bool { return errdefs.IsNotFound(err) || errdefs.IsConflict(err) } // the latter: its removal is under way
