package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

// upTo gives the whole numbers below n.
func upTo(n int) func() (int, error) {
	i := -1
	return func() (int, error) {
		if i++; i >= n {
			return 0, io.EOF
		}
		return i, nil
	}
}

func double(_ context.Context, i int) (int, error) { return 2 * i, nil }

func TestEachEmitsInTheOrderOfTheItems(t *testing.T) {
	for _, f := range []Flow{{}, {Workers: 1}, {Workers: 3, Window: 4}, {Workers: 8, Window: 100}} {
		var got []int
		err := Each(t.Context(), f, upTo(500), double, func(i int) error { got = append(got, i); return nil })
		if err != nil || len(got) != 500 || !slices.IsSorted(got) || got[499] != 998 {
			t.Errorf("%+v: %d results, last %v, error %v", f, len(got), got[max(len(got)-1, 0):], err)
		}
	}
}

func TestEachReadsNoFurtherThanItsWindow(t *testing.T) {
	const window = 7
	var read, emitted, most atomic.Int64
	next := upTo(200)
	counting := func() (int, error) {
		i, err := next()
		if err == nil {
			most.Store(max(most.Load(), read.Add(1)-emitted.Load()))
		}
		return i, err
	}
	err := Each(t.Context(), Flow{Workers: 3, Window: window}, counting, double, func(int) error { emitted.Add(1); return nil })
	if err != nil || most.Load() > window {
		t.Errorf("%d items were read and not emitted, want at most %d; error %v", most.Load(), window, err)
	}
}

// A slow head must not keep the results before it back, nor stop the work behind it.
func TestEachDoesNotHoldBackWhatStandsBeforeASlowItem(t *testing.T) {
	release, seen := make(chan struct{}), make(chan int, 10)
	work := func(_ context.Context, i int) (int, error) {
		if i == 2 {
			<-release
		}
		seen <- i
		return i, nil
	}
	emitted := make(chan int, 10)
	ended := make(chan error, 1)
	go func() {
		ended <- Each(t.Context(), Flow{Workers: 2, Window: 6}, upTo(5), work, func(i int) error { emitted <- i; return nil })
	}()
	if a, b := <-emitted, <-emitted; a != 0 || b != 1 {
		t.Errorf("emitted %d, %d before the slow item, want 0, 1", a, b)
	}
	for range 4 { // all but the slow one are worked while it is
		<-seen
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestEachEndsAtAnError(t *testing.T) {
	boom := errors.New("boom")
	three := func(i int) error {
		if i == 3 {
			return boom
		}
		return nil
	}
	cases := []struct {
		name string
		run  func(emit func(int) error) error
	}{
		{"of work", func(emit func(int) error) error {
			return Each(t.Context(), Flow{Workers: 3}, upTo(100), func(_ context.Context, i int) (int, error) { return i, three(i) }, emit)
		}},
		{"of next", func(emit func(int) error) error {
			next := upTo(100)
			return Each(t.Context(), Flow{Workers: 3}, func() (int, error) {
				i, err := next()
				return i, errors.Join(err, three(i))
			}, func(_ context.Context, i int) (int, error) { return i, nil }, emit)
		}},
		{"of emit", func(emit func(int) error) error {
			return Each(t.Context(), Flow{Workers: 3}, upTo(100), func(_ context.Context, i int) (int, error) { return i, nil }, func(i int) error {
				if err := three(i); err != nil {
					return err
				}
				return emit(i)
			})
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			var got []int
			err := c.run(func(i int) error { got = append(got, i); return nil })
			if !errors.Is(err, boom) || !slices.Equal(got, []int{0, 1, 2}) {
				t.Errorf("emitted %v with error %v, want 0, 1, 2 and boom", got, err)
			}
		})
	}
}

func TestEachTurnsAPanicIntoAnError(t *testing.T) {
	work := func(_ context.Context, i int) (int, error) {
		if i == 1 {
			panic("at the disco")
		}
		return i, nil
	}
	var got []int
	err := Each(t.Context(), Flow{Workers: 2}, upTo(9), work, func(i int) error { got = append(got, i); return nil })
	if err == nil || !strings.Contains(err.Error(), "at the disco") || !slices.Equal(got, []int{0}) {
		t.Errorf("emitted %v with error %v, want 0 and the panic", got, err)
	}
}

func TestEachStopsWhenCancelled(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	work := func(ctx context.Context, i int) (int, error) {
		if i == 5 {
			cancel(why)
		}
		return i, ctx.Err()
	}
	var got []int
	err := Each(ctx, Flow{Workers: 1, Window: 3}, upTo(1<<30), work, func(i int) error { got = append(got, i); return nil })
	if !errors.Is(err, why) || !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("emitted %v with error %v, want 0 to 4 and the cause", got, err)
	}
	if err := Each(ctx, Flow{}, upTo(3), double, func(int) error { t.Error("emitted"); return nil }); !errors.Is(err, why) {
		t.Errorf("cancelled before it began: error %v", err)
	}
}
