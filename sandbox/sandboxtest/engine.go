package sandboxtest

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

const victimVariable = "VERIFYD_TEST_VICTIM"

// KilledEngine starts the calling test again in a process of its own, which runs jobs on what open makes, kills it with SIGKILL,
// and demands that no process of those jobs is alive a second later. The test must do nothing else before. It gives the
// victim's pid.
func KilledEngine(t *testing.T, open func(*testing.T) sandbox.Sandbox) int {
	t.Helper()
	if word := os.Getenv(victimVariable); word != "" {
		beVictim(t, open(t), word)
		t.Skip("the victim was not killed")
	}
	word := "victim" + strconv.FormatInt(time.Now().UnixNano(), 36)
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), victimVariable+"="+word)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	shells := func() []string {
		var all []string
		for _, p := range ProcessesWith(word) {
			if strings.HasPrefix(p, "/bin/sh") {
				all = append(all, p)
			}
		}
		return all
	}
	started := eventually(20*time.Second, func() bool { return len(shells()) >= 4 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if !started {
		t.Fatalf("the victim's jobs did not start")
	}
	if !eventually(time.Second, func() bool { return len(shells()) == 0 }) {
		t.Errorf("alive a second after the engine: %q", shells())
	}
	return cmd.Process.Pid
}

func beVictim(t *testing.T, b sandbox.Sandbox, word string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			spec := testCase{sh: "setsid sleep 61 & sleep 60; : " + word, limits: sandbox.Limits{Wall: time.Minute}}.spec(t)
			_, _ = b.Run(t.Context(), spec) // it is not going to end
		})
	}
	wg.Wait()
}

func eventually(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return ok()
}
