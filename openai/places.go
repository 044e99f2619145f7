package openai

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A goPlace is what the author of a declaration calls the place of a problem.
type goPlace struct {
	pointer string // with * for each index
	place   string // with * for the same indices
	text    string // what is wrong, if not what the rule says
	remedy  string // what to write in Go, if not what the rule says
}

// The places that follow from a ToolUI and from a ViewUI.
var (
	toolPlaces = []goPlace{
		{"/_meta/openai~1ui/entrypoints", "ToolUI.Entrypoints", "", ""},
		{"/_meta/openai~1ui/entrypoints/*/type", "ToolUI.Entrypoints[*]", "it is empty", "use Global, Thread or File"},
		{"/_meta/openai~1ui/entrypoints/*/extensions", "ToolUI.Entrypoints[*]", "", `call File with the extensions of the files, such as ".note"`},
		{"/_meta/openai~1ui/entrypoints/*/extensions/*", "ToolUI.Entrypoints[*], extension *", "", ""},
		{"/_meta/openai~1ui/entrypoints/*/quickAction/title", "ToolUI.Entrypoints[*], QuickAction.Title", "", ""},
		{"/_meta/openai~1ui/entrypoints/*/quickAction/icons", "ToolUI.Entrypoints[*], QuickAction.Icons", "it is empty", "add an mcp.Icon with a Source"},
		{"/_meta/openai~1ui/entrypoints/*/quickAction/icons/*", "ToolUI.Entrypoints[*], QuickAction.Icons[*]", "it has no Source", "set its Source"},
		{"/_meta/openai~1ui/entrypoints/*/quickAction/target/name", "ToolUI.Entrypoints[*], QuickAction.Tool", "it is empty", "name a tool of this server"},
		{"/_meta/openai~1ui/preferredModelDisplayMode", "ToolUI.PreferredModelDisplayMode", "", "use Inline or Fullscreen"},
		{"/_meta/openai~1toolInvocation~1invoking", "ToolUI.Invoking", "", ""},
		{"/_meta/openai~1toolInvocation~1invoked", "ToolUI.Invoked", "", ""},
		{"/_meta/openai~1fileParams/*", "InputSchema", "", ""},
	}
	viewPlaces = []goPlace{
		{"/openai~1ui/availableDisplayModes", "ViewUI.AvailableDisplayModes", "it is empty", "name a mode, or leave it nil"},
		{"/openai~1ui/availableDisplayModes/*", "ViewUI.AvailableDisplayModes[*]", "", "use Inline or Fullscreen"},
		{"/openai~1ui/preferredDisplayMode", "ViewUI.PreferredDisplayMode", "", "use Inline or Fullscreen, and one of AvailableDisplayModes if it has any"},
		{"/openai~1widgetCSP/redirect_domains/*", "ViewUI.RedirectDomains[*]", "", ""},
	}
	settingsPlaces = []goPlace{
		{"/layout/*/title", "Settings.Groups[*].Title", "it is blank", "write a title for the group"},
		{"/layout/*/items/*/tool", "Settings.Groups[*].Items[*].Tool", "it is blank", "name a tool of this server that accepts {}"},
	}
)

// ownPlaces returns the places of a tool that the author wrote in Go: those of a key in Meta
// keep their pointer.
func ownPlaces(t *mcp.Tool, keys map[string]any) []goPlace {
	schema := goPlace{"/inputSchema", "InputSchema", "", ""}
	if t.InputSchema == nil {
		schema.place = "the input type"
	}
	places := []goPlace{schema}
	for _, g := range toolPlaces {
		if _, ok := keys[keyOf(g.pointer)]; ok {
			places = append(places, g)
		}
	}
	return places
}

// keyOf returns the key of _meta in a pointer that begins with _meta.
func keyOf(pointer string) string {
	return strings.ReplaceAll(strings.Split(pointer, "/")[2], "~1", "/")
}

// inGo returns a problem in the author's words, and any other error as it is. What is not
// among the places keeps its pointer.
func inGo(err error, places []goPlace) error {
	var p openairules.Problem
	if !errors.As(err, &p) {
		return err
	}
	for _, g := range places {
		indices, ok := match(g.pointer, p.Pointer)
		if !ok {
			continue
		}
		place := g.place
		for _, i := range indices {
			place = strings.Replace(place, "*", i, 1)
		}
		if g.text != "" {
			p.Text = g.text
		}
		if g.remedy != "" {
			p.Remedy = g.remedy
		}
		return fmt.Errorf("%s: %s: %s", place, p.Text, p.Remedy)
	}
	return p
}

// match returns what the stars of a pattern stand for in a pointer.
func match(pattern, pointer string) (indices []string, ok bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	if len(want) != len(got) {
		return nil, false
	}
	for i, part := range want {
		switch part {
		case "*":
			indices = append(indices, got[i])
		case got[i]:
		default:
			return nil, false
		}
	}
	return indices, true
}
