package mathcheck_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/mathcheck"
)

// Reports about other graders, each with the verdict that is right. The name holds the repository and the number of the report.
func TestKnownGraderBugs(t *testing.T) {
	t.Run("huggingface/Math-Verify#50: the verdict is the same on every thread", func(t *testing.T) {
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				if v := mathcheck.Equal(`7.41\%`, `7.41\%`); !v.Equal {
					t.Errorf("got %+v", v)
				}
			})
		}
		all.Wait()
	})
	t.Run("verl-project/verl#6673: a long degenerate answer is judged at once", func(t *testing.T) {
		start := time.Now()
		if v := mathcheck.Equal("7", strings.Repeat(`so \frac{1}{2} is `, 60_000)); v.Equal {
			t.Errorf("got %+v", v)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}
