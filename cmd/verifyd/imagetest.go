package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/oci"
)

func newImageTest(a *app, f *imageFlags) *cobra.Command {
	var language, runtime string
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Run a small program in images, in containers as programs of candidates get them",
		Long: `Run a small program of its language in each image, in a container without network and rights, as programs of candidates
are run. All images are tried where none is named. The language is the one that the name holds (verifyd/python), or
--language. Exit status 1 where one does not work.`,
		Example: `  verifyd image test
  verifyd image test --language c my/gcc@sha256:…`,
		RunE: func(c *cobra.Command, args []string) error {
			if language != "" {
				if _, ok := findImageLanguage(language); !ok {
					return usage("--language: unknown language %.40q; known are %s", language, strings.Join(imageLanguageNames(), ", "))
				}
			}
			return a.testImages(c.Context(), f, args, language, runtime)
		},
	}
	c.Flags().StringVar(&language, "language", "", "`LANGUAGE` of the program")
	c.Flags().StringVar(&runtime, "runtime", "", "`PROGRAM` that makes containers: runc, crun, runsc or a path (default: the first that is there)")
	completes(c, "language", imageLanguageNames)
	return c
}

// tryTime is for a compiler that starts for the first time.
const tryTime = time.Minute

func (a *app) testImages(ctx context.Context, f *imageFlags, names []string, language, runtime string) error {
	store := oci.Store{Dir: f.store}
	if len(names) == 0 {
		all, err := store.List()
		if err != nil {
			return err
		}
		for _, i := range all {
			names = append(names, i.Name)
		}
	}
	for _, name := range names {
		if _, err := store.Find(name); err != nil {
			return imageFault(err)
		}
	}
	box, err := oci.New(oci.Config{Images: f.store, Runtime: runtime, AllowWeak: a.boxes.allowWeak})
	if err != nil {
		return unavailable(err)
	}
	defer func() { _ = box.Close() }() // what is left is swept at the next start
	p, failed := report.New(a.out, colour(a.out)), false
	for _, name := range names {
		l, ok := languageOfImage(name)
		if language != "" {
			l, ok = findImageLanguage(language)
		}
		if !ok {
			return usage("%s: its name holds no language; name one with --language", name)
		}
		if err := tryImage(ctx, box, name, l); err != nil {
			failed = true
			p.Line(p.Red("fails   ") + name + "  " + l.Name + "  " + flat(err))
			continue
		}
		p.Line(p.Green("works   ") + name + "  " + l.Name)
	}
	if err := p.Err(); err != nil {
		return err
	}
	if failed {
		return &exitError{exitGate, errSilent}
	}
	return nil
}

// tryImage compiles and runs a language's program in one job: the compiler and what it makes are the image's.
func tryImage(ctx context.Context, box sandbox.Sandbox, name string, l imageLanguage) error {
	script := strings.Join(l.Run, " ")
	if len(l.Compile) > 0 {
		script = strings.Join(l.Compile, " ") + " >&2 && exec " + script
	}
	r, err := box.Run(ctx, sandbox.Spec{
		Args: []string{"/bin/sh", "-c", script}, Root: sandbox.Root{Image: name},
		Env:   append([]string{"PATH=/usr/local/go/bin:/usr/local/cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp"}, l.Env...),
		Files: []sandbox.File{{Name: l.File, Data: []byte(l.Program)}},
		Limits: sandbox.Limits{
			Wall: tryTime, CPU: tryTime, Memory: 2 * sandbox.GiB, Disk: sandbox.GiB, File: 256 * sandbox.MiB, Inodes: 50_000, Processes: 256, OpenFiles: 1024,
		},
	})
	if err != nil {
		return err
	}
	if r.Status != sandbox.OK || strings.TrimSpace(string(r.Stdout.Data)) != "ok" {
		return fmt.Errorf("%s, exit code %d: %.300s%.300s", r.Status, r.ExitCode, r.Stdout.Data, r.Stderr.Data)
	}
	return nil
}
