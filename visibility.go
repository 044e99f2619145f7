package mcpapps

import (
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Visibility names one audience of a tool: the model, or the app's own view.
type Visibility string

const (
	// VisibilityModel lets the host put the tool in the model's tool list.
	VisibilityModel Visibility = "model"
	// VisibilityApp lets views of the same server connection call the tool.
	VisibilityApp Visibility = "app"
)

// AppOnly returns the declaration of a tool that only views call: the host
// keeps it from the model. The URI may be empty, since such a tool need not
// open a view of its own.
func AppOnly(resourceURI string) ToolUIMetadata {
	return ToolUIMetadata{ResourceURI: resourceURI, Visibility: []Visibility{VisibilityApp}}
}

// VisibleTo reports whether a tool is for the audience who: its visibility
// includes it, which is the default. It is false for nil, and where the
// visibility can't be read.
//
// [VisibilityModel] says whether a host may offer the tool to the model, and
// [VisibilityApp] whether views may call it: views of the server connection that
// listed the tool, since a host rejects calls to the tools of another whatever
// their visibility.
func VisibleTo(t *mcp.Tool, who Visibility) bool {
	// Tools that come off the wire are answered without an allocation.
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

// includes reports whether a visibility includes the audience who. Nil is both
// audiences; anything else is a membership test, so that an empty list, or one
// of unknown words, includes nobody.
func includes(v []Visibility, who Visibility) bool {
	return v == nil || slices.Contains(v, who)
}

// appOnly reports whether v is exactly the app's views.
func appOnly(v []Visibility) bool { return len(v) == 1 && v[0] == VisibilityApp }

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
