package viewdata

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const twinSuffix = "_data"

// maxToolName is the length of the longest valid tool name.
const maxToolName = 128

// An answer is the text of a twin's result.
type answer struct {
	Data json.RawMessage `json:"data,omitempty"`
	Gone bool            `json:"gone,omitempty"`
}

// checkTool returns a copy of a tool whose registration can be described.
func checkTool(call string, s *mcp.Server, t *mcp.Tool, noHandler bool) *mcp.Tool {
	switch {
	case s == nil:
		panic(fmt.Sprintf("viewdata.%s: the server is nil", call))
	case t == nil:
		panic(fmt.Sprintf("viewdata.%s: the tool is nil", call))
	case noHandler:
		panic(fmt.Sprintf("viewdata.%s: tool %q: the handler is nil", call, t.Name))
	}
	tt := *t
	return &tt
}

func inputType[In any](call string, t *mcp.Tool) *toolinput.Type[In] {
	in, err := toolinput.For[In](t.InputSchema)
	if err != nil {
		panic(fmt.Sprintf("viewdata.%s: tool %q: %v", call, t.Name, err))
	}
	return in
}

// twinOf returns a tool with the input of t and more properties, for views only. It
// has the annotations of t, and only reads.
func twinOf[In any](call string, t *mcp.Tool, name string, in *toolinput.Type[In], more map[string]*jsonschema.Schema) *mcp.Tool {
	schema, err := in.Schema(more)
	if err == nil {
		err = checkName(name)
	}
	if err != nil {
		panic(fmt.Sprintf("viewdata.%s: tool %q: %v", call, t.Name, err))
	}
	var hints mcp.ToolAnnotations
	if t.Annotations != nil {
		hints = *t.Annotations
	}
	hints.ReadOnlyHint = true
	return &mcp.Tool{
		Name:        name,
		Title:       t.Title,
		Description: fmt.Sprintf("The data of %s for its view. Only the view calls it.", t.Name),
		InputSchema: schema,
		Annotations: &hints,
	}
}

func checkName(name string) error {
	if len(name) > maxToolName {
		return fmt.Errorf("the name of the view's tool, %q, has %d characters, and a name at most %d: shorten the tool's name", name, len(name), maxToolName)
	}
	for _, r := range name {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.') {
			return fmt.Errorf("the name has the character %q: use letters, digits, hyphens, underscores and dots", r)
		}
	}
	return nil
}

// onlyReads reports whether a tool says that it changes nothing.
func onlyReads(t *mcp.Tool) bool { return t.Annotations != nil && t.Annotations.ReadOnlyHint }

// addTwin registers a tool for views only, whose results are one text block with the
// JSON of what f returns: hosts that strip results of a view's calls pass text. Errors
// become results as they do in the SDK's typed tools.
func addTwin(s *mcp.Server, t *mcp.Tool, f func(context.Context, *mcp.CallToolRequest) (any, error)) {
	mcpapps.RegisterRawAppTool(s, t, mcpapps.AppOnly(""), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		v, err := f(ctx, req)
		if err != nil {
			return errorResult(err)
		}
		text, ok := v.(string)
		if !ok {
			data, err := json.Marshal(v)
			if err != nil {
				return errorResult(err)
			}
			text = string(data)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
}

func errorResult(err error) (*mcp.CallToolResult, error) {
	if e, ok := err.(*jsonrpc.Error); ok {
		return nil, e
	}
	var res mcp.CallToolResult
	res.SetError(err)
	return &res, nil
}

// stringArgument decodes an argument of the library.
func stringArgument(name string, raw json.RawMessage, max int) (string, error) {
	if raw == nil {
		return "", nil
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", fmt.Errorf("%s is not a string", name)
	}
	if len(*s) > max {
		return "", fmt.Errorf("%s has %d bytes, and may have %d", name, len(*s), max)
	}
	return *s, nil
}
