package slot

import (
	"fmt"
	"os"
	"strings"
)

// UserIDs is a stretch of user ids for the jobs of one backend.
type UserIDs struct {
	First int // that is preferred
	Count int
	Above int // ids left to others at the top of a range that does not hold the preferred ones
}

// Pick gives the first id, as /proc/self/uid_map allows: the preferred ids where they are mapped, else those near the top of the largest
// range: in a container with 65536 ids those below nobody.
func (u UserIDs) Pick() int {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return u.First
	}
	return u.from(string(text))
}

func (u UserIDs) from(uidMap string) int {
	best, size := u.First, 0
	for line := range strings.Lines(uidMap) {
		var first, host, count int
		if n, _ := fmt.Sscan(line, &first, &host, &count); n != 3 {
			continue
		}
		if first <= u.First && u.First+u.Count <= first+count {
			return u.First
		}
		if need := u.Count + u.Above; count > size && count > need {
			size, best = count, first+count-need
		}
	}
	return best
}
