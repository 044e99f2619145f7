package viewform

import (
	"context"
	"errors"
	"maps"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/viewmark"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// opening returns what the model is told about a form that it has opened.
func (f *forms) opening(support mcpapps.Support, key string) string {
	agreed := "ask the user, and after they agree call " + f.name + " again with the same arguments and confirm: " + key
	switch support {
	case mcpapps.SupportNone:
		return "Nothing is done yet. A" + agreed[1:]
	case mcpapps.SupportUnknown:
		return "Nothing is done yet. If a form is shown, the user decides in it. If no form is shown, " + agreed
	default:
		return "A form with these arguments is shown to the user. Nothing is done yet: the user decides in the form. To learn the outcome, call " + f.name + " again with confirm: " + key
	}
}

// opened returns the result that opens the view with a form.
func (f *forms) opened(key, said string) *mcp.CallToolResult {
	res := textResult(said)
	f.mark(res, key)
	return res
}

// mark adds the key of a form to a result: in _meta, and for hosts that drop it in a
// text block of its own.
func (f *forms) mark(res *mcp.CallToolResult, key string) {
	meta := maps.Clone(res.Meta)
	if meta == nil {
		meta = make(mcp.Meta, 1)
	}
	meta[metakey.ViewData] = map[string]any{"form": map[string]any{"key": key, "tool": f.submitName}}
	res.Meta = meta
	res.Content = append(res.Content, viewmark.Content(key))
}

// told returns what the model is told about a form that it asks for.
func (f *forms) told(k kept, key string) string {
	again := "call " + f.name + " again with confirm: " + key
	switch k.State {
	case open:
		if k.Error != "" {
			return "Nothing is done yet. The user submitted the form, which failed: " + k.Error + "\nThe form is open again, and the user decides in it. To learn the outcome, " + again
		}
		return "Nothing is done yet: the user has not submitted the form. To learn the outcome, " + again
	case running:
		return "The form is submitted, and what it asks for is being done. To learn the outcome, " + again
	case done:
		switch {
		case k.Text != "":
			return k.Text
		case k.Value != nil:
			return string(k.Value)
		}
		return "Done."
	case gone:
		return "No form of the user has this key any more, if there was one. This call did nothing. To open a form, call " + f.name + " without confirm."
	default:
		return "The form was submitted, but whether what it asks for was done is unknown. It is not done again. Look at what has changed before you call " + f.name + " for a new form."
	}
}

// textResult returns a result with a text, which may quote anybody: nothing in it names a
// form to a view.
func textResult(said string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: viewmark.Neutral(said)}}}
}

// invalid returns the result of a call that can't be answered.
func invalid(err error) *mcp.CallToolResult {
	res := textResult(err.Error())
	res.IsError = true
	return res
}

// failed answers an error of Form.Do or Form.Prepare as [mcp.AddTool] does.
func failed(err error) (*mcp.CallToolResult, error) {
	if wire, ok := err.(*jsonrpc.Error); ok {
		return nil, wire
	}
	return invalid(err), nil
}

// storeFailed answers an error of the store, which is logged and not told to clients.
func (f *forms) storeFailed(ctx context.Context, err error) *mcp.CallToolResult {
	if ctx.Err() == nil {
		f.log.Error("viewform: the store failed", "tool", f.name, "error", err)
	}
	return invalid(errors.New("the server could not read or write the state of the form: try again later"))
}
