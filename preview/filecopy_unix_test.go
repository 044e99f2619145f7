//go:build unix

package preview

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that puts something else in the place of the copy does not lead the view to
// another file, and does not block it. The view may write once the place is free again.
func TestReplacedFile(t *testing.T) {
	write := json.RawMessage(`{"uri":"host-resource://x1","text":"two"}`)
	folder := t.TempDir()
	other := filepath.Join(folder, "other")
	for what, put := range map[string]func(path string) error{
		"a link":                  func(path string) error { return os.Symlink(other, path) },
		"a link in the folder":    func(path string) error { return os.Symlink("b.note", path) },
		"a link to nothing":       func(path string) error { return os.Symlink(filepath.Join(folder, "none"), path) },
		"a folder":                func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":                  func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link in the way to it": func(path string) error { return replaceFolder(filepath.Dir(path), folder) },
	} {
		require.NoError(t, os.WriteFile(other, []byte("private"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "a.note"), []byte("private"), 0o600))
		f := tempFile(t, "one")
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(f.path), "b.note"), []byte("private"), 0o600))
		require.NoError(t, os.Remove(f.path))
		require.NoError(t, put(f.path))

		_, err := f.read(nil)
		assert.Equal(t, errUnreadable, err, what)
		if what != "a link in the way to it" { // the folder is open, and the copy is made there
			_, err = f.write(write)
			assert.Equal(t, errUnreadable, err, what)
			require.NoError(t, os.Remove(f.path))
		}
		_, err = f.write(write)
		require.NoError(t, err, what)
		read, err := f.read(nil)
		require.NoError(t, err, what)
		assert.Contains(t, string(read), `"text":"two"`)

		f.removeUser(nil)
		for _, name := range []string{"other", "a.note"} {
			content, err := os.ReadFile(filepath.Join(folder, name))
			require.NoError(t, err)
			assert.Equal(t, "private", string(content), what)
		}
		assert.NoFileExists(t, filepath.Join(folder, "none"), what)
	}
}

// replaceFolder puts a link to another folder in the place of a folder.
func replaceFolder(dir, other string) error {
	if err := os.Rename(dir, filepath.Join(other, "moved")); err != nil {
		return err
	}
	return os.Symlink(other, dir)
}
