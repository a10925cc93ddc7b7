package mathcheck

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
)

// pair is one line of testdata/corpus/math.
type pair struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Gold     string `json:"gold"`
	Pred     string `json:"pred"`
	Expected bool   `json:"expected"`
	file     string
}

func corpus(tb testing.TB) []pair {
	tb.Helper()
	files, err := filepath.Glob("../testdata/corpus/math/*.jsonl")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no corpus: %v", err)
	}
	var out []pair
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(make([]byte, 1<<20), 8<<20)
		for sc.Scan() {
			var p pair
			if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
				tb.Fatalf("%s: %v", name, err)
			}
			p.file = strings.TrimSuffix(filepath.Base(name), ".jsonl")
			out = append(out, p)
		}
		if err := sc.Err(); err != nil {
			tb.Fatal(err)
		}
		if err := f.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// wrongPerKind is how many pairs of a kind may be judged wrongly. The figures may only fall; a kind that is not listed
// has none.
var wrongPerKind = map[string]int{}

func TestCorpusVerdicts(t *testing.T) {
	wrong := map[string]int{}
	total, falsePositives := 0, 0
	for _, p := range corpus(t) {
		total++
		v := Equal(p.Gold, p.Pred)
		if v.Equal == p.Expected {
			continue
		}
		wrong[p.Kind]++
		if v.Equal {
			falsePositives++
			t.Errorf("%s (%s) is paid though it is wrong: gold %.80q pred %.120q", p.ID, p.Kind, p.Gold, p.Pred)
		} else {
			t.Logf("%s (%s) is refused though it is right: gold %.80q pred %.120q extracted %.80q %s", p.ID, p.Kind, p.Gold, p.Pred, v.Extracted, v.Status)
		}
	}
	var kinds []string
	for k := range wrong {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		if wrong[k] > wrongPerKind[k] {
			t.Errorf("kind %s: %d wrong verdicts, at most %d allowed", k, wrong[k], wrongPerKind[k])
		}
	}
	t.Logf("%d pairs, %d false positives, wrong per kind %v", total, falsePositives, wrong)
}

func TestEveryGoldEqualsItself(t *testing.T) {
	for _, p := range corpus(t) {
		if v := Equal(p.Gold, p.Gold); !v.Equal {
			t.Errorf("%s: gold %.120q is not equal to itself: %+v", p.ID, p.Gold, v)
		}
	}
}

func TestVerdictsDoNotDependOnGoroutines(t *testing.T) {
	pairs := corpus(t)
	want := make([]Verdict, len(pairs))
	for i, p := range pairs {
		want[i] = Equal(p.Gold, p.Pred)
	}
	var wg sync.WaitGroup
	const workers, parts = 64, 16 // four at a time on each pair
	for w := range workers {
		wg.Go(func() {
			for i := w % parts; i < len(pairs); i += parts {
				if got := Equal(pairs[i].Gold, pairs[i].Pred); got != want[i] {
					t.Errorf("%s: %+v, alone %+v", pairs[i].ID, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func TestReasonNeverQuotesTheGold(t *testing.T) {
	for _, p := range corpus(t) {
		if len(p.Gold) < 4 {
			continue
		}
		if v := Equal(p.Gold, p.Pred); strings.Contains(v.Reason, p.Gold) {
			t.Errorf("%s: reason %q holds the gold", p.ID, v.Reason)
		}
	}
}

func BenchmarkRealOutputs(b *testing.B) { benchFile(b, "real_outputs") }
func BenchmarkAdjudicated(b *testing.B) { benchFile(b, "adjudicated") }
func BenchmarkAdversarial(b *testing.B) { benchFile(b, "adversarial") }
func benchFile(b *testing.B, file string) {
	var pairs []pair
	for _, p := range corpus(b) {
		if p.file == file {
			pairs = append(pairs, p)
		}
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		p := &pairs[i%len(pairs)]
		Equal(p.Gold, p.Pred)
	}
}
