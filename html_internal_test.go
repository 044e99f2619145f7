package mcpapps

import (
	"context"
	"embed"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed go.mod
var embeddedHere embed.FS

// Handlers of this package are recognized by their type, and others are not called for
// it.
func TestKindsOfDocuments(t *testing.T) {
	f := func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "<p>", nil }
	for name, tt := range map[string]struct {
		h    mcp.ResourceHandler
		want htmldoc.Kind
	}{
		"HTML":               {HTML("<p>"), htmldoc.Unchanging},
		"HTMLFunc":           {HTMLFunc(f), htmldoc.PerRead},
		"HTMLFile":           {HTMLFile(fstest.MapFS{}, "a.html"), htmldoc.Shared},
		"HTMLFile, embedded": {HTMLFile(embeddedHere, "go.mod"), htmldoc.Unchanging},
	} {
		got := htmldoc.Of(tt.h)
		require.NotNil(t, got, name)
		assert.Equal(t, tt.want, got.Kind, name)
	}
	inner := HTML("<p>")
	assert.Nil(t, htmldoc.Of(func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		t.Error("called")
		return inner(ctx, req)
	}))
	assert.Nil(t, htmldoc.Of((&document{read: inner}).serve))
}
