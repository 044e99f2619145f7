package compat_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	capsUI    = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	capsEmpty = `{}`
	perReq    = "2026-07-28"
)

// shapingServer strips what concerns views for clients that are known to have none.
func shapingServer(t *testing.T) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcpapps.Enable(s, &mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true})
	none := func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "x"}}}, nil, nil
	}
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://test/view"}, none)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "page"}, mcpapps.AppOnly("ui://test/view"), none)
	s.AddReceivingMiddleware(compat.KeepViews())
	return s
}

// A caller is one client over HTTP.
type caller struct {
	t       *testing.T
	url     string
	version string
	name    string // of the client, "" to send no clientInfo in _meta
	caps    string
	asks    string // the version that the handshake asks for, if it is another
	session string
	id      int
}

func (c *caller) post(body, method string) string {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), "POST", c.url, strings.NewReader(body))
	require.NoError(c.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if method != "initialize" {
		req.Header.Set("Mcp-Protocol-Version", c.version)
	}
	if c.version >= perReq {
		req.Header.Set("Mcp-Method", method)
		var message struct{ Params struct{ URI string } }
		require.NoError(c.t, json.Unmarshal([]byte(body), &message))
		if message.Params.URI != "" {
			req.Header.Set("Mcp-Name", message.Params.URI)
		}
	}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	require.Less(c.t, res.StatusCode, 300, "%s: %s", body, data)
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return string(data)
}

// connect makes the handshake, if the version has one.
func (c *caller) connect() *caller {
	c.t.Helper()
	if c.version < perReq {
		c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":%q,"version":"1"}}}`, cmp.Or(c.asks, c.version), c.caps, c.name), "initialize")
		c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "notifications/initialized")
	}
	return c
}

// ask makes a request with the members of its params, and with those that the version
// demands in _meta.
func (c *caller) ask(method, params string) string {
	c.t.Helper()
	if c.version >= perReq {
		info := ""
		if c.name != "" {
			info = fmt.Sprintf(`,"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}`, c.name)
		}
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":%s%s}`, c.version, c.caps, info)
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	c.id++
	return c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.id, method, params), method)
}

// list returns the tools as raw JSON by name.
func (c *caller) list() map[string]string {
	c.t.Helper()
	answer := c.ask("tools/list", "")
	var msg struct {
		Result struct{ Tools []json.RawMessage }
	}
	require.NoError(c.t, json.Unmarshal([]byte(answer), &msg), answer)
	tools := make(map[string]string)
	for _, raw := range msg.Result.Tools {
		var tool struct{ Name string }
		require.NoError(c.t, json.Unmarshal(raw, &tool))
		tools[tool.Name] = string(raw)
	}
	return tools
}

func (c *caller) assertWhole(why string) {
	c.t.Helper()
	tools := c.list()
	assert.Contains(c.t, tools["show"], `"resourceUri":"ui://test/view"`, why)
	assert.Contains(c.t, tools, "page", why)
}

func (c *caller) assertText(why string) {
	c.t.Helper()
	tools := c.list()
	require.Contains(c.t, tools, "show", why)
	assert.NotContains(c.t, tools["show"], "ui://", why)
	assert.NotContains(c.t, tools, "page", why)
}

// serve runs a server over HTTP, stateful or not.
func serve(t *testing.T, s *mcp.Server, stateless bool) string {
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestKeepViews lists in the two eras in which a server knows what a client declares:
// on a stateful connection before 2026-07-28, and with each request since.
func TestKeepViews(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", perReq} {
		t.Run(version, func(t *testing.T) {
			url := serve(t, shapingServer(t), version >= perReq)
			client := func(name, caps string) *caller {
				return (&caller{t: t, url: url, version: version, name: name, caps: caps}).connect()
			}
			client("Anthropic/Toolbox", capsEmpty).assertWhole("the name of a host that shows apps")
			client("openai-mcp", capsEmpty).assertWhole("the name of a host that shows apps")
			client("Anthropic/ClaudeAI", capsUI).assertWhole("it declares UI")
			client("somebody", capsUI).assertWhole("it declares UI")
			client("somebody", capsEmpty).assertText("its name is not known")
			client("claude-code", capsEmpty).assertText("the name of a host that shows no apps")
			client("anthropic/toolbox", capsEmpty).assertText("names are compared exactly")
			client("", capsEmpty).assertText("no name")
		})
	}
}

// TestKeepViewsOlderStateless shows that a stateless server gives the whole list to an
// older client: it does not know what that declared.
func TestKeepViewsOlderStateless(t *testing.T) {
	url := serve(t, shapingServer(t), true)
	for _, name := range []string{"Anthropic/Toolbox", "somebody"} {
		c := (&caller{t: t, url: url, version: "2025-11-25", name: name, caps: capsEmpty}).connect()
		c.assertWhole("the capabilities are not known")
	}
}

// TestKeepViewsNegotiatedDown has a client that asks for 2026-07-28 in a handshake, which
// that version does not have, and gets an older one: what it said holds for the session.
func TestKeepViewsNegotiatedDown(t *testing.T) {
	url := serve(t, shapingServer(t), false)
	client := func(name string) *caller {
		return (&caller{t: t, url: url, version: "2025-11-25", asks: perReq, name: name, caps: capsEmpty}).connect()
	}
	client("Anthropic/Toolbox").assertWhole("the name of a host that shows apps")
	client("somebody").assertText("its name is not known")
}

// TestKeepViewsEachRequest shows that the name of one request is not used for another of
// the same connection.
func TestKeepViewsEachRequest(t *testing.T) {
	s := shapingServer(t)
	c := &caller{t: t, url: serve(t, s, true), version: perReq, name: "Anthropic/Toolbox", caps: capsEmpty}
	c.assertWhole("named")
	c.name = ""
	c.assertText("the request has no name")

	// One session, for which the SDK keeps the first request's clientInfo.
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	defer ss.Close()
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	ask := func(id int, info string) string {
		m, err := jsonrpc.DecodeMessage(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}%s}}}`, id, info))
		require.NoError(t, err)
		require.NoError(t, conn.Write(t.Context(), m))
		answer, err := conn.Read(t.Context())
		require.NoError(t, err)
		return string(answer.(*jsonrpc.Response).Result)
	}
	assert.Contains(t, ask(1, `,"io.modelcontextprotocol/clientInfo":{"name":"Anthropic/Toolbox","version":"1"}`), "ui://test/view")
	require.Equal(t, "Anthropic/Toolbox", ss.InitializeParams().ClientInfo.Name, "what the SDK remembers")
	assert.NotContains(t, ask(2, ""), "ui://test/view", "the request has no name")
	assert.NotContains(t, ask(3, `,"io.modelcontextprotocol/clientInfo":{"name":"somebody","version":"1"}`), "ui://test/view")
}

// TestFourClientsOfOneConnector is the order of a published trace: the first client of a
// connector declares nothing, the others declare the extension. The connector keeps the
// first list, so that one decides whether the others open views.
func TestFourClientsOfOneConnector(t *testing.T) {
	clients := []struct{ name, caps string }{
		{"Anthropic/Toolbox", capsEmpty},
		{"Anthropic/ClaudeAI", capsUI},
		{"Anthropic/ClaudeAI", capsUI},
		{"claude-ai", capsUI},
	}
	for _, version := range []string{"2025-11-25", perReq} {
		url := serve(t, shapingServer(t), version >= perReq)
		var kept map[string]string
		for i, client := range clients {
			c := (&caller{t: t, url: url, version: version, name: client.name, caps: client.caps}).connect()
			tools := c.list()
			if i == 0 {
				kept = tools
			}
			assert.Equal(t, kept, tools, "%s: client %d gets the list that the connector keeps", version, i)
		}
		assert.Contains(t, kept["show"], `"resourceUri":"ui://test/view"`)
		assert.Contains(t, kept["page"], `"visibility":["app"]`)
	}
}

// TestKeepViewsOrder shows which middleware has the last word.
func TestKeepViewsOrder(t *testing.T) {
	decide := func(s mcpapps.Support) mcp.Middleware {
		return func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				return next(mcpapps.WithClientSupport(ctx, s), method, req)
			}
		}
	}
	seen := func(chain ...mcp.Middleware) mcpapps.Support {
		var got mcpapps.Support
		h := func(ctx context.Context, _ string, req mcp.Request) (mcp.Result, error) {
			got = mcpapps.ClientSupport(ctx, req)
			return nil, nil
		}
		for _, m := range chain { // as AddReceivingMiddleware: later ones are outer
			h = m(h)
		}
		_, _ = h(t.Context(), "initialize", &mcp.ServerRequest[*mcp.InitializeParams]{Params: &mcp.InitializeParams{
			Capabilities: &mcp.ClientCapabilities{}, ClientInfo: &mcp.Implementation{Name: "Anthropic/Toolbox"},
		}})
		return got
	}
	assert.Equal(t, mcpapps.SupportUnknown, seen(compat.KeepViews()))
	assert.Equal(t, mcpapps.SupportNone, seen(decide(mcpapps.SupportNone), compat.KeepViews()), "added before, it runs after")
	assert.Equal(t, mcpapps.SupportUI, seen(compat.KeepViews(), decide(mcpapps.SupportUI)), "only SupportNone is changed")
}

// TestKeepViewsHostile shows that no shape of a request panics.
func TestKeepViewsHostile(t *testing.T) {
	h := compat.KeepViews()(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, nil })
	caps := map[string]any{}
	for _, req := range []mcp.Request{
		nil,
		(*mcp.ListToolsRequest)(nil),
		&mcp.ListToolsRequest{},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: nil}}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: caps}}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: caps, mcp.MetaKeyClientInfo: nil}}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: caps, mcp.MetaKeyClientInfo: "openai-mcp"}}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: caps, mcp.MetaKeyClientInfo: map[string]any{"name": 7}}}},
		&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: caps, mcp.MetaKeyClientInfo: (*mcp.Implementation)(nil)}}},
		&mcp.ServerRequest[*mcp.InitializeParams]{Params: &mcp.InitializeParams{Capabilities: &mcp.ClientCapabilities{}}},
	} {
		assert.NotPanics(t, func() { _, _ = h(t.Context(), "tools/list", req) }, "%#v", req)
	}
}
