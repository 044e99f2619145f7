package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// shapes are the options that make lists differ between clients.
var shapes = mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true, OmitLegacyURI: true}

// A kind of client, by what it declares: apps, something else, nothing at all, and what a
// stateless server does not know. caps is empty for that.
type clientKind struct {
	name, caps string
	views      bool // its lists have views
}

var clientKinds = []clientKind{
	{"declares apps", capsUI, true},
	{"declares none", `{"extensions":{"com.example/other":{}},"roots":{}}`, false},
	{"declares nothing", capsText, false},
	{"unknown", "", true},
}

// listRequest returns a client's tools/list for a stateless server.
func (k clientKind) listRequest() *http.Request {
	if k.caps == "" {
		return askRequest("http://127.0.0.1/", listTools)
	}
	req := askRequest("http://127.0.0.1/", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s}}}`, k.caps))
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/list")
	return req
}

// shapedServer returns a server with n apps, and a tool beside each that views alone may
// call. inner sees lists as they are registered.
func shapedServer(opts *mcpapps.Options, n int, inner ...mcp.Middleware) *mcp.Server {
	s := mcp.NewServer(costInfo, nil)
	s.AddReceivingMiddleware(inner...)
	mcpapps.Enable(s, opts)
	for i := range n {
		t := costTool(i)
		t.Meta = mcp.Meta{"com.example/cost": map[string]any{"calls": 1}}
		mcpapps.RegisterAppTool(s, t, mcpapps.ToolUIMetadata{ResourceURI: costURI(i)}, searchTool)
		only := costTool(n + i)
		only.Meta = mcpapps.ToolMeta(mcpapps.AppOnly(""))
		mcp.AddTool(s, only, searchTool)
	}
	return s
}

// registered remembers the lists of tools that it sees, as JSON, each once.
type registered struct{ lists sync.Map }

func (r *registered) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if list, ok := res.(*mcp.ListToolsResult); ok {
			data, failed := json.Marshal(list.Tools)
			if failed != nil {
				return nil, failed
			}
			r.lists.Store(string(data), true)
		}
		return res, err
	}
}

// Clients of four kinds that list at the same time get each their own list, and what is
// registered stays as it was. 40 clients do so; 500 in ci/full.
func TestManyClients(t *testing.T) {
	const apps = 3
	clients := 40
	if testenv.Full() {
		clients = 500
	}
	var seen registered
	s := shapedServer(&shapes, apps, seen.middleware)
	stateless := statelessHandler(func() *mcp.Server { return s })
	stateful := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	send := func(h http.Handler, req *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		return w
	}
	var all sync.WaitGroup
	lists := make([]string, clients) // by client
	for i := range clients {
		kind, session := clientKinds[i%len(clientKinds)], i%8 >= 4 // both eras of each kind that has them
		all.Go(func() {
			for range 2 {
				req := kind.listRequest()
				h := stateless
				if session && kind.caps != "" {
					h = stateful
					open := send(h, askRequest("http://127.0.0.1/", fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"c","version":"1"}}}`, kind.caps)))
					req = askRequest("http://127.0.0.1/", listTools)
					req.Header.Set("Mcp-Session-Id", open.Header().Get("Mcp-Session-Id"))
				}
				w := send(h, req)
				if got := w.Body.String(); assert.Equal(t, http.StatusOK, w.Code, got) && lists[i] == "" {
					lists[i] = got
				} else {
					assert.Equal(t, lists[i], got, kind.name)
				}
			}
		})
	}
	all.Wait()
	for i, list := range lists {
		kind := clientKinds[i%len(clientKinds)]
		views, tools := 0, 2*apps
		if kind.views {
			views = apps
		} else {
			tools = apps
		}
		// The kind, not the values, decides: the lists of one kind and era are equal.
		assert.Equal(t, views, strings.Count(list, `"ui":{"resourceUri":"ui://cost/`), kind.name)
		assert.Equal(t, tools, strings.Count(list, `"name":"search_`), kind.name)
		assert.Equal(t, apps, strings.Count(list, `"com.example/cost":{"calls":1}`), kind.name)
		assert.NotContains(t, list, `"ui/resourceUri"`, kind.name)
		assert.Contains(t, list, `"cacheScope":"private"`, kind.name)
		assert.Equal(t, lists[i%8], list, kind.name)
	}
	n := 0
	seen.lists.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n, "what was registered has changed")
	plain := shapedServer(&mcpapps.Options{OmitLegacyURI: true}, apps)
	want := send(statelessHandler(func() *mcp.Server { return plain }), clientKinds[0].listRequest()).Body.String()
	assert.JSONEq(t, strings.Replace(want, `"cacheScope":"public"`, `"cacheScope":"private"`, 1), lists[0])
}

// TestCostShapedList: lists of 50 apps and 50 app-only tools, shaped for four kinds of
// clients, cost at most 1.1 times the plain list, for each kind and for all together, in
// allocations, bytes and processor time. The time is the best of many runs. It fails only
// above 1.5, because other processes disturb it.
func TestCostShapedList(t *testing.T) {
	testenv.Measure(t)
	const most, mostTime = 1.1, 1.5
	plain := shapedServer(nil, 50)
	hp := statelessHandler(func() *mcp.Server { return plain })
	for name, opts := range map[string]mcpapps.Options{
		"StripUIForText, OmitAppToolsForText":                {StripUIForText: true, OmitAppToolsForText: true},
		"StripUIForText":                                     {StripUIForText: true},
		"StripUIForText, OmitAppToolsForText, OmitLegacyURI": shapes,
	} {
		shaped := shapedServer(&opts, 50)
		hs := statelessHandler(func() *mcp.Server { return shaped })
		var allPlain, allShaped cost
		for _, kind := range clientKinds {
			run := func(h http.Handler) func() {
				return func() { h.ServeHTTP(nowhere{make(http.Header)}, kind.listRequest()) }
			}
			w := httptest.NewRecorder()
			hs.ServeHTTP(w, kind.listRequest())
			require.Contains(t, w.Body.String(), "search_0000")
			p, v := costOf(5, run(hp)), costOf(5, run(hs))
			allPlain.allocs, allPlain.bytes = allPlain.allocs+p.allocs, allPlain.bytes+p.bytes
			allShaped.allocs, allShaped.bytes = allShaped.allocs+v.allocs, allShaped.bytes+v.bytes
			pt, vt := math.Inf(1), math.Inf(1)
			for round := range 100 {
				pt = min(pt, timeOf(3, run(hp)))
				vt = min(vt, timeOf(3, run(hs)))
				if round >= leastRounds() && vt <= mostTime*pt {
					break
				}
			}
			t.Logf("%s, %s: plain %.0f allocations, %.0f bytes and %v, shaped %.3f, %.3f and %.3f times as much", name, kind.name,
				p.allocs, p.bytes, time.Duration(pt), v.allocs/p.allocs, v.bytes/p.bytes, vt/pt)
			assert.LessOrEqual(t, v.allocs, most*p.allocs, "%s, %s: allocations", name, kind.name)
			assert.LessOrEqual(t, v.bytes, most*p.bytes, "%s, %s: bytes", name, kind.name)
			assert.LessOrEqual(t, vt, mostTime*pt, "%s, %s: time", name, kind.name)
		}
		t.Logf("%s, all kinds: %.3f times the allocations, %.3f times the bytes", name, allShaped.allocs/allPlain.allocs, allShaped.bytes/allPlain.bytes)
	}
}
