package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolResult returns the result of a tool that answers with an object: as structured content
// and as text. An error is the tool's, as in tools with a typed handler, unless it is one of
// JSON-RPC.
func toolResult(answer any, err error) (*mcp.CallToolResult, error) {
	if err == nil {
		var data json.RawMessage
		if data, err = json.Marshal(answer); err == nil {
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: string(data)}},
				StructuredContent: data,
			}, nil
		}
	}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return nil, wire
	}
	var res mcp.CallToolResult
	res.SetError(err)
	return &res, nil
}

// checkToolName returns an error for a name that MCP does not allow, which the SDK logs only.
func checkToolName(name string) error {
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '.':
		default:
			return fmt.Errorf("the name of the tool %q has %q: use letters, digits, _, - and . only", name, r)
		}
	}
	if len(name) > 128 {
		return fmt.Errorf("the name of the tool has %d characters: use at most 128", len(name))
	}
	return nil
}
