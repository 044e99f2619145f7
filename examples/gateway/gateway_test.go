package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A testServer is a backend in this process, with what a gateway must treat apart: an
// app, a tool for views only, a tool whose name another backend has too, results that
// name a view, and a template.
type testServer struct {
	name string

	mu       sync.Mutex
	server   *mcp.Server
	sessions []*mcp.ServerSession
	dead     bool
	lists    map[mcpapps.Support]int // how often the tools were listed
}

type showInput struct {
	City string `json:"city,omitempty"`
}

func newTestServer(name string, opts *mcp.ServerOptions) *testServer {
	s := &testServer{name: name, lists: make(map[mcpapps.Support]int)}
	var o mcp.ServerOptions
	if opts != nil {
		o = *opts
	}
	o.Instructions = "Use " + name + "."
	o.Capabilities = &mcp.ServerCapabilities{Extensions: map[string]any{"com.example/" + name: map[string]any{}}}
	s.server = mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, &o)
	mcpapps.Enable(s.server, &mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true})
	mcpapps.RegisterApp(s.server, &mcp.Tool{Name: "show_" + name, Description: "Shows " + name}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://view.html", Name: "view"},
		Document: mcpapps.HTML("<!doctype html><p>" + name),
	}, func(ctx context.Context, req *mcp.CallToolRequest, in showInput) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{
			Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://view.html"}, "ui/resourceUri": "ui://view.html"},
			Content: []mcp.Content{
				&mcp.TextContent{Text: name + " for " + mcpapps.ClientSupport(ctx, req).String()},
				&mcp.ResourceLink{URI: "ui://city/oslo", Name: "Oslo"},
			},
			StructuredContent: json.RawMessage(`{"id":9007199254740993}`),
		}, nil, nil
	})
	mcpapps.RegisterAppTool(s.server, &mcp.Tool{Name: "poll_" + name}, mcpapps.AppOnly("ui://view.html"),
		func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "polled " + name + " for " + mcpapps.ClientSupport(ctx, req).String()}}}, nil, nil
		})
	mcp.AddTool(s.server, &mcp.Tool{Name: "search"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "searched " + name}}}, nil, nil
	})
	mcpapps.RegisterAppResourceTemplate(s.server, &mcp.ResourceTemplate{URITemplate: "ui://city/{name}", Name: "city"}, "ui://city", mcpapps.ResourceUIMetadata{},
		mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
			return "<!doctype html><p>" + name + " " + vars["name"], nil
		}))
	s.server.AddResource(&mcp.Resource{URI: "file:///" + name + ".txt", Name: "text", MIMEType: "text/plain"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "file of " + name}}}, nil
	})
	s.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				s.mu.Lock()
				s.lists[mcpapps.ClientSupport(ctx, req)]++
				s.mu.Unlock()
			}
			return next(ctx, method, req)
		}
	})
	return s
}

func (s *testServer) target() host.Target {
	return host.Target{Transport: func(ctx context.Context) (mcp.Transport, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.dead {
			return nil, errors.New("no such process")
		}
		near, far := mcp.NewInMemoryTransports()
		session, err := s.server.Connect(context.Background(), far, nil)
		s.sessions = append(s.sessions, session)
		return near, err
	}}
}

// end ends all connections; further ones fail until begin.
func (s *testServer) end() {
	s.mu.Lock()
	sessions := s.sessions
	s.dead, s.sessions = true, nil
	s.mu.Unlock()
	for _, session := range sessions {
		session.Close()
	}
}

func (s *testServer) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = false
}

func (s *testServer) listed(support mcpapps.Support) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[support]
}

// older are the options of a server before protocol version 2026-07-28.
var older = &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}}

// behind returns a backend that is connected to again at once.
func behind(t testing.TB, name string, target host.Target) *backend {
	t.Helper()
	b, err := newBackend(name, target)
	require.NoError(t, err)
	for _, u := range []*upstream{b.ui, b.text} {
		u.backoff = func(int) time.Duration { return 10 * time.Millisecond }
	}
	t.Cleanup(b.close)
	return b
}

// serve serves the backends and returns the URL of the common endpoint.
func serve(t testing.TB, trust, stateless bool, backends ...*backend) string {
	t.Helper()
	web := httptest.NewServer(newHandler(backends, trust, stateless))
	connect(t.Context(), backends)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL + "/mcp"
}

// dial connects a client that shows apps, or one that does not.
func dial(t testing.TB, url, version string, apps bool, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return dialAs(t, "client", url, version, apps, opts)
}

// dialAs is dial with the client's name.
func dialAs(t testing.TB, name, url, version string, apps bool, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if opts == nil {
		opts = &mcp.ClientOptions{}
	}
	opts.Capabilities = &mcp.ClientCapabilities{}
	if apps {
		appclient.EnableClient(opts)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, opts).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

func tools(t testing.TB, session *mcp.ClientSession) map[string]*mcp.Tool {
	t.Helper()
	res, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	byName := make(map[string]*mcp.Tool)
	for _, tool := range res.Tools {
		require.NotContains(t, byName, tool.Name)
		byName[tool.Name] = tool
	}
	return byName
}

func meta(t testing.TB, tool *mcp.Tool) string {
	t.Helper()
	require.NotNil(t, tool)
	raw, err := json.Marshal(tool.Meta)
	require.NoError(t, err)
	return string(raw)
}

// text calls a tool and returns the first text of its result.
func text(t testing.TB, session *mcp.ClientSession, tool string) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
	require.NoError(t, err)
	return res.Content[0].(*mcp.TextContent).Text
}

func document(t testing.TB, session *mcp.ClientSession, uri string) string {
	t.Helper()
	res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	require.NoError(t, err)
	require.Len(t, res.Contents, 1)
	assert.Equal(t, uri, res.Contents[0].URI)
	return res.Contents[0].Text
}

var protocols = map[string]struct {
	version   string
	stateless bool
}{
	"2025-11-25":            {"2025-11-25", false},
	"2025-11-25, stateless": {"2025-11-25", true},
	"2026-07-28":            {"2026-07-28", false},
	"2026-07-28, stateless": {"2026-07-28", true},
}

// Both backends, one of each era, are there for clients of both.
func TestEras(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, false, p.stateless,
				behind(t, "maps", newTestServer("maps", older).target()),
				behind(t, "weather", newTestServer("weather", nil).target()))
			session := dial(t, url, p.version, true, nil)
			require.Equal(t, p.version, session.InitializeResult().ProtocolVersion)
			assert.True(t, appclient.ServerSupportsUI(session))
			assert.Contains(t, session.InitializeResult().Capabilities.Extensions, "com.example/maps")
			assert.Equal(t, "Use maps.\n\nUse weather.", session.InitializeResult().Instructions)

			listed := tools(t, session)
			assert.Len(t, listed, 4)
			for _, backend := range []string{"maps", "weather"} {
				view := "ui://" + backend + "/view.html"
				assert.JSONEq(t, `{"ui":{"resourceUri":"`+view+`","visibility":["model"]},"ui/resourceUri":"`+view+`"}`, meta(t, listed["show_"+backend]))
				assert.JSONEq(t, `{"ui":{"visibility":["model"]}}`, meta(t, listed[backend+"__search"]))
				assert.Equal(t, "<!doctype html><p>"+backend, document(t, session, view))
				assert.Equal(t, "<!doctype html><p>"+backend+" oslo", document(t, session, "ui://"+backend+"/city/oslo"))
				assert.Equal(t, "file of "+backend, document(t, session, "file:///"+backend+".txt"))
				assert.Equal(t, "searched "+backend, text(t, session, backend+"__search"))
			}
			var uris []string
			for r, err := range session.Resources(t.Context(), nil) {
				require.NoError(t, err)
				uris = append(uris, r.URI)
			}
			for r, err := range session.ResourceTemplates(t.Context(), nil) {
				require.NoError(t, err)
				uris = append(uris, r.URITemplate)
			}
			assert.ElementsMatch(t, []string{
				"ui://maps/view.html", "ui://maps/city", "file:///maps.txt", "ui://maps/city/{name}",
				"ui://weather/view.html", "ui://weather/city", "file:///weather.txt", "ui://weather/city/{name}",
			}, uris)
			_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://other/view.html"})
			assert.ErrorContains(t, err, `"ui://other/view.html" not found`)

			// The own endpoint of a backend is that server.
			own := dial(t, url+"/maps", p.version, true, nil)
			listed = tools(t, own)
			assert.Len(t, listed, 3)
			assert.JSONEq(t, `{"ui":{"resourceUri":"ui://view.html","visibility":["app"]},"ui/resourceUri":"ui://view.html"}`, meta(t, listed["poll_maps"]))
			assert.Equal(t, "<!doctype html><p>maps", document(t, own, "ui://view.html"))
			assert.Equal(t, "searched maps", text(t, own, "search"))
			assert.Contains(t, text(t, own, "poll_maps"), "polled maps")
			_, err = own.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_weather"})
			assert.ErrorContains(t, err, `unknown tool "show_weather"`)
		})
	}
}

// post sends a request of an older client without a session and returns the result as
// it is on the wire.
func post(t testing.TB, url, version, method, params string) string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, bytes.NewBufferString(body))
	require.NoError(t, err)
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": version, "Mcp-Method": method} {
		req.Header.Set(k, v)
	}
	var p struct{ Name, URI string }
	require.NoError(t, json.Unmarshal([]byte(params), &p))
	if name := p.Name + p.URI; name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	if _, data, ok := bytes.Cut(raw, []byte("data: ")); ok {
		raw = data
	}
	var answer struct{ Result, Error json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &answer), "%s", raw)
	require.Empty(t, answer.Error, "%s", answer.Error)
	return string(answer.Result)
}

// A result keeps what the backend sent, large numbers too, with its URIs renamed.
func TestResultOnTheWire(t *testing.T) {
	for _, opts := range []*mcp.ServerOptions{nil, older} {
		url := serve(t, false, true, behind(t, "maps", newTestServer("maps", opts).target()))
		// A client that is not known gets the answers of one without views, and the
		// backend leaves out of them what names a view.
		const want = `{"content":[{"type":"text","text":"maps for none"},{"type":"resource_link","uri":"ui://maps/city/oslo","name":"Oslo"}],` +
			`"structuredContent":{"id":9007199254740993}}`
		got := post(t, url, "2025-11-25", "tools/call", `{"name":"show_maps"}`)
		assert.JSONEq(t, want, got)
		assert.Contains(t, got, "9007199254740993")
		got = post(t, url, "2025-11-25", "resources/read", `{"uri":"ui://maps/view.html"}`)
		assert.NotContains(t, got, `serverInfo`)

		const per = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}}`
		got = post(t, url, "2026-07-28", "tools/call", `{"name":"show_maps",`+per+`}`)
		assert.Contains(t, got, `"io.modelcontextprotocol/serverInfo":{"name":"gateway"`)
		assert.Contains(t, got, "maps for ui")
		assert.Contains(t, got, `"resourceUri":"ui://maps/view.html"`)
		for method, params := range map[string]string{
			"tools/call": `"name":"show_maps",`, "resources/read": `"uri":"ui://maps/view.html",`,
			"tools/list": ``, "resources/list": ``, "resources/templates/list": ``, "server/discover": ``,
		} {
			got := post(t, url, "2026-07-28", method, `{`+params+per+`}`)
			assert.Contains(t, got, `"resultType":"complete"`, method)
			if strings.HasPrefix(method, "resources/") || method == "tools/list" {
				assert.Contains(t, got, `"cacheScope":"private"`, "%s differs by what the client declares", method)
			}
		}
	}
}

// An entry of one backend that is null does not spoil the list of all.
func TestNullInAList(t *testing.T) {
	maps := newTestServer("maps", nil)
	maps.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListResourcesResult); ok {
				return &mcp.ListResourcesResult{Resources: append([]*mcp.Resource{nil}, list.Resources...)}, err
			}
			return res, err
		}
	})
	url := serve(t, false, true, behind(t, "maps", maps.target()))
	got := post(t, url, "2025-11-25", "resources/list", `{}`)
	assert.Contains(t, got, "ui://maps/view.html")
	assert.NotContains(t, got, "null")
}

// What a client of the gateway declares is what the backends see, and the caches are
// apart.
func TestSupportIsDeclaredUpstream(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backends := []*testServer{newTestServer("maps", older), newTestServer("weather", nil)}
			url := serve(t, false, p.stateless, behind(t, "maps", backends[0].target()), behind(t, "weather", backends[1].target()))
			ui, none := mcpapps.SupportUI, mcpapps.SupportNone
			if p.stateless && p.version == "2025-11-25" { // not known
				session := dial(t, url, p.version, true, nil)
				assert.Contains(t, meta(t, tools(t, session)["show_maps"]), "ui://maps/view.html", "the lists of a client with apps")
				assert.Equal(t, "maps for none", text(t, session, "show_maps"), "the text of one without")
				assert.Equal(t, "polled maps for ui", text(t, dial(t, url+"/maps", p.version, true, nil), "poll_maps"))
				return
			}
			for range 3 { // in turn: neither gets what was kept for the other
				for support, apps := range map[mcpapps.Support]bool{ui: true, none: false} {
					session := dial(t, url, p.version, apps, nil)
					listed := tools(t, session)
					assert.Equal(t, apps, bytes.Contains([]byte(meta(t, listed["show_maps"])), []byte("ui://maps/view.html")))
					own := dial(t, url+"/weather", p.version, apps, nil)
					assert.Equal(t, apps, tools(t, own)["poll_weather"] != nil)
					assert.Equal(t, "maps for "+support.String(), text(t, session, "show_maps"))
					assert.Equal(t, "weather for "+support.String(), text(t, own, "show_weather"))
				}
			}
			for _, b := range backends {
				assert.Equal(t, 1, b.listed(ui), b.name)
				assert.Equal(t, 1, b.listed(none), b.name)
			}
		})
	}
}

// A client that declares no apps and has the name of a host that shows them gets the
// lists of one with apps, at both endpoints.
func TestHostThatDeclaresNothing(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, false, p.stateless, behind(t, "maps", newTestServer("maps", nil).target()))
			for client, keeps := range map[string]bool{"claude-ai": true, "client": p.stateless && p.version == "2025-11-25"} {
				session := dialAs(t, client, url, p.version, false, nil)
				assert.Equal(t, keeps, strings.Contains(meta(t, tools(t, session)["show_maps"]), "ui://maps/view.html"), client)
				assert.Equal(t, "<!doctype html><p>maps", document(t, session, "ui://maps/view.html"))
				assert.Equal(t, "maps for none", text(t, session, "show_maps"), "the full text")
				own := dialAs(t, client, url+"/maps", p.version, false, nil)
				assert.Equal(t, keeps, tools(t, own)["poll_maps"] != nil, client)
			}
		})
	}
}

// A document with a time to live is read once for each kind of client.
func TestDocumentsAreKeptByKind(t *testing.T) {
	maps := newTestServer("maps", nil)
	var mu sync.Mutex
	reads := make(map[mcpapps.Support]int)
	maps.server.AddResource(&mcp.Resource{URI: "ui://kept.html", Name: "kept", MIMEType: mcpapps.MIMEType}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		mu.Lock()
		defer mu.Unlock()
		support := mcpapps.ClientSupport(ctx, req)
		reads[support]++
		return &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{TTLMs: 3_600_000, CacheScope: "private"}, Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: mcpapps.MIMEType, Text: "<p>for " + support.String()}}}, nil
	})
	url := serve(t, false, false, behind(t, "maps", maps.target()))
	for range 3 {
		for support, apps := range map[mcpapps.Support]bool{mcpapps.SupportUI: true, mcpapps.SupportNone: false} {
			assert.Equal(t, "<p>for "+support.String(), document(t, dial(t, url, "2026-07-28", apps, nil), "ui://maps/kept.html"))
		}
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, map[mcpapps.Support]int{mcpapps.SupportUI: 1, mcpapps.SupportNone: 1}, reads)
}

// A change of one backend's list reaches the clients, and both kinds get the new list.
func TestListChanged(t *testing.T) {
	for name, p := range protocols {
		if p.stateless && p.version == "2025-11-25" {
			continue // these clients have no stream
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			maps := newTestServer("maps", nil)
			url := serve(t, false, p.stateless, behind(t, "maps", maps.target()), behind(t, "weather", newTestServer("weather", nil).target()))
			changed := make(chan struct{}, 100)
			session := dial(t, url, p.version, true, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
			other := dial(t, url, p.version, false, nil)
			assert.Len(t, tools(t, session), 4)
			assert.Len(t, tools(t, other), 4)
			mcp.AddTool(maps.server, &mcp.Tool{Name: "later"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "later"}}}, nil, nil
			})
			for tools(t, session)["later"] == nil || tools(t, other)["later"] == nil {
				<-changed
			}
			assert.Equal(t, "later", text(t, session, "later"))
		})
	}
}
