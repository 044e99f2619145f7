package host

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// A Tool is an entry of a server's tools/list. [mcpapps.VisibleTo] says who may
// call it.
type Tool struct {
	Tool *mcp.Tool       // as the SDK decodes it
	Raw  json.RawMessage // as the server sent it

	// UI is the tool's _meta.ui, and UIError why it can't be read in full: a
	// tool with an error is treated as one without an app.
	UI      mcpapps.ToolUIMetadata
	UIError error
}

func newTool(t *mcp.Tool, raw json.RawMessage) *Tool {
	ui, err := mcpapps.ToolUI(t)
	return &Tool{Tool: t, Raw: raw, UI: ui, UIError: err}
}

// InputSchemaJSON returns the input schema as the server sent it, byte for byte.
func (t *Tool) InputSchemaJSON() json.RawMessage {
	var raw struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if json.Unmarshal(t.Raw, &raw) == nil && raw.InputSchema != nil {
		return raw.InputSchema
	}
	schema, err := json.Marshal(t.Tool.InputSchema)
	if err != nil {
		return nil
	}
	return schema
}
