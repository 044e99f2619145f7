package mcpapps

import (
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Visibility is an audience of a tool: the model, or the views of apps.
type Visibility string

const (
	// VisibilityModel lets the host offer the tool to the model.
	VisibilityModel Visibility = "model"
	// VisibilityApp lets views of the same server connection call the tool.
	VisibilityApp Visibility = "app"
)

// AppOnly returns the declaration of a tool that only views may call: the host
// hides it from the model. The URI may be empty, because a tool need not open a view
// itself.
func AppOnly(resourceURI string) ToolUIMetadata {
	return ToolUIMetadata{ResourceURI: resourceURI, Visibility: []Visibility{VisibilityApp}}
}

// VisibleTo reports whether the visibility of a tool includes an audience, as it
// does by default. It returns false for nil, and if the visibility can't be read.
//
// For [VisibilityModel] it reports whether a host may offer the tool to the
// model. For [VisibilityApp] it reports whether views may call the tool: views of
// the server connection that listed it, because a host rejects calls to tools of
// another connection whatever their visibility.
func VisibleTo(t *mcp.Tool, who Visibility) bool {
	// This does not allocate for tools that come off the wire.
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
		return includes(m.Visibility, who)
	}
	words, ok := obj[keyVisibility].([]any)
	if !ok || words == nil {
		v, _ := decodeVisibility(obj[keyVisibility])
		return includes(v, who)
	}
	found := false
	for _, w := range words {
		s, ok := w.(string)
		if !ok {
			v, _ := decodeVisibility(words)
			return includes(v, who)
		}
		found = found || s == string(who)
	}
	return found
}

// includes reports whether a visibility includes an audience. Nil includes both;
// an empty list, or one of unknown words only, includes nobody.
func includes(v []Visibility, who Visibility) bool {
	return v == nil || slices.Contains(v, who)
}

func validateVisibility(v []Visibility) error {
	if v != nil && len(v) == 0 {
		return fmt.Errorf("visibility is empty, which hides the tool from everybody: leave it nil for the model and the app, or name one of %q and %q", VisibilityModel, VisibilityApp)
	}
	for i, w := range v {
		if w != VisibilityModel && w != VisibilityApp {
			return fmt.Errorf("visibility[%d] is %q: it must be %q or %q", i, w, VisibilityModel, VisibilityApp)
		}
		if slices.Contains(v[:i], w) {
			return fmt.Errorf("visibility[%d] repeats %q", i, w)
		}
	}
	return nil
}
