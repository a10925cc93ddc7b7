package slot

import (
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

func TestLiftedJobsShareTheBound(t *testing.T) {
	for _, c := range []struct {
		jobs, processors int64
		want             int
	}{
		{1, 2, usualWeight + liftWeight}, {2, 2, usualWeight + liftWeight}, {4, 2, usualWeight + liftWeight/4},
		{64, 2, usualWeight + 1}, {100000, 2, usualWeight}, {3, 64, usualWeight + liftWeight},
	} {
		if got := liftedWeight(c.jobs, c.processors); got != c.want {
			t.Errorf("%d jobs on %d processors: %d, want %d", c.jobs, c.processors, got, c.want)
		}
	}
}

func TestOnlyAJobThatIsKeptWaitingIsLifted(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name        string
		alone       bool
		wall, taken time.Duration
		want        bool
	}{
		{"a short job", false, 60 * ms, 50 * ms, false},
		{"a job on an idle machine", false, 10 * time.Second, 150 * ms, false},
		{"a job of which little was taken yet", false, 400 * ms, 90 * ms, false},
		{"a job that waits", false, 400 * ms, 200 * ms, true},
		{"a job that has all the weight there is", true, 400 * ms, 200 * ms, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			group, err := (&cgroup.Layout{}).New("slot")
			if err != nil {
				t.Fatal(err)
			}
			j := &job{host: &Host{}, group: group, spec: sandbox.Spec{Alone: c.alone}}
			j.watch.weight = usualWeight
			j.lift(c.wall, c.taken)
			if got := j.host.lifted.Load() == 1; got != c.want || got != (j.watch.weight > usualWeight) {
				t.Errorf("lifted %v to %d, want %v", got, j.watch.weight, c.want)
			}
			j.unlift()
			if left := j.host.lifted.Load(); left != 0 {
				t.Errorf("%d lifted after the end", left)
			}
		})
	}
}
