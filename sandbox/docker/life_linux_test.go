package docker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestNothingOutlivesAKilledEngine(t *testing.T) {
	engineOrSkip(t)
	sandboxtest.KilledEngine(t, func(t *testing.T) sandbox.Sandbox {
		d, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
	d := open(t, Config{}) // sweeps
	list, err := d.api.ContainerList(t.Context(), client.ContainerListOptions{All: true, Filters: client.Filters{}.Add("label", labelEngine)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Items {
		if c.Labels[labelEngine] != d.owner && c.State != container.StateRemoving {
			t.Errorf("left: %s %s of %s", c.ID, c.State, c.Labels[labelEngine])
		}
	}
}

// TestSweep leaves what a killed engine would: a container that was made and never started, an image, a folder.
func TestSweep(t *testing.T) {
	d := open(t, Config{})
	const dead = "verifyd-NS-1-7-DEAD" // process 1 with another start time
	owner := strings.Replace(dead, "NS", strings.Split(d.owner, "-")[1], 1)
	alive := d.owner
	d.owner = owner
	image, err := d.importImage(tree(t, map[string]string{"x": "y"}))
	if err != nil {
		t.Fatal(err)
	}
	made, err := d.api.ContainerCreate(t.Context(), d.describe(plan{image: image, memory: 64 << 20, pids: 10}, userBase))
	d.owner = alive
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(filepath.Dir(d.temp), owner)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	open(t, Config{})
	if _, err := d.api.ContainerInspect(t.Context(), made.ID, client.ContainerInspectOptions{}); !gone(err) {
		t.Errorf("the container is there: %v", err)
	}
	if _, err := d.api.ImageInspect(t.Context(), image); !gone(err) {
		t.Errorf("the image is there: %v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder is there")
	}
	if r, err := d.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}}); err != nil || r.Status != sandbox.OK {
		t.Errorf("what is in use was swept, too: %q %v", r.Status, err)
	}
}

// TestKilledDockerEngine ends dockerd in the middle of a job: the job goes on, since it never needed it; what needs a new container is an
// error and no verdict; a container that ended with its engine is not used again.
func TestKilledDockerEngine(t *testing.T) {
	host, kill := ownEngine(t, "")
	d, err := New(Config{Host: host})
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	type outcome struct {
		sandbox.Result
		error
	}
	ended := make(chan outcome)
	go func() {
		spec := sandbox.Spec{
			Args: []string{"/bin/sh", "-c", "echo begun >&3; read x <&3; echo $x"},
			Talk: func(c sandbox.Conn) {
				_, _ = c.Read(make([]byte, 16)) // the job has begun
				close(began)
				kill()
				_, _ = c.Write([]byte("still here\n"))
				time.Sleep(100 * time.Millisecond) // for the job's answer: what it writes after Talk is nobody's
			},
		}
		r, err := d.Run(t.Context(), spec)
		ended <- outcome{r, err}
	}()
	<-began
	if o := <-ended; o.error != nil || o.Status != sandbox.OK || string(o.Stdout.Data) != "still here\n" {
		t.Errorf("job: %q %q, %v", o.Status, o.Stdout.Data, o.error)
	}
	for _, p := range d.idle {
		groups := globs("/sys/fs/cgroup/*/"+p.box.id, "/sys/fs/cgroup/*/*/"+p.box.id)
		p.slot.Close()
		removeGroups(groups) // whose remover is dead
	}
	if r, err := d.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}}); err == nil {
		t.Errorf("without a Docker engine: %q", r.Status)
	}
	if err := d.Close(); err == nil {
		t.Error("containers cannot have been removed")
	}
}
