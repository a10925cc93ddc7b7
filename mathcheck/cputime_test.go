//go:build unix

package mathcheck

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time of this process so far; the load of the machine does not change it much.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// repeated are parts of answers that, written thousands of times over, have met or might meet a loop that grows with
// the square of its input.
var repeated = []string{
	"x^2+", "1,", "(1,2),", "\\sqrt{2}+", "x<1 or ", "\\pm 1+", "|x|+", "the answer is 5. ", "\\boxed{1},", "\\boxed{", "$x=1$ and ", "is 5 ", "\\text{a}", "\\text{", "(", "\\left(", "1/", "2^", "\\cup(1,2)",
	"\\log_2 3\\cdot", "0.(3)+", "не 5 ", "答案：5。", "A) 1 ", "Question:", "<answer>", "x=1\n", "=1", "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\sin 20^\\circ+", "5\\text{ km}+", "USD 5 ", "½+", "1_2+", "37^\\circ 30' ", "1 hour 30 minutes ",
	"{}_5C_2+", "x=1\\implies ", "(words) ", "5 (base 8)", "5 ft 6 in and ", "so the value is 5, ", "0x1F+",
}

func TestRepetitionCostsNoSquare(t *testing.T) {
	const most = 40 * time.Millisecond // ten times what it takes; a square takes a hundred times
	for _, part := range repeated {
		for _, end := range [...]string{"", "}", " so the answer is 5."} {
			text := strings.Repeat(part, 100_000/len(part)) + end
			best := time.Hour
			for range 3 {
				from := cpuTime(t)
				for _, gold := range [...]string{"5", "A"} {
					Equal(gold, text)
				}
				if best = min(best, cpuTime(t)-from); best < most {
					break
				}
			}
			if best > most {
				t.Errorf("%q over and over, then %q: %v of processor time for two checks", part, end, best)
			}
		}
	}
}
