package docker

import (
	"encoding/json"

	"github.com/verifyd/verifyd/sandbox/internal/seccomp"
)

// profile is the system-call filter of a container, in Docker's form: what a slot needs, see seccomp.Outer. Calls of other architectures
// end the caller, since none is named.
func profile() (string, error) {
	const allow = "SCMP_ACT_ALLOW"
	type argument struct {
		Index uint   `json:"index"`
		Value uint64 `json:"value"`
		Op    string `json:"op"`
	}
	type rule struct {
		Names  []string   `json:"names"`
		Action string     `json:"action"`
		Args   []argument `json:"args,omitempty"`
	}
	const afUnix = 1
	text, err := json.Marshal(struct {
		DefaultAction string `json:"defaultAction"`
		Syscalls      []rule `json:"syscalls"`
	}{"SCMP_ACT_ERRNO", []rule{
		{Names: seccomp.Outer(), Action: allow},
		{Names: []string{"socket"}, Action: allow, Args: []argument{{0, afUnix, "SCMP_CMP_EQ"}}},
	}})
	return string(text), err
}
