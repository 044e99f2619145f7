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

// A page of several files becomes one document. What is not a reference stays the
// same byte for byte, including CRLF, unusual spacing and attribute quotes.
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

// Nothing is read from the working directory, even if it has files of the same
// names, as when a server is started in its source folder.
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

// Each name of the runtime gives the same single copy. The npm package is used only
// with the option for it.
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

// The document in a frame's srcdoc attribute is bundled as the page itself is: its
// references are relative to the page.
func TestSrcdoc(t *testing.T) {
	doc := bundled(t, folder("ui/index.html", "", "index.html", `<p><iframe src=gone.html srcdoc="<link rel=stylesheet href=a.css><img src='i.png'><img src=https://a.example/>`+
		`<script type=module src=a.js></script><iframe srcdoc='&lt;img src=i.png>'></iframe>"></iframe><iframe srcdoc="<p>hi</p>"></iframe>`,
		"a.css", "a { background: url(i.png) }", "a.js", "console.log('<')", "i.png", "\x89PNG"), nil)
	root, err := html.Parse(strings.NewReader(doc.HTML))
	require.NoError(t, err)
	var frames []string
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "srcdoc" {
				frames = append(frames, a.Val)
			}
		}
	}
	assert.Equal(t, []string{`<style>a{background:url(data:image/png;base64,iVBORw==)}</style><img src="data:image/png;base64,iVBORw=="><img src=https://a.example/>` +
		`<script type="module">console.log("<");</script><iframe srcdoc="&lt;img src=&#34;data:image/png;base64,iVBORw==&#34;&gt;"></iframe>`, "<p>hi</p>"}, frames)
	assert.Equal(t, []string{"a.css", "a.js", "i.png", "index.html"}, doc.Inputs)
	require.Len(t, doc.External, 1)
	assert.Equal(t, bundle.Reference{URL: "https://a.example/", File: "index.html", Line: 1, Column: 26}, doc.External[0].References[0])
	assert.Equal(t, doc.HTML, bundled(t, folder("index.html", doc.HTML), nil).HTML)

	page := "<p>"
	for range 4 {
		page = `<iframe srcdoc="` + html.EscapeString(page) + `"></iframe>`
	}
	_, err = bundle.HTML(folder("index.html", page), "index.html", nil)
	assert.ErrorContains(t, err, "frames are nested too deep in srcdoc attributes")
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
	assert.ErrorContains(t, err, `index.html:1:9: "https://CDN.example.com:443/a.js" is blocked when the view runs, since Options.CSP does not allow it: `+
		`add "https://cdn.example.com" to its ResourceDomains, and to View.UI.CSP, which hosts enforce, or put a copy of the file beside the page`)
	assert.ErrorContains(t, err, `add "https://frame.example.com" to its FrameDomains`)

	// An entry covers the origins that it covers in browsers.
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

// If the element that opens the head is removed, what followed it stays in the head.
func TestFirstElementRemoved(t *testing.T) {
	for _, first := range []string{"", "<!doctype html>\n", "\ufeff<!-- x -->\n<html lang=en>\n"} {
		page := first + "<link rel=modulepreload href=a.js>\n<!-- c -->\n<script type=module src=a.js></script>\n<p>x"
		doc := bundled(t, folder("index.html", page, "a.js", "console.log(1)"), nil)
		assert.Equal(t, first+"<head>\n<!-- c -->\n<script type=\"module\">console.log(1);</script>\n<p>x", doc.HTML)
	}
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
