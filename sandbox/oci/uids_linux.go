package oci

import (
	"fmt"
	"os"
	"strings"
)

// preferredUID is above the ids of the namespace backend, which begin at 1900000000.
const preferredUID = 1_900_010_000

// takenAbove is left to the namespace backend at the top of a range.
const takenAbove = 4096 + 2

func pickUIDs() int {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return preferredUID
	}
	return uidsFrom(string(text))
}

// uidsFrom takes the preferred ids where they are mapped, else those near the top of the largest range.
func uidsFrom(uidMap string) int {
	best, size := preferredUID, 0
	for line := range strings.Lines(uidMap) {
		var first, host, count int
		if n, _ := fmt.Sscan(line, &first, &host, &count); n != 3 {
			continue
		}
		if first <= preferredUID && preferredUID+2*maxBoxes <= first+count {
			return preferredUID
		}
		if need := takenAbove + 2*maxBoxes; count > size && count > need {
			size, best = count, first+count-need
		}
	}
	return best
}
