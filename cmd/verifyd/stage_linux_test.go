package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A child of a sandbox must not pay for what the rest of the program prepares at its start; see sandbox.RegisterStage.
func TestStagesRunBeforeTheRestIsInitialised(t *testing.T) {
	for _, name := range []string{"slot", "process"} {
		c := exec.Command("/proc/self/exe")
		c.Args, c.Env = []string{"sandbox-stage:" + name}, append(os.Environ(), "GODEBUG=inittrace=1")
		out, _ := c.CombinedOutput() // without its engine it ends with an error, or without
		if trace := string(out); !strings.Contains(trace, "init runtime") || strings.Contains(trace, "jsonschema") || strings.Contains(trace, "no such stage") {
			t.Errorf("stage %s: %s", name, trace)
		}
	}
}
