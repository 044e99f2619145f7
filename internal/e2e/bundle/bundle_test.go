// Package bundle_test runs bundled views in Chromium, under the policy that a
// host enforces for a view that declares nothing.
package bundle_test

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// policy is the policy that a host enforces for a view that declares nothing.
var policy = (*mcpapps.CSP)(nil).Policy()

//go:embed view
var files embed.FS

// result is what a page reports, and what the browser reports about it.
type result struct {
	Report                       map[string]any
	Text                         string
	Violations, Errors, Requests []string
}

// open shows a document in the browser, and clicks on an element if there is a
// selector.
func open(t *testing.T, click, document string) (r result) {
	e2e.SharedBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	v := visit(t, serve(t, fstest.MapFS{"index.html": {Data: []byte(document)}}, policy))
	if click != "" {
		click = fmt.Sprintf("document.querySelector(%q)", click)
		require.NoError(t, v.page.Wait(ctx, click))
		require.NoError(t, v.page.Eval(ctx, click+".click()", nil))
	}
	require.NoError(t, v.page.Wait(ctx, "window.report"), "%v", v.page.Exceptions())
	require.NoError(t, v.page.Eval(ctx, `(() => {
		const watch = new ReportingObserver(() => {}, { types: ["csp-violation"], buffered: true });
		watch.observe();
		return { report, text: document.body.innerText, violations: watch.takeRecords().map(({ body }) => body.effectiveDirective + " " + body.blockedURL) };
	})()`, &r))
	r.Requests = v.site.requests()
	for _, m := range v.page.Console() {
		if m.Level == chrome.LevelError {
			r.Errors = append(r.Errors, m.String())
		}
	}
	for _, e := range v.page.Exceptions() {
		r.Errors = append(r.Errors, e.Text)
	}
	for _, l := range v.page.FailedLoads() {
		r.Errors = append(r.Errors, l.URL+": "+l.Reason)
	}
	return r
}

// view is the folder view with a font from an installed package in it.
func view(t *testing.T) fs.FS {
	e2e.Need(t, e2e.Packages)
	fonts, err := filepath.Glob(filepath.Join(e2e.Dir(), "node_modules", "playwright-core", "lib", "vite", "traceViewer", "codicon.*.ttf"))
	require.NoError(t, err)
	require.NotEmpty(t, fonts)
	font, err := os.ReadFile(fonts[0])
	require.NoError(t, err)
	all := fstest.MapFS{"face.ttf": {Data: font}}
	sub, err := fs.Sub(files, "view")
	require.NoError(t, err)
	require.NoError(t, fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sub, name)
		all[name] = &fstest.MapFile{Data: data}
		return err
	}))
	return all
}

// A view of several files in TypeScript, with JSX, styles, images, JSON and a
// font, needs nothing but its own document, and shows all of it.
func TestBundledView(t *testing.T) {
	t.Parallel()
	minified, err := bundle.HTML(view(t), "index.html", nil)
	require.NoError(t, err)
	readable, err := bundle.HTML(view(t), "index.html", &bundle.Options{Unminified: true, SourceMaps: true})
	require.NoError(t, err)
	for _, doc := range []string{minified.HTML, readable.HTML} {
		r := open(t, "", doc)
		assert.Empty(t, r.Errors)
		assert.Empty(t, r.Violations)
		assert.Empty(t, r.Requests)
		report := r.Report
		require.NotNil(t, report)
		assert.Equal(t, "Bundled & shown", report["title"])
		assert.Equal(t, `<b title="shown">from JSON</b>`, report["root"])
		assert.Equal(t, []any{"rgb(10, 20, 30)", "rgb(40, 50, 60)", "rgb(1, 2, 3)"}, report["colours"])
		assert.Equal(t, `url("data:image/svg+xml;b`, report["background"])
		assert.Equal(t, []any{12.0, 12.0}, report["images"])
		assert.Equal(t, []any{"Test Face 400 loaded"}, report["fonts"])
		assert.Equal(t, []any{"function", true}, report["runtime"])
		assert.Equal(t, []any{"inline", "classic", "module in the page, call 1", "deferred, with #text there", "module in a file, call 2"}, report["order"])
		assert.Equal(t, "classic, deferred", report["late"])
		assert.Equal(t, "dynamic", report["later"])
		assert.Equal(t, []any{"</script>", "<!--<script>", "</script><!--<script>", true, "<!--<script></script>", "a</SCRIPT >b", "]]>", "-->", "\u2028", true}, report["values"])
	}
}

// overlay puts files over those of another file system.
type overlay struct {
	files fstest.MapFS
	fsys  fs.FS
}

func (o overlay) Open(name string) (fs.File, error) {
	if f, err := o.files.Open(name); err == nil {
		return f, nil
	}
	return o.fsys.Open(name)
}

// A view in React, with the packages of a node_modules folder, works.
func TestReactView(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Packages, e2e.Browser)
	doc, err := bundle.HTML(overlay{fstest.MapFS{
		"view/index.html": {Data: []byte(`<!doctype html><div id="root"></div><script type="module" src="main.jsx"></script>`)},
		"view/main.jsx": {Data: []byte(`import { useEffect, useState } from "react"
			import { createRoot } from "react-dom/client"
			function Counter() {
				const [n, set] = useState(0)
				useEffect(() => { if (n > 0) window.report = { n } }, [n])
				return <button onClick={() => set(n + 1)}>{n} clicks</button>
			}
			createRoot(document.getElementById("root")).render(<Counter />)`)},
	}, os.DirFS(e2e.Dir())}, "view/index.html", nil)
	require.NoError(t, err)
	r := open(t, "button", doc.HTML)
	assert.Equal(t, map[string]any{"n": 1.0}, r.Report)
	assert.Equal(t, "1 clicks", strings.TrimSpace(r.Text))
	assert.Empty(t, r.Errors)
	assert.Empty(t, r.Violations)
	assert.Empty(t, r.Requests)
}

// A browser blocks what the bundler reports as blocked.
func TestBlockedInBrowser(t *testing.T) {
	t.Parallel()
	report := `<script type=module>let blocked = []; const tried = async (name, f) => { try { await f() } catch { blocked.push(name) } }
		await tried("eval", () => eval("1"))
		await tried("Function", () => new Function("1"))
		await tried("import", () => import("./x.js"))
		await tried("WebAssembly", () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
		await tried("worker", () => new Promise((ok, fail) => { const w = new Worker(URL.createObjectURL(new Blob(["postMessage(0)"]))); w.onmessage = ok; w.onerror = fail }))
		await tried("font", () => new FontFace("x", "url(data:font/woff2;base64,AAAA)").load())
		window.report = { blocked }</script>`
	r := open(t, "", report)
	assert.Equal(t, []any{"eval", "Function", "import", "WebAssembly", "worker", "font"}, r.Report["blocked"])
	assert.True(t, strings.Contains(strings.Join(r.Violations, "\n"), "font-src data"), "%v", r.Violations)
}
