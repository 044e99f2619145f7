package mcpapps

import (
	"errors"
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolUI returns what a listed tool declares in _meta.ui (MCP Apps, Resource
// Discovery and Visibility). The deprecated flat key [LegacyResourceURIKey] is
// used only if _meta.ui has no resourceUri; if the two differ, the nested one
// counts. For a tool with neither, the result is the zero value: no app, visible
// to the model and to apps.
//
// With an error, the result is the part of the declaration that is safe to use:
// without the URI if that is invalid, so the tool is a text-only tool, and with
// an empty Visibility, which includes nobody, if the visibility can't be read.
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

// ResourceUI returns the _meta.ui in effect for a UI resource, given the _meta of
// its entry in resources/list and of its content item in resources/read (MCP
// Apps, Metadata Location). Either may be nil. The content item's object replaces
// the list entry's as a whole, even if it is empty; the list entry's counts only
// if the content item has none or null.
//
// With an error, the result is the part of the metadata that is safe to use. A
// malformed csp counts as none, so that [CSP.Policy] gives the restrictive
// default.
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
