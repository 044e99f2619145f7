package main

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// connect returns a client session of the monitor's server.
func connect(t *testing.T) *mcp.ClientSession {
	clientTransport, serverTransport := mcp.NewInMemoryTransports()
	_, err := newServer(newSampler(readMetrics)).Connect(t.Context(), serverTransport, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientTransport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

// The declarations with which the view is type-checked match the current tools.
func TestToolTypes(t *testing.T) {
	list, err := connect(t).ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}

// The view is one document that loads nothing external.
func TestView(t *testing.T) {
	document, err := bundle.HTML(files, "ui/index.html", nil)
	require.NoError(t, err)
	assert.Empty(t, document.External)
	assert.Empty(t, document.Warnings)
	assert.Equal(t, []string{"ui/chart.ts", "ui/charts.ts", "ui/format.ts", "ui/index.html", "ui/main.ts", "ui/style.css", "ui/tsconfig.json"}, document.Inputs)

	result, err := connect(t).ReadResource(t.Context(), &mcp.ReadResourceParams{URI: viewURI})
	require.NoError(t, err)
	require.Len(t, result.Contents, 1)
	assert.Equal(t, document.HTML, result.Contents[0].Text)
}
