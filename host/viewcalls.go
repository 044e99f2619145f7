package host

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// callTool forwards a tool call of the view: of a tool that the server lists, that
// is visible to apps, and that the program allows.
func (b *Bridge) callTool(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if err := b.server(in.method, hasTools); err != nil {
		return nil, err
	}
	var p struct {
		Name      *string                    `json:"name"`
		Arguments json.RawMessage            `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("tools/call: %v", err)
	}
	if p.Name == nil {
		return nil, invalidParams("tools/call: name is missing")
	}
	args := p.Arguments
	if len(args) == 0 || string(args) == "null" {
		args = emptyObject
	}
	if !isObject(args) {
		return nil, invalidParams("tools/call: arguments must be an object, not %s", clip(args))
	}
	tool, err := b.link.catalog.lookup(ctx, *p.Name)
	if err != nil {
		return nil, err
	}
	if tool == nil {
		return nil, invalidParams("tools/call: the view's server has no tool %q", short(*p.Name))
	}
	if !mcpapps.VisibleTo(tool.Tool, mcpapps.VisibilityApp) {
		return nil, denied("tools/call: the tool %q is not for apps: its visibility lacks \"app\"", short(*p.Name))
	}
	if b.opts.AllowCall != nil {
		err := b.inProgram(ctx, in, func() error { return b.opts.AllowCall(ctx, tool.Tool, args) })
		if err != nil {
			return nil, asDenied(err)
		}
	}
	return b.forward(ctx, in, *p.Name, p.Meta, func(ctx context.Context, meta mcp.Meta) (any, error) {
		return b.link.session.CallTool(ctx, &mcp.CallToolParams{Meta: meta, Name: *p.Name, Arguments: args})
	})
}

// listTools lists the tools that the view may call.
func (b *Bridge) listTools(ctx context.Context, in *incoming) (json.RawMessage, error) {
	raw, err := serverTools.serve(b, ctx, in)
	if err != nil {
		return nil, err
	}
	return onlyCallable(raw)
}

// onlyCallable removes the tools that views may not call from a tools/list result,
// and keeps the rest as it is.
func onlyCallable(raw json.RawMessage) (json.RawMessage, error) {
	var result map[string]json.RawMessage
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("tools/list: %w", err)
	}
	if err := json.Unmarshal(result["tools"], &items); err != nil {
		return nil, fmt.Errorf("tools/list: the server's tools are not an array: %w", err)
	}
	kept := make([]json.RawMessage, 0, len(items))
	for _, item := range items {
		var t *mcp.Tool
		if json.Unmarshal(item, &t) == nil && t != nil && mcpapps.VisibleTo(t, mcpapps.VisibilityApp) {
			kept = append(kept, item)
		}
	}
	result["tools"] = mustJSON(kept)
	return mustJSON(result), nil
}
