package host

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// A document is read again though the server says that it may be kept, unless the
// program keeps documents.
func TestKeepDocuments(t *testing.T) {
	for keep, want := range map[bool]int64{false: 2, true: 1} {
		var reads atomic.Int64
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		document := mcpapps.HTML("<!doctype html><p>kept</p>")
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://s/view.html"}, mcpapps.ResourceUIMetadata{},
			func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				reads.Add(1)
				return document(ctx, req)
			})
		c, err := Connect(t.Context(), Target{Server: s}, &ConnectOptions{KeepDocuments: keep})
		require.NoError(t, err)
		require.Equal(t, "2026-07-28", c.Session().InitializeResult().ProtocolVersion)
		for range 2 {
			app, err := c.ReadApp(t.Context(), "ui://s/view.html")
			require.NoError(t, err)
			assert.Contains(t, app.HTML, "kept")
		}
		assert.Equal(t, want, reads.Load(), "KeepDocuments: %v", keep)
		require.NoError(t, c.Close())
	}
}
