package mcpapps

import (
	"errors"
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolUI returns what a listed tool declares (MCP Apps, Resource
// Discovery and Visibility): _meta.ui, with the deprecated flat key
// [LegacyResourceURIKey] read only where _meta.ui has no resourceUri. Of two
// keys that disagree the nested one counts. A tool without either is the zero
// value: no app, visible to the model and callable by apps.
//
// What comes beside an error is the safe rest, to be used as it is: without the
// URI if that was bad, so that the tool is a text-only one, and with an empty
// Visibility, open to nobody, if the visibility could not be read.
func ToolUI(t *mcp.Tool) (ToolUIMetadata, error) {
	if t == nil {
		return closedTool(), errors.New("mcpapps.ToolUI: the tool is nil")
	}
	m, err := toolUI(t.Meta)
	if err != nil {
		return m, fmt.Errorf("tool %q: _meta: %w", t.Name, err)
	}
	return m, nil
}

func toolUI(meta mcp.Meta) (ToolUIMetadata, error) {
	m, err := decodeToolUI(meta[keyUI])
	if err != nil || m.ResourceURI != "" {
		return m, err
	}
	flat, ok := meta[LegacyResourceURIKey]
	if !ok {
		return m, nil
	}
	if m.ResourceURI, err = decodeURI(flat); err != nil {
		return m, fmt.Errorf("%q %w", LegacyResourceURIKey, err)
	}
	return m, nil
}

// ResourceUI returns the effective _meta.ui of a UI resource from the
// _meta of its entry in resources/list and of its content item in
// resources/read (MCP Apps, Metadata Location); either may be nil. The content
// item's object wins whole, even when it is empty: only where it is absent or
// null does the list entry's count.
//
// What comes beside an error is the safe rest. In particular a malformed csp is
// none, so that [CSP.Policy] gives the restrictive default.
func ResourceUI(listed, content mcp.Meta) (ResourceUIMetadata, error) {
	ui := content[keyUI]
	if jsonvalue.IsNull(ui) {
		ui = listed[keyUI]
	}
	m, err := decodeResourceUI(ui)
	if err != nil {
		return m, fmt.Errorf("_meta: %w", err)
	}
	return m, nil
}
