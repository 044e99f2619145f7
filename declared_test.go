package mcpapps_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The handler of an app learns what it declares, however it was registered, in a read
// and in the read behind a list.
func TestDeclaredUI(t *testing.T) {
	var got []string
	note := func(ctx context.Context) {
		ui, ok := mcpapps.DeclaredUI(ctx)
		require.True(t, ok)
		b, err := json.Marshal(ui)
		require.NoError(t, err)
		got = append(got, string(b))
		// It belongs to the caller.
		if ui.CSP != nil {
			ui.CSP.ConnectDomains[0] = "https://changed.example.com"
		}
		if own, ok := ui.Extra["own"].(map[string]any); ok {
			own["x"] = "changed"
		}
	}
	doc := mcpapps.HTMLFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
		note(ctx)
		return "<p>", nil
	})
	ui := mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}}
	const want = `{"csp":{"connectDomains":["https://api.example.com"]}}`
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "open"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://test/app"}, UI: ui, Document: doc},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/own", Meta: mcp.Meta{"ui": map[string]any{"own": map[string]any{"x": "y"}}}}, mcpapps.ResourceUIMetadata{}, doc)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/none"}, mcpapps.ResourceUIMetadata{}, doc)
	mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://test/{name}/view"}, "ui://test/view", ui,
		mcpapps.HTMLTemplateFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest, _ map[string]string) (string, error) {
			note(ctx)
			return "<p>", nil
		}))
	cs := connect(s, true)
	t.Cleanup(func() { _ = cs.Close() })
	for range 2 {
		for uri, want := range map[string]string{
			"ui://test/app": want, "ui://test/own": `{"own":{"x":"y"}}`, "ui://test/none": `{}`, "ui://test/x/view": want, "ui://test/view": want,
		} {
			got = nil
			_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			require.NoError(t, err)
			assert.Equal(t, []string{want}, got, uri)
		}
	}
	got = nil
	_, err := cs.ListResources(t.Context(), nil)
	require.NoError(t, err)
	assert.Contains(t, got, want)
	assert.Len(t, got, 4)

	_, ok := mcpapps.DeclaredUI(t.Context())
	assert.False(t, ok, "outside of a read")
}
