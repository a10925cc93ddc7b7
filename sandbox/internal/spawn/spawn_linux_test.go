//go:build linux

package spawn

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

func TestStartRunsTheProgramAfterTheScript(t *testing.T) {
	s := &Script{Path: "/bin/sh", Argv: []string{"sh", "-c", "exit $(umask)"}, Env: []string{"A=b"}}
	s.Do("umask", unix.SYS_UMASK, 0o7)
	pid, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, 0, nil); err != nil {
		t.Fatal(err)
	}
	if got := ws.ExitStatus(); got != 7 {
		t.Errorf("exit code %d, want the script's umask 7", got)
	}
}

func TestStartNamesTheStepThatFailed(t *testing.T) {
	for _, c := range []struct {
		name, path, want string
		call             uintptr
	}{
		{"a call of the script", "/bin/true", "chdir", unix.SYS_CHDIR},
		{"the exec", "/nonexistent/program", "execve", unix.SYS_GETPID},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Script{Path: c.path, Argv: []string{"x"}}
			s.Try("bad but ignored", unix.SYS_CLOSE, ^uintptr(0))
			s.Do("chdir", c.call, 0)
			_, err := Start(s)
			var step *StepError
			if !errors.As(err, &step) || step.Step != c.want {
				t.Errorf("error %v, want step %q", err, c.want)
			}
		})
	}
}
