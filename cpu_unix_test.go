//go:build unix

package mcpapps_test

import (
	"syscall"
	"time"
)

// cpuTime is the time that this process has spent computing, on all cores. It
// varies less than the clock on a machine that does other things as well.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
