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

var ways = map[string]chrome.Start{"pipe": chrome.OverPipe, "port": chrome.OverPort}

// TestLaunchFails shows that a browser which does not start is an error with the
// browser's own words, in time, and that nothing is left of it.
func TestLaunchFails(t *testing.T) {
	e2e.NeedCommand(t, "sh")
	program := func(script string) string {
		path := filepath.Join(t.TempDir(), "chromium")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
		return path
	}
	// writePort does what the browser does with the port that it chose.
	const writePort = `for a; do case $a in --user-data-dir=*) printf '%s' '1
/devtools/browser/x' >"${a#*=}/DevToolsActivePort";; esac; done
`
	for _, c := range []struct{ name, path, err string }{
		{"is not there", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"dies", program("echo 'cannot open libx.so' >&2; exit 3"), "exit status 3"},
		{"says why", program("echo 'cannot open libx.so' >&2; exit 3"), "cannot open libx.so"},
		{"says nothing", program("exec sleep 1000"), "deadline exceeded"},
		{"writes something else", program("exec yes >&4"), "deadline exceeded"},
		{"does not listen", program(writePort + "exec sleep 1000"), "refused"},
	} {
		for name, over := range ways {
			if c.name == "writes something else" && name != "pipe" || c.name == "does not listen" && name != "port" {
				continue
			}
			t.Run(c.name+"/"+name, func(t *testing.T) {
				tmp := t.TempDir()
				t.Setenv("TMPDIR", tmp)
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				if c.err != "deadline exceeded" {
					cancel()
					ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
				}
				defer cancel()
				start := time.Now()
				_, err := chrome.LaunchOver(ctx, c.path, over)
				assert.ErrorContains(t, err, c.err)
				assert.Less(t, time.Since(start), 30*time.Second)
				left, err := os.ReadDir(tmp)
				require.NoError(t, err)
				assert.Empty(t, left)
			})
		}
	}
}
