// Package bundle_test runs bundled views in Chromium, under the policy that a
// host enforces for a view that declares nothing.
package bundle_test

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// policy is what the specification has hosts enforce where a view declares no
// CSP (MCP Apps, Host Behavior), with the directives that hosts add to it.
const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'"

//go:embed view
var files embed.FS

// result is what a page reports of itself, and the browser of it.
type result struct {
	Report                       map[string]any
	Violations, Errors, Requests []string
}

// open shows documents in the browser.
func open(t *testing.T, documents ...string) []result {
	e2e.Need(t, e2e.Packages, e2e.Browser)
	var urls []string
	for _, doc := range documents {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(doc))
		}))
		t.Cleanup(server.Close)
		urls = append(urls, server.URL+"/")
	}
	input, err := json.Marshal(map[string]any{"chromium": e2e.Chromium(), "urls": urls})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("bundle", "open.mjs"))
	cmd.Dir = e2e.Dir()
	cmd.Stdin = bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	require.NoError(t, cmd.Run(), "%s", &stderr)
	var results []result
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &results))
	require.Len(t, results, len(documents))
	return results
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
	minified, err := bundle.HTML(view(t), "index.html", nil)
	require.NoError(t, err)
	readable, err := bundle.HTML(view(t), "index.html", &bundle.Options{Unminified: true, SourceMaps: true})
	require.NoError(t, err)
	for _, r := range open(t, minified.HTML, readable.HTML) {
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

// What the bundler refuses is what a browser blocks: the reason that it does.
func TestBlockedInBrowser(t *testing.T) {
	report := `<script type=module>let blocked = []; const tried = async (name, f) => { try { await f() } catch { blocked.push(name) } }
		await tried("eval", () => eval("1"))
		await tried("Function", () => new Function("1"))
		await tried("import", () => import("./x.js"))
		await tried("WebAssembly", () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
		await tried("worker", () => new Promise((ok, fail) => { new Worker(URL.createObjectURL(new Blob([""]))).onerror = fail; setTimeout(ok, 1000) }))
		await tried("font", () => new FontFace("x", "url(data:font/woff2;base64,AAAA)").load())
		window.report = { blocked }</script>`
	r := open(t, report)[0]
	assert.Equal(t, []any{"eval", "Function", "import", "WebAssembly", "worker", "font"}, r.Report["blocked"])
	assert.True(t, strings.Contains(strings.Join(r.Violations, "\n"), "font-src data"), "%v", r.Violations)
}
