//go:build unix

// Package cputime measures what a process computes, which varies less than the
// clock on a machine that does other things as well.
package cputime

import (
	"syscall"
	"time"
)

// Used is the time that this process has spent computing, on all cores; 0 where
// the system does not say.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
