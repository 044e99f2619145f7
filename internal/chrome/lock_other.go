//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package chrome

import (
	"os"
	"time"
)

// tryLock stands in for a lock: a profile counts as in use for a day.
func tryLock(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (time.Since(info.ModTime()) < time.Second || time.Since(info.ModTime()) > 24*time.Hour)
}
