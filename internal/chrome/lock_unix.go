//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package chrome

import (
	"os"
	"syscall"
)

// tryLock locks a file until it is closed or the process ends, and reports false if
// another process has it locked.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
