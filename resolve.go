package mcpapps

import (
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolMetadata returns what a listed tool declares (MCP Apps, Resource
// Discovery and Visibility): _meta.ui, with the deprecated flat key
// [LegacyResourceURIKey] read only where _meta.ui has no resourceUri. Of two
// keys that disagree the nested one counts. A tool without either is the zero
// value: no app, visible to the model and callable by apps.
//
// What comes beside an error is the safe rest, to be used as it is: without the
// URI if that was bad, so that the tool is a text-only one, and with an empty
// Visibility, open to nobody, if the visibility could not be read.
func ToolMetadata(t *mcp.Tool) (ToolUIMetadata, error) {
	if t == nil {
		return closedTool(), errors.New("mcpapps.ToolMetadata: the tool is nil")
	}
	m, err := toolMetadata(t.Meta)
	if err != nil {
		return m, fmt.Errorf("tool %q: _meta: %w", t.Name, err)
	}
	return m, nil
}

func toolMetadata(meta mcp.Meta) (ToolUIMetadata, error) {
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

// ResourceMetadata returns the effective _meta.ui of a UI resource from the
// _meta of its entry in resources/list and of its content item in
// resources/read (MCP Apps, Metadata Location); either may be nil. The content
// item's object wins whole, even when it is empty: only where it is absent or
// null does the list entry's count.
//
// What comes beside an error is the safe rest. In particular a malformed csp is
// none, so that [CSP.Policy] gives the restrictive default.
func ResourceMetadata(listed, content mcp.Meta) (ResourceUIMetadata, error) {
	ui := content[keyUI]
	if isNull(ui) {
		ui = listed[keyUI]
	}
	m, err := decodeResourceUI(ui)
	if err != nil {
		return m, fmt.Errorf("_meta: %w", err)
	}
	return m, nil
}

// ModelTools returns the tools that the model may see, in their order: those
// whose visibility includes [VisibilityModel], which is the default. A host
// must keep the others from the model and yet serve them to the app, so keep
// the whole list too. The result is a new slice of the same tools; nil entries
// are left out.
func ModelTools(tools []*mcp.Tool) []*mcp.Tool {
	model := make([]*mcp.Tool, 0, len(tools))
	for _, t := range tools {
		if toolVisibleTo(t, VisibilityModel) {
			model = append(model, t)
		}
	}
	return model
}

// CallableByApp reports whether views may call the tool: its visibility
// includes [VisibilityApp], which is the default. It is for views of the server
// that listed the tool and for no others: a host rejects calls to tools of
// another connection whatever their visibility. It is false for nil and where
// the visibility can't be read.
func CallableByApp(t *mcp.Tool) bool { return toolVisibleTo(t, VisibilityApp) }

// toolVisibleTo answers from the visibility alone, without allocating for tools
// that come off the wire.
func toolVisibleTo(t *mcp.Tool, who Visibility) bool {
	if t == nil {
		return false
	}
	ui, ok := t.Meta[keyUI]
	if !ok || ui == nil {
		return true
	}
	obj, ok := ui.(map[string]any)
	if !ok {
		m, _ := decodeToolUI(ui)
		return visibleTo(m.Visibility, who)
	}
	words, ok := obj[keyVisibility].([]any)
	if !ok || words == nil {
		v, _ := decodeVisibility(obj[keyVisibility])
		return visibleTo(v, who)
	}
	found := false
	for _, w := range words {
		s, ok := w.(string)
		if !ok {
			v, _ := decodeVisibility(words)
			return visibleTo(v, who)
		}
		found = found || s == string(who)
	}
	return found
}
