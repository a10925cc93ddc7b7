package slot

import "time"

// Proof.
//
// Own time owes a program something where the kernel's pressure counts less than the machine took: threads that take turns, tasks that
// change processors. So a time-out is run again where much was taken. But nobody can have been kept from running for longer than all
// tasks of the job together waited for a processor. If own time is over its limit even after all of that is taken off, no second try
// can say otherwise, and the verdict is final: the usual case is a sleeper that wakes up now and then on a busy machine.
const (
	// proofTime is how long a job may go on after its own time is over, where that is all a proof needs. A second try takes longer.
	proofTime = time.Second

	// waitsForRun bounds the waiting of tasks that have ended, which nobody has counted, by what they used: that a task waits for more
	// than twenty times as long as it runs needs twenty others beside each one of it. Chosen by feel.
	waitsForRun = 20
)

// prove tells whether the job is over its limit of own time beyond doubt, or else how much own time is missing for that; 0 means
// that waiting is no use.
func (j *job) prove(at time.Duration) (proven bool, missing time.Duration) {
	run, waited, ok := j.group.Delays()
	cpu, counted := j.group.CPU()
	if !ok || !counted {
		return false, 0
	}
	ended := max(0, cpu-run)
	return proof(j.limits.Wall, j.watch.meter.Own(at), j.watch.meter.Taken(), waited+waitsForRun*ended)
}

// proof: most is the most that the machine can have taken, taken is what was taken off.
func proof(limit, own, taken, most time.Duration) (proven bool, missing time.Duration) {
	missing = limit - (own - max(0, most-taken))
	if missing < 0 {
		return true, 0
	}
	if missing > proofTime {
		return false, 0
	}
	return false, max(missing, time.Millisecond)
}

// goesOn tells whether a job that is over its limit of own time may go on for a while, since that makes a second try needless.
func (j *job) goesOn(at, cpu time.Duration) (pause time.Duration, ok bool) {
	w := &j.watch
	if j.spec.Alone || cpu > j.limits.CPU || w.meter.Sure(at) {
		return 0, false
	}
	if w.proven, pause = j.prove(at); w.proven || pause == 0 {
		return 0, false
	}
	if w.overSince == 0 {
		w.overSince = at
	}
	return min(pause, 100*time.Millisecond), at-w.overSince < proofTime
}
