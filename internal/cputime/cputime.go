//go:build unix

// Package cputime measures processor time, which varies less than the time on the
// clock on a machine that does other things too.
package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time of this process, summed over all cores, or 0 if
// the system reports none.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
