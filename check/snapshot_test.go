package check_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
)

// A version in a URI belongs to the document, which is not part of the snapshot.
func TestSnapshotOfVersionedURIs(t *testing.T) {
	snapshot := func(doc string) string {
		s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1"}, nil)
		mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "clock"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://clock/view.html"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return mcpapps.TextFor(ctx, req, "shown", "noon"), nil, nil
		})
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://clock/view.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML(doc))
		report, err := check.Server(t.Context(), s, nil)
		require.NoError(t, err)
		assert.False(t, report.Fails(check.SeverityWarning), "%v", report.Findings)
		data, err := check.Snapshot(t.Context(), s)
		require.NoError(t, err)
		return string(data)
	}
	before, after := snapshot("<!doctype html><p>tick"), snapshot("<!doctype html><p>tock")
	assert.Contains(t, before, `"uri": "ui://clock/view.html?v=*"`)
	assert.Contains(t, before, `"resourceUri": "ui://clock/view.html?v=*"`)
	assert.Contains(t, before, `"ui/resourceUri": "ui://clock/view.html?v=*"`)
	assert.Equal(t, before, after)
}
