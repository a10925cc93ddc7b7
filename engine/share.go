package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// key names a piece of work: the hash of the spec and of all that the judge can read of the row. The zero key is never
// shared. A hash of 256 bits: two rows that meet in it by chance or by design would get each other's verdict.
type key [sha256.Size]byte

// keyOf hashes the row as it came, without its id where the judge does not read that.
func keyOf(w Work, r *rollout.Row) key {
	if w.Spec == "" {
		return key{}
	}
	var drop func(string) bool
	if blind, ok := w.Judge.(IDBlind); ok && blind.IDBlind() {
		drop = func(name string) bool { return name == "id" }
	}
	b := binary.AppendUvarint(nil, uint64(len(w.Spec)))
	b = append(b, w.Spec...)
	b, _ = r.AppendMembers(b, drop)
	return sha256.Sum256(b)
}

// flights holds the work that is being done now.
type flights struct {
	mu  sync.Mutex
	now map[key]*flight // guarded by mu
}

type flight struct {
	landed  chan struct{}
	verdict judge.Verdict // both stand once landed is closed
	usable  bool
}

// do judges under a key, or waits for whoever does so already. A leader that was cancelled leaves no verdict: one of those
// who waited takes its place.
func (f *flights) do(ctx context.Context, r *rollout.Row, k key, judgeRow func() judge.Verdict) (v judge.Verdict, shared bool) {
	if k == (key{}) {
		return judgeRow(), false
	}
	for {
		mine, leading := f.join(k)
		if leading {
			defer f.land(k, mine)
			mine.verdict = judgeRow()
			mine.usable = ctx.Err() == nil && mine.verdict.Repeatable()
			return mine.verdict, false
		}
		select {
		case <-mine.landed:
			if mine.usable {
				return mine.verdict, true
			}
		case <-ctx.Done():
			return unjudged(ctx.Err(), r), false
		}
	}
}

func (f *flights) join(k key) (fl *flight, leading bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl, ok := f.now[k]; ok {
		return fl, false
	}
	if f.now == nil {
		f.now = map[key]*flight{}
	}
	fl = &flight{landed: make(chan struct{})}
	f.now[k] = fl
	return fl, true
}

func (f *flights) land(k key, fl *flight) {
	f.mu.Lock()
	delete(f.now, k)
	f.mu.Unlock()
	close(fl.landed)
}
