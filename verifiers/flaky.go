package verifiers

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
)

// A program is flaky where the same program under the same tests was judged differently: by chance, by the order of a set, by
// its time near a limit. Two things show it: the same work that comes again (in a group of rollouts, or later), and a second run
// of a share of all programs (recheck). The verdict of the first run stands; it is marked, and nobody keeps it for another row.

// work names a program with its tests and how they are judged.
type work [sha256.Size]byte

// workOf hashes texts, each after its length.
func workOf(texts ...[]byte) work {
	h := sha256.New()
	for _, t := range texts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		_, _ = h.Write(n[:]) // a hash takes everything
		_, _ = h.Write(t)
	}
	return work(h.Sum(nil))
}

// drawn reports whether the work is in a share of all work, the same at each run.
func (w work) drawn(share float64) bool {
	return float64(binary.LittleEndian.Uint64(w[:])>>11)/(1<<53) < share
}

// fate is what became of a program, as far as it must be the same again.
type fate struct {
	status        codecheck.Status
	passed, total int
}

func fateOf(r codecheck.Report) fate { return fate{r.Status, r.Tests.Passed, r.Tests.Total} }

// maxFates bounds what is remembered: some 6 MB, more programs than a training step makes.
const maxFates = 1 << 16

// fates remembers what became of the programs judged last. Its zero value works. Safe for concurrent use.
type fates struct {
	mu    sync.Mutex // guards the fields below
	known map[work]*past
	order []work // in which they came, a ring
	next  int
}

// past is what is known of one program.
type past struct {
	fate  fate
	flaky bool
}

// note adds a fate and reports whether the program is known to be flaky by now.
func (f *fates) note(w work, now fate) (flaky bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.known[w]; p != nil {
		p.flaky = p.flaky || p.fate != now
		return p.flaky
	}
	if f.known == nil {
		f.known, f.order = map[work]*past{}, make([]work, maxFates)
	}
	delete(f.known, f.order[f.next])
	f.known[w], f.order[f.next] = &past{fate: now}, w
	f.next = (f.next + 1) % maxFates
	return false
}

// flaky notes what became of a program, runs it again where it is drawn for that, and reports whether it is flaky. The second
// run has interpreters of its own, with another seed of their hashes. Where it has no verdict nothing is learnt.
func (c *codeExec) flaky(ctx context.Context, t codecheck.Task, tests jsontext.Value, r codecheck.Report) bool {
	if !r.Status.Judged() || c.fates == nil {
		return false
	}
	prompt := t.Prompt
	if !t.Tests.PromptPlus {
		prompt = ""
	}
	w := workOf(c.Spec(), tests, []byte(prompt), []byte(t.EntryPoint), []byte(r.Extracted))
	flaky := c.fates.note(w, fateOf(r))
	if !flaky && w.drawn(c.Recheck) {
		t.Cold = true
		if again, err := c.runner.Check(ctx, t); err == nil && again.Status.Judged() {
			flaky = c.fates.note(w, fateOf(again))
		}
	}
	return flaky
}
