package mathcheck

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// differentialScript answers pairs with Math-Verify by its defaults; bare LaTeX is wrapped in dollar signs.
const differentialScript = `
import json, sys
from math_verify import parse, verify
def wrap(s): return s if "$" in s or "boxed" in s or len(s) > 120 else "$" + s + "$"
for line in sys.stdin:
    r = json.loads(line)
    try: equal = bool(verify(parse(wrap(r["gold"])), parse(wrap(r["pred"]))))
    except BaseException: equal = False
    print(json.dumps({"equal": equal}), flush=True)
`

// slowThere are kinds on which Math-Verify runs into its alarm of five seconds, pair after pair.
var slowThere = set("huge", "deep-nesting", "very-long")

// TestDifferential prints every pair of the corpus on which Math-Verify and this package disagree, and who is right by
// the label. MATH_VERIFY_PYTHON names a Python that has it. It takes some minutes of Math-Verify's time.
func TestDifferential(t *testing.T) {
	python := os.Getenv("MATH_VERIFY_PYTHON")
	if python == "" {
		t.Skip("MATH_VERIFY_PYTHON is not set to a Python with math-verify")
	}
	var pairs []pair
	var input strings.Builder
	for _, p := range corpus(t) {
		if slowThere[p.Kind] {
			continue
		}
		pairs = append(pairs, p)
		line, err := json.Marshal(map[string]string{"gold": p.Gold, "pred": p.Pred})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", differentialScript)
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(strings.NewReader(string(out)))
	ours, theirs := 0, 0
	for i := 0; sc.Scan() && i < len(pairs); i++ {
		var v struct{ Equal bool }
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		p := pairs[i]
		mine := Equal(p.Gold, p.Pred)
		if mine.Equal == v.Equal {
			continue
		}
		if mine.Equal == p.Expected {
			ours++
		} else {
			theirs++
		}
		t.Logf("%s (%s): gold %.60q pred %.80q: here %v, Math-Verify %v, label %v", p.ID, p.Kind, p.Gold, p.Pred, mine.Equal, v.Equal, p.Expected)
	}
	t.Logf("%d pairs, disagreements: %d decided rightly here, %d there", len(pairs), ours, theirs)
}
