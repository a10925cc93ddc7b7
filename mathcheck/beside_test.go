package mathcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
	"time"
)

// besideScript answers batches with Math-Verify by its defaults, bare LaTeX in dollar signs, and says what processor
// time each batch took. A line without pairs ends a batch.
const besideScript = `
import json, sys, time
from math_verify import parse, verify
def wrap(s): return s if "$" in s or "boxed" in s or len(s) > 120 else "$" + s + "$"
parse("$1$")
batch = []
for line in sys.stdin:
    if line.strip():
        batch.append(json.loads(line)); continue
    start = time.process_time()
    for r in batch:
        try: verify(parse(wrap(r["gold"])), parse(wrap(r["pred"])))
        except BaseException: pass
    print(time.process_time() - start, flush=True)
    batch = []
`

// recorded is a pair whose verdict by Math-Verify is written down in the corpus.
type recorded struct {
	pair
	Theirs any `json:"math_verify"`
}

// tally counts the verdicts of both checkers on a group of pairs.
type tally struct{ n, right, paid, rightThere, paidThere int }

func (t *tally) add(p recorded, equal bool) {
	theirs, _ := p.Theirs.(bool) // an error or a timeout is no equality
	t.n++
	count := func(right, paid *int, equal bool) {
		switch {
		case equal == p.Expected:
			*right++
		case equal:
			*paid++
		}
	}
	count(&t.right, &t.paid, equal)
	count(&t.rightThere, &t.paidThere, theirs)
}

func (t tally) row(name string) string {
	share := func(k int) float64 { return 100 * float64(k) / float64(t.n) }
	return fmt.Sprintf("| %s | %d | %.1f %% | %d | %.1f %% | %d |\n", name, t.n, share(t.right), t.paid, share(t.rightThere), t.paidThere)
}

// TestBesideMathVerify makes the table of docs/MATH.md: accuracy per kind against the recorded verdicts of Math-Verify,
// and speed in turns with it. MATH_VERIFY_PYTHON names a Python that has it, MATH_TABLE the file to write the table into.
func TestBesideMathVerify(t *testing.T) {
	python := os.Getenv("MATH_VERIFY_PYTHON")
	if python == "" {
		t.Skip("MATH_VERIFY_PYTHON is not set to a Python with math-verify")
	}
	pairs := recordedPairs(t)
	var b strings.Builder
	b.WriteString("| pairs | number | mathcheck right | false positives | Math-Verify 0.9.0 right | false positives |\n| --- | --- | --- | --- | --- | --- |\n")
	b.WriteString(accuracyRows(pairs))
	b.WriteString("\n| processor time a pair, in turns on one core | mathcheck | Math-Verify | ratio |\n| --- | --- | --- | --- |\n")
	other := startBeside(t, python)
	for _, file := range [...]string{"real_outputs", "adjudicated"} {
		b.WriteString(speedRows(t, other, file, pairs))
	}
	t.Log("\n" + b.String())
	if name := os.Getenv("MATH_TABLE"); name != "" {
		writeTable(t, name, b.String())
	}
}

func recordedPairs(t *testing.T) []recorded {
	t.Helper()
	var out []recorded
	for _, name := range [...]string{"adjudicated", "adversarial", "generated", "issues", "policy", "real_outputs", "suites"} {
		f, err := os.Open("../testdata/corpus/math/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(make([]byte, 1<<20), 8<<20)
		for sc.Scan() {
			var p recorded
			if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			p.file = name
			out = append(out, p)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func accuracyRows(pairs []recorded) string {
	var all, rest, policy tally
	kinds := map[string]*tally{}
	for _, p := range pairs {
		equal := Equal(p.Gold, p.Pred).Equal
		if kinds[p.Kind] == nil {
			kinds[p.Kind] = &tally{}
		}
		kinds[p.Kind].add(p, equal)
		switch {
		case strings.HasPrefix(p.Kind, "policy"):
			policy.add(p, equal)
			continue
		case p.file != "real_outputs":
			rest.add(p, equal)
		}
		all.add(p, equal)
	}
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	out := all.row("**all**") + rest.row("**without real outputs**") + policy.row("**house rules**")
	for _, k := range names {
		out += kinds[k].row(k)
	}
	return out
}

// beside is a running Math-Verify.
type beside struct {
	in  io.Writer
	out *bufio.Scanner
}

func startBeside(t *testing.T, python string) *beside {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, "-c", besideScript)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // its verdicts are not looked at
	})
	return &beside{in, bufio.NewScanner(out)}
}

// batch gives Math-Verify's processor time for some pairs.
func (o *beside) batch(t *testing.T, pairs []recorded) time.Duration {
	t.Helper()
	var text strings.Builder
	for _, p := range pairs {
		line, err := json.Marshal(map[string]string{"gold": p.Gold, "pred": p.Pred})
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	if _, err := io.WriteString(o.in, text.String()+"\n"); err != nil {
		t.Fatal(err)
	}
	var seconds float64
	if !o.out.Scan() {
		t.Fatal("Math-Verify ended")
	}
	if _, err := fmt.Sscan(o.out.Text(), &seconds); err != nil {
		t.Fatal(err)
	}
	return time.Duration(seconds * 1e9)
}

// speedRows measures a sample of a file in turns: some pairs there, the same pairs many times here.
func speedRows(t *testing.T, other *beside, file string, pairs []recorded) string {
	t.Helper()
	const batches, size, times, group = 6, 50, 40, 16
	var chosen []recorded
	for _, p := range pairs {
		if p.file == file {
			chosen = append(chosen, p)
		}
	}
	step := max(1, len(chosen)/(batches*size))
	var there, here, compiled time.Duration
	n := 0
	for k := range batches {
		var part []recorded
		for i := k * step * size; i < len(chosen) && len(part) < size; i += step {
			part = append(part, chosen[i])
		}
		n += len(part)
		there += other.batch(t, part)
		from := cpuTime(t)
		for range times {
			for _, p := range part {
				Equal(p.Gold, p.Pred)
			}
		}
		here += (cpuTime(t) - from) / times
		from = cpuTime(t)
		for range max(1, times/group) {
			for _, p := range part {
				g, err := Compile(p.Gold, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for range group {
					g.Check(p.Pred)
				}
			}
		}
		compiled += (cpuTime(t) - from) / time.Duration(max(1, times/group)*group)
	}
	row := func(what string, d time.Duration) string {
		a, b := d.Seconds()/float64(n), there.Seconds()/float64(n)
		return fmt.Sprintf("| %s | %.1f µs | %.2f ms | %.0f |\n", what, 1e6*a, 1e3*b, b/a)
	}
	if there < 100*here {
		t.Errorf("%s: %v against %v for %d pairs, less than a hundred times", file, here, there, n)
	}
	return row(file, here) + row(file+", reference compiled once for 16 outputs", compiled)
}

// writeTable puts the table between the two marks of a page.
func writeTable(t *testing.T, name, table string) {
	t.Helper()
	const begin, end = "<!-- made by make bench-math -->\n", "<!-- end -->"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), begin)
	_, foot, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", name)
	}
	if err := os.WriteFile(name, []byte(head+begin+table+end+foot), 0o644); err != nil {
		t.Fatal(err)
	}
}
