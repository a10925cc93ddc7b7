package judge

import (
	"context"
	"math"

	"github.com/verifyd/verifyd/rollout"
)

// Judge judges one row. It must not change the row or keep it, must be safe for concurrent use, and must answer the same
// row with the same verdict. It reads no clock, network or global unless that is its nature (a model, a service).
//
// A verdict with a reward says something about the candidate. Whatever says something about the judge is an error:
// ErrMissingReward where the row has no usable reference or tests, ErrInvalidResult where what came back is no verdict,
// context.DeadlineExceeded where its own deadline passed, anything else where the check is broken. Call classifies them.
type Judge interface {
	Judge(context.Context, *rollout.Row) (Verdict, error)
}

// Prompt is implemented by judges that promise to return soon on their own or by the context (native checks count
// steps): Call runs them without a goroutine of their own.
type Prompt interface{ Prompt() bool }

// Named is implemented by judges that have a name for `judge_name`.
type Named interface{ Name() string }

// Func is a function as a Judge.
type Func func(context.Context, *rollout.Row) (Verdict, error)

// Judge calls f.
func (f Func) Judge(ctx context.Context, r *rollout.Row) (Verdict, error) { return f(ctx, r) }

// Status says whether there is a reward, and if not, why.
type Status string

// The statuses, gravest last.
const (
	OK            Status = "ok"
	MissingReward Status = "missing_reward" // no usable reference or tests on the row, or a verdict object without a reward
	InvalidResult Status = "invalid_result" // what came back is no verdict
	Timeout       Status = "timeout"        // the check overran its own deadline
	Error         Status = "error"          // the check is broken or crashed, or the machine failed it
)

var gravity = map[Status]int{OK: 0, MissingReward: 1, InvalidResult: 2, Timeout: 3, Error: 4}

// Graver returns the graver of two statuses: error, timeout, invalid_result, missing_reward, ok.
func Graver(a, b Status) Status {
	if gravity[b] > gravity[a] {
		return b
	}
	return a
}

// Verdict is what a judge returned for one row.
type Verdict struct {
	Reward       *float64           // in [0,1]; nil unless Status is ok
	Status       Status             // never empty once Call returned it
	Reason       string             // one sentence for a person; holds no privileged gold once Call returned it
	Markers      map[string]float64 // 1.0 is the good outcome; higher is better
	FailureClass FailureClass       // why the candidate fell short; empty when it did not
	Meta         map[string]any     // anything else the judge said; written as judge_meta

	err error // see Err
}

// Err is the error of the judge that left the row unjudged, for the caller who may ask again; nil where there was none.
func (v Verdict) Err() error { return v.err }

// WithErr returns the verdict with the error that left it unjudged: a tree passes on its child's.
func (v Verdict) WithErr(err error) Verdict {
	v.err = err
	return v
}

// Scored is a verdict with a reward. A reward outside [0,1] or NaN is a fault of the caller and panics.
func Scored(reward float64, class FailureClass, reason string) Verdict {
	if !(reward >= 0 && reward <= 1) {
		panic("judge: reward outside [0,1]")
	}
	return Verdict{Reward: rewardPointer(reward), Status: OK, Reason: reason, FailureClass: class}
}

// zero and one are shared: the commonest rewards need no allocation. A Verdict's reward is never written through.
var zero, one = 0.0, 1.0

func rewardPointer(r float64) *float64 {
	switch r {
	case 0:
		return &zero
	case 1:
		return &one
	}
	return &r
}

// Pass is the verdict with reward 1.
func Pass(reason string) Verdict { return Scored(1, "", reason) }

// Fail is the verdict with reward 0 and the class of the candidate's failure.
func Fail(class FailureClass, reason string) Verdict { return Scored(0, class, reason) }

// Unjudged is a verdict without a reward. Status must not be ok.
func Unjudged(status Status, reason string) Verdict {
	return Verdict{Status: status, Reason: reason}
}

// With returns the verdict with one more entry of metadata.
func (v Verdict) With(key string, value any) Verdict {
	if v.Meta == nil {
		v.Meta = make(map[string]any, 4)
	}
	v.Meta[key] = value
	return v
}

// valid says whether the verdict keeps the contract: a reward exactly when the status is ok, finite and in [0,1].
func (v Verdict) valid() bool {
	if v.Reward == nil {
		return v.Status != OK && v.Status != ""
	}
	return v.Status == OK && !math.IsNaN(*v.Reward) && *v.Reward >= 0 && *v.Reward <= 1
}
