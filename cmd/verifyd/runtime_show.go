package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/codecheck"
)

// showRuntime prints a profile in a line, and a line for each module that was not to be preloaded.
func (a *app) showRuntime(rt codecheck.Runtime) {
	var packages []string
	for _, p := range rt.Packages {
		packages = append(packages, p.Name+" "+p.Version)
	}
	line := fmt.Sprintf("%s  python %s", rt.Name, rt.Version)
	if len(packages) > 0 {
		line += "  " + strings.Join(packages, ", ")
	}
	if len(rt.Preload) > 0 {
		line += "  preloads " + strings.Join(rt.Preload, ", ")
	}
	fmt.Fprintln(a.out, line)
	for module, why := range rt.Refused {
		fmt.Fprintf(a.out, "  %s is not preloaded: %s\n", module, why)
	}
}

func newRuntimeList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "Name the profiles of this machine",
		Args:  wants(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			dir, err := runtimesDir()
			if err != nil {
				return err
			}
			list, err := codecheck.Runtimes(dir)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, list)
			}
			for _, rt := range list {
				a.showRuntime(rt)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the profiles as JSON")
	return c
}

func newRuntimeCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check NAME...",
		Short: "Tell whether profiles are as they were built and work in the sandbox",
		Long: `Hash the packages again, ask the interpreter for its version, and let a program in the sandbox import each module that is
preloaded. Exit status 1 where something is not as it was built.`,
		Args: wants(1, -1, "NAME, the name of a profile"),
		RunE: func(c *cobra.Command, args []string) error {
			bad := false
			for _, name := range args {
				if err := a.checkRuntime(c.Context(), name); err != nil {
					bad = true
					fmt.Fprintf(a.out, "%s  %s\n", name, flat(err))
					continue
				}
				fmt.Fprintf(a.out, "%s  as built\n", name)
			}
			if bad {
				return &exitError{exitGate, errSilent}
			}
			return nil
		},
	}
}

func (a *app) checkRuntime(ctx context.Context, name string) error {
	root, err := runtimesDir()
	if err != nil {
		return err
	}
	rt, err := codecheck.ReadRuntime(filepath.Join(root, filepath.Base(name)))
	if err != nil {
		return err
	}
	tree, err := codecheck.TreeHash(rt.Site)
	if err != nil {
		return err
	}
	if tree != rt.Tree {
		return fmt.Errorf("the packages have changed since they were installed")
	}
	box, err := a.boxes.get("")
	if err != nil {
		return err
	}
	code := "def loaded():\n    import sys\n" +
		"    for n in " + fmt.Sprintf("%q", strings.Join(rt.Preload, " ")) + ".split(): __import__(n)\n    return True\n"
	tests, err := codecheck.ParseTests([]byte(`{"format": "fn_call", "fn_name": "loaded", "inputs": [[]], "outputs": [true]}`))
	if err != nil {
		return err
	}
	rep, err := box.runner.Check(ctx, codecheck.Task{Language: codecheck.RuntimeLanguage(rt.Language, rt.Name), Answer: code, Tests: tests})
	if err != nil {
		return err
	}
	if rep.Status != codecheck.Passed {
		return fmt.Errorf("a program that imports what is preloaded ends with %s: %s", rep.Status, rep.Reason)
	}
	return nil
}
