package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHello(t *testing.T) {
	clientTransport, serverTransport := mcp.NewInMemoryTransports()
	_, err := newServer().Connect(t.Context(), serverTransport, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientTransport, nil)
	require.NoError(t, err)
	defer session.Close()

	tools, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, tools.Tools, 1)
	meta, err := json.Marshal(tools.Tools[0].Meta)
	require.NoError(t, err)
	assert.JSONEq(t, `{"ui": {"resourceUri": "ui://hello/hello.html", "visibility": ["model", "app"]}, "ui/resourceUri": "ui://hello/hello.html"}`, string(meta))

	document, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://hello/hello.html"})
	require.NoError(t, err)
	require.Len(t, document.Contents, 1)
	assert.Equal(t, "text/html;profile=mcp-app", document.Contents[0].MIMEType)
	assert.Contains(t, document.Contents[0].Text, "ui/initialize")

	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "hello", Arguments: Input{Name: "Ada"}})
	require.NoError(t, err)
	assert.Equal(t, "Hello, Ada!", result.Content[0].(*mcp.TextContent).Text)
	assert.Equal(t, map[string]any{"greeting": "Hello, Ada!"}, result.StructuredContent)
}

// The view shows the greeting as text, in both themes, and everybody can use it.
func TestView(t *testing.T) {
	t.Parallel()
	page := mcpappstest.Open(t, newServer(), "hello", Input{Name: "Ada <b>"}, &mcpappstest.PageOptions{Timeout: time.Minute})
	assert.Equal(t, "Hello, Ada <b>!", page.ByRole("heading", "").Text())
	assert.Equal(t, "Rendered by an MCP App", page.Locator("#note").Text())
	assert.Empty(t, page.Calls())
	assert.Empty(t, page.Console())
	assert.Empty(t, page.Accessibility())

	page.SetTheme(host.ThemeDark)
	var scheme string
	page.Eval("getComputedStyle(document.documentElement).colorScheme", &scheme)
	assert.Equal(t, "dark", scheme)
	page.SetSize(240, 200)
	var overflow float64
	page.Eval("document.documentElement.scrollWidth - innerWidth", &overflow)
	assert.Zero(t, overflow)
}
