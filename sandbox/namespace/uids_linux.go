package namespace

import (
	"fmt"
	"os"
	"strings"
)

// preferredUID is above what systemd gives to dynamic users and containers (systemd.io/UIDS-GIDS), and below the 31-bit
// limit of old programs.
const preferredUID = 1_900_000_000

// pickUIDs chooses the first of maxSlots ids from /proc/self/uid_map.
func pickUIDs() int {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return preferredUID
	}
	return uidsFrom(string(text))
}

// uidsFrom takes the preferred ids where they are mapped, else the top of the largest range: in a container with 65536
// ids those just below nobody.
func uidsFrom(uidMap string) int {
	best, size := preferredUID, 0
	for line := range strings.Lines(uidMap) {
		var first, host, count int
		if n, _ := fmt.Sscan(line, &first, &host, &count); n != 3 {
			continue
		}
		if first <= preferredUID && preferredUID+maxSlots <= first+count {
			return preferredUID
		}
		if count > size && count > maxSlots+2 {
			size = count
			best = first + count - maxSlots - 2
		}
	}
	return best
}
