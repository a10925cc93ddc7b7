package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func parse(t *testing.T, line string) *rollout.Row {
	t.Helper()
	r, err := rollout.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newEngine(t *testing.T, c Config) *Engine {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for _, c := range []Config{{Workers: -1}, {Workers: 1e6}, {Timeout: -time.Second}, {Timeout: time.Microsecond}, {Attempts: -1}, {Attempts: 99}} {
		if _, err := New(c); err == nil {
			t.Errorf("New(%+v) is taken", c)
		}
	}
}

func TestDeadlinesFallFromStepToStep(t *testing.T) {
	for _, attempt := range []time.Duration{minTimeout, 10 * time.Millisecond, time.Second, time.Minute, 24 * time.Hour} {
		for attempts := 1; attempts <= 10; attempts++ {
			d := deadlines(attempt, attempts)
			if !(d.Request > d.Row && d.Row > d.Judge && d.Judge > d.Sandbox && d.Sandbox > d.Wall && d.Wall > 0) {
				t.Errorf("deadlines(%v, %d) = %+v: a step is not shorter than the one above", attempt, attempts, d)
			}
		}
	}
	if e := newEngine(t, Config{Timeout: time.Second}); e.Deadlines().Judge != time.Second || e.Workers() < 1 {
		t.Errorf("ladder %+v of an engine with a timeout of 1s", e.Deadlines())
	}
}

// machine is a fault of the machine.
type machine struct{}

func (machine) Error() string   { return "no memory for it" }
func (machine) Temporary() bool { return true }

// failing fails with the machine's fault the first n times.
func failing(n int64, tries *atomic.Int64) judge.Judge {
	return judge.Func(func(context.Context, *rollout.Row) (judge.Verdict, error) {
		if tries.Add(1) <= n {
			return judge.Verdict{}, machine{}
		}
		return judge.Pass("at last"), nil
	})
}

type recorder struct {
	mu     sync.Mutex
	events []Event
}

func (r *recorder) Observe(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func TestGradeTriesAgainWhatTheMachineFailed(t *testing.T) {
	cases := []struct {
		name     string
		failures int64
		attempts int
		tries    int64
		status   judge.Status
	}{
		{"none", 0, 0, 1, judge.OK},
		{"once", 1, 0, 2, judge.OK},
		{"twice", 2, 0, 3, judge.OK},
		{"too often", 3, 0, 3, judge.Error},
		{"without another try", 1, 1, 1, judge.Error},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var tries atomic.Int64
			seen := new(recorder)
			e := newEngine(t, Config{Attempts: c.attempts, Observer: seen})
			v := e.Grade(t.Context(), Work{Judge: failing(c.failures, &tries)}, parse(t, `{}`))
			if v.Status != c.status || tries.Load() != c.tries || len(seen.events) != int(c.tries) {
				t.Errorf("status %s after %d tries and %d events, want %s after %d", v.Status, tries.Load(), len(seen.events), c.status, c.tries)
			}
			if last := seen.events[len(seen.events)-1]; last.Retried != 0 || last.Verdict.Status != c.status {
				t.Errorf("the last event is %+v", last)
			}
		})
	}
}

func TestGradeDoesNotRepeatAFaultOfTheJudge(t *testing.T) {
	tries := 0
	broken := judge.Func(func(context.Context, *rollout.Row) (judge.Verdict, error) {
		tries++
		return judge.Verdict{}, errors.New("a bug")
	})
	if v := newEngine(t, Config{}).Grade(t.Context(), Work{Judge: broken}, parse(t, `{}`)); v.Status != judge.Error || tries != 1 {
		t.Errorf("status %s after %d tries, want error after 1", v.Status, tries)
	}
}

// The last try gets the machine for itself: no other row is judged meanwhile.
func TestGradeRunsTheLastTryAlone(t *testing.T) {
	e := newEngine(t, Config{Workers: 4, Attempts: 2})
	var running, crowd atomic.Int64
	var first sync.Once
	work := judge.Func(func(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
		now := running.Add(1)
		defer running.Add(-1)
		if r.ID != "unlucky" {
			time.Sleep(time.Millisecond)
			return judge.Pass(""), nil
		}
		fails := false
		first.Do(func() { fails = true })
		if fails {
			return judge.Verdict{}, machine{}
		}
		time.Sleep(5 * time.Millisecond)
		crowd.Store(max(now, running.Load()))
		return judge.Pass(""), nil
	})
	var wait sync.WaitGroup
	for i := range 40 {
		row := parse(t, `{"id":"plain"}`)
		if i == 10 {
			row = parse(t, `{"id":"unlucky"}`)
		}
		wait.Go(func() { e.Grade(t.Context(), Work{Judge: work}, row) })
	}
	wait.Wait()
	if crowd.Load() != 1 {
		t.Errorf("%d rows were judged beside the last try, want it alone", crowd.Load())
	}
}

func TestGradeReturnsOnTimeEvenIfTheJudgeDoesNot(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	never := judge.Func(func(context.Context, *rollout.Row) (judge.Verdict, error) {
		<-stuck
		return judge.Pass(""), nil
	})
	e := newEngine(t, Config{Timeout: 20 * time.Millisecond})
	start := time.Now()
	if v := e.Grade(t.Context(), Work{Judge: never}, parse(t, `{}`)); v.Status != judge.Timeout {
		t.Errorf("status %s, want timeout", v.Status)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v with a timeout of 20ms", took)
	}
}

// A judge that heeds its context is told before its caller stops waiting, so that its own report arrives.
func TestGradeTellsTheJudgeInTime(t *testing.T) {
	heeding := judge.Func(func(ctx context.Context, _ *rollout.Row) (judge.Verdict, error) {
		<-ctx.Done()
		return judge.Fail(judge.TimedOut, "the program was stopped"), nil
	})
	v := newEngine(t, Config{Timeout: 200 * time.Millisecond}).Grade(t.Context(), Work{Judge: heeding}, parse(t, `{}`))
	if v.Status != judge.OK || v.FailureClass != judge.TimedOut {
		t.Errorf("verdict %+v, want the judge's own", v)
	}
}

func TestGradeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var tries atomic.Int64
	v := newEngine(t, Config{}).Grade(ctx, Work{Judge: failing(0, &tries)}, parse(t, `{}`))
	if v.Status != judge.Error || v.Meta["error"] != "canceled" {
		t.Errorf("verdict %+v, want error, canceled", v)
	}
}
