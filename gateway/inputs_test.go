//lint:file-ignore SA1019 sampling and roots are deprecated, and still on the wire

package gateway

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result that asks for input names the backend's apps there too.
func TestRenamingInRequestsForInput(t *testing.T) {
	b, err := New("maps")
	require.NoError(t, err)
	link := &mcp.ResourceLink{URI: "ui://view.html", Name: "v"}
	meta := mcp.Meta{"ui.resourceUri": "ui://view.html", "other": "ui://view.html"}
	requests := mcp.InputRequestMap{
		"elicit": &mcp.ElicitParams{Meta: meta, Message: "?"},
		"roots":  &mcp.ListRootsParams{Meta: meta},
		"plain":  &mcp.CreateMessageParams{Meta: meta, MaxTokens: 1, Messages: []*mcp.SamplingMessage{{Role: "user", Content: link}}},
		"tools": &mcp.CreateMessageWithToolsParams{MaxTokens: 1, Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{link, &mcp.TextContent{Text: "x", Meta: meta}}}},
			Tools: []*mcp.Tool{{Name: "t", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://view.html"}}}}},
		"none": (*mcp.ElicitParams)(nil),
	}
	before, err := json.Marshal(requests["tools"])
	require.NoError(t, err)
	for _, got := range []mcp.InputRequestMap{
		mapped(b, &mcp.CallToolResult{InputRequests: requests}).InputRequests,
		b.ReadResult(&mcp.ReadResourceResult{InputRequests: requests}).InputRequests,
	} {
		renamed := mcp.Meta{"ui.resourceUri": "ui://maps/view.html", "other": "ui://view.html"}
		assert.Equal(t, renamed, got["elicit"].(*mcp.ElicitParams).Meta)
		assert.Equal(t, renamed, got["roots"].(*mcp.ListRootsParams).Meta)
		assert.Equal(t, renamed, got["plain"].(*mcp.CreateMessageParams).Meta)
		assert.Equal(t, "ui://maps/view.html", got["plain"].(*mcp.CreateMessageParams).Messages[0].Content.(*mcp.ResourceLink).URI)
		tools := got["tools"].(*mcp.CreateMessageWithToolsParams)
		assert.Equal(t, "ui://maps/view.html", tools.Messages[0].Content[0].(*mcp.ResourceLink).URI)
		assert.Equal(t, renamed, tools.Messages[0].Content[1].(*mcp.TextContent).Meta)
		assert.Equal(t, "ui://maps/view.html", tools.Tools[0].Meta["ui"].(map[string]any)["resourceUri"])
		assert.Nil(t, got["none"].(*mcp.ElicitParams))
	}
	after, err := json.Marshal(requests["tools"])
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the backend's own is not changed")
	assert.Nil(t, mapped(b, &mcp.CallToolResult{}).InputRequests)
}
