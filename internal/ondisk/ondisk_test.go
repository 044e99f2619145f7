package ondisk

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

//go:embed testdata
var program embed.FS

func sub(t *testing.T, dir string) fs.FS {
	fsys, err := fs.Sub(program, dir)
	require.NoError(t, err)
	return fsys
}

func write(t *testing.T, text string, names ...string) string {
	file := filepath.Join(names...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// copied writes the files of testdata to testdata in a folder.
func copied(t *testing.T, dir string) {
	require.NoError(t, os.CopyFS(dir, program))
}

func found(f *Folder) string {
	if f == nil {
		return ""
	}
	return f.Dir
}

// The folder is found from that of the package, from one above it, and from one below
// it, for an embed.FS and for its sub-trees.
func TestFind(t *testing.T) {
	module := t.TempDir()
	pkg := filepath.Join(module, "cmd", "server")
	copied(t, pkg)
	for _, named := range [][]string{{pkg}, {module}, {filepath.Join(pkg, "testdata", "a")}, {t.TempDir(), "", pkg}} {
		s := newSearch(named)
		assert.Equal(t, pkg, found(s.find(program, "testdata/a/index.html")), "%v", named)
		assert.Equal(t, filepath.Join(pkg, "testdata"), found(s.find(sub(t, "testdata"), "a/index.html")), "%v", named)
		assert.Equal(t, filepath.Join(pkg, "testdata", "a"), found(s.find(sub(t, "testdata/a"), "index.html")), "%v", named)
	}
	for _, named := range [][]string{nil, {t.TempDir()}, {filepath.Join(pkg, "testdata", "b")}} {
		assert.Nil(t, newSearch(named).find(program, "testdata/a/index.html"), "%v", named)
	}
}

// Find chooses the folder whose files are the same, also after some were edited. If two
// have as many, it chooses neither.
func TestFindAmongSeveral(t *testing.T) {
	module := t.TempDir()
	one, two := filepath.Join(module, "one"), filepath.Join(module, "two")
	copied(t, one)
	copied(t, two)
	find := func() string {
		f := newSearch([]string{module}).find(program, "testdata/a/index.html")
		if f == nil {
			return ""
		}
		return filepath.Base(f.Dir)
	}
	assert.Equal(t, "one", find(), "the same in all")
	write(t, "edited", one, "testdata", "a", "style.css")
	assert.Equal(t, "two", find())
	write(t, "edited", two, "testdata", "a", "index.html")
	assert.Empty(t, find(), "one file of each was edited")
	write(t, "edited", two, "testdata", "b", "index.html")
	assert.Equal(t, "one", find())
	require.NoError(t, os.RemoveAll(two))
	write(t, "edited", one, "testdata", "a", "index.html")
	assert.Equal(t, "one", find(), "the only one")
}

// What lies in hidden folders and in packages is not taken for the sources, and a link
// leads nowhere.
func TestFindLooksNotEverywhere(t *testing.T) {
	outside := t.TempDir()
	copied(t, outside)
	module := t.TempDir()
	for _, dir := range []string{".git", ".cache/x", "node_modules/x"} {
		copied(t, filepath.Join(module, filepath.FromSlash(dir)))
	}
	if err := os.Symlink(outside, filepath.Join(module, "linked")); err != nil {
		e2e.Skip(t, "this system creates no symbolic links: "+err.Error())
	}
	assert.Nil(t, newSearch([]string{module}).find(program, "testdata/a/index.html"))

	copied(t, module)
	secret := write(t, "secret", t.TempDir(), "secret.css")
	style := filepath.Join(module, "testdata", "a", "style.css")
	require.NoError(t, os.Remove(style))
	require.NoError(t, os.Symlink(secret, style))
	f := newSearch([]string{module}).find(sub(t, "testdata/a"), "index.html")
	require.NotNil(t, f)
	_, err := fs.ReadFile(f, "style.css")
	assert.ErrorContains(t, err, "escapes")
	write(t, "x", module, "testdata", "a", "node_modules", "p", "index.js")
	data, err := fs.ReadFile(f, "node_modules/p/index.js")
	assert.NoError(t, err)
	assert.Equal(t, "x", string(data))
}

// Without the variable, and for files that may change, nothing is looked for.
func TestFindWithoutVariable(t *testing.T) {
	assert.False(t, Enabled())
	assert.Nil(t, Find(program, "testdata/a/index.html"))
}

func TestPath(t *testing.T) {
	dir := t.TempDir()
	assert.Equal(t, dir, Path(os.DirFS(dir)))
	assert.Equal(t, dir, Path(&Folder{FS: os.DirFS("x"), Dir: dir}))
	assert.Empty(t, Path(program))
}
