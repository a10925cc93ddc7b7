package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Every command that waits for standard input ends at an interrupt with its own status and without a stray message.
func TestCommandsEndOnInterruptWhileTheyWait(t *testing.T) {
	for _, args := range [][]string{
		{"math"}, {"verify"}, {"explain", "-", "--verifier", "exact_match"}, {"run", "-"}, {"grade", "none", "--judge", "-"},
		{"grade", "-", "--verifier", "exact_match"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			c := exec.CommandContext(t.Context(), "verifyd", args...)
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var said bytes.Buffer
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			waitForReader(t, c.Process.Pid)
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // reports the exit status
			if got := c.ProcessState.ExitCode(); got != exitInterrupted || !strings.HasPrefix(said.String(), "verifyd: interrupted") || strings.Count(said.String(), "\n") != 1 {
				t.Errorf("exit status %d, said %q", got, said.String())
			}
		})
	}
}

// waitForReader polls until a thread of the process waits in a read of its standard input, which is a pipe.
func waitForReader(t *testing.T, pid int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/syscall"); err != nil {
		time.Sleep(time.Second) // nothing to look at here
		return
	}
	for t.Context().Err() == nil {
		threads, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		for _, thread := range threads {
			text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + thread.Name() + "/syscall")
			if strings.HasPrefix(string(text), "0 0x0 ") || bytes.HasPrefix(text, []byte("63 0x0 ")) { // read(0, on amd64 and arm64
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}
