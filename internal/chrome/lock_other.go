//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package chrome

import (
	"os"
	"path/filepath"
	"time"
)

// tryLock stands in for a lock: a profile counts as in use for a day.
func tryLock(f *os.File) bool {
	entries, _ := os.ReadDir(filepath.Dir(f.Name()))
	info, err := f.Stat()
	return err == nil && (len(entries) == 1 || time.Since(info.ModTime()) > 24*time.Hour)
}
