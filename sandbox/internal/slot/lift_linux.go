package slot

import (
	"runtime"
	"time"
)

// Lifting.
//
// Nobody can tell a burner from an honest program before it has used up its processor time, and on a machine with much else to do
// that takes as many times longer as others share the processor: by own time alone its verdict is right and late. So a job that the
// machine keeps waiting is given more weight against the rest of the machine. It then uses up what it may use nearly as
// fast as on an idle machine, and an honest one ends sooner, too: no verdict changes but in its time. Short jobs are never lifted.
//
// What is given is bounded for all lifted jobs together, since the engine itself is a part of the rest: it has to read clocks
// every 10 ms, and a task that wakes up among others of w times its weight waits for about w time slices of 1 to 3 ms.
// Jobs share the bound, so those that only keep each other waiting stay as they were towards each other. More of them than
// processors cannot all be in time, whatever their weight, and would only keep short jobs waiting: there the bound itself falls
// with their number. (Beside four of them on two processors a short job takes about twice as long as without lifting.)
const (
	usualWeight = 100                    // that of a group to which nobody has given another one
	aloneWeight = 10000                  // the largest that there is
	liftWeight  = 1600                   // for lifted jobs together, a processor
	liftAfter   = 100 * time.Millisecond // taken by the machine, and a twentieth of the wall-clock time
)

// lift gives a job of which the machine has taken much its share of the bound, as far as others leave it.
func (j *job) lift(wall, taken time.Duration) {
	w := &j.watch
	if j.spec.Alone || !w.lifted && (taken < liftAfter || taken < wall/20) {
		return
	}
	if !w.lifted {
		w.lifted = true
		j.host.lifted.Add(1)
	}
	weight := liftedWeight(j.host.lifted.Load(), int64(runtime.NumCPU()))
	if weight != w.weight && j.group.Weigh(weight) == nil { // where it cannot be changed the verdict is late, and the same
		w.weight = weight
	}
}

// liftedWeight is that of one of so many lifted jobs.
func liftedWeight(jobs, processors int64) int {
	most := max(processors, jobs)
	return usualWeight + int(liftWeight*processors*processors/(most*most))
}

func (j *job) unlift() {
	if j.watch.lifted {
		j.host.lifted.Add(-1)
	}
}
