package engine

import "time"

// Deadlines is the ladder of one engine, each step shorter than the one above, so that whoever is inside can still report
// to whoever is outside: a sandbox that kills its program still tells the judge, a judge that gives up still makes a
// verdict, a row that ran out of attempts still makes an answer.
type Deadlines struct {
	Request time.Duration // one call from outside for one row
	Row     time.Duration // all attempts at one row
	Judge   time.Duration // one attempt: after it judge.Call stops waiting
	Sandbox time.Duration // what the judge itself sees in its context
	Wall    time.Duration // the longest wall clock of one program inside the judge
}

// Reserve between two steps: a twentieth of the attempt, at most two seconds. Killing a process tree and copying its
// output takes milliseconds; two seconds is that on a machine overloaded a hundredfold.
const (
	reserveShare = 20
	reserveMax   = 2 * time.Second
)

// deadlines computes the ladder from the time of one attempt, which is at least minTimeout, and the number of attempts.
//
//	Wall < Sandbox < Judge < Row < Request
func deadlines(attempt time.Duration, attempts int) Deadlines {
	reserve := min(attempt/reserveShare, reserveMax)
	row := time.Duration(attempts)*attempt + reserve
	return Deadlines{
		Request: row + reserve,
		Row:     row,
		Judge:   attempt,
		Sandbox: attempt - reserve,
		Wall:    attempt - 2*reserve,
	}
}
