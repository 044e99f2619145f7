package mcpapps_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// connectorClients are those that one host uses for one connector, in the order in which
// they list: the first declares nothing.
var connectorClients = []struct {
	name string
	ui   bool
}{{"host/setup", false}, {"host/web", true}, {"host/desktop", true}, {"host/mobile", true}}

// nameOf returns the name that the client of a request gives itself.
func nameOf(req mcp.Request) string {
	if r, ok := req.(*mcp.ListToolsRequest); ok && r.Params != nil {
		if info, ok := r.Params.Meta["io.modelcontextprotocol/clientInfo"].(map[string]any); ok {
			name, _ := info["name"].(string)
			return name
		}
	}
	if ss, ok := req.GetSession().(*mcp.ServerSession); ok && ss.InitializeParams() != nil && ss.InitializeParams().ClientInfo != nil {
		return ss.InitializeParams().ClientInfo.Name
	}
	return ""
}

// A host that lists first with a client that declares nothing, and keeps that list for
// all its clients, keeps the views: by default, and with the options if a middleware
// knows the host.
func TestFourClientsOfOneConnector(t *testing.T) {
	shaped := mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true}
	known := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if strings.HasPrefix(nameOf(req), "host/") {
				ctx = mcpapps.WithClientSupport(ctx, mcpapps.SupportUnknown)
			}
			return next(ctx, method, req)
		}
	}
	const (
		withView    = `refresh {"ui":{"visibility":["app"]}}, show {"ui":{"resourceUri":"ui://a/view.html","visibility":["model","app"]},"ui/resourceUri":"ui://a/view.html"}`
		withoutView = `show null`
	)
	for name, tt := range map[string]struct {
		opts        mcpapps.Options
		middleware  mcp.Middleware
		kept, agent string // what the connector keeps, and what a client that is not of the host gets
		scope       string
	}{
		"by default":                     {mcpapps.Options{}, nil, withView, withView, "public"},
		"the options":                    {shaped, nil, withoutView, withoutView, "private"},
		"the options and the host known": {shaped, known, withView, withoutView, "private"},
	} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			s := newServer()
			mcpapps.Enable(s, &tt.opts)
			if tt.middleware != nil {
				s.AddReceivingMiddleware(tt.middleware)
			}
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a/view.html"}, Document: mcpapps.HTML("<p>")}, say("a"))
			mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "refresh"}, mcpapps.AppOnly(""), say("a"))
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: version >= "2026-07-28"}))
			defer web.Close()
			lists := func(client string, ui bool) string {
				opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
				if ui {
					opts.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
				}
				cs, err := mcp.NewClient(&mcp.Implementation{Name: client, Version: "1"}, opts).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, &mcp.ClientSessionOptions{ProtocolVersion: version})
				require.NoError(t, err)
				defer cs.Close()
				require.Equal(t, version, cs.InitializeResult().ProtocolVersion)
				res, err := cs.ListTools(t.Context(), nil)
				require.NoError(t, err)
				assert.Equal(t, tt.scope, res.CacheScope, name)
				var tools []string
				for _, tool := range res.Tools {
					tools = append(tools, tool.Name+" "+jsonOf(t, tool.Meta))
				}
				return strings.Join(tools, ", ")
			}
			kept := ""
			for _, c := range connectorClients {
				list := lists(c.name, c.ui)
				if kept == "" {
					kept = list // whoever lists later, this is what all of them use
				}
				if c.ui {
					assert.Equal(t, withView, list, "%s %s %s", name, version, c.name)
				}
			}
			assert.Equal(t, tt.kept, kept, "%s %s", name, version)
			assert.Equal(t, tt.agent, lists("agent", false), "%s %s", name, version)
		}
	}
}
