package bundle_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// folder makes a file system from alternating names and contents.
func folder(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func bundled(t testing.TB, fsys fs.FS, opts *bundle.Options) *bundle.Document {
	t.Helper()
	doc, err := bundle.HTML(fsys, "index.html", opts)
	require.NoError(t, err)
	return doc
}

// texts returns the text of each element of a name, as a parser sees it.
func texts(t testing.TB, doc, name string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(doc))
	require.NoError(t, err)
	var all []string
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			text := ""
			if n.FirstChild != nil {
				text = n.FirstChild.Data
			}
			all = append(all, text)
		}
	}
	return all
}

// A page of several files becomes one, and what is not a reference stays byte
// for byte, CRLF, odd spacing and attribute quotes included.
func TestDocument(t *testing.T) {
	doc := bundled(t, folder(
		"index.html", "\ufeff<!DOCTYPE html>\r\n<HTML Lang=en>\r\n<head><title>Pay &amp;\n go</title>\r\n"+
			"<link rel=\"stylesheet\" href=\"style.css\" media='print' id=theme>\r\n</head>\r\n<body   class='x'>\r\n"+
			"<img alt=a SRC = logo.png><IMG src='logo.svg' ALT=\"b>c\">\r\n"+
			"<script type=\"module\" src=\"/src/main.ts\" data-k='v'></script>\r\n<!-- <script src=x.js> --></body>\r\n",
		"style.css", "@import './base.css';\nb { background: url(logo.png) }",
		"base.css", "i { color: red }",
		"logo.png", "\x89PNG\r\n\x1a\n", "logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"src/main.ts", "import { n } from './n.js'\nimport data from '../data.json'\ndocument.title = `${n}${data.word}` as string",
		"src/n.ts", "export const n: number = 1", "data.json", `{"word":"hi"}`,
	), nil)
	assert.Equal(t, "\ufeff<!DOCTYPE html>\r\n<HTML Lang=en>\r\n<head><title>Pay &amp;\n go</title>\r\n"+
		"<style media=\"print\" id=\"theme\">i{color:red}b{background:url(data:image/png;base64,iVBORw0KGgo=)}</style>\r\n</head>\r\n<body   class='x'>\r\n"+
		"<img alt=a SRC=\"data:image/png;base64,iVBORw0KGgo=\"><IMG src=\"data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnLz4=\" ALT=\"b>c\">\r\n"+
		"<script type=\"module\" data-k=\"v\">var r={word:\"hi\"};document.title=`${1}${r.word}`;</script>\r\n<!-- <script src=x.js> --></body>\r\n", doc.HTML)
	assert.Equal(t, "Pay & go", doc.Title)
	assert.Nil(t, doc.CSP)
	assert.Empty(t, doc.External)
	assert.Equal(t, []string{"base.css", "data.json", "index.html", "logo.png", "logo.svg", "src/main.ts", "src/n.ts", "style.css"}, doc.Inputs)
}

// The directory that the process runs in is not the one that is bundled, also
// where it is: a server started in its source folder has the same names there.
func TestWorkingDirectory(t *testing.T) {
	fsys := folder(
		"ui/index.html", `<link rel=stylesheet href=style.css><style>@import "more.css"</style><script type=module src=main.js></script>`,
		"ui/style.css", "b { color: red }", "ui/more.css", "i { color: red }", "ui/main.js", `console.log("of the file system")`,
	)
	want, err := bundle.HTML(fsys, "ui/index.html", nil)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.CopyFS(".", fsys))
	for _, name := range want.Inputs {
		require.NoError(t, os.WriteFile(name, []byte("of the disk"), 0o644))
	}
	got, err := bundle.HTML(fsys, "ui/index.html", nil)
	require.NoError(t, err)
	assert.Equal(t, want.HTML, got.HTML)
}

// All module scripts are one, so that what they share is there once; deferred
// scripts keep their turn between them; classic scripts keep their names.
func TestScripts(t *testing.T) {
	doc := bundled(t, folder(
		"index.html", `<head><script type=module>import { count } from "./shared.js"; count("first")</script>`+
			`<script defer src=late.js></script><script src=now.js></script><script nomodule src=old.js></script></head>`+
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
	require.Len(t, scripts, 4)
	assert.Equal(t, "var topLevel = \"now\";\nfunction helper() {\n  return topLevel;\n}", scripts[0])
	first, late, main := strings.Index(scripts[1], `count("first")`), strings.Index(scripts[1], "var late"), strings.Index(scripts[1], "count(/*")
	assert.True(t, 0 < first && first < late && late < main, "the order of\n%s", scripts[1])
	assert.Equal(t, "var kept = 1", scripts[2])
	assert.Equal(t, `{"import": "x"}`, scripts[3])
	assert.Equal(t, []string{"/* view.css */\nu {\n  color: blue;\n}"}, trimmed(texts(t, doc.HTML, "style")))
}

func trimmed(all []string) []string {
	for i := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(all[i]), "fs:", "")
	}
	return all
}

// Inline scripts that import nothing are no business of the compiler's.
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

// The runtime comes by each of its names, once, and the npm package only where
// it is asked for.
func TestRuntime(t *testing.T) {
	fsys := folder(
		"index.html", `<script type=module>import { App as A } from "mcp-app"; import { App as B } from "@modelcontextprotocol/ext-apps"; console.log(A === B)</script>`,
		"node_modules/@modelcontextprotocol/ext-apps/package.json", `{"name":"@modelcontextprotocol/ext-apps","exports":{".":"./app.js"}}`,
		"node_modules/@modelcontextprotocol/ext-apps/app.js", `export const App = "packaged"`,
	)
	doc := bundled(t, fsys, nil)
	assert.NotRegexp(t, `\bimport\b`, doc.HTML)
	assert.Equal(t, 1, strings.Count(doc.HTML, "ui/initialize"))
	assert.NotContains(t, doc.HTML, "packaged")
	assert.Equal(t, []string{"index.html"}, doc.Inputs)
	assert.Contains(t, bundled(t, fsys, &bundle.Options{PackagedRuntime: true}).HTML, "packaged")
}

func TestPackages(t *testing.T) {
	doc := bundled(t, folder(
		"app/index.html", ``, "index.html", `<script type=module src=app/main.js></script>`,
		"app/main.js", `import a from "conditional"; import b from "@scope/sub/deep/x"; import c from "plain"; import d from "plain/file";
			import f from "old"; import { used } from "pure"; import g from "mapped"; import { g as h } from "cjs"; console.log(a, b, c, d, f, used, g, h)`,
		"node_modules/conditional/package.json", `{"exports":{"node":"./node.js","browser":{"import":"./browser.js"},"default":"./node.js"}}`,
		"node_modules/conditional/browser.js", `export default "browser-import"`, "node_modules/conditional/node.js", `export default "wrong"`,
		"node_modules/@scope/sub/package.json", `{"exports":{"./deep/*":{"import":"./lib/*.mjs"},"./deep/secret":null}}`,
		"node_modules/@scope/sub/lib/x.mjs", `export default "pattern"`,
		"node_modules/plain/package.json", `{"module":"esm/main","main":"wrong.js"}`, "node_modules/plain/esm/main.js", `export default "module-field"`,
		"node_modules/plain/file/index.js", `export default "folder"`,
		"node_modules/old/package.json", `{"main":"lib/main.js","browser":{"./lib/server.js":"./lib/client.js","fs":false}}`,
		"node_modules/old/lib/main.js", `export default "main-field"`,
		"node_modules/pure/package.json", `{"main":"i.js","sideEffects":false}`, "node_modules/pure/i.js", `export { used } from "./used.js"; export { unused } from "./unused.js"`,
		"node_modules/pure/used.js", `export const used = "pure"`, "node_modules/pure/unused.js", `globalThis.effect = 1; export const unused = 1`,
		"app/node_modules/mapped/package.json", `{}`, "app/node_modules/mapped/index.js", `export default "nearest"`, "node_modules/mapped/index.js", `export default "wrong"`,
		"node_modules/cjs/index.js", `if (process.env.NODE_ENV !== "production") module.exports = require("./dev.js"); else exports.g = "commonjs"`,
	), nil)
	for _, want := range []string{"browser-import", "pattern", "module-field", "folder", "main-field", "pure", "nearest", "commonjs"} {
		assert.Contains(t, doc.HTML, want)
	}
	for _, not := range []string{"wrong", "effect", "node_modules"} {
		assert.NotContains(t, doc.HTML, not)
	}
}

// What a package exchanges for browsers, and names that only a package.json
// explains, are not followed, and never silently.
func TestNotFollowed(t *testing.T) {
	const page = `<script type=module>import x from "p"; console.log(x)</script>`
	for _, test := range []struct {
		manifest, main, want string
	}{
		{`{"main":"main.js","browser":"other.js"}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "node_modules/p/main.js" by other.js, and it is not followed: import a build`},
		{`{"main":"main.js","browser":"./main.js"}`, "export default 1", ""},
		{`{"main":"main.js","browser":{"./main.js":"./other.js"}}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "./main.js" by ./other.js, and it is not followed`},
		{`{"main":"main","browser":{"./main":"./other.js"}}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "./main.js" by ./other.js`},
		{`{"main":"main.js","browser":{"./other.js":false}}`, "\nexport { default } from './other'", `node_modules/p/main.js:2:25: the browser field of node_modules/p/package.json replaces "./other.js" by nothing`},
		{`{"main":"main.js","browser":{"q":false}}`, "\nexport { default } from 'q'", `node_modules/p/main.js:2:25: the browser field of node_modules/p/package.json replaces "q" by nothing`},
		{`{"exports":{"browser":"./other.js","default":"./main.js"},"browser":{"./main.js":"./other.js"}}`, "", ""},
		{`{"main":"main.js","imports":{"#x":"./other.js"}}`, "export { default } from '#x'", `node_modules/p/main.js:1:25: "#x" is a name of the imports map in a package.json, which is not followed: import the file by its path`},
		{`{`, "", `index.html:1:35: node_modules/p/package.json is not a valid package.json: `},
	} {
		doc, err := bundle.HTML(folder("index.html", page, "node_modules/p/package.json", test.manifest, "node_modules/p/main.js", test.main,
			"node_modules/p/other.js", "export default 'other'", "node_modules/q/index.js", "export default 'q'"), "index.html", nil)
		if test.want == "" {
			require.NoError(t, err, test.manifest)
			assert.Equal(t, test.main == "", strings.Contains(doc.HTML, "other"), test.manifest)
		} else {
			require.Error(t, err, test.manifest)
			assert.True(t, strings.HasPrefix(err.Error(), "bundle: "+test.want), "%s: got %s", test.manifest, err)
		}
	}
	// The remedies.
	doc := bundled(t, folder("index.html", `<script type=importmap>{"imports":{"q":"data:text/javascript,"}}</script>`+page,
		"node_modules/p/package.json", `{"main":"main.js","browser":{"q":false}}`, "node_modules/p/main.js", "import * as q from 'q'; export default q"), nil)
	assert.NotContains(t, doc.HTML, "from")
	doc = bundled(t, folder("index.html", `<script type=importmap>{"imports":{"p":"./node_modules/p/other.js"}}</script>`+page,
		"node_modules/p/package.json", `{"main":"main.js","browser":"other.js"}`, "node_modules/p/other.js", "export default 'other'"), nil)
	assert.Contains(t, doc.HTML, "other")
	// A package does not find itself by its name.
	_, err := bundle.HTML(folder("index.html", `<script type=module>import "self"</script>`, "package.json", `{"name":"self","exports":"./a.js"}`, "a.js", ""), "index.html", nil)
	assert.ErrorContains(t, err, `index.html:1:28: package "self" is not in a node_modules folder`)
	// Two folders that lead to each other end.
	_, err = bundle.HTML(folder("index.html", `<script type=module>import "./a"</script>`, "a/package.json", `{"main":"b"}`, "a/b/package.json", `{"main":".."}`), "index.html", nil)
	assert.ErrorContains(t, err, `index.html:1:28: "./a" is not there`)
}

func TestImportMap(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=importmap>{"imports":{"lib":"./vendor/lib.js","lib/":"./vendor/more/"}}</script>`+
		`<script type=module>import a from "lib"; import b from "lib/b.js"; console.log(a, b)</script>`,
		"vendor/lib.js", `export default "exact"`, "vendor/more/b.js", `export default "prefix"`), nil)
	assert.Contains(t, doc.HTML, "exact")
	assert.Contains(t, doc.HTML, "prefix")
}

// What a script imports becomes what the view can use.
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

func TestReferences(t *testing.T) {
	const png = "data:image/png;base64,iVBORw=="
	for in, want := range map[string]string{
		`<img srcset="a.png, a.png 2x, https://x.example.com/c.png 3x" sizes=1>`:                `<img srcset="` + png + `, ` + png + ` 2x, https://x.example.com/c.png 3x" sizes=1>`,
		`<picture><source srcset=a.png><img src=sub/../a.png?v=1></picture>`:                    `<picture><source srcset="` + png + `"><img src="` + png + `"></picture>`,
		`<video poster="a.png" src="v.mp4"></video>`:                                            `<video poster="` + png + `" src="data:video/mp4;base64,dg=="></video>`,
		`<link rel="shortcut icon" href=a.png><link rel=preload href=a.png as=image>`:           `<link rel="shortcut icon" href="` + png + `">`,
		`<svg><image xlink:href=a.png /><use href="#s"/></svg>`:                                 `<svg><image xlink:href="` + png + `" /><use href="#s"/></svg>`,
		`<p style="background: url('a.png') red, url(#x); content: 'url(a.png)'">`:              `<p style="background: url(` + png + `) red, url(#x); content: &#39;url(a.png)&#39;">`,
		`<input type=image src=a.png><input src=a.png><body background=a.png>`:                  `<input type=image src="` + png + `"><input src=a.png><body background="` + png + `">`,
		`<base href="sub/"><img src="../a.png"><img src="%61.png" alt>`:                         `<base href="sub/"><img src="` + png + `"><img src="data:image/png;base64,cw==" alt>`,
		`<template><img src=a.png></template><select><button><img src=a.png></button></select>`: `<template><img src="` + png + `"></template><select><button><img src="` + png + `"></button></select>`,
		`<style>a { background: image-set("a.png" 1x) }</style>`:                                `<style>a{background:image-set(url(` + png + `) 1x)}</style>`,
	} {
		doc := bundled(t, folder("index.html", in, "a.png", "\x89PNG", "sub/a.png", "s", "v.mp4", "v"), nil)
		assert.Equal(t, want, doc.HTML, in)
	}
}

// Fonts can't be data URLs under the policy, so a script hands them over.
func TestFonts(t *testing.T) {
	doc := bundled(t, folder("index.html", "<link rel=stylesheet href=css/a.css>",
		"css/a.css", `@media all { @font-face { font-family: "My Font"; src: local("x"), url("../f.ttf") format("truetype"), url(../f.woff2) format("woff2"); font-weight: 100 900; unicode-range: U+0-7F } }
			@font-face { font-family: Cdn; src: url(https://cdn.example.com/f.woff2) } b { font-family: "My Font" }`,
		"f.ttf", "truetype", "f.woff2", "wOF2"), nil)
	assert.Equal(t, []string{`for(const[f,d,b]of[["My Font",{"unicodeRange":"U+0-7F","weight":"100 900"},"d09GMg=="]])document.fonts.add(new FontFace(f,Uint8Array.from(atob(b),c=>c.charCodeAt(0)),d))`},
		texts(t, doc.HTML, "script"))
	assert.Equal(t, []string{`@media all{}@font-face{font-family:Cdn;src:url(https://cdn.example.com/f.woff2)}b{font-family:My Font}`}, texts(t, doc.HTML, "style"))
	assert.Equal(t, "font-src", doc.External[0].Directive)
	assert.Equal(t, []string{"css/a.css", "f.woff2", "index.html"}, doc.Inputs)
}

// A style sheet that is linked and imported is there once; one that is linked
// twice is there twice, as in a browser.
func TestStylesOnce(t *testing.T) {
	doc := bundled(t, folder("index.html", `<link rel=stylesheet href=a.css><script type=module>import "./a.css"; import "./b.css"</script>`,
		"a.css", "a{color:red}", "b.css", "b{color:red}"), nil)
	assert.Equal(t, []string{"a{color:red}", "b{color:red}"}, texts(t, doc.HTML, "style"))
}

func TestExternal(t *testing.T) {
	page := `<script src="https://CDN.example.com:443/a.js"></script><link rel=stylesheet href="https://cdn.example.com/a.css">` +
		`<iframe src=https://frame.example.com/x></iframe><img src=https://img.example.com/i.png><style>@import "https://fonts.example.com/f";</style>`
	doc := bundled(t, folder("index.html", page), nil)
	assert.Equal(t, page, doc.HTML)
	assert.Equal(t, &mcpapps.CSP{
		ResourceDomains: []string{"https://cdn.example.com", "https://fonts.example.com", "https://img.example.com"},
		FrameDomains:    []string{"https://frame.example.com"},
	}, doc.CSP)
	assert.Equal(t, bundle.Origin{Origin: "https://cdn.example.com", Directive: "script-src", References: []bundle.Reference{
		{URL: "https://CDN.example.com:443/a.js", File: "index.html", Line: 1, Column: 9}}}, doc.External[0])

	bundled(t, folder("index.html", page), &bundle.Options{CSP: doc.CSP})
	bundled(t, folder("index.html", page), &bundle.Options{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://*.example.com"}, FrameDomains: []string{"https://*.example.com"}}})
	_, err := bundle.HTML(folder("index.html", page), "index.html", &bundle.Options{CSP: &mcpapps.CSP{
		ResourceDomains: []string{"https://*.cdn.example.com", "http://img.example.com", "https://fonts.example.com:8443"}}})
	require.ErrorContains(t, err, "4 problems")
	assert.ErrorContains(t, err, `index.html:1:9: "https://CDN.example.com:443/a.js" is blocked when the view runs, since the CSP does not allow it: `+
		`add "https://cdn.example.com" to its ResourceDomains, or put a copy of the file beside the page`)
	assert.ErrorContains(t, err, `add "https://frame.example.com" to its FrameDomains`)

	// Which entry covers an origin is decided as browsers do.
	for url, covered := range map[string]bool{"https://img.example.com:443/x": true, "https://img.example.com": true, "https://img.example.com:81/x": false, "http://img.example.com:81/x": true} {
		csp := &mcpapps.CSP{ResourceDomains: []string{"http://img.example.com", "http://img.example.com:81"}}
		_, err := bundle.HTML(folder("index.html", "<img src="+url+">"), "index.html", &bundle.Options{CSP: csp})
		assert.Equal(t, covered, err == nil, "%s: %v", url, err)
	}

	// Imports over the network need a CSP that was given.
	script := `<script type=module>import x from "https://esm.example.com/x"; x()</script>`
	doc = bundled(t, folder("index.html", script), &bundle.Options{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://esm.example.com"}}})
	assert.Equal(t, script, doc.HTML)
	assert.Equal(t, "https://esm.example.com", doc.External[0].Origin)
}

func TestSourceMaps(t *testing.T) {
	fsys := folder("index.html", `<script type=module src=a.ts></script>`, "a.ts", "console.log(1 as number)")
	assert.NotContains(t, bundled(t, fsys, nil).HTML, "sourceMappingURL")
	assert.Contains(t, bundled(t, fsys, &bundle.Options{SourceMaps: true}).HTML, "//# sourceMappingURL=data:application/json;base64,")
}

// tsconfig.json decides on JSX and decorators and may rename imports. What it
// extends is not read, which is an error if anything depends on it.
func TestTSConfig(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module src=src/a.tsx></script>`, "src/a.tsx", `import x from "@/b"; function h() {} console.log(<b/>, x)`, "src/lib/b.ts", `export default "by path"`,
		"tsconfig.json", "\ufeff{ // comment\n/* \"x */ \"compilerOptions\": {\"jsx\": \"react\", \"jsxFactory\": \"h\", \"paths\": {\"@/*\": [\"./none/*\", \"./lib/*\",]}, \"baseUrl\": \"src\",}}"), nil)
	assert.NotContains(t, doc.HTML, "jsx")
	assert.Contains(t, doc.HTML, "by path")
	assert.Equal(t, []string{"index.html", "src/a.tsx", "src/lib/b.ts", "tsconfig.json"}, doc.Inputs)

	const extends = "{ // a comment\n  \"extends\": \"./base.json\"}"
	for page, file := range map[string]string{
		`<script type=module src=a.ts></script>`: "a.ts", `<script type=module src=a.jsx></script>`: "a.jsx", `<script src=a.ts></script>`: "a.ts",
		`<script type=module>import "./a.tsx"</script>`: "a.tsx", `<script type=module lang=ts>console.log(1)</script>`: "a.ts",
	} {
		_, err := bundle.HTML(folder("index.html", page, file, "console.log(1)", "tsconfig.json", extends), "index.html", nil)
		assert.EqualError(t, err, `bundle: tsconfig.json:2:3: "./base.json" is not read, so that its options for JSX and decorators would be missing: `+
			`leave "extends" out, or put a tsconfig.json without it beside the page`, page)
	}
	bundled(t, folder("index.html", `<script type=module src=a.js></script>`, "a.js", "console.log(1)", "tsconfig.json", extends), nil)
	bundled(t, folder("ui/index.html", "", "index.html", `<script type=module>import "p"</script>`, "node_modules/p/index.js", "console.log(1)", "tsconfig.json", extends), nil)
	_, err := bundle.HTML(folder("index.html", `<script type=module src=a.ts></script>`, "a.ts", "", "tsconfig.json", "{\n  \"compilerOptions\" 1}"), "index.html", nil)
	assert.ErrorContains(t, err, "tsconfig.json:2:21: not a valid tsconfig.json: ")
}

func TestStylePackages(t *testing.T) {
	doc := bundled(t, folder("index.html", `<link rel=stylesheet href=a.css>`, "a.css", `@import "norm"; @import "~norm/x.css"; @import "near.css";`, "near.css", "near{c:d}",
		"node_modules/norm/package.json", `{"style":"n.css","main":"n.js"}`, "node_modules/norm/n.css", "n{c:d}", "node_modules/norm/x.css", "x{c:d}"), nil)
	assert.Equal(t, []string{"n{c:d}x{c:d}near{c:d}"}, texts(t, doc.HTML, "style"))
}

func TestDataURLModule(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module>import x from "data:application/json,[42]"; console.log(x)</script>`), nil)
	assert.Contains(t, doc.HTML, "[42]")
	assert.NotContains(t, doc.HTML, "import")
}

// What bundlers usually define is defined.
func TestDefines(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module src=a.js></script>`,
		"a.js", `import.meta.hot?.accept(); console.log(import.meta.env.DEV, import.meta.env.MODE, process.env.NODE_ENV, "x")`), nil)
	assert.Equal(t, `<script type="module">console.log(!1,"production","production","x");</script>`, doc.HTML)
}
