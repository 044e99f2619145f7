package chrome_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestLaunchFails shows that a browser which does not come up is an error with
// the browser's own words, in time, and that nothing is left of it.
func TestLaunchFails(t *testing.T) {
	e2e.NeedCommand(t, "sh")
	program := func(script string) string {
		path := filepath.Join(t.TempDir(), "chromium")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
		return path
	}
	for _, c := range []struct{ name, path, err string }{
		{"is not there", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"dies", program("echo 'cannot open libx.so' >&2; exit 3"), "exit status 3"},
		{"says why", program("echo 'cannot open libx.so' >&2; exit 3"), "cannot open libx.so"},
		{"says nothing", program("exec sleep 1000"), "deadline exceeded"},
		{"writes something else", program("exec yes >&4"), "deadline exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp := t.TempDir()
			t.Setenv("TMPDIR", tmp)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			if c.err != "deadline exceeded" {
				cancel()
				ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
			}
			defer cancel()
			start := time.Now()
			_, err := chrome.Launch(ctx, c.path)
			assert.ErrorContains(t, err, c.err)
			assert.Less(t, time.Since(start), 15*time.Second)
			left, err := os.ReadDir(tmp)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}
