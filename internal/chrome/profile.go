package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	profilePrefix = "mcpapps-chrome-"
	lockSuffix    = ".lock"
)

// removeStaleProfiles removes, once in a process, what is left of browsers whose
// process ended without [Browser.Close], as a test binary does.
var removeStaleProfiles sync.Once

// A profile is the folder of a browser's profile.
type profile struct {
	dir string
	// lock is a file beside the folder, locked while this process or the browser lives.
	lock *os.File
}

func newProfile(dir string) (p profile, err error) {
	if p.dir, err = os.MkdirTemp(dir, profilePrefix); err != nil {
		return p, err
	}
	if p.lock, err = os.Create(p.dir + lockSuffix); err == nil && !tryLock(p.lock) {
		err = &os.PathError{Op: "lock", Path: p.lock.Name(), Err: os.ErrExist}
	}
	if err != nil {
		p.remove()
	}
	return p, err
}

// remove removes the profile. Of one that it can't remove, the lock file stays, so that
// a later process tries again.
func (p profile) remove() {
	p.lock.Close()
	for range 20 { // children that were killed may still be writing
		if os.RemoveAll(p.dir) == nil {
			_ = os.Remove(p.dir + lockSuffix)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// removeStale removes the profiles in dir whose browser is gone, which is what the lock
// says, in containers that share the folder, too. It leaves alone what is younger
// than a minute: its file may not be locked yet.
func removeStale(dir string, now time.Time) {
	locks, _ := filepath.Glob(filepath.Join(dir, profilePrefix+"*"+lockSuffix))
	for _, name := range locks {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue // another user's
		}
		stale := tryLock(lock)
		lock.Close()
		if stale && os.RemoveAll(strings.TrimSuffix(name, lockSuffix)) == nil {
			_ = os.Remove(name)
		}
	}
}
