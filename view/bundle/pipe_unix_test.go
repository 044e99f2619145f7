//go:build unix

package bundle_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe in a folder is named as the mistake that it is. Reading it would wait for
// ever.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte(`<!doctype html><link rel="stylesheet" href="pipe.css"><script src="pipe.js"></script>`), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.css"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.js"), 0o600))
	_, err := bundle.HTML(os.DirFS(dir), "index.html", nil)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "pipe.css")
	assert.Contains(t, err.Error(), "not a file with content")
	assert.Contains(t, err.Error(), "pipe.js")

	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "page.html"), 0o600))
	_, err = bundle.HTML(os.DirFS(dir), "page.html", nil)
	assert.ErrorContains(t, err, "a pipe, a socket or a device")
}
