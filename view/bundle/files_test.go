package bundle_test

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler does not read the disk: it finds no file, package or configuration
// in the working directory.
func TestNothingFromDisk(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"tsconfig.json": `{"compilerOptions":{"jsx":"react"}}`, "secret.txt": "from the disk", "a.js": "export default 'disk'",
		"node_modules/p/index.js": "export default 'disk'", "x/a.js": "export default 'disk'"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	t.Chdir(dir)
	for _, ref := range []string{"./a.js", "p", dir + "/a.js", "file://" + dir + "/a.js"} {
		_, err := bundle.HTML(folder("index.html", "<script type=module>import x from '"+ref+"'; x()</script>"), "index.html", nil)
		assert.Error(t, err, ref)
	}
	_, err := bundle.HTML(folder("index.html", "<script type=module src=a.js></script>", "a.js", "import(`./x/${location}.js`)"), "index.html", nil)
	assert.ErrorContains(t, err, "pattern", "x/a.js is on disk")
	_, err = bundle.HTML(folder("index.html", "<script type=module src=a.js></script>", "a.js", "import(`./none/${location}.js`)"), "index.html", nil)
	assert.ErrorContains(t, err, "pattern")
	_, err = bundle.HTML(folder("index.html", "<script type=module src=a.jsx></script>", "a.jsx", "f(<b/>)"), "index.html", nil)
	assert.ErrorContains(t, err, `package "react"`, "JSX is not what the tsconfig.json on disk says")
	_, err = bundle.HTML(folder("index.html", "<script type=module src=a.jsx></script>", "a.jsx", "f(<b/>)", "tsconfig.json", `{"extends":"`+dir+`/tsconfig.json"}`), "index.html", nil)
	assert.ErrorContains(t, err, `tsconfig.json" is not read`, "nor what a tsconfig.json on disk says")
	sourceMap := base64.StdEncoding.EncodeToString([]byte(`{"version":3,"sources":["file://` + dir + `/secret.txt"],"mappings":"AAAA"}`))
	for _, code := range []string{"console.log(1)\n//# sourceMappingURL=data:application/json;base64," + sourceMap, "console.log(1)\n//# sourceMappingURL=file://" + dir + "/secret.txt"} {
		doc := bundled(t, folder("index.html", "<script type=module src=a.js></script><script src=a.js></script>", "a.js", code), &bundle.Options{SourceMaps: true})
		for _, script := range texts(t, doc.HTML, "script") {
			_, encoded, _ := strings.Cut(script, "sourceMappingURL=data:application/json;base64,")
			data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
			require.NoError(t, err)
			assert.NotContains(t, string(data), "from the disk")
			assert.Contains(t, string(data), "console.log(1)")
		}
	}
}

// A symbolic link that leads out of the folder is an error, also with os.DirFS,
// which would follow it. One that stays inside is followed.
func TestSymlinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	write(filepath.Join(outside, "secret.js"), "export default 'secret'")
	write(filepath.Join(dir, "lib", "inside.js"), "export default 'inside'")
	for link, target := range map[string]string{
		"file.js": filepath.Join(outside, "secret.js"), "up.js": "../" + filepath.Base(outside) + "/secret.js",
		"folder": outside, "ok.js": "lib/inside.js", "okfolder": "lib", "loop.js": "loop.js",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	for name, fsys := range map[string]fs.FS{"DirFS": os.DirFS(dir), "Root": root.FS()} {
		for _, ref := range []string{"./file.js", "./up.js", "./folder/secret.js", "./loop.js"} {
			write(filepath.Join(dir, "index.html"), "<script type=module>import x from '"+ref+"'; x()</script>")
			_, err := bundle.HTML(fsys, "index.html", nil)
			require.Error(t, err, "%s %s", name, ref)
			assert.NotContains(t, err.Error(), dir)
			if ref != "./loop.js" {
				assert.ErrorContains(t, err, "leads out of the file system", "%s %s", name, ref)
			}
			var e *bundle.Error
			require.True(t, errors.As(err, &e))
			assert.Equal(t, 1, e.Line)
		}
		for _, ref := range []string{"./ok.js", "./okfolder/inside.js"} {
			write(filepath.Join(dir, "index.html"), "<script type=module>import x from '"+ref+"'; x()</script>")
			assert.Contains(t, bundled(t, fsys, nil).HTML, "inside")
		}
		write(filepath.Join(dir, "index.html"), "<img src=folder/secret.js><link rel=stylesheet href=folder/secret.js>")
		_, err := bundle.HTML(fsys, "index.html", nil)
		require.ErrorContains(t, err, "2 problems")
	}
}

// ".." after a link is the folder above the one that it leads to.
func TestSymlinkUpThroughALink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "ui/p/q"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.js"), []byte("secret()"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ui/index.html"), []byte("<script src=p/q/s.js></script>"), 0o644))
	for link, target := range map[string]string{"ui/p/q/top": "../..", "ui/p/q/s.js": "top/../secret.js"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			e2e.Skip(t, "no symbolic links here: "+err.Error())
		}
	}
	_, err := bundle.HTML(os.DirFS(filepath.Join(dir, "ui")), "index.html", nil)
	assert.ErrorContains(t, err, `index.html:1:9: "p/q/s.js" leads out of the file system through the symbolic link "p/q/top"`)
}
