package guest

import (
	"time"

	"golang.org/x/sys/windows"
)

// threadTime is the processor time of this process, which has little to do beside its one job.
func threadTime() time.Duration {
	var created, ended, kernel, user windows.Filetime
	_ = windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user) // cannot fail for this process
	ticks := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user))) // of 100 ns
}
