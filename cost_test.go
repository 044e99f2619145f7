package mcpapps_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// The cost of this package is measured against the bare SDK doing the same work
// with metadata written by hand. Rates vary with the machine and are printed by
//
//	go test -run '^$' -bench Cost .
//
// Allocations and bytes do not, and the tests in this file limit them.

// ask sends one request to a stateless streamable HTTP handler, without a
// network, and returns the body of the response.
func ask(t testing.TB, h http.Handler, line string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, askRequest("http://127.0.0.1/", line))
	require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
	return w.Body.String()
}

func askRequest(url, line string) *http.Request {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(line))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	return req
}

func statelessHandler(getServer func() *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return getServer() },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func readLine(uri string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri)
}

// A cost is what one run of a function allocates.
type cost struct{ allocs, bytes float64 }

// costOf is testing.AllocsPerRun with bytes. It takes the lower of two rounds,
// because the runtime itself allocates occasionally. It turns garbage collection
// off meanwhile: a collection empties pools, and refilling them varies.
func costOf(runs int, f func()) cost {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	best := cost{math.Inf(1), math.Inf(1)}
	for range 2 {
		runtime.GC()
		if runs > 1 {
			f() // fills the pools
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			f()
		}
		runtime.ReadMemStats(&after)
		best.allocs = min(best.allocs, float64(after.Mallocs-before.Mallocs)/float64(runs))
		best.bytes = min(best.bytes, float64(after.TotalAlloc-before.TotalAlloc)/float64(runs))
	}
	return best
}

// TestCostList: tools/list allocates a small part of what the bare SDK does,
// for the same bytes.
func TestCostList(t *testing.T) {
	testenv.Measure(t)
	sizes := []int{100}
	if testenv.Full() {
		sizes = append(sizes, 1000)
	}
	for _, n := range sizes {
		bare, ours := bareCost(nil, n, false), oursCost(nil, n, false)
		hb, ho := statelessHandler(func() *mcp.Server { return bare }), statelessHandler(func() *mcp.Server { return ours })
		require.Equal(t, ask(t, hb, listTools), ask(t, ho, listTools), "%d tools: the bytes differ", n)
		b, o := costOf(1, func() { ask(t, hb, listTools) }), costOf(1, func() { ask(t, ho, listTools) })
		t.Logf("%d tools: bare %.0f allocations and %.0f bytes, ours %.0f and %.0f", n, b.allocs, b.bytes, o.allocs, o.bytes)
		assert.Less(t, o.allocs, b.allocs/8, "%d tools: allocations", n)
		assert.Less(t, o.bytes, b.bytes/3, "%d tools: bytes", n)
	}
}

// TestCostRead: without PlainReadResults a read costs at most 8 allocations and
// 4 kB more than the bare SDK's, whatever the document; with it, less.
func TestCostRead(t *testing.T) {
	testenv.Measure(t)
	for name, doc := range documents(t) {
		bare, ours, plain := readServers(doc)
		hb := statelessHandler(func() *mcp.Server { return bare })
		ho := statelessHandler(func() *mcp.Server { return ours })
		hp := statelessHandler(func() *mcp.Server { return plain })
		line := readLine("ui://cost/view.html")
		require.Equal(t, ask(t, hb, line), ask(t, ho, line), name)
		require.JSONEq(t, ask(t, hb, line), ask(t, hp, line), name)
		b := costOf(5, func() { discard(hb, line) })
		o := costOf(5, func() { discard(ho, line) })
		p := costOf(5, func() { discard(hp, line) })
		t.Logf("%s: bare %.1f allocations and %.0f bytes, ours %.1f and %.0f, plain %.1f and %.0f", name, b.allocs, b.bytes, o.allocs, o.bytes, p.allocs, p.bytes)
		assert.LessOrEqual(t, o.allocs, b.allocs+8, "%s: allocations", name)
		assert.LessOrEqual(t, o.bytes, b.bytes+4096, "%s: bytes", name)
		assert.Less(t, p.bytes, b.bytes, "%s: bytes with PlainReadResults", name)
	}
}

func readServers(doc string) (bare, ours, plain *mcp.Server) {
	bare = mcp.NewServer(costInfo, nil)
	bareResource(bare, "ui://cost/view.html", doc, map[string]any{"csp": map[string]any{"connectDomains": []string{"https://api.example.com"}}})
	register := func(opts *mcpapps.Options) *mcp.Server {
		s := mcp.NewServer(costInfo, nil)
		mcpapps.Enable(s, opts)
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://cost/view.html", Name: "results"},
			mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}}, mcpapps.HTML(doc))
		return s
	}
	return bare, register(nil), register(&mcpapps.Options{PlainReadResults: true})
}

// discard is ask for large responses, for which a recorder would grow a buffer.
func discard(h http.Handler, line string) {
	h.ServeHTTP(nowhere{make(http.Header)}, askRequest("http://127.0.0.1/", line))
}

type nowhere struct{ h http.Header }

func (n nowhere) Header() http.Header         { return n.h }
func (n nowhere) Write(p []byte) (int, error) { return io.Discard.Write(p) }
func (n nowhere) WriteHeader(int)             {}

// TestCostRegister: registering 200 tools (1,000 in ci/full), and a server for
// each request with 40 tools and their views, allocate at most 1.15 times what the
// bare SDK does.
func TestCostRegister(t *testing.T) {
	testenv.Measure(t)
	n := 200
	if testenv.Full() {
		n = 1000
	}
	for _, cached := range []bool{false, true} {
		opts := &mcp.ServerOptions{}
		if cached {
			opts.SchemaCache = mcp.NewSchemaCache()
		}
		name := fmt.Sprintf("SchemaCache=%t", cached)
		t.Run("tools/"+name, func(t *testing.T) {
			compareCost(t, 1,
				func() { bareCost(opts, n, false) },
				func() { oursCost(opts, n, false) })
		})
		t.Run("server per request/"+name, func(t *testing.T) {
			hb := statelessHandler(func() *mcp.Server { return bareCost(opts, 40, true) })
			ho := statelessHandler(func() *mcp.Server { return oursCost(opts, 40, true) })
			require.Equal(t, ask(t, hb, listTools), ask(t, ho, listTools))
			compareCost(t, 3, func() { discard(hb, listTools) }, func() { discard(ho, listTools) })
		})
		t.Run("server per read/"+name, func(t *testing.T) {
			hb := statelessHandler(func() *mcp.Server { return bareCost(opts, 40, true) })
			ho := statelessHandler(func() *mcp.Server { return oursCost(opts, 40, true) })
			line := readLine(costURI(7))
			require.Equal(t, ask(t, hb, line), ask(t, ho, line))
			compareCost(t, 3, func() { discard(hb, line) }, func() { discard(ho, line) })
		})
	}
}

func compareCost(t *testing.T, runs int, bare, ours func()) {
	t.Helper()
	const most = 1.15
	b, o := costOf(runs, bare), costOf(runs, ours)
	t.Logf("bare %.0f allocations and %.0f bytes, ours %.0f and %.0f: %.3f and %.3f times",
		b.allocs, b.bytes, o.allocs, o.bytes, o.allocs/b.allocs, o.bytes/b.bytes)
	assert.LessOrEqual(t, o.allocs, most*b.allocs, "allocations")
	assert.LessOrEqual(t, o.bytes, most*b.bytes, "bytes")
}

// TestCostClientSupport: ClientSupport allocates nothing, in any protocol version.
func TestCostClientSupport(t *testing.T) {
	testenv.Measure(t)
	for _, c := range []wireClient{{"2025-11-25", true}, {modern, true}, {"2025-11-25", false}, {modern, false}} {
		ctx, req := capturedRequest(t, c)
		want := mcpapps.SupportNone
		if c.ui {
			want = mcpapps.SupportUI
		}
		require.Equal(t, want, mcpapps.ClientSupport(ctx, req), c.String())
		assert.Zero(t, testing.AllocsPerRun(100, func() { mcpapps.ClientSupport(ctx, req) }), c.String())
	}
}

// capturedRequest returns a tools/call request as a handler gets it.
func capturedRequest(t testing.TB, c wireClient) (context.Context, mcp.Request) {
	s := mcp.NewServer(costInfo, nil)
	var ctx context.Context
	var req mcp.Request
	mcp.AddTool(s, &mcp.Tool{Name: "t"}, func(cx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		ctx, req = cx, r
		return nil, nil, nil
	})
	opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if c.ui {
		opts.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
	}
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(context.Background(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(costInfo, opts).Connect(context.Background(), ct, &mcp.ClientSessionOptions{ProtocolVersion: c.version})
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close(); ss.Close() })
	_, err = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "t"})
	require.NoError(t, err)
	return ctx, req
}
