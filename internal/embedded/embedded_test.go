package embedded_test

import (
	"embed"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps/internal/embedded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	//go:embed testdata
	all embed.FS
	//go:embed testdata/a.css testdata/ui/a.html
	one embed.FS
	//go:embed testdata/a.css
	none embed.FS
)

func TestCheck(t *testing.T) {
	const remedy = ": write the name with the directories of the go:embed pattern, or embed the file"
	for name, want := range map[string]string{
		"a.html":      `"a.html" is not a file of the embed.FS, which has "testdata/ui/a.html", "testdata/ui/b.html", "testdata/ui/c.html" and 1 more` + remedy,
		"testdata/ui": `"testdata/ui" is not a file of the embed.FS, which has "testdata/ui/a.html", "testdata/ui/b.html", "testdata/ui/c.html" and 1 more` + remedy,
	} {
		assert.EqualError(t, embedded.Check(all, name), want)
	}
	assert.EqualError(t, embedded.Check(one, "a.html"), `"a.html" is not a file of the embed.FS, which has "testdata/ui/a.html"`+remedy)
	assert.EqualError(t, embedded.Check(none, "a.html"), `"a.html" is not a file of the embed.FS, which has "testdata/a.css"`+remedy)
	assert.EqualError(t, embedded.Check(embed.FS{}, "a.html"), `"a.html" is not a file of the embed.FS, which is empty: is there a //go:embed line above its declaration?`)
	assert.NoError(t, embedded.Check(all, "testdata/ui/d.html"))
	assert.NoError(t, embedded.Check(fstest.MapFS{}, "a.html"), "files may come later to others")
}

func TestUnchanging(t *testing.T) {
	sub := func(fsys fs.FS, dir string) fs.FS {
		s, err := fs.Sub(fsys, dir)
		require.NoError(t, err)
		return s
	}
	assert.True(t, embedded.Unchanging(all))
	assert.True(t, embedded.Unchanging(sub(all, "testdata")))
	assert.True(t, embedded.Unchanging(sub(sub(all, "testdata"), "ui")))
	assert.True(t, embedded.Unchanging(sub(all, "dist")), "a folder that is not there")
	assert.False(t, embedded.Unchanging(os.DirFS(".")))
	assert.False(t, embedded.Unchanging(sub(opens{all}, "testdata")), "it may open other files next time")
	assert.False(t, embedded.Unchanging(fstest.MapFS{}))
	assert.False(t, embedded.Unchanging((*nothing)(nil)))
}

// opens is an overlay: a file system of another type that opens embedded files.
type opens struct{ embed.FS }

type nothing struct{ fs.FS }
