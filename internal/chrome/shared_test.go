package chrome_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestShared shows that everybody gets the same browser, until it is gone, and that it
// is not closed while somebody uses it.
func TestShared(t *testing.T) {
	e2e.Need(t, e2e.Browser, e2e.Patience)
	t.Cleanup(chrome.CloseShared)
	t.Cleanup(chrome.CloseUnused())
	_, _, ok := chrome.SharedIfOpen()
	assert.False(t, ok)
	first, done, err := chrome.Shared()
	require.NoError(t, err)
	second, done2, err := chrome.Shared()
	require.NoError(t, err)
	assert.Same(t, first, second)
	third, done3, ok := chrome.SharedIfOpen()
	require.True(t, ok)
	assert.Same(t, first, third)
	assert.Regexp(t, `^[A-Z][a-z]+/\d+\.`, first.Product())
	done()
	done()
	done2()
	assert.NoError(t, first.Err())
	done3()
	assert.Error(t, first.Err())

	third, done3, err = chrome.Shared()
	require.NoError(t, err)
	third.Close() // as a crash does
	_, _, ok = chrome.SharedIfOpen()
	assert.False(t, ok)
	fourth, done4, err := chrome.Shared()
	require.NoError(t, err)
	assert.NoError(t, fourth.Err())
	done3()
	done4()

	chrome.CloseShared()
	t.Setenv("MCPAPPS_CHROMIUM", "/nonexistent/chromium")
	_, _, err = chrome.Shared()
	assert.ErrorContains(t, err, "/nonexistent/chromium")
	t.Setenv("MCPAPPS_CHROMIUM", e2e.Chromium())
	_, _, again := chrome.Shared()
	assert.Equal(t, err, again, "a start that failed is not tried for each test")
	chrome.ForgetFailure()
}

// TestProcessEnds shows that a browser ends with a process that does not close it, and
// that its profile is gone after a later start.
func TestProcessEnds(t *testing.T) {
	if dir := os.Getenv("MCPAPPS_CHROME_TEST"); dir != "" {
		_, err := chrome.Launch(t.Context(), e2e.Chromium())
		require.NoError(t, err)
		os.Exit(0)
	}
	e2e.Need(t, e2e.Browser)
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcessEnds$")
	cmd.Env = append(os.Environ(), "MCPAPPS_CHROME_TEST=1", "TMPDIR="+dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	left, err := filepath.Glob(filepath.Join(dir, "mcpapps-chrome-*.lock"))
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Eventually(t, func() bool { // a browser that is ending may still write
		chrome.RemoveStale(dir, time.Now().Add(time.Hour))
		list, err := os.ReadDir(dir)
		return err == nil && len(list) == 0
	}, patience, 100*time.Millisecond)
}
