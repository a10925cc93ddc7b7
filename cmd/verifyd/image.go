package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/sandbox/oci"
)

// imageFlags are what the subcommands of image share.
type imageFlags struct {
	store string
	json  bool
}

func newImage(a *app) *cobra.Command {
	var f imageFlags
	c := &cobra.Command{
		Use:   "image build|add|list|test",
		Short: "Keep the images that programs can be run in",
		Long: `Keep unpacked images for programs in containers. Nothing is pulled: images are built by a builder on this machine from
Dockerfiles that verifyd carries, or added from an OCI layout or an archive of docker save. Every hash from the name to the
last layer is checked, and a name stands for one digest until it is moved on purpose.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("image has no subcommand %.40q; it has build, add, list and test", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&f.store, "store", imageFolder(), "`FOLDER` of unpacked images")
	for _, sub := range []*cobra.Command{newImageBuild(a, &f), newImageAdd(a, &f), newImageList(a, &f), newImageTest(a, &f)} {
		sub.RunE = faults(sub.RunE)
		c.AddCommand(sub)
	}
	return c
}

// imageFolder is where images are kept unless the user says otherwise. Root's own folders are closed to the users that containers
// run as.
func imageFolder() string {
	if os.Geteuid() == 0 {
		return "/var/lib/verifyd/images"
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "verifyd", "images")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "verifyd", "images")
}

func newImageAdd(a *app, f *imageFlags) *cobra.Command {
	var move bool
	c := &cobra.Command{
		Use:   "add NAME FROM",
		Short: "Check and unpack an image from an OCI layout or an archive",
		Long: `Check and unpack the image in FROM, a folder with an OCI layout, an archive of one or what docker save wrote, and call it
NAME. NAME may hold the digest that the image must have.`,
		Example: `  docker save -o python.tar my/python && verifyd image add my/python python.tar
  skopeo copy docker-archive:python.tar oci:layout && verifyd image add my/python:3.11 layout`,
		Args: wants(2, 2, "NAME and FROM, a folder or archive"),
		RunE: func(c *cobra.Command, args []string) error {
			i, err := oci.Store{Dir: f.store}.Add(c.Context(), args[0], args[1], move)
			if err != nil {
				return imageFault(err)
			}
			return a.showImage(i)
		},
	}
	c.Flags().BoolVar(&move, "move", false, "let NAME stand for this image from now on, where it stands for another one")
	return c
}

// imageFault: whatever is wrong with a name or an image is the caller's to mend.
func imageFault(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &exitError{exitUsage, err}
}

func (a *app) showImage(i oci.Image) error {
	_, err := fmt.Fprintf(a.out, "%s\t%s\t%s\n", i.Name, i.Digest, report.Bytes(i.Size))
	return err
}

func newImageList(a *app, f *imageFlags) *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the images with their digests",
		Args:  wants(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			all, err := oci.Store{Dir: f.store}.List()
			if err != nil {
				return err
			}
			if f.json {
				if all == nil {
					all = []oci.Image{}
				}
				return writeJSON(a.out, all)
			}
			for _, i := range all {
				if err := a.showImage(i); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print the images as JSON")
	return c
}

// builders can build a Dockerfile from standard input, and save an image as docker save does.
var builders = []string{"docker", "podman"}

func newImageBuild(a *app, f *imageFlags) *cobra.Command {
	var base, builder string
	c := &cobra.Command{
		Use:   "build [LANGUAGE...]",
		Short: "Build the images of languages and add them",
		Long: `Build the image of each LANGUAGE (all where none is named) with docker or podman, and add it as verifyd/LANGUAGE. The
builder fetches the base and its packages; verifyd itself opens no connection. Languages: ` + strings.Join(imageLanguageNames(), ", ") + `.`,
		Example: `  verifyd image build python c
  verifyd image build --base registry.example/debian:bookworm-slim`,
		ValidArgs: imageLanguageNames(),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkBase(base); err != nil {
				return err
			}
			if len(args) == 0 {
				args = imageLanguageNames()
			}
			for _, name := range args {
				if _, ok := findImageLanguage(name); !ok {
					return usage("no Dockerfile for the language %.40q; there are %s", name, strings.Join(imageLanguageNames(), ", "))
				}
			}
			program, err := findBuilder(builder)
			if err != nil {
				return err
			}
			for _, name := range args {
				if err := a.buildImage(c.Context(), f, program, name, base); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&base, "base", "", "`IMAGE` to build from (default debian:bookworm-slim)")
	c.Flags().StringVar(&builder, "builder", "", "`PROGRAM` that builds: docker, podman or a path (default: the first that is there)")
	return c
}

// checkBase refuses what a builder could take for an option, or for two arguments.
func checkBase(base string) error {
	if strings.HasPrefix(base, "-") || strings.ContainsFunc(base, func(r rune) bool { return r <= ' ' || r == '=' || r > '~' }) {
		return usage("--base: %.80q is not the name of an image", base)
	}
	return nil
}

func findBuilder(name string) (string, error) {
	names := builders
	if name != "" {
		names = []string{name}
	}
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			return path, nil
		}
	}
	return "", unavailable(fmt.Errorf("no builder here: install %s, or build elsewhere and use verifyd image add", strings.Join(names, " or ")))
}

// buildImage builds one image and moves its name to the new one: that is what building again is for.
func (a *app) buildImage(ctx context.Context, f *imageFlags, builder, name, base string) error {
	language, _ := findImageLanguage(name) // it was looked for
	tag := "verifyd/" + name + ":latest"
	dir, err := os.MkdirTemp("", "verifyd-image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // an archive that has been added
	args := []string{"build", "--tag", tag}
	if base != "" {
		args = append(args, "--build-arg", "BASE="+base)
	}
	build := exec.CommandContext(ctx, builder, append(args, "-f", "-", dir)...)
	build.Stdin, build.Stdout, build.Stderr = strings.NewReader(string(language.dockerfile())), a.err, a.err
	if err := build.Run(); err != nil {
		return unavailable(fmt.Errorf("build %s with %s: %w", tag, builder, err))
	}
	archive := filepath.Join(dir, "image.tar")
	save := exec.CommandContext(ctx, builder, "save", "--output", archive, tag)
	save.Stderr = a.err
	if err := save.Run(); err != nil {
		return unavailable(fmt.Errorf("save %s with %s: %w", tag, builder, err))
	}
	i, err := oci.Store{Dir: f.store}.Add(ctx, tag, archive, true)
	if err != nil {
		return imageFault(err)
	}
	return a.showImage(i)
}

// languageOfImage is the language that an image's name ends in.
func languageOfImage(name string) (imageLanguage, bool) {
	repository, _, _ := strings.Cut(name, "@")
	repository, _, _ = strings.Cut(repository, ":")
	parts := strings.FieldsFunc(repository, func(r rune) bool { return strings.ContainsRune("/-_.", r) })
	slices.Reverse(parts)
	for _, part := range parts {
		if l, ok := findImageLanguage(part); ok {
			return l, true
		}
	}
	return imageLanguage{}, false
}
