// Package viewmark puts the id of a view's data or form into the text of a result, where
// it survives hosts that drop _meta: as a line of its own, {"$view":"ID"}. The view takes
// the last such line, so texts of the author, which may quote anybody, must not have one.
package viewmark

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Content returns the text block with the mark of an id, which has no quotation marks.
func Content(id string) *mcp.TextContent {
	return &mcp.TextContent{Text: fmt.Sprintf(`{"$view":"%s"}`, id)}
}

// lines are the beginnings of lines that views take for a mark. Hosts that join texts may
// make a line of any part of a text.
var lines = regexp.MustCompile(`\{"\$view"`)

// Neutral returns a text in which nothing is a mark: a space stands in each that it had.
func Neutral(text string) string { return lines.ReplaceAllString(text, `{ "$$view"`) }

// NeutralContent is [Neutral] for the content of a result, which is not changed.
func NeutralContent(content []mcp.Content) []mcp.Content {
	c := slices.Clone(content)
	for i, block := range c {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && lines.MatchString(t.Text) {
			copied := *t
			copied.Text = Neutral(t.Text)
			c[i] = &copied
		}
	}
	return c
}
