package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// Config of an engine. Its zero value works.
type Config struct {
	Workers  int           // rows judged at once; 0 means DefaultWorkers
	Timeout  time.Duration // one attempt at a row; 0 means DefaultTimeout, and none for judges that are prompt
	Attempts int           // tries at a row that the machine failed, the last one alone; 0 means 3
	Observer Observer      // may be nil

	// Retry says whether an error behind a verdict is the machine's and another try is worth it. Nil means errors with
	// Temporary() true.
	Retry func(error) bool
}

// DefaultTimeout of one attempt: above the honest suites that are known (hundreds of cases at seconds each), so that
// only a judge that hangs meets it. Chosen by feel.
const DefaultTimeout = 30 * time.Minute

// DefaultWorkers is two a processor: programs wait for the kernel about as long as they compute, and one that sleeps until
// its limit must not hold a processor back. Rows of prompt judges never wait, and are given to one worker a processor.
func DefaultWorkers() int { return 2 * runtime.GOMAXPROCS(0) }

// minTimeout keeps the steps of the ladder apart.
const minTimeout = time.Millisecond

// Engine judges rows. Safe for concurrent use; it owns no goroutine between calls.
type Engine struct {
	config    Config
	deadlines Deadlines
	gate      *semaphore.Weighted // one unit a row at work; all of them for a last try
	shared    flights
}

// New checks the configuration.
func New(c Config) (*Engine, error) {
	switch {
	case c.Workers < 0 || c.Workers > 10000:
		return nil, fmt.Errorf("engine: %d workers: want 1 to 10000, or 0 for one a processor", c.Workers)
	case c.Timeout < 0 || c.Timeout > 0 && c.Timeout < minTimeout:
		return nil, fmt.Errorf("engine: timeout %v: want at least %v", c.Timeout, minTimeout)
	case c.Attempts < 0 || c.Attempts > 10:
		return nil, fmt.Errorf("engine: %d attempts: want 1 to 10, or 0 for 3", c.Attempts)
	}
	if c.Workers == 0 {
		c.Workers = DefaultWorkers()
	}
	if c.Attempts == 0 {
		c.Attempts = 3
	}
	if c.Retry == nil {
		c.Retry = temporary
	}
	attempt := c.Timeout
	if attempt == 0 {
		attempt = DefaultTimeout
	}
	return &Engine{config: c, deadlines: deadlines(attempt, c.Attempts), gate: semaphore.NewWeighted(int64(c.Workers))}, nil
}

func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// Workers is the number of rows that are judged at once.
func (e *Engine) Workers() int { return e.config.Workers }

// Deadlines returns the ladder, for whoever hands limits to a sandbox.
func (e *Engine) Deadlines() Deadlines { return e.deadlines }

// Work is a judge together with what makes two of its verdicts the same work.
type Work struct {
	Judge judge.Judge
	Spec  string // canonical spec; rows in flight under equal specs are shared. Empty: never shared
}

// IDBlind is implemented by judges that never read the row's id: rows that differ only there are the same work to them.
type IDBlind interface{ IDBlind() bool }

// Grade judges one row and never fails: what went wrong is in the verdict's status. Prompt judges are called at once, in
// this goroutine. Others wait for one of Workers places, get their deadlines, are tried again where the machine was at
// fault, and share a verdict with an identical row that is being judged; such a verdict's Meta must not be changed.
func (e *Engine) Grade(ctx context.Context, w Work, r *rollout.Row) judge.Verdict {
	if isPrompt(w.Judge) {
		v := judge.Call(ctx, w.Judge, r, e.config.Timeout)
		e.observe(Event{Row: r, Verdict: &v})
		return v
	}
	v, shared := e.shared.do(ctx, r, keyOf(w, r), func() judge.Verdict { return e.attempts(ctx, w.Judge, r) })
	e.observe(Event{Row: r, Verdict: &v, Shared: shared})
	return v
}

func isPrompt(j judge.Judge) bool {
	p, ok := j.(judge.Prompt)
	return ok && p.Prompt()
}

// attempts tries a row until its verdict is not the machine's fault. The last try runs alone: whatever failed for want of
// time or memory gets the whole machine once.
func (e *Engine) attempts(ctx context.Context, j judge.Judge, r *rollout.Row) judge.Verdict {
	var row context.Context
	for try := 1; ; try++ {
		places := int64(1)
		if last := e.config.Attempts; try == last && last > 1 {
			places = int64(e.config.Workers)
		}
		if err := e.gate.Acquire(ctx, places); err != nil {
			return unjudged(err, r)
		}
		if row == nil { // counts from the first try: waiting for a place is not the row's time
			var cancel context.CancelFunc
			row, cancel = context.WithTimeout(ctx, e.deadlines.Row)
			defer cancel()
		}
		v := judge.Call(row, within{j, e.deadlines.Sandbox}, r, e.deadlines.Judge)
		e.gate.Release(places)
		if v.Err() == nil || try == e.config.Attempts || row.Err() != nil || !e.config.Retry(v.Err()) {
			return v
		}
		e.observe(Event{Row: r, Verdict: &v, Retried: try})
	}
}

// within gives the judge a deadline shorter than the one at which its caller stops waiting.
type within struct {
	inner judge.Judge
	limit time.Duration
}

// Judge calls the judge under the shorter deadline.
func (w within) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	return w.inner.Judge(ctx, r)
}

// unjudged is the verdict of a row whose turn never came. judge.Call alone turns errors into statuses.
func unjudged(err error, r *rollout.Row) judge.Verdict {
	fails := judge.Func(func(context.Context, *rollout.Row) (judge.Verdict, error) { return judge.Verdict{}, err })
	return judge.Call(context.Background(), fails, r, 0)
}
