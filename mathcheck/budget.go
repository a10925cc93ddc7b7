package mathcheck

// Budgets take the place of clocks: every loop that an input can lengthen draws from one counter, so that the same
// pair gets the same verdict on any machine, at any load. The figures bound one Check to a few milliseconds.
const (
	maxSpan   = 64 << 10 // bytes of one answer span that are parsed
	maxDepth  = 1200     // calls of the parser inside each other; a bracket takes about seven
	maxTokens = 7_000    // tokens of one answer span
	maxNodes  = 12_000   // vertices of one answer tree
	maxSteps  = 25_000   // steps of one comparison
	maxBits   = 1 << 15  // bits of an exact integer
)

// budget counts down steps. It is not shared between goroutines.
type budget struct {
	left int
	hit  bool // something was given up for want of steps
}

// spend takes n steps and reports whether they were left.
func (b *budget) spend(n int) bool {
	if b.left -= n; b.left < 0 {
		b.hit = true
		return false
	}
	return true
}
