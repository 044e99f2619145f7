package viewform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/viewmark"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How many bytes are kept of an outcome, and of what Form.Prepare returned as JSON. An open
// form with both data and an error is under maxAnswer, whatever has to be escaped in
// them. So is the answer to a model that gets a value both as the text and as structured
// content.
const (
	maxText  = 32 << 10
	maxValue = 48 << 10
	maxError = 2 << 10
	maxShort = 1 << 10 // of a text that the store did not take
	maxData  = 64 << 10
)

// maxAnswer is how many bytes the answer of the submit tool has at most, as JSON in a text
// block, where each quotation mark and each backslash takes one more: hosts pass about as
// many of a result.
const maxAnswer = 150_000

// prepared returns what Form.Prepare returned as JSON, nil if that is nothing.
func prepared(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	data, err := json.Marshal(v)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the data of the form can't be encoded as JSON: %w", err)
	case len(data) > maxData:
		return nil, fmt.Errorf("the data of the form has %d bytes of JSON, and may have %d: return less from Form.Prepare", len(data), maxData)
	case bytes.Equal(data, []byte("null")):
		return nil, nil
	}
	return data, nil
}

// outcome returns what is kept of a result of Form.Do.
func outcome(res *mcp.CallToolResult, out any, err error) answer {
	switch {
	case err != nil:
		return answer{State: open, Error: quoted(err.Error(), maxError)}
	case res != nil && res.InputRequests != nil:
		return answer{State: open, Error: "the tool asks for more input, which it can't after a form is submitted"}
	case res != nil && res.IsError:
		said := quoted(textOf(res), maxError)
		if said == "" {
			said = "the tool failed"
		}
		return answer{State: open, Error: said}
	}
	a, note := answer{State: done}, ""
	value, err := valueOf(res, out)
	switch {
	case err != nil:
		note = "(The output can't be encoded as JSON.)"
	case len(value) > maxValue:
		note = fmt.Sprintf("(The output of %d bytes is left out.)", len(value))
	default:
		a.Value = value
	}
	said := textOf(res)
	for n := maxText; ; n /= 2 {
		a.Text = lines(quoted(said, n), note)
		if n == 0 || a.inText() <= maxAnswer {
			return a
		}
	}
}

// lines joins texts that are not empty.
func lines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// quoted returns a text of the author's, shortened, which views may pass on: nothing in
// it names a form.
func quoted(s string, maxBytes int) string { return viewmark.Neutral(text.Shorten(s, maxBytes)) }

// inText returns the length of an answer as JSON in a JSON string.
func (a answer) inText() int {
	said := a.encoded()
	return len(said) + strings.Count(said, `"`) + strings.Count(said, `\`) + len(`""`)
}

// shortened returns an outcome that takes little room in a store.
func (a answer) shortened() answer {
	a.Text, a.Error = text.Shorten(a.Text, maxShort), text.Shorten(a.Error, maxShort)
	if a.Value != nil {
		a.Value = nil
		a.Text = lines(a.Text, "(The output is left out.)")
	}
	return a
}

// textOf returns the text of a result, which may be nil.
func textOf(res *mcp.CallToolResult) string {
	if res == nil {
		return ""
	}
	var all []string
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n")
}

// valueOf returns the output as JSON, and the structured content of a handler without
// output type; nil if it has neither.
func valueOf(res *mcp.CallToolResult, out any) (json.RawMessage, error) {
	if out == nil && res != nil {
		out = res.StructuredContent
	}
	if out == nil {
		return nil, nil
	}
	data, err := json.Marshal(out)
	if err != nil || bytes.Equal(data, []byte("null")) {
		return nil, err
	}
	return data, nil
}

// doAtOnce does the work without a form. A client that may have opened the view gets
// the key of a form that is done, so that the view does not offer to submit it.
func (f *forms) doAtOnce(ctx context.Context, req *mcp.CallToolRequest, support mcpapps.Support, do work) (*mcp.CallToolResult, error) {
	res, out, err := do(ctx, req)
	if err != nil {
		return failed(err)
	}
	c := mcp.CallToolResult{}
	if res != nil {
		c = *res
		c.Content = viewmark.NeutralContent(res.Content)
	}
	if c.InputRequests != nil || c.IsError {
		return &c, nil
	}
	value, err := valueOf(res, out)
	if err != nil {
		return nil, fmt.Errorf("tool %q: the output can't be encoded as JSON: %w", f.name, err)
	}
	if isObject(value) {
		c.StructuredContent = value
	}
	if len(c.Content) == 0 {
		said := string(value)
		if said == "" {
			said = "Done."
		}
		c.Content = textResult(said).Content
	}
	if support == mcpapps.SupportNone {
		return &c, nil
	}
	key := viewstate.New()
	if _, err := f.put(ctx, f.id(ctx, req, key), record{answer: outcome(res, out, nil)}, 0); err != nil {
		f.storeFailed(ctx, err)
		return &c, nil // the work is done all the same
	}
	f.mark(&c, key)
	return &c, nil
}
