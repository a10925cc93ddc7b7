package verifiers_test

import (
	"context"
	"fmt"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/verifiers"
)

// A judge is built once from its spec and then asked about many rows. judge.Call holds it to the contract: whatever
// happens, a verdict comes back, with a reward or a stated reason why there is none.
func Example() {
	registry := verifiers.NewRegistry(verifiers.Config{})
	check, err := registry.Build([]byte(`{"kind": "any", "of": [{"kind": "exact_match"}, {"kind": "math_equal"}]}`))
	if err != nil {
		fmt.Println(err) // names the place in the spec, for example of[1].kind
		return
	}
	for _, line := range []string{
		`{"final_text": "Adding gives \\boxed{5/4}.", "privileged": {"reference": "1.25"}}`,
		`{"final_text": "It must be 1.2.", "privileged": {"reference": "1.25"}}`,
		`{"final_text": "It must be 1.25."}`,
	} {
		row, err := rollout.Parse([]byte(line))
		if err != nil {
			fmt.Println(err)
			return
		}
		verdict := judge.Call(context.Background(), check, row, time.Second)
		if verdict.Reward == nil {
			fmt.Println("no reward:", verdict.Status)
			continue
		}
		fmt.Println("reward:", *verdict.Reward)
	}
	// Output:
	// reward: 1
	// reward: 0
	// no reward: missing_reward
}

// A spec that can never work is refused while building, with the path of the fault.
func ExampleRegistry_Build() {
	registry := verifiers.NewRegistry(verifiers.Config{})
	_, err := registry.Build([]byte(`{"kind": "all", "of": [{"kind": "exact_match"}, {"kind": "exact_match", "lowre": true}]}`))
	fmt.Println(err)
	// Output:
	// of[1].lowre: unknown key (did you mean lower?); want kind, name, field, lower, strip_punct, whole, normalize
}
