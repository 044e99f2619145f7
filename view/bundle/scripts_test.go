package bundle_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What module scripts share is there once, in the first of them, and each runs in its
// place. Deferred scripts keep their place between them, and classic scripts their
// global names.
func TestScripts(t *testing.T) {
	doc := bundled(t, folder(
		"index.html", `<head><script type=module>import { count } from "./shared.js"; count("first")</script>`+
			`<script defer src=late.js data-k=v></script><script src=now.js></script><script nomodule src=old.js></script></head>`+
			`<body><script type=module src=main.jsx></script><script>var kept = 1</script><script type="application/json">{"import": "x"}</script></body>`,
		"shared.js", `let n = 0; export function count(who) { console.log("shared", who, ++n) }`,
		"late.js", `var late = topLevel; console.log("late")`,
		"now.js", `var topLevel = "now"; function helper() { return topLevel }`,
		"main.jsx", `import { count } from "./shared.js"; import "./view.css"; count(<b>main</b>)`,
		"node_modules/react/package.json", `{"name":"react","exports":{"./jsx-runtime":"./jsx.js"}}`,
		"node_modules/react/jsx.js", `export const jsx = (name, props) => name + props.children`,
		"view.css", "u { color: blue }",
	), &bundle.Options{Unminified: true})
	assert.Equal(t, 1, strings.Count(doc.HTML, `"shared"`))
	assert.NotContains(t, doc.HTML, "src=")
	scripts := texts(t, doc.HTML, "script")
	require.Len(t, scripts, 7)
	first, main := strings.Index(scripts[0], `count("first")`), strings.Index(scripts[0], "count(/*")
	assert.True(t, 0 < first && first < main, "the order of\n%s", scripts[0])
	assert.Contains(t, scripts[1], `s.textContent="\n".repeat(78)+"var late = topLevel;\nconsole.log(\"late\");"`)
	assert.Equal(t, "var topLevel = \"now\";\nfunction helper() {\n  return topLevel;\n}", scripts[2])
	assert.Empty(t, scripts[3], "nomodule")
	assert.Equal(t, `await globalThis[Symbol.for("mcpapps.modules")][1]()`, scripts[4])
	assert.Equal(t, "var kept = 1", scripts[5])
	assert.Equal(t, `{"import": "x"}`, scripts[6])
	assert.Equal(t, []string{"/* view.css */\nu {\n  color: blue;\n}"}, trimmed(texts(t, doc.HTML, "style")))
}

// An inline module that imports nothing stays as it is, beside one that does.
func TestModuleThatImportsNothing(t *testing.T) {
	doc := bundled(t, folder("index.html", "<script type=module>  a  =  1 </script><script type=module>import './b.js'</script>", "b.js", "b()"), nil)
	assert.Equal(t, `<script type=module>  a  =  1 </script><script type="module">b();</script>`, doc.HTML)
}

func trimmed(all []string) []string {
	for i := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(all[i]), "fs:", "")
	}
	return all
}

// Inline scripts that import nothing stay as they are, and so does everything that
// is not a reference to a file.
func TestInlineScriptsStay(t *testing.T) {
	for _, page := range []string{
		`<script type=module>const  a  =  1 // import x from "y"` + "\n" + `console.log(a, "import('x')", 'from "y"')</script>`,
		`<script>var s = "import { x } from 'y'"; import(location.hash)</script>`,
		`<script type="module">export const from = "x"; globalThis.y = { import: 1 }.import</script>`,
		`<script type=importmap>{"imports": {"x": "./x.js"}}</script><script type=text/template><img src=x.png></script>`,
		`<style>a { background: url(#g), url(data:image/png;base64,AA==); } /* url(x.png) */</style>`,
		`<style>:root { --icon: url(nowhere.svg) }</style>`,
		`<style>@namespace svg url(http://www.w3.org/2000/svg); @namespace "x"; svg|a { color: red }</style>`,
		`<my-card background=dark></my-card><template><img src="{{picture}}" style="background: url({{picture}})"></template>`,
		`<a href="page.html" style="color: red">x</a><form action=/x></form><noscript><img src=x.png></noscript>`,
		`<link rel=preconnect href=https://cdn.example.com><link rel=canonical href=/x><img><img src="data:image/gif;base64,AA==">`,
	} {
		doc := bundled(t, folder("index.html", page, "x.js", "export {}"), nil)
		assert.Equal(t, page, doc.HTML)
		assert.Empty(t, doc.External)
	}
}

// Imports of files that are not scripts give values that a view can use.
func TestAssets(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module>
		import png from "./i.png"; import text from "./a.txt"; import raw from "./x.svg?raw"; import font from "./f.woff2"; import styles from "./m.module.css"
		console.log(png, text, raw, font instanceof Uint8Array, styles.box)</script>`,
		"i.png", "\x89PNG", "a.txt", "words", "x.svg", "<svg/>", "f.woff2", "wOF2", "m.module.css", ".box { color: red }"), nil)
	script := texts(t, doc.HTML, "script")[0]
	for _, want := range []string{"data:image/png;base64,iVBORw==", `"words"`, `"<svg/>"`, "d09GMg=="} {
		assert.Contains(t, script, want)
	}
	assert.Len(t, texts(t, doc.HTML, "style"), 1)
}

func TestSourceMaps(t *testing.T) {
	fsys := folder("index.html", `<script type=module src=a.ts></script>`, "a.ts", "console.log(1 as number)")
	assert.NotContains(t, bundled(t, fsys, nil).HTML, "sourceMappingURL")
	assert.Contains(t, bundled(t, fsys, &bundle.Options{SourceMaps: true}).HTML, "//# sourceMappingURL=data:application/json;base64,")
}

// The constants that bundlers usually define are defined.
func TestDefines(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module src=a.js></script>`,
		"a.js", `import.meta.hot?.accept(); console.log(import.meta.env.DEV, import.meta.env.MODE, process.env.NODE_ENV, "x")`), nil)
	assert.Equal(t, `<script type="module">console.log(!1,"production","production","x");</script>`, doc.HTML)
}

// An error has no place in the module that imports the page's scripts, which the
// bundler makes.
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

// A script element of type module has no CommonJS in a bundle, as in a browser.
func TestUniversalModuleAsScript(t *testing.T) {
	const lib = `(f=>{if(typeof exports==="object"&&typeof module!=="undefined")module.exports=f();else globalThis.Lib=f()})(()=>1) // end`
	for _, page := range []string{"<script type=module src=lib.js></script>", "<script type=module>import './a.js'; " + lib + "\n</script><script type=module src=a.js></script>"} {
		doc := bundled(t, folder("index.html", page, "lib.js", lib, "a.js", "f()"), &bundle.Options{Unminified: true})
		assert.NotContains(t, doc.HTML, "__commonJS")
		assert.Contains(t, doc.HTML, "globalThis.Lib = ")
	}
	// Imported, it is CommonJS.
	doc := bundled(t, folder("index.html", "<script type=module>import lib from './lib.js'; f(lib)</script>", "lib.js", lib), &bundle.Options{Unminified: true})
	assert.Contains(t, doc.HTML, "__commonJS")
}

func TestSpaceAroundReferences(t *testing.T) {
	doc := bundled(t, folder("index.html", "<link rel=stylesheet href=' a.css\n'><script src='\n a.js'></script>",
		"a.css", "a{color:red}", "a.js", "f()"), nil)
	assert.Equal(t, "<style>a{color:red}</style><script>f();</script>", doc.HTML)
}
