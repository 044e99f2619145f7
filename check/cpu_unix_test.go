//go:build unix

package check_test

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of all cores: unlike the clock, it does
// not go on while others have them.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
