package mcpapps

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result that asks the client for input is not finished: the SDK refuses it
// with content.
func TestInputRequestsGetNoText(t *testing.T) {
	c, err := textToo(&mcp.CallToolResult{
		StructuredContent: map[string]any{"so": "far"},
		InputRequests:     mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "?"}},
	})
	require.NoError(t, err)
	assert.Empty(t, c.Content)
}
