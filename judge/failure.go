package judge

// FailureClass says why a candidate fell short. It is a word for counting, never a sentence; empty where it did not.
type FailureClass string

// The vocabulary. Code verdicts use the words of judge_meta.status where they name a fault of the candidate.
const (
	WrongAnswer  FailureClass = "wrong_answer"  // an answer was found and it is not the right one
	NoAnswer     FailureClass = "no_answer"     // nothing that can be read as an answer
	BadFormat    FailureClass = "bad_format"    // not the form that was asked for: broken JSON, schema not met, pattern absent
	PartialMatch FailureClass = "partial"       // a graded check between 0 and 1
	Undecided    FailureClass = "undecided"     // the check cannot decide this pair
	CheckLimit   FailureClass = "check_limit"   // this candidate's text exhausted the bound of the check
	Truncated    FailureClass = "truncated"     // cut at the turn or token cap
	RuleNotMet   FailureClass = "rule_not_met"  // a rule over the row, or a negated check, said no
	NoCode       FailureClass = "no_code"       // no program in the answer
	EarlyExit    FailureClass = "early_exit"    // the program ended before its tests were seen to hold
	Tampering    FailureClass = "tampering"     // the program reached for its own verdict
	RuntimeError FailureClass = "runtime_error" // an uncaught exception or a non-zero exit
	SyntaxError  FailureClass = "syntax_error"
	CompileError FailureClass = "compile_error"
	TestsFailed  FailureClass = "tests_failed" // another language's suite said no
	TimedOut     FailureClass = "timeout"      // the program's own time was used up
	CPULimit     FailureClass = "cpu_limit"
	MemoryLimit  FailureClass = "memory_limit"
	OutputLimit  FailureClass = "output_limit"
	ProcessLimit FailureClass = "process_limit"
	DiskLimit    FailureClass = "disk_limit"
	Forbidden    FailureClass = "forbidden"   // killed by the system-call filter
	Signalled    FailureClass = "signal"      // ended by a signal
	Unsupported  FailureClass = "unsupported" // failed, and had asked for what the backend does not have: threads, sockets, native packages
)
