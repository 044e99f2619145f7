package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type object = map[string]any

// declared has a _meta.ui and the result of parsing it by the published schema.
type declared struct{ UI, Parsed object }

// schemaReport is the report of driver/schema.mjs.
type schemaReport struct {
	Capability object
	Reference  map[string]object
	Tools      map[string]struct {
		Meta, Parsed object
		URI          string
	}
	Resources map[string]struct {
		Listed, Read *declared
		MIMETypes    []string
		URI          string
		Contents     int
	}
}

// The schemas of the published package drop unknown keys. A declaration is
// understood only if parsing does not change it.
func TestPublishedSchema(t *testing.T) {
	t.Parallel()
	Need(t, Packages)
	appOnly := object{"visibility": []string{"app"}}
	for _, test := range []struct {
		name string
		// server returns the driver's input that names the server.
		server func(t *testing.T) object
		// tools has the _meta that the package's registerAppTool is given.
		tools     map[string]object
		resources map[string]object // _meta.ui by URI; nil for none
	}{
		{
			name:      "hello",
			server:    func(t *testing.T) object { return object{"command": []string{Build(t, "examples/hello")}} },
			tools:     map[string]object{"hello": {"ui": object{"resourceUri": "ui://hello/hello.html"}}},
			resources: map[string]object{"ui://hello/hello.html": nil},
		},
		{
			name: "monitor",
			server: func(t *testing.T) object {
				return object{"url": Start(t, Build(t, "examples/monitor"), "-addr", "127.0.0.1:0")}
			},
			tools: map[string]object{
				"show_monitor":      {"ui": object{"resourceUri": "ui://monitor/monitor.html"}},
				"show_monitor_data": {"ui": appOnly},
				"sample_metrics":    {"ui": appOnly},
				"view_state":        {"ui": appOnly},
			},
			resources: map[string]object{"ui://monitor/monitor.html": {"prefersBorder": true}},
		},
		{
			name:   "every field",
			server: func(t *testing.T) object { return object{"url": serveEveryField(t)} },
			tools: map[string]object{
				"both":       {"ui": object{"resourceUri": "ui://every/field"}, "vendor/key": object{"a": []any{1.5}}},
				"model_only": {"ui": object{"resourceUri": "ui://every/field", "visibility": []string{"model"}}},
				"app_only":   {"ui": object{"visibility": []string{"app"}}},
			},
			resources: map[string]object{
				"ui://every/field": {
					"csp": object{
						"connectDomains":  []any{"https://api.example.com", "wss://*.example.com:8443"},
						"resourceDomains": []any{"https://cdn.example.com"},
						"frameDomains":    []any{},
						"baseUriDomains":  []any{"https://example.com"},
					},
					"permissions":   object{"camera": object{}, "microphone": object{}, "geolocation": object{}, "clipboardWrite": object{}},
					"domain":        "a904794854a047f6.claudemcpcontent.com",
					"prefersBorder": false,
				},
				"ui://every/empty": {"csp": object{}, "permissions": object{}},
				"ui://every/none":  nil,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			input := test.server(t)
			input["tools"] = test.tools
			var r schemaReport
			Drive(t, "schema.mjs", input, &r)

			assert.Equal(t, object{"mimeTypes": []any{mcpapps.MIMEType}}, r.Capability)
			require.Len(t, r.Tools, len(test.tools))
			for name, declaration := range test.tools {
				got, want := r.Tools[name], r.Reference[name]
				assert.Equal(t, got.Meta["ui"], got.Parsed, "%s: the schema drops a part of it", name)
				uri, _ := declaration["ui"].(object)["resourceUri"].(string)
				assert.Equal(t, uri, got.URI, "%s: getToolUiResourceUri", name)

				// The one difference: this library always declares the visibility.
				ui := want["ui"].(object)
				if _, ok := ui["visibility"]; !ok {
					ui["visibility"] = []any{"model", "app"}
				}
				assert.Equal(t, want, got.Meta, "%s: registerAppTool of the same declaration", name)
			}
			require.Len(t, r.Resources, len(test.resources))
			for uri, want := range test.resources {
				got := r.Resources[uri]
				assert.Equal(t, []string{mcpapps.MIMEType, mcpapps.MIMEType}, got.MIMETypes, uri)
				assert.Equal(t, uri, got.URI)
				assert.Equal(t, 1, got.Contents, uri)
				if want == nil {
					assert.Nil(t, got.Listed, uri)
					assert.Nil(t, got.Read, uri)
					continue
				}
				for place, d := range map[string]*declared{"list": got.Listed, "read": got.Read} {
					require.NotNil(t, d, "%s, %s", uri, place)
					assert.Equal(t, want, d.UI, "%s, %s", uri, place)
					assert.Equal(t, d.UI, d.Parsed, "%s, %s: the schema drops a part of it", uri, place)
				}
			}
		})
	}
}

// serveEveryField serves declarations that use all of the specification.
func serveEveryField(t *testing.T) string {
	server := mcp.NewServer(&mcp.Implementation{Name: "every-field", Version: "1.0.0"}, nil)
	border := false
	for uri, ui := range map[string]mcpapps.ResourceUIMetadata{
		"ui://every/field": {
			CSP: &mcpapps.CSP{
				ConnectDomains:  []string{"https://api.example.com", "wss://*.example.com:8443"},
				ResourceDomains: []string{"https://cdn.example.com"},
				FrameDomains:    []string{},
				BaseURIDomains:  []string{"https://example.com"},
			},
			Permissions:   &mcpapps.Permissions{Camera: true, Microphone: true, Geolocation: true, ClipboardWrite: true},
			Domain:        "a904794854a047f6.claudemcpcontent.com",
			PrefersBorder: &border,
		},
		"ui://every/empty": {CSP: &mcpapps.CSP{}, Permissions: &mcpapps.Permissions{}},
		"ui://every/none":  {},
	} {
		mcpapps.RegisterAppResource(server, &mcp.Resource{URI: uri, Name: uri}, ui, mcpapps.HTML("<!doctype html><p>every field"))
	}
	tool := func(tool *mcp.Tool, ui mcpapps.ToolUIMetadata) {
		mcpapps.RegisterAppTool(server, tool, ui, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
		})
	}
	tool(&mcp.Tool{Name: "both", Meta: mcp.Meta{"vendor/key": object{"a": []any{1.5}}}}, mcpapps.ToolUIMetadata{ResourceURI: "ui://every/field"})
	tool(&mcp.Tool{Name: "model_only"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://every/field", Visibility: []mcpapps.Visibility{mcpapps.VisibilityModel}})
	tool(&mcp.Tool{Name: "app_only"}, mcpapps.AppOnly(""))

	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	// A stream is open as long as its session.
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	return web.URL
}
