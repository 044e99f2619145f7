package view

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// defaultPolicy is the policy of a view that declares no CSP: that of the
// specification (UI Resource Format) with the directives that hosts may add.
const defaultPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; media-src 'self' data:; connect-src 'none'; object-src 'none'; form-action 'none'"

// A library is the module to which "mcp-app" resolves in a view.
type library string

const (
	ours      library = "ours"
	reference library = "reference"
)

// A bench is the one browser of these tests, with one host page in it, and the
// server of the pages. The host page is at 127.0.0.1 and the views are at
// localhost: two origins. Cases run side by side, each in a frame of its own.
type bench struct {
	server *httptest.Server
	pages  map[string][]byte
	driver *e2e.Driver
}

var (
	started sync.Once
	running *bench
	stop    = func() {}
)

func TestMain(m *testing.M) {
	testenv.AtOnce(8)
	code := m.Run()
	stop()
	os.Exit(code)
}

func newBench(t *testing.T) *bench {
	e2e.Need(t, e2e.Packages, e2e.Browser)
	started.Do(func() { running = start(t) })
	if running == nil {
		t.Fatal("the browser did not start, see the first test")
	}
	return running
}

func start(t *testing.T) *bench {
	b := &bench{pages: map[string][]byte{}}
	var hosts []string
	for bridge, pkg := range bridges {
		hosts = append(hosts, script(t, "host.js", map[string]string{"bridge": pkg + "/app-bridge"}, bridge))
	}
	b.pages["/host"] = page(hosts...)
	runtime := filepath.Join(e2e.Dir(), "..", "..", "view")
	data, openai := filepath.Join(runtime, "mcp-app-data.min.js"), filepath.Join(runtime, "mcp-app-openai.min.js")
	for lib, alias := range map[library]map[string]string{
		ours: {
			"mcp-app":        filepath.Join(runtime, "mcp-app.min.js"),
			"mcp-app/react":  filepath.Join(runtime, "mcp-app-react.min.js"),
			"mcp-app/data":   data,
			"mcp-app/openai": openai,
		},
		reference: {
			"mcp-app":        "@modelcontextprotocol/ext-apps/app-with-deps",
			"mcp-app/react":  "@modelcontextprotocol/ext-apps/react",
			"mcp-app/data":   data,
			"mcp-app/openai": openai,
		},
	} {
		for _, name := range []string{"view", "react"} {
			file := "/" + name + "/" + string(lib) + ".js" // which the browser compiles once for all views
			b.pages[file] = []byte(script(t, name+".js", alias, ""))
			b.pages[strings.TrimSuffix(file, ".js")] = document(`<script type="module" src="` + file + `"></script>`)
		}
		b.pages["/first/"+string(lib)] = page(script(t, "first.js", alias, ""))
	}
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))
	var err error
	b.driver, err = e2e.StartDriver("view/driver.mjs", e2e.Chromium(), b.server.URL+"/host")
	require.NoError(t, err)
	stop = func() {
		b.driver.Close()
		b.server.Close()
	}
	return b
}

// script bundles an entry of this folder. Some imports are aliases of others,
// and BRIDGE is the name of a host's bridge.
func script(t *testing.T, entry string, alias map[string]string, bridge string) string {
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(e2e.Dir(), "view"),
		EntryPoints:   []string{entry},
		Alias:         alias,
		Bundle:        true,
		Format:        api.FormatESModule,
		Target:        api.ES2022,
		NodePaths:     []string{filepath.Join(e2e.Dir(), "node_modules")},
		Define:        map[string]string{"process.env.NODE_ENV": `"production"`, "BRIDGE": strconv.Quote(bridge)},

		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	require.Empty(t, r.Errors, "%s", entry)
	return string(r.OutputFiles[0].Contents)
}

// page is a document with modules in it. Its first inline script notes the time.
func page(modules ...string) []byte {
	body := `<script>window.started = performance.timeOrigin + performance.now()</script>`
	for _, module := range modules {
		body += `<script type="module">` + strings.ReplaceAll(module, "<!--", `<\!--`) + `</script>`
	}
	return document(body)
}

func document(body string) []byte {
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>view</title></head><body>` + body + `</body></html>`)
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	doc, ok := b.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.URL.Path != "/host" {
		w.Header().Set("Content-Security-Policy", defaultPolicy)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if strings.HasSuffix(r.URL.Path, ".js") {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "max-age=3600")
	}
	w.Write(doc)
}

// record is the result of a case.
type record struct {
	Messages []struct {
		From    string
		Message json.RawMessage
	}
	Reports    []json.RawMessage // of the view, to the test
	Violations []string          // of the view's policy
	Problems   []string          // messages that are invalid by a schema
	Result     json.RawMessage   // of the host's side
}

// fromView returns the view's messages in order, each as canonical JSON.
func (r record) fromView(t *testing.T) []string {
	var all []string
	for _, m := range r.Messages {
		if m.From == "view" {
			all = append(all, canonical(t, m.Message))
		}
	}
	return all
}

func (r record) reports(t *testing.T) []string {
	var all []string
	for _, m := range r.Reports {
		all = append(all, canonical(t, m))
	}
	return all
}

func canonical(t *testing.T, data []byte) string {
	var v any
	require.NoError(t, json.Unmarshal(data, &v))
	out, err := json.Marshal(v) // maps are written in the order of their keys
	require.NoError(t, err)
	return string(out)
}

// run runs a case in a frame of its own, against a bridge of the reference. The
// query is passed on to the host page.
func (b *bench) run(t *testing.T, bridge string, lib library, name string, query url.Values) record {
	t.Helper()
	q := url.Values{"case": {name}, "lib": {string(lib)}}
	for k, v := range query {
		q[k] = v
	}
	answer := b.driver.Call(t, map[string]any{"bridge": bridge, "query": q.Encode()})
	var r record
	require.NoError(t, json.Unmarshal(answer, &r))
	return r
}
