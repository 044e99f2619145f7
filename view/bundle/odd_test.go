package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The element that opens the head goes: what followed it in the head stays there.
func TestFirstElementRemoved(t *testing.T) {
	for _, first := range []string{"", "<!doctype html>\n", "\ufeff<!-- x -->\n<html lang=en>\n"} {
		page := first + "<link rel=modulepreload href=a.js>\n<!-- c -->\n<script type=module src=a.js></script>\n<p>x"
		doc := bundled(t, folder("index.html", page, "a.js", "console.log(1)"), nil)
		assert.Equal(t, first+"<head>\n<!-- c -->\n<script type=\"module\">console.log(1);</script>\n<p>x", doc.HTML)
	}
	doc := bundled(t, folder("index.html", "<script type=module src=a.js></script>\n<script type=module src=b.js></script>",
		"a.js", "console.log(1)", "b.js", "console.log(2)"), nil)
	assert.Contains(t, doc.HTML, "console.log(1);console.log(2)")
}

func TestSpaceAroundReferences(t *testing.T) {
	doc := bundled(t, folder("index.html", "<link rel=stylesheet href=' a.css\n'><script src='\n a.js'></script>",
		"a.css", "a{color:red}", "a.js", "f()"), nil)
	assert.Equal(t, "<style>a{color:red}</style><script>f();</script>", doc.HTML)
}

// A style sheet that is preloaded and then applied must not vanish with its preload.
func TestPreloadThatBecomesAStyle(t *testing.T) {
	doc := bundled(t, folder("index.html", `<p><link rel=preload as=style media=print href=a.css onload="this.rel='stylesheet'">`,
		"a.css", "a{color:red}"), nil)
	assert.Equal(t, `<p><style media="print">a{color:red}</style>`, doc.HTML)
}

func TestImageSetOfAnyCase(t *testing.T) {
	doc := bundled(t, folder("index.html", `<style>a{background:Image-Set("a.png" 1x)}</style>`, "a.png", "x"), nil)
	assert.NotContains(t, doc.HTML, "a.png")
}

// A style sheet in a data URL is blocked by the policy of a view.
func TestImportOfADataURL(t *testing.T) {
	doc := bundled(t, folder("index.html", `<style>@import "data:text/css,a{color:red}";</style><link rel=stylesheet href=a.css>`, "a.css", `@import url(data:text/css;base64,Yntjb2xvcjpyZWR9);`), nil)
	assert.Equal(t, "<style>a{color:red}</style><style>b{color:red}</style>", doc.HTML)
}

func TestNotUTF8(t *testing.T) {
	const module, latin = "<p>x<script type=module src=a.js></script>", "x\n  = 'caf\xe9'"
	for _, tt := range []struct{ want, page, file, text string }{
		{"bundle: index.html:1:1: not UTF-8, in which a view travels: save the file as UTF-8", "\xff\xfe<\x00p\x00>\x00", "a.js", ""},
		{"bundle: index.html:1:7: not UTF-8", "<p>caf\xe9", "a.js", ""},
		{"bundle: a.js:2:9: not UTF-8", module, "a.js", latin},
		{"bundle: a.js:2:9: not UTF-8", "<p>x<script src=a.js></script>", "a.js", latin},
		{"bundle: a.css:2:9: not UTF-8", "<p>x<link rel=stylesheet href=a.css>", "a.css", latin},
		{"bundle: a.txt:2:9: not UTF-8", "<p>x<script type=module>import a from './a.txt';f(a)</script>", "a.txt", latin},
	} {
		_, err := bundle.HTML(folder("index.html", tt.page, tt.file, tt.text), "index.html", nil)
		if assert.Error(t, err, tt.page) {
			assert.Contains(t, err.Error(), tt.want)
		}
	}
	const imports = "<p>x<script type=module>import p from 'p';f(p)</script>"
	doc := bundled(t, folder("index.html", imports, "node_modules/p/index.js", "// \xa9 somebody\nexport default 'gr\u00fcn'"), nil)
	assert.Contains(t, doc.HTML, "gr\u00fcn")
	bundled(t, folder("index.html", "<p>x<img src=a.png><script type=module>import a from './a.png';f(a)</script>", "a.png", "\x89PNG"), nil)
}

// The module that imports the page's scripts is of the bundler's own making, and
// no place for an error.
func TestUnreadableScript(t *testing.T) {
	fsys := folder("index.html", "<p>x<script type=module src=a.js></script>", "a.js", "x")
	_, err := bundle.HTML(noRead{fsys, "a.js"}, "index.html", nil)
	assert.EqualError(t, err, `bundle: index.html: can't read "a.js": permission denied`)
}

// noRead is a file system in which one file can't be opened.
type noRead struct {
	fs.FS
	name string
}

func (f noRead) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.FS.Open(name)
}

func (f noRead) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

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
	assert.ErrorContains(t, err, "leads out of the file system")
}

// A script element of type module has no CommonJS, in a browser as in a bundle.
func TestUniversalModuleAsScript(t *testing.T) {
	const lib = `(f=>{if(typeof exports==="object"&&typeof module!=="undefined")module.exports=f();else globalThis.Lib=f()})(()=>1) // end`
	for _, page := range []string{"<script type=module src=lib.js></script>", "<script type=module>" + lib + "\n</script><script type=module src=a.js></script>"} {
		doc := bundled(t, folder("index.html", page, "lib.js", lib, "a.js", "f()"), &bundle.Options{Unminified: true})
		assert.NotContains(t, doc.HTML, "__commonJS")
		assert.Contains(t, doc.HTML, "globalThis.Lib = ")
	}
	// Imported, it is CommonJS.
	doc := bundled(t, folder("index.html", "<script type=module>import lib from './lib.js'; f(lib)</script>", "lib.js", lib), &bundle.Options{Unminified: true})
	assert.Contains(t, doc.HTML, "__commonJS")
}
