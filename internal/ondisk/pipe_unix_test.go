//go:build unix

package ondisk

import (
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe in the place of an empty file is not read, which would wait for ever.
func TestFindWithPipe(t *testing.T) {
	fsys := fstest.MapFS{"index.html": {Data: []byte("page")}, "empty.css": {}}
	dir := t.TempDir()
	write(t, "page", dir, "index.html")
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "empty.css"), 0o600))
	assert.Equal(t, dir, found(newSearch([]string{dir}).find(fsys, "index.html")))
}
