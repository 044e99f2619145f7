package bundle_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each mistake is reported with its place and a remedy.
func TestErrors(t *testing.T) {
	script := func(code string) fstest.MapFS {
		return folder("index.html", "<!doctype html>\n<script type=module src=a.ts></script>", "a.ts", code)
	}
	page := func(text string) fstest.MapFS { return folder("index.html", text) }
	const typed = "; this is TypeScript, and scripts in the page are JavaScript: put it into a .ts file, which may be linked by src or imported"
	for _, test := range []struct {
		name string
		fsys fstest.MapFS
		want string // begins with the place
	}{
		{"no page", folder("x.html", ""), "index.html: there is no such file in the file system: name the page by its path there, and build it first"},
		{"empty page", page("\ufeff \n"), "index.html: the page is empty"},
		{"no script file", page("<p>\n<script type=module src=a.js></script>"), `index.html:2:21: "a.js" is not there: file does not exist (looked for "a.js")`},
		{"no style file", page("<link rel=stylesheet href=a.css>"), `index.html:1:22: "a.css" is not there`},
		{"no image", page("<img\n src=a.png>"), `index.html:2:2: "a.png" is not there: file does not exist (looked for "a.png")`},
		{"no image at the root", page("<img src=/img/a.png>"), `index.html:1:6: "/img/a.png" is not there: file does not exist (looked for "img/a.png"; a leading / is the root of the file system)`},
		{"no script at the root", page("<script src=/a.js></script>"), `index.html:1:9: "/a.js" is not there: file does not exist (looked for "a.js"; a leading / is the root of the file system)`},
		{"no image in a style", page("<style>\n a { background: url(a.png) }</style>"), `index.html:2:18: "a.png" is not there`},
		{"no image in an attribute", page("<p style='background:url(a.png)'>"), `index.html:1:4: "a.png" is not there`},
		{"no import", script("import './b'"), `a.ts:1:8: "./b" is not there: file does not exist (looked for "b", alone and with .tsx, .ts, .jsx, .js, .mjs, .css, .json)`},
		{"no import of a style", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "@import 'b.css';\n@import 'x.css';", "b.css", ""), `a.css:2:9: "x.css" is not there`},
		{"syntax", script("let x =\n  = 1"), `a.ts:2:3: unexpected "="`},
		{"syntax of a style", folder("index.html", "<script type=module>import './a.json'</script>", "a.json", "{\n  x}"), `a.json:2:3: expected string in JSON but found "x"`},
		{"syntax of an inline script", page("<p>\n<script>\nvar = 1\n</script>"), `index.html:3:5: expected identifier but found "="`},
		{"syntax of a module in the page", page("<p>\n<script type=module>import 'mcp-app'; var = 1</script>"), `index.html:2:43: expected identifier but found "="`},
		{"TypeScript in the page", page("<p>\n<script>let x: number = 1</script>"), `index.html:2:14: expected ";" but found ":"` + typed},
		{"TypeScript in a module of the page", page("<script type=module>const a = b as string</script>"), `index.html:1:33: expected ";" but found "as"` + typed},
		{"TypeScript in a module with imports", page("<script type=module>import { App } from 'mcp-app'; const a: App = new App({})</script>"), `index.html:1:59: expected ";" but found ":"` + typed},
		{"TypeScript in a .js file", folder("index.html", "<script type=module src=a.js></script>", "a.js", "let x: number = 1"), `a.js:1:6: expected ";" but found ":"; this is TypeScript: end the file's name in .ts`},
		{"TypeScript in a classic .js file", folder("index.html", "<script src=a.js></script>", "a.js", "let x: number = 1"), `a.js:1:6: expected ";" but found ":"; this is TypeScript: end the file's name in .ts`},
		{"no such name", script("import { App, foo } from 'mcp-app'; foo(App)"), `a.ts:1:15: "mcp-app" has no export "foo"`},
		{"no such name of the reference", script("import { foo } from '@modelcontextprotocol/ext-apps'; foo()"), `a.ts:1:10: "mcp-app" has no export "foo"`},
		{"no default", script("import mcp from 'mcp-app'; mcp()"), `a.ts:1:8: "mcp-app" has no default export: import what it has by name, in braces`},
		{"no such name in a file", folder("index.html", "<script type=module>import { foo } from './a.js'; foo()</script>", "a.js", "export let bar"), `index.html:1:30: "a.js" has no export "foo"`},
		{"hooks without React", script("import { useApp } from 'mcp-app/react'; useApp()"), `mcp-app/react:1:`},
		{"path out", script("import '../b.js'"), `a.ts:1:8: "../b.js" leads out of the file system; move the file into it, or pass a file system of a folder further up`},
		{"image out", page(`<img src="../../a.png">`), `index.html:1:6: "../../a.png" leads out of the file system`},
		{"package", script("\nimport 'left-pad/x'"), `a.ts:2:8: package "left-pad" is not in a node_modules folder of the file system: file does not exist; install it there, or write "./left-pad/x" for a file`},
		{"package with a scope", script("import '@modelcontextprotocol/ext-app'"), `a.ts:1:8: package "@modelcontextprotocol/ext-app" is not in a node_modules folder of the file system: file does not exist; did you mean "@modelcontextprotocol/ext-apps", which is built in?`},
		{"nearly the runtime", script("import { App } from 'mcp-apps'; App()"), `a.ts:1:21: package "mcp-apps" is not in a node_modules folder of the file system: file does not exist; did you mean "mcp-app", which is built in?`},
		{"nearly the hooks", script("import { useApp } from 'mcpapp/react'; useApp()"), `a.ts:1:24: package "mcpapp" is not in a node_modules folder of the file system: file does not exist; did you mean "mcp-app/react"`},
		{"package path", folder("index.html", "<script type=module>import 'p/b'</script>", "node_modules/p/package.json", `{"name":"p","exports":"./a.js"}`),
			`index.html:1:28: package "p" does not export "./b" to browsers (see the exports map in node_modules/p/package.json)`},
		{"package.json", folder("index.html", "<script type=module>import 'p'</script>", "node_modules/p/package.json", `{`), `index.html:1:28: node_modules/p/package.json is not a valid package.json: `},
		{"https import", script("import x from 'https://esm.sh/x'; x()"), `a.ts:1:15: an import of "https://esm.sh/x" is blocked when the view runs: install the package`},
		{"import without a scheme", script("import x from '//esm.sh/x'; x()"), `a.ts:1:15: "//esm.sh/x" takes its scheme from the page, which is the host's: write https://esm.sh/x`},
		{"computed import", script("await import(location.hash)"), "a.ts:1:7: this import's name is only known when the view runs"},
		{"import of a pattern", script("await import(`./x/${location.hash}.js`)"), "a.ts:1:14: an import of a pattern is not supported: import each file by name"},
		{"import.meta.url", script("let a: number\nnew URL('./x.png', import.meta.url)"), "a.ts:2:20: import.meta.url is the address of the host's sandbox"},
		{"worker", script("interface I {}\nnew Worker('w.js')"), "a.ts:2:5: a worker is blocked by the policy of a view: import its code and run it in the page"},
		{"worker in the page", page("<p>\n<script>\nif (1) new Worker('w.js')</script>"), "index.html:3:12: a worker is blocked"},
		{"worker by import", script("import W from './w.js?worker'; W()"), `a.ts:1:15: "./w.js" is not there`},
		{"service worker", script("navigator.serviceWorker.register('x')"), "a.ts:1:1: a service worker can't be registered in a view"},
		{"WebAssembly", script("WebAssembly.instantiateStreaming(fetch('x'))"), "a.ts:1:1: WebAssembly is blocked"},
		{"wasm file", folder("index.html", "<script type=module>import './a.wasm'</script>", "a.wasm", ""), `index.html:1:28: "a.wasm" is WebAssembly`},
		{"eval", script("eval('1')"), "a.ts:1:1: eval is blocked"},
		{"Function", script("new Function('1')()"), "a.ts:1:5: making a function from text is blocked"},
		{"async function", script("let A = (async () => {}).constructor\nnew A('1')()"), "a.ts:2:1: code is made from text here"},
		{"data-URL font", page("<style>\n@font-face { src: url(data:font/woff2;base64,AA) }</style>"), "index.html:2:19: a font in a data URL is blocked by the policy of a view: refer to the font's file"},
		{"data-URL font in a file", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "@font-face { src: url('data:application/font-woff;base64,AA') }"), "a.css:1:23: a font in a data URL"},
		{"import in a classic script", page("<script>\nimport('./a.js')</script>"), `index.html:2:8: a classic script can't import: write <script type="module">`},
		{"import in a classic file", folder("index.html", "<script src=a.js></script>", "a.js", "\nimport './b.js'"), `a.js:2:8: a classic script can't import`},
		{"export in a classic file", folder("index.html", "<script src=a.js></script>", "a.js", "var b\nexport const a = 1"), `a.js:2:1: export does not work in a classic script: write <script type="module">`},
		{"await in a classic script", page("<script>\nawait 1</script>"), `index.html:2:1: await at the top level does not work in a classic script`},
		{"frame of a file", page("<iframe src=a.html>"), `index.html:1:9: a frame can't load "a.html"`},
		{"image on the disk", page("<img src=file:///C:/a.png>"), `index.html:1:6: "file:///C:/a.png" can't be loaded in a view: refer to a file beside the page by a relative path`},
		{"image on a drive", page(`<img src=C:\a.png>`), `index.html:1:6: "C:\\a.png" is not there`},
		{"image without a scheme", page("<img src=//example.com/a.png>"), `index.html:1:6: "//example.com/a.png" takes its scheme from the page`},
		{"image of a blob", page("<img src=blob:https://example.com/x>"), `index.html:1:6: "blob:https://example.com/x" can't be loaded in a view`},
		{"image of an extension", page("<p style='background:url(chrome-extension://x/a.png)'>"), `index.html:1:4: "chrome-extension://x/a.png" can't be loaded in a view`},
		{"style on the disk", page("<link rel=stylesheet href=file:///a.css>"), `index.html:1:22: a link from a URL of scheme "file" is blocked`},
		{"script on the disk", page("<script src=file:///a.js></script>"), `index.html:1:9: a script from a URL of scheme "file" is blocked`},
		{"url() of the disk", page("<style>\n a { background: url(file:///a.png) }</style>"), `index.html:2:18: "file:///a.png" can't be loaded in a view`},
		{"@import of the disk", page("<style>@import 'file:///a.css';</style>"), `index.html:1:16: "file:///a.css" can't be loaded in a view`},
		{"url() of the disk in a file", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "a {\n background: url(file:a.png) }"), `a.css:2:14: "file:a.png" can't be loaded in a view`},
		{"@import of the disk in a file", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "@import 'file:///b.css';"), `a.css:1:9: "file:///b.css" can't be loaded in a view`},
		{"url() of a blob", page("<style>a { background: url(blob:x) }</style>"), `index.html:1:24: "blob:x" can't be loaded in a view`},
		{"url() without a scheme", page("<style>a { background: url(//example.com/a.png) }</style>"), `index.html:1:24: "//example.com/a.png" takes its scheme from the page`},
		{"missing file in srcdoc", page("<p>\n<iframe srcdoc='<p>\n<img src=a.png>'></iframe>"), `index.html:2:9: in srcdoc: "a.png" is not there`},
		{"syntax in srcdoc", page("<iframe srcdoc='<script>var = 1</script>'></iframe>"), `index.html:1:9: in srcdoc: expected identifier but found "="`},
		{"Tailwind", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "/* @theme */\n@import \"tailwindcss\";"), `a.css:2:9: the styles of Tailwind are made from the classes of the page, by a compiler of its own: compile the style sheet first (npx @tailwindcss/cli`},
		{"Tailwind from a package", folder("index.html", "<style>@import \"tailwindcss/utilities\";</style>", "node_modules/tailwindcss/utilities.css", "@tailwind utilities"), `index.html:1:16: the styles of Tailwind`},
		{"rules of Tailwind", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "a {}\n  @theme { --a: 1px }"), `a.css:2:3: @theme is a rule of Tailwind, which browsers ignore: compile`},
		{"rules of Tailwind in the page", page("<style>a { color: red }\nb { @apply p-4 }</style>"), `index.html:2:5: @apply is a rule of Tailwind`},
		{"directive of Tailwind", page("<style>@tailwind base;</style>"), `index.html:1:8: @tailwind is a rule of Tailwind`},
		{"rules of Tailwind in an imported style", folder("index.html", "<script type=module>import './a.css'</script>", "a.css", "@utility a { color: red }"), `a.css:1:1: @utility is a rule of Tailwind`},
		{"Sass in CSS", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "a { @include x }"), `a.css:1:5: @include is a rule of Sass`},
		{"PostCSS in CSS", folder("index.html", "<link rel=stylesheet href=a.css>", "a.css", "@custom-media --a (width > 3px);"), `a.css:1:1: @custom-media is a rule of PostCSS`},
		{"a Sass file", folder("index.html", "<link rel=stylesheet href=a.scss>", "a.scss", "a {}"), `index.html:1:22: "a.scss" is in Sass: compile it to CSS first (npx sass`},
		{"an import of Sass", folder("index.html", "<script type=module>\nimport './a.scss'</script>", "a.scss", "a {}"), `index.html:2:8: "a.scss" is in Sass`},
		{"an import of Less", script("import './a.less'"), `a.ts:1:8: "./a.less" is not there`},
		{"an import of Vue", folder("index.html", "<script type=module src=a.ts></script>", "a.ts", "import A from './A.vue'\nA()", "A.vue", "<template/>"), `a.ts:1:15: "A.vue" needs the compiler of its language: run the build of its framework first`},
		{"an import of Svelte", folder("index.html", "<script type=module src=a.ts></script>", "a.ts", "import A from './A.svelte'\nA()", "A.svelte", "<p>"), `a.ts:1:15: "A.svelte" needs the compiler`},
		{"a style in Sass", page("<style lang=scss>a { b { color: red } }</style>"), `index.html:1:8: a style in "scss" needs a compiler of its own`},
		{"object", page("<object data=a.swf>"), `index.html:1:9: object elements are blocked`},
		{"sprite", page("<svg><use href='s.svg#a'/></svg>"), `index.html:1:11: browsers load "s.svg#a" only from`},
		{"module of Node.js", script("\nimport { readFile } from 'fs/promises'; readFile()"), `a.ts:2:26: "fs/promises" is a module of Node.js, which browsers do not have: let a tool of the server do what it does, or use a package for browsers`},
		{"module of Node.js by its scheme", script("import 'node:test'"), `a.ts:1:8: "node:test" is a module of Node.js`},
		{"module of Node.js in a package", folder("index.html", "<script type=module>import 'p'</script>", "node_modules/p/package.json", `{"name":"p","main":"a.js"}`, "node_modules/p/a.js", "require('path')"), `node_modules/p/a.js:1:9: "path" is a module of Node.js`},
		{"worker of Vite", folder("index.html", "<script type=module src=a.js></script>", "a.js", "import W from './w.js?worker'; W()", "w.js", ""), `a.js:1:15: "w.js" is a worker, which the policy of a view blocks: import its code without the query, and run it in the page`},
		{"empty src", page("<script src></script>"), "index.html:1:9: the script has an empty src"},
		{"data-URL script", page("<script src='data:text/javascript,1'></script>"), "index.html:1:9: a script from a URL of scheme \"data\" is blocked"},
		{"open script", folder("index.html", "<script src=a.js>", "a.js", "1"), "index.html:1:1: the script element has no end tag: add </script>"},
		{"script in a template", folder("index.html", "<template><script src=a.js></script></template>", "a.js", "1"), "index.html:1:11: a script in a template element can't be bundled"},
		{"script in SVG", folder("index.html", "<svg><script href=a.js></script></svg>", "a.js", "1"), "index.html:1:14: a file can't be put inline within SVG or MathML"},
		{"import map", page("<script type=importmap>{</script>"), "index.html:1:24: the import map can't be used"},
		{"unknown file", folder("index.html", "<script type=module>import './a.bin'</script>", "a.bin", ""), `index.html:1:28: "a.bin" is of an unknown kind: import it with "?raw"`},
		{"user information", page("<img src=https://u:p@example.com/>"), "index.html:1:6: \"https://u:p@example.com/\" has user information"},
		{"IPv6", page("<img src=http://[::1]/>"), "index.html:1:6: \"http://[::1]/\" has an origin that no CSP can name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := bundle.HTML(test.fsys, "index.html", nil)
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), "bundle: "+test.want), "got  %s\nwant %s", err, test.want)
			var e *bundle.Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, err.Error(), e.Error())
		})
	}
}

// What an import map says applies even if another part of it is an error.
func TestErrorsOfAnImportMap(t *testing.T) {
	_, err := bundle.HTML(folder("index.html", `<script type=importmap>{"imports": {"a": "./a.js"}, "scopes": {"/b/": {}}}</script><script type=module>import "a"</script>`, "a.js", ""), "index.html", nil)
	assert.EqualError(t, err, "bundle: index.html:1:24: the import map can't be used: its scopes are not followed: give each module that a scope maps a name of its own in imports")
}

// All problems of a page are reported together, in the order of their places.
func TestAllErrors(t *testing.T) {
	_, err := bundle.HTML(folder("index.html", "<img src=a.png>\n<link rel=stylesheet href=b.css>\n<script type=module>\nimport './c.js'\nimport 'd'\n</script>"), "index.html", nil)
	require.Error(t, err)
	var places []string
	for _, line := range strings.Split(err.Error(), "\n")[1:] {
		places = append(places, line[:len("index.html:1:1")])
	}
	assert.Equal(t, []string{"index.html:1:6", "index.html:2:2", "index.html:4:8", "index.html:5:8"}, places)
	var e *bundle.Error
	require.ErrorAs(t, err, &e)
	assert.ErrorIs(t, e.Err, fs.ErrNotExist)
	assert.NotErrorIs(t, err, fs.ErrNotExist, "the page is there")
	_, err = bundle.HTML(folder(), "index.html", nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// An error does not grow without limit.
func TestManyErrors(t *testing.T) {
	_, err := bundle.HTML(folder("index.html", many(5000, "<img src=%d.png>\n")), "index.html", nil)
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Equal(t, "bundle: 5000 problems, of which these are the first 100:", lines[0])
	require.Len(t, lines, 101)
	assert.True(t, strings.HasPrefix(lines[100], "index.html:100:6: "), lines[100])
}

// Positions are the same whether or not there are source maps, which are the only
// reason to put scripts at their place before they are compiled.
func TestPositionsInOneLine(t *testing.T) {
	for name, test := range map[string]struct{ script, want string }{
		"module":          {"<script type=module>import 'mcp-app'; var = 1</script>", `expected identifier but found "="`},
		"typed module":    {"<script type=module lang=ts>let a: = 1</script>", ""},
		"classic":         {"<script>var = 1</script>", `expected identifier but found "="`},
		"typed classic":   {"<script lang=ts>var = 1</script>", `expected identifier but found "="`},
		"export":          {"<script>var a; export let b</script>", "export does not work"},
		"hazard":          {"<script>new Worker('w.js')</script>", "a worker is blocked"},
		"module hazard":   {"<script type=module>import 'mcp-app'; new Worker('w.js')</script>", "a worker is blocked"},
		"style":           {"<style>a { background: url(i.png) }</style>", `"i.png" is not there`},
		"module in lines": {"<script type=module>import 'mcp-app';\n\n  var = 1</script>", `expected identifier but found "="`},
	} {
		t.Run(name, func(t *testing.T) {
			page := "<p>\n\n" + strings.Repeat("<p>x</p>", 100) + test.script
			var first string
			for _, opts := range []*bundle.Options{nil, {SourceMaps: true}} {
				_, err := bundle.HTML(folder("index.html", page), "index.html", opts)
				var e *bundle.Error
				require.ErrorAs(t, err, &e)
				assert.Contains(t, e.Text, test.want)
				if first == "" {
					first = e.Error()
					lines := strings.Split(page, "\n")
					require.LessOrEqual(t, e.Line, len(lines))
					found := lines[e.Line-1][e.Column-1:]
					assert.Regexp(t, "^(= 1|export|Worker|url)", found)
				}
				assert.Equal(t, first, e.Error())
			}
		})
	}
}

func TestArguments(t *testing.T) {
	_, err := bundle.HTML(nil, "index.html", nil)
	assert.EqualError(t, err, "bundle: the file system is nil")
	_, err = bundle.HTML(folder(), "/index.html", nil)
	assert.ErrorContains(t, err, `bundle: "/index.html" is not a file's name in a file system`)
}

// A hazard in a package is a warning if it is still in the bundle.
func TestWarnings(t *testing.T) {
	fsys := folder("index.html", "<script type=module>import 'p'</script>", "node_modules/p/index.js", "\ntry { new Worker('x') } catch {}\nnew Function('')")
	doc := bundled(t, fsys, nil)
	require.Len(t, doc.Warnings, 1)
	assert.Equal(t, "node_modules/p/index.js:2:7: a worker is blocked by the policy of a view: import its code and run it in the page, in parts with a setTimeout between them if it takes long", doc.Warnings[0].Error())
	fsys["node_modules/p/index.js"].Data = []byte("export const unused = () => new Worker('x')")
	assert.Empty(t, bundled(t, fsys, nil).Warnings)
}

// A package that makes code from text is a warning, if that is still in the bundle.
// A test for the permission does not count.
func TestPackagesThatMakeCode(t *testing.T) {
	for name, test := range map[string]struct{ code, want string }{
		"constructor of asynchronous functions": {"/* new Function(x) */\nexport function run(s) {\n  let A = Object.getPrototypeOf(async function() {\n  }).constructor;\n  return new A('x', `with (x) { ${s} }`)\n}", "node_modules/p/index.js:5:10: code is made from text here"},
		"its arrow":                             {"const A = (async () => {}).constructor; export const run = s => new A(s)", "node_modules/p/index.js:1:65: code is"},
		"Function":                              {"export const run = s => new Function('d', 'return ' + s)", "node_modules/p/index.js:1:29: code is"},
		"Function, called":                      {"export const run = s => Function(s)()", "node_modules/p/index.js:1:25: code is"},
		"eval":                                  {"export const run = s => eval(s)", "node_modules/p/index.js:1:25: code is"},
		"eval, indirect":                        {"export const run = s => (0, eval)(s)", "node_modules/p/index.js:1:29: code is"},
		"eval of window":                        {"export const run = s => window.eval(s)", "node_modules/p/index.js:1:32: code is"},
		"eval of a parser":                      {"const p = {eval: s => s}; export const run = s => p.eval(s)", ""},
		"the global scope":                      {"export const run = () => (0, eval)('this')", ""},
		"a question":                            {"export const run = () => { try { const F = Function; new F(''); new Function(\"\"); return true } catch { return false } }", ""},
		"the global object":                     {"export const run = () => Function('return this')() || new Function(\"return this;\")()", ""},
		"another name":                          {"export const run = s => { const F = Function; return new F(s) }", ""},
		"type tests":                            {"const A = (async () => {}).constructor; export const run = f => f instanceof A || f.isFunction(f)", ""},
		"not in the bundle":                     {"export const run = () => 1; export const unused = s => new Function(s)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := folder("index.html", "<script type=module>import { run } from 'p'; run(location.hash)</script>", "node_modules/p/index.js", test.code)
			for _, opts := range []*bundle.Options{nil, {Unminified: true}} {
				doc := bundled(t, fsys, opts)
				if test.want == "" {
					assert.Empty(t, doc.Warnings)
				} else if assert.Len(t, doc.Warnings, 1) {
					assert.Contains(t, doc.Warnings[0].Error(), test.want)
				}
			}
		})
	}
}

// What a style sheet of a package has for another compiler is a warning, and words in
// comments and strings do not count.
func TestOtherLanguages(t *testing.T) {
	doc := bundled(t, folder("index.html", "<style>/* @apply */ a::after { content: '@tailwind'; } @layer theme { @supports (a: b) {} } @property --x {} @function --f() {}</style>"+
		"<script type=module>import 'p/a.css'</script>", "node_modules/p/a.css", "a { color: red }\n@custom-media --a (width > 3px);"), nil)
	require.Len(t, doc.Warnings, 1)
	assert.Contains(t, doc.Warnings[0].Error(), "node_modules/p/a.css:2:1: @custom-media is a rule of PostCSS")
}

// A policy in the page is enforced in addition to the host's, which is a warning.
func TestPolicyInPage(t *testing.T) {
	page := "<p>\n<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">"
	doc := bundled(t, folder("index.html", page), nil)
	assert.Equal(t, page, doc.HTML)
	require.Len(t, doc.Warnings, 1)
	assert.Contains(t, doc.Warnings[0].Error(), "index.html:2:1: this policy is enforced in addition to the host's")
}

func TestGivenCSPIsWhole(t *testing.T) {
	_, err := bundle.HTML(folder("index.html", "<base href=https://base.example.com/x/><img src=a.png>"), "index.html",
		&bundle.Options{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://base.example.com"}}})
	assert.ErrorContains(t, err, `index.html:1:1: "https://base.example.com/x/" is blocked when the view runs, since Options.CSP does not allow it: add "https://base.example.com" to its BaseURIDomains`)
	doc := bundled(t, folder("index.html", "<base href=https://base.example.com/x/><img src=a.png>"), nil)
	assert.Equal(t, &mcpapps.CSP{ResourceDomains: []string{"https://base.example.com"}, BaseURIDomains: []string{"https://base.example.com"}}, doc.CSP)
}
