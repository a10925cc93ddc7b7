package main

import (
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	sandbox.Init()
	testscript.Main(m, map[string]func(){
		"verifyd": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup:               ownCache,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"torn": torn},
	})
}

// ownCache lets scripts, which have no home, use what toolchains have prepared in the user's cache folder: making it takes half a minute.
func ownCache(e *testscript.Env) error {
	if dir, err := os.UserCacheDir(); err == nil {
		e.Setenv("XDG_CACHE_HOME", dir)
	}
	return nil
}

// torn FROM TO N copies the first N lines of a file and half of the next: what a killed run leaves.
func torn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: torn FROM TO N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	if n >= len(lines) {
		ts.Fatalf("%s has %d lines", args[0], len(lines))
	}
	kept := strings.Join(lines[:n], "") + lines[n][:len(lines[n])/2]
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(kept), 0o600))
}

// condition says what this machine has, so that scripts skip what it has not.
func condition(name string) (bool, error) {
	switch name {
	case "sandbox": // walls, and Python behind them
		n, err := namespace.New(namespace.Config{})
		if err != nil {
			return false, nil
		}
		_, err = exec.LookPath("python3")
		return err == nil, n.Close()
	case "gcc":
		_, err := exec.LookPath("gcc")
		return err == nil, nil
	}
	return false, nil
}
