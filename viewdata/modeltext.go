package viewdata

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/viewmark"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// forModel returns what a tool's result has for the model, and where its view finds the
// data. The text of the author's has no mark of a view, and neither has that of out.
func forModel(text string, out any, p pointer) *mcp.CallToolResult {
	res := &mcp.CallToolResult{Meta: mcp.Meta{metakey.ViewData: p}}
	if text == "" {
		text = objectText(out)
	}
	if text != "" {
		res.Content = []mcp.Content{&mcp.TextContent{Text: viewmark.Neutral(text)}}
	}
	return res
}

// objectText returns the JSON of an output that is an object, and "" for others: the SDK
// adds the text of those to any content, where none of it can be a mark.
func objectText(out any) string {
	if v := reflect.ValueOf(out); v.Kind() == reflect.Pointer && v.IsNil() {
		out = reflect.Zero(v.Type().Elem()).Interface() // as the SDK does
	}
	data, err := json.Marshal(out)
	if err != nil || data[0] != '{' {
		return ""
	}
	return string(data)
}

// textFor returns the text of a result for the client that calls.
func (r *Result[Out, Data]) textFor(ctx context.Context, req *mcp.CallToolRequest) string {
	if r.FullText == "" || mcpapps.ClientSupportsUI(ctx, req) {
		return r.Text
	}
	return r.FullText
}

// describePage returns the text of a first page for clients that show views.
func describePage(n int, more bool) string {
	switch {
	case more:
		return fmt.Sprintf("The view shows the first %d rows, and more on demand.", n)
	case n == 1:
		return "The view shows 1 row, which is all."
	default:
		return fmt.Sprintf("The view shows %d rows, which are all.", n)
	}
}

// listPage returns the text of a first page for other clients: the first rows as JSON,
// in at most max bytes, and how many there are.
func listPage(rows []json.RawMessage, more bool, max int) string {
	size, n := len("[]"), 0
	for n < len(rows) && size+len(rows[n])+len(",") <= max {
		size += len(rows[n]) + len(",")
		n++
	}
	all := fmt.Sprintf("%d rows", len(rows))
	if len(rows) == 1 {
		all = "1 row"
	}
	if more {
		all = "at least " + all
	}
	var said string
	switch {
	case len(rows) == 0 && more:
		return "The first page has no rows, and more pages follow."
	case len(rows) == 0:
		return "No rows."
	case n == 0:
		return fmt.Sprintf("Found %s, of which the first has %d bytes, too many for this text.", all, len(rows[0]))
	case n < len(rows):
		said = fmt.Sprintf("Found %s. The first %d:", all, n)
	default:
		said = fmt.Sprintf("Found %s:", all)
	}
	var b strings.Builder
	b.WriteString(said + "\n[")
	for i, r := range rows[:n] {
		if i > 0 {
			b.WriteString(",")
		}
		b.Write(r)
	}
	b.WriteString("]")
	return b.String()
}
