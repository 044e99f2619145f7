package mcpapps

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TextFor returns a tool result with the short text if the client shows views,
// and with the full text if it does not or if that is unknown. Both texts should
// make sense without the view, which may fail to load.
func TextFor(ctx context.Context, req mcp.Request, short, full string) *mcp.CallToolResult {
	text := full
	if ClientSupportsUI(ctx, req) {
		text = short
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
