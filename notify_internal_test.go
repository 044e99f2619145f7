package mcpapps

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lists don't show the entries by which they are announced, under any options, and
// nobody can use them: here they stay, for as long as the test looks.
func TestAnnouncingIsNotSeen(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, opts := range []Options{{}, {KeepSchemas: true}, {VersionedURIs: true, KeepSchemas: true}, {DisableApps: true}, {UnlistResources: true}} {
			s, sv := testServer(&opts)
			sv.announces.Store(true)
			addAnnouncedURI(s)
			addAnnouncedTool(s)
			mcp.AddTool(s, &mcp.Tool{Name: "other"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
			s.AddResource(&mcp.Resource{URI: "file:///other", Name: "other"}, HTML("<p>"))
			ct, st := mcp.NewInMemoryTransports()
			_, err := s.Connect(t.Context(), st, nil)
			require.NoError(t, err)
			cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, &mcp.ClientSessionOptions{ProtocolVersion: version})
			require.NoError(t, err)
			defer cs.Close()
			tools, err := cs.ListTools(t.Context(), nil)
			require.NoError(t, err)
			if assert.Len(t, tools.Tools, 1, "%s %+v", version, opts) {
				assert.Equal(t, "other", tools.Tools[0].Name)
			}
			resources, err := cs.ListResources(t.Context(), nil)
			require.NoError(t, err)
			if assert.Len(t, resources.Resources, 1, "%s %+v", version, opts) {
				assert.Equal(t, "file:///other", resources.Resources[0].URI)
			}
			_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: announcedTool})
			assert.ErrorContains(t, err, `unknown tool "mcpapps.announced"`)
			_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: announcedURI})
			assert.ErrorContains(t, err, "not found")
		}
	}
}
