package mcpapps

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result with input requests must not have content: the SDK rejects it.
func TestInputRequestsGetNoText(t *testing.T) {
	c, err := withText(&mcp.CallToolResult{
		StructuredContent: map[string]any{"so": "far"},
		InputRequests:     mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "?"}},
	})
	require.NoError(t, err)
	assert.Empty(t, c.Content)
}
