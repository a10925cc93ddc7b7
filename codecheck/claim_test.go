package codecheck_test

import (
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// forgedClaim writes into its process's channel that the set-up failed.
const forgedClaim = `import os, json, struct
b = b'X' + json.dumps({"stage": "setup", "class": "Exception", "message": "x"}).encode()
for fd in range(3, 12):
    try: os.write(fd, struct.pack('<I', len(b)) + b)
    except OSError: pass
def add(a, b): return 0
`

// An unscored answer is not to be had by claiming that the task's own set-up fails.
func TestAClaimedSetUpFaultIsTriedWithoutTheProgram(t *testing.T) {
	r := runner(t)
	for _, c := range []struct {
		name, program, setup string
		want                 codecheck.Status
	}{
		{"there is no set-up", forgedClaim, "", codecheck.Tampering},
		{"the set-up is sound", forgedClaim, "import math", codecheck.Tampering},
		{"the set-up fails by itself", forgedClaim, "raise ValueError(1)", codecheck.BrokenTests},
		{"an honest program after such a set-up", "def add(a, b): return a + b", "raise ValueError(1)", codecheck.BrokenTests},
		{"an honest program", "def add(a, b): return a + b", "import math", codecheck.Passed},
	} {
		for _, tests := range []string{`"assert add(1, 2) == 3"`, `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2]], "outputs": [3]}`} {
			rep, err := r.Check(t.Context(), codecheck.Task{Answer: c.program, Tests: parse(t, tests), Setup: c.setup})
			if err != nil || rep.Status != c.want {
				t.Errorf("%s: %s: %s (%s), error %v, want %s", c.name, tests, rep.Status, rep.Reason, err, c.want)
			}
		}
	}
}
