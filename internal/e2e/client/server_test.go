package client

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The client's half, over stdio, with a server made by the reference's helpers.
func TestPublishedServer(t *testing.T) {
	e2e.Need(t, e2e.Packages)
	cmd := exec.Command("node", filepath.Join(e2e.Dir(), "client", "server.mjs"))
	cmd.Stderr = os.Stderr
	opts := &mcp.ClientOptions{}
	appclient.EnableClient(opts)
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	cs, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = cs.Close() })
	t.Logf("protocol version %s", cs.InitializeResult().ProtocolVersion)

	assert.False(t, appclient.ServerSupportsUI(cs), "the reference's helpers advertise nothing")
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "capability"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"mimeTypes":["text/html;profile=mcp-app"]}`, res.Content[0].(*mcp.TextContent).Text, "what getUiCapability saw")

	listed, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	tools := map[string]*mcp.Tool{}
	for _, tool := range listed.Tools {
		tools[tool.Name] = tool
	}
	for name, want := range map[string]struct {
		uri        string
		model, app bool
	}{
		"nested":     {"ui://weather/view.html", true, true},
		"flat":       {"ui://weather/view.html", true, true},
		"refresh":    {"ui://weather/view.html", false, true},
		"model-only": {"ui://weather/blob.html", true, false},
		"plain":      {"", true, true},
	} {
		m, err := mcpapps.ToolUI(tools[name])
		require.NoError(t, err, name)
		assert.Equal(t, want.uri, m.ResourceURI, name)
		assert.Equal(t, want.model, mcpapps.VisibleTo(tools[name], mcpapps.VisibilityModel), name)
		assert.Equal(t, want.app, mcpapps.VisibleTo(tools[name], mcpapps.VisibilityApp), name)
		kind, uri := appclient.DetectUI(tools[name], nil)
		assert.Equal(t, want.uri, uri, name)
		assert.Equal(t, want.uri != "", kind == appclient.KindMCPApp, name)
	}
	model, err := appclient.ListToolsForModel(t.Context(), cs, nil)
	require.NoError(t, err)
	assert.Len(t, model, len(listed.Tools)-1)
	for _, tool := range model {
		assert.NotEqual(t, "refresh", tool.Name)
	}

	const html = "<!doctype html><p>Grüße 🌤</p>"
	app, err := appclient.ReadApp(t.Context(), cs, "ui://weather/view.html", nil)
	require.NoError(t, err)
	require.NoError(t, app.MetadataErr)
	assert.Equal(t, html, app.HTML)
	assert.Equal(t, mcpapps.ResourceUIMetadata{
		CSP:         &mcpapps.CSP{ConnectDomains: []string{"https://api.example"}},
		Permissions: &mcpapps.Permissions{Geolocation: true},
	}, app.UI, "the content item's metadata wins whole")
	assert.Equal(t, "geolocation", app.UI.Permissions.Allow())

	resources, err := cs.ListResources(t.Context(), nil)
	require.NoError(t, err)
	var entry mcp.Meta
	for _, r := range resources.Resources {
		if r.URI == "ui://weather/blob.html" {
			entry = r.Meta
		}
	}
	app, err = appclient.ReadApp(t.Context(), cs, "ui://weather/blob.html", &appclient.ReadOptions{Listed: entry})
	require.NoError(t, err)
	assert.Equal(t, html, app.HTML)
	no := false
	assert.Equal(t, mcpapps.ResourceUIMetadata{
		CSP:           &mcpapps.CSP{ResourceDomains: []string{"https://listed.example"}},
		PrefersBorder: &no,
	}, app.UI, "the list entry's is the fallback")

	for uri, reason := range map[string]appclient.ReadReason{
		"ui://weather/old.html":     appclient.ReadWrongType,
		"ui://weather/missing.html": appclient.ReadNotFound,
	} {
		_, err = appclient.ReadApp(t.Context(), cs, uri, nil)
		var re *appclient.ReadError
		require.True(t, errors.As(err, &re), "%v", err)
		assert.Equal(t, reason, re.Reason, "%v", err)
	}
}
