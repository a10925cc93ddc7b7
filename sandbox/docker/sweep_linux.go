package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// Everything that is made in a Docker engine carries the name of the engine that made it, by which the next one tells what was left.
// An engine of another pid namespace cannot be looked up from here; a container of such a one is taken where it has ended or was never
// started, and is an hour old.

const foreignAge = time.Hour

// sweep removes containers and images of engines that have ended.
func sweep(api *client.Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
	defer cancel()
	list, err := api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: client.Filters{}.Add("label", labelEngine)})
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	var errs []error
	for _, c := range list.Items {
		ended, known := cgroup.OwnerState(c.Labels[labelEngine])
		old := time.Since(time.Unix(c.Created, 0)) > foreignAge && c.State != container.StateRunning
		if ended || !known && old {
			errs = append(errs, removeContainer(api, c.ID))
		}
	}
	images, err := api.ImageList(ctx, client.ImageListOptions{Filters: client.Filters{}.Add("label", labelEngine)})
	if err != nil {
		return errors.Join(append(errs, fmt.Errorf("sweep: %w", err))...)
	}
	for _, i := range images.Items {
		if ended, _ := cgroup.OwnerState(i.Labels[labelEngine]); ended {
			errs = append(errs, removeImage(ctx, api, i.ID))
		}
	}
	return errors.Join(errs...)
}

func removeImage(ctx context.Context, api *client.Client, id string) error {
	if _, err := api.ImageRemove(ctx, id, client.ImageRemoveOptions{Force: true}); err != nil && !gone(err) {
		return fmt.Errorf("remove image %.19s: %w", id, err)
	}
	return nil
}

// removeAll waits until Docker has removed this engine's containers, takes those that are left at the deadline by force, and then the
// image.
func (d *Docker) removeAll(deadline time.Time) error {
	ctx, cancel := context.WithDeadline(context.Background(), deadline.Add(callDeadline))
	defer cancel()
	own := client.Filters{}.Add("label", labelEngine+"="+d.owner)
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		list, err := d.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: own})
		if err != nil {
			return fmt.Errorf("list containers: %w", err)
		}
		if len(list.Items) == 0 {
			break
		}
		if time.Now().Before(deadline) {
			time.Sleep(wait)
			continue
		}
		for _, c := range list.Items {
			if err := removeContainer(d.api, c.ID); err != nil {
				return err
			}
		}
	}
	if d.root == nil {
		return nil
	}
	return removeImage(ctx, d.api, d.root.image)
}

// sweepFolders removes the folders of engines that have ended.
func sweepFolders(parent string) {
	names, _ := filepath.Glob(filepath.Join(parent, "verifyd-*")) // the pattern is well-formed
	for _, name := range names {
		if ended, _ := cgroup.OwnerState(filepath.Base(name)); ended {
			_ = os.RemoveAll(name) // somebody else's, or in use: it stays
		}
	}
}
