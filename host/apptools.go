package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxAppTools bounds the tools that a view may offer, as the specification
// recommends (MCP Apps draft, App-Provided Tools).
const MaxAppTools = 50

const maxAppToolResult = 10 << 20

// ErrNoAppTools is the error of asking a view for tools that did not declare any.
var ErrNoAppTools = errors.New("the view declared no tools (appCapabilities.tools)")

// ErrNotReady is the error of asking a view that has not sent
// ui/notifications/initialized yet.
var ErrNotReady = errors.New("the view is not initialized yet")

// AppTools lists the tools that the view offers to the host (MCP Apps draft,
// App-Provided Tools), at most [MaxAppTools]. They exist while the view is open.
// The view chooses their names, which may be those of a server's tools: show them
// to a model under names of your own, and ask the user before a call unless the
// tool has readOnlyHint.
func (b *Bridge) AppTools(ctx context.Context) ([]*mcp.Tool, error) {
	ctx, cancel := b.appToolContext(ctx)
	defer cancel()
	var tools []*mcp.Tool
	cursor := ""
	for range MaxAppTools {
		params := emptyObject
		if cursor != "" {
			params = mustJSON(map[string]string{"cursor": cursor})
		}
		raw, err := b.callApp(ctx, "tools/list", params, nil)
		if err != nil {
			return nil, err
		}
		var page mcp.ListToolsResult
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("the view's tools/list: %w", err)
		}
		tools = append(tools, slices.DeleteFunc(page.Tools, func(t *mcp.Tool) bool { return t == nil || t.Name == "" })...)
		if len(tools) > MaxAppTools {
			return nil, fmt.Errorf("the view offers more than %d tools", MaxAppTools)
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		cursor = page.NextCursor
	}
	return nil, fmt.Errorf("the view's tools/list has more than %d pages", MaxAppTools)
}

// CallAppTool calls a tool that the view offers and returns the CallToolResult
// as the view sent it, at most 10 MiB and within [Limits.AppToolTimeout]. The result
// comes from the view: trust it no more than the view's document. If progress is
// not nil, it receives the parameters of the progress notifications, in order.
func (b *Bridge) CallAppTool(ctx context.Context, name string, args any, progress func(json.RawMessage)) (json.RawMessage, error) {
	raw, err := argsObject(args)
	if err != nil {
		return nil, err
	}
	ctx, cancel := b.appToolContext(ctx)
	defer cancel()
	params := slices.Concat(json.RawMessage(`{"name":`), mustJSON(name), json.RawMessage(`,"arguments":`), raw, json.RawMessage(`}`))
	result, err := b.callApp(ctx, "tools/call", params, progress)
	if err != nil {
		return nil, err
	}
	if len(result) > maxAppToolResult {
		return nil, fmt.Errorf("the view's tool %q returned %d bytes: at most %d are accepted", name, len(result), maxAppToolResult)
	}
	if !isObject(result) {
		return nil, fmt.Errorf("the view's tool %q returned %s, which is not a tool result", name, clip(result))
	}
	return result, nil
}

func (b *Bridge) appToolContext(ctx context.Context) (context.Context, context.CancelFunc) {
	d := b.opts.Limits.AppToolTimeout
	return context.WithTimeoutCause(ctx, d, fmt.Errorf("the view did not answer within %v", d))
}

// callApp sends a request that only a view with tools may be sent.
func (b *Bridge) callApp(ctx context.Context, method string, params json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error) {
	b.mu.Lock()
	phase, offers := b.phase, b.app.Tools
	b.mu.Unlock()
	switch {
	case phase >= phaseClosing:
		return nil, ErrClosed
	case phase != phaseReady:
		return nil, ErrNotReady
	case !offers:
		return nil, ErrNoAppTools
	}
	return b.call(ctx, method, params, progress)
}
