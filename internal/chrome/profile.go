package chrome

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	profilePrefix = "mcpapps-chrome-"
	lockName      = "mcpapps.lock"
)

// removeStaleProfiles removes, once in a process, what is left of browsers whose
// process ended without [Browser.Close], as a test binary does.
var removeStaleProfiles sync.Once

// newProfile creates the folder of a profile, with a locked file in it.
func newProfile(dir string) (string, *os.File, error) {
	profile, err := os.MkdirTemp(dir, profilePrefix)
	if err != nil {
		return "", nil, err
	}
	lock, err := os.Create(filepath.Join(profile, lockName))
	if err == nil && !tryLock(lock) {
		lock.Close()
		err = &os.PathError{Op: "lock", Path: lock.Name(), Err: os.ErrExist}
	}
	if err != nil {
		os.RemoveAll(profile)
		return "", nil, err
	}
	return profile, lock, nil
}

// removeStale removes the profiles in dir whose process is gone, which is what the
// lock says, in containers that share the folder, too. It leaves alone what is younger
// than a minute: its file may not be locked yet.
func removeStale(dir string, now time.Time) {
	profiles, _ := filepath.Glob(filepath.Join(dir, profilePrefix+"*"))
	for _, profile := range profiles {
		info, err := os.Lstat(profile)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(profile, lockName), os.O_RDWR, 0)
		if err != nil {
			continue // not one of these, or another user's
		}
		stale := tryLock(lock)
		lock.Close()
		if stale {
			_ = os.RemoveAll(profile)
		}
	}
}
