package view

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// defaultPolicy is the policy of a view that declares no CSP, as the
// specification has it (UI Resource Format), with what hosts may add to it.
const defaultPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; media-src 'self' data:; connect-src 'none'; object-src 'none'; form-action 'none'"

// A library is what "mcp-app" stands for in a view.
type library string

const (
	ours      library = "ours"
	reference library = "reference"
)

// bench is the one browser of these tests and the server of their pages. The
// host's page is at 127.0.0.1, the view's at localhost: two origins.
type bench struct {
	server *httptest.Server
	pages  map[string][]byte
	in     io.WriteCloser
	out    *bufio.Reader
	mu     sync.Mutex
}

var (
	started sync.Once
	running *bench
	stop    = func() {}
)

func TestMain(m *testing.M) {
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
	for _, v := range []string{"@modelcontextprotocol/ext-apps", "ext-apps-1"} {
		b.pages["/host/"+v] = page(script(t, "host.js", map[string]string{"bridge": v + "/app-bridge"}))
	}
	runtime := filepath.Join(e2e.Dir(), "..", "..", "view")
	for lib, alias := range map[library]map[string]string{
		ours: {
			"mcp-app":       filepath.Join(runtime, "mcp-app.min.js"),
			"mcp-app/react": filepath.Join(runtime, "mcp-app-react.min.js"),
		},
		reference: {
			"mcp-app":       "@modelcontextprotocol/ext-apps/app-with-deps",
			"mcp-app/react": "@modelcontextprotocol/ext-apps/react",
		},
	} {
		b.pages["/view/"+string(lib)] = page(script(t, "view.js", alias))
		b.pages["/react/"+string(lib)] = page(script(t, "react.js", alias))
		b.pages["/first/"+string(lib)] = page(script(t, "first.js", alias))
	}
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))

	cmd := exec.Command("node", "driver.mjs", e2e.Chromium())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	b.in, b.out = in, bufio.NewReader(out)
	stop = func() {
		in.Close()
		cmd.Wait()
		b.server.Close()
	}
	return b
}

// script bundles an entry of this folder, with some imports standing for others.
func script(t *testing.T, entry string, alias map[string]string) string {
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(e2e.Dir(), "view"),
		EntryPoints:   []string{entry},
		Alias:         alias,
		Bundle:        true,
		Format:        api.FormatESModule,
		Target:        api.ES2022,
		NodePaths:     []string{filepath.Join(e2e.Dir(), "node_modules")},
		Define:        map[string]string{"process.env.NODE_ENV": `"production"`},

		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	require.Empty(t, r.Errors, "%s", entry)
	return string(r.OutputFiles[0].Contents)
}

// page is a document with one module. The first inline script notes the time.
func page(module string) []byte {
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>view</title></head><body>` +
		`<script>window.started = performance.timeOrigin + performance.now()</script>` +
		`<script type="module">` + strings.ReplaceAll(module, "<!--", `<\!--`) + `</script></body></html>`)
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	doc, ok := b.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/host/") {
		w.Header().Set("Content-Security-Policy", defaultPolicy)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(doc)
}

// record is what a case leaves behind.
type record struct {
	Messages []struct {
		From    string
		Message json.RawMessage
	}
	Reports    []json.RawMessage // what the view told the test
	Violations []string          // of the view's policy
	Problems   []string          // messages that a schema refused
	Result     json.RawMessage   // what the host's side returned
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

// run runs a case in a page of its own. The bridge is a package with the
// reference host, the query is passed on to the host's page.
func (b *bench) run(t *testing.T, bridge string, lib library, name string, query url.Values) record {
	t.Helper()
	q := url.Values{"case": {name}, "lib": {string(lib)}}
	for k, v := range query {
		q[k] = v
	}
	var r record
	b.call(t, "/host/"+bridge, q.Encode(), &r)
	return r
}

// call decodes what a page's window.run gives.
func (b *bench) call(t *testing.T, path, query string, result any) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	request, err := json.Marshal(map[string]any{"url": b.server.URL + path, "query": query})
	require.NoError(t, err)
	_, err = fmt.Fprintf(b.in, "%s\n", request)
	require.NoError(t, err)
	line, err := b.out.ReadBytes('\n')
	require.NoError(t, err, "the driver ended")
	var answer struct {
		Result   json.RawMessage
		Failure  string
		Problems []string
	}
	require.NoError(t, json.Unmarshal(line, &answer))
	require.Empty(t, answer.Failure, "%v", answer.Problems)
	require.Empty(t, answer.Problems)
	require.NoError(t, json.Unmarshal(answer.Result, result))
}
