package optimize

// Reason is why a row is not in the selection. Each dropped row has one, the first that applies in this order.
type Reason uint8

// The reasons, in the order in which they apply. The last four are the fault of no row: its group does not help, or there was
// enough.
const (
	Kept           Reason = iota
	PrivilegedLeak        // the reply quotes what only the verifier may know
	IncompleteJunk        // empty, an error text, one character over and over, markup of a harness, or cut off without an end
	DoNothing             // nobody judged it, and it called no tool where the ask wanted one
	UnusableLabel         // no binary reward
	Duplicate             // the same prompt, behaviour and reply as an earlier row
	TruncatedReply        // cut off at the cap, under the policy drop
	Unanimous             // every rollout of its group has the same label: no gradient
	Collapsed             // its group had several rows and is left with this one
	OutOfBand             // its group passes too often or too seldom
	NotPassing            // supervised: below the least reward
	SamePrompt            // supervised: another reply to the prompt was taken
	BeyondTarget          // enough rows were taken
	nReasons
)

var reasonNames = [nReasons]string{"kept", "privileged_leak", "incomplete_junk", "do_nothing", "unusable_label", "duplicate", "truncated",
	"unanimous_group", "collapsed_group", "out_of_band", "not_passing", "same_prompt", "beyond_target"}

// String is the reason's name in reports.
func (r Reason) String() string { return reasonNames[r] }
