//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package chrome

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStaleProfiles shows that profiles are removed whose process is gone, and no
// others.
func TestStaleProfiles(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	profile := func(locked, isOld bool) string {
		p, err := newProfile(dir)
		require.NoError(t, err)
		if locked {
			t.Cleanup(func() { p.lock.Close() })
		} else {
			require.NoError(t, p.lock.Close()) // as the end of its process does
		}
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, "Cookies"), nil, 0o600))
		if isOld {
			require.NoError(t, os.Chtimes(p.lock.Name(), old, old))
		}
		return p.dir
	}
	stale, running, young := profile(false, true), profile(true, true), profile(false, false)
	other := filepath.Join(dir, profilePrefix+"other")
	require.NoError(t, os.Mkdir(other, 0o755))
	require.NoError(t, os.Chtimes(other, old, old))
	removeStale(dir, time.Now())
	assert.NoDirExists(t, stale)
	assert.NoFileExists(t, stale+lockSuffix)
	for _, path := range []string{running, young, other} {
		assert.DirExists(t, path)
	}
	removeStale(dir, time.Now().Add(2*time.Minute))
	assert.NoDirExists(t, young)
	assert.DirExists(t, running)
}
