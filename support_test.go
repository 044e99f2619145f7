package mcpapps_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A declaration means the same in an initialize request and in the _meta of each
// request.
func TestDeclarations(t *testing.T) {
	for caps, want := range map[string]mcpapps.Support{
		capsUI:              mcpapps.SupportUI,
		capsText:            mcpapps.SupportNone,
		`{"extensions":{}}`: mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{}}}`:                                                                         mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":null}}`:                                                                       mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":true}}`:                                                                       mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":null}}}`:                                                         mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":[]}}}`:                                                           mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":"text/html;profile=mcp-app"}}}`:                                  mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`:                                                mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html+mcp", 7, null]}}}`:                                   mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp"]}}}`:                                    mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/plain;profile=mcp-app"]}}}`:                               mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":[";;;;;;;;;;;;;;;;;;;;;;;;;;;;"]}}}`:                             mcpapps.SupportNone,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["x","Text/HTML; Profile=\"mcp-app\""],"later":1}}}`:             mcpapps.SupportUI,
		`{"extensions":{"com.example/other":{},"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app","other"]}}}`: mcpapps.SupportUI,
		`{"experimental":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`:                              mcpapps.SupportNone,
		`{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`:                                               mcpapps.SupportNone,
	} {
		for _, version := range mcp.SupportedProtocolVersions() {
			s, got := supportServer()
			connectRaw(t, s, version, caps).result("tools/call", `{"name":"ask"}`)
			assert.Equal(t, want, *got, "%s %s", version, caps)
		}
	}
}

// supportServer has a tool that records the support that it sees.
func supportServer() (*mcp.Server, *mcpapps.Support) {
	s := newServer()
	got := mcpapps.Support(-1)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "ask"}, mcpapps.AppOnly(""), func(ctx context.Context, req *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
		got = mcpapps.ClientSupport(ctx, req)
		return nil, nil, nil
	})
	return s, &got
}

// In 2026-07-28 two requests on one connection may differ, and a request without
// capabilities does not get those of another.
func TestEachRequestAnswersForItself(t *testing.T) {
	s, got := supportServer()
	c := connectRaw(t, s, "2026-07-28", capsUI)
	ask := func() mcpapps.Support { c.result("tools/call", `{"name":"ask"}`); return *got }
	assert.Equal(t, mcpapps.SupportUI, ask())
	with := c.meta
	c.meta = strings.Replace(with, capsUI, capsText, 1)
	assert.Equal(t, mcpapps.SupportNone, ask())
	c.meta = with
	assert.Equal(t, mcpapps.SupportUI, ask())
	c.meta = ""
	assert.Equal(t, mcpapps.SupportUnknown, ask())
	// The context overrides the request with any value.
	answer := mcpapps.SupportNone
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(mcpapps.WithClientSupport(ctx, answer), method, req)
		}
	})
	c.meta = with
	assert.Equal(t, mcpapps.SupportNone, ask())
	answer = mcpapps.SupportUI
	c.meta = strings.Replace(with, capsUI, capsText, 1)
	assert.Equal(t, mcpapps.SupportUI, ask())
	answer = mcpapps.SupportUnknown
	assert.Equal(t, mcpapps.SupportUnknown, ask())
}

// Over HTTP, a stateful session remembers the capabilities. For an older client, a
// stateless server does not know them, which is not the same as "none".
func TestSupportOverHTTP(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		for _, caps := range []string{capsUI, capsText} {
			s, got := supportServer()
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true}))
			defer web.Close()
			session := ""
			post := func(version, body string) {
				req, err := http.NewRequest("POST", web.URL, strings.NewReader(body))
				require.NoError(t, err)
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				if version != "" {
					req.Header.Set("Mcp-Protocol-Version", version)
					req.Header.Set("Mcp-Method", "tools/call")
					req.Header.Set("Mcp-Name", "ask")
				}
				if session != "" {
					req.Header.Set("Mcp-Session-Id", session)
				}
				res, err := web.Client().Do(req)
				require.NoError(t, err)
				res.Body.Close()
				require.Less(t, res.StatusCode, 300, body)
				if id := res.Header.Get("Mcp-Session-Id"); id != "" {
					session = id
				}
			}
			post("", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}}`, caps))
			post("2025-06-18", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}`)
			want := mcpapps.SupportUnknown
			if !stateless {
				want = map[string]mcpapps.Support{capsUI: mcpapps.SupportUI, capsText: mcpapps.SupportNone}[caps]
			}
			assert.Equal(t, want, *got, "stateless %v, %s", stateless, caps)
			if stateless {
				session = ""
				post("2026-07-28", fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s}}}`, caps))
				assert.Equal(t, map[string]mcpapps.Support{capsUI: mcpapps.SupportUI, capsText: mcpapps.SupportNone}[caps], *got)
			}
		}
	}
}

// Incomplete requests, as in tests and in middleware, cause no panic.
func TestSupportOfOddRequests(t *testing.T) {
	ctx := context.Background()
	ui := map[string]any{"extensions": map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": []any{mcpapps.MIMEType}}}}
	caps := &mcp.ClientCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{mcpapps.MIMEType}}}}
	call := func(v any) mcp.Request {
		return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: v}}}
	}
	for _, tt := range []struct {
		name string
		req  mcp.Request
		want mcpapps.Support
	}{
		{"nil", nil, mcpapps.SupportUnknown},
		{"typed nil", (*mcp.CallToolRequest)(nil), mcpapps.SupportUnknown},
		{"nil params and session", &mcp.CallToolRequest{}, mcpapps.SupportUnknown},
		{"typed nil params", &mcp.ListToolsRequest{Params: (*mcp.ListToolsParams)(nil)}, mcpapps.SupportUnknown},
		{"nil meta", &mcp.ListToolsRequest{Params: &mcp.ListToolsParams{}}, mcpapps.SupportUnknown},
		{"map", call(ui), mcpapps.SupportUI},
		{"typed", call(caps), mcpapps.SupportUI},
		{"typed value", call(*caps), mcpapps.SupportUI},
		{"typed nil capabilities", call((*mcp.ClientCapabilities)(nil)), mcpapps.SupportUnknown},
		{"null", call(nil), mcpapps.SupportUnknown},
		{"string", call("yes"), mcpapps.SupportUnknown},
		{"not JSON", call(func() {}), mcpapps.SupportUnknown},
		{"empty", call(map[string]any{}), mcpapps.SupportNone},
		{"initialize", &mcp.ServerRequest[*mcp.InitializeParams]{Params: &mcp.InitializeParams{Capabilities: caps}}, mcpapps.SupportUI},
		{"client's request", &mcp.ClientRequest[*mcp.CallToolParams]{Params: &mcp.CallToolParams{}}, mcpapps.SupportUnknown},
	} {
		assert.Equal(t, tt.want, mcpapps.ClientSupport(ctx, tt.req), tt.name)
		assert.Equal(t, mcpapps.SupportUI, mcpapps.ClientSupport(mcpapps.WithClientSupport(ctx, mcpapps.SupportUI), tt.req), tt.name)
	}
	var none context.Context
	assert.Equal(t, mcpapps.SupportUnknown, mcpapps.ClientSupport(none, nil))
}
