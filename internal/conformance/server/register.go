package main

import (
	"context"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// page is the app that every tool opens.
const page = "ui://conformance/page.html"

// A tool is a tool of the scenarios. With schema it is registered without types.
type tool struct {
	name, description string
	schema            any // of its input; nil means any object
	call              mcp.ToolHandler
}

// newServer returns a server with everything registered in a mode.
func newServer(mode string) (*mcp.Server, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "conformance", Version: "1.0.0"}, &mcp.ServerOptions{
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	var add func(*mcp.Server, tool)
	switch mode {
	case "bare":
		add = addBare
	case "apps":
		add = addApp
	case "off":
		add = addApp
		mcpapps.Enable(s, &mcpapps.Options{DisableApps: true})
	case "options":
		add = addApp
		mcpapps.Enable(s, &mcpapps.Options{
			OmitLegacyURI: true, StripUIForText: true, OmitAppToolsForText: true, UnlistResources: true,
			VersionedURIs: true, PlainReadResults: true, KeepSchemas: true,
		})
	default:
		return nil, fmt.Errorf("-mode is %q: use bare, apps, options or off", mode)
	}
	if mode != "bare" {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: page, Description: "The page of every tool"},
			mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><title>Conformance</title>"))
	}
	tools := append(contentTools(), sessionTools()...)
	tools = append(tools, inputTools()...)
	for _, t := range append(tools, changeTools(s, add)...) {
		add(s, t)
	}
	addResources(s)
	addPrompts(s)
	return s, nil
}

func addBare(s *mcp.Server, t tool) {
	decl := &mcp.Tool{Name: t.name, Description: t.description, InputSchema: t.schema}
	if t.schema != nil {
		s.AddTool(decl, t.call)
		return
	}
	mcp.AddTool(s, decl, typed(t.call))
}

func addApp(s *mcp.Server, t tool) {
	decl := &mcp.Tool{Name: t.name, Description: t.description, InputSchema: t.schema}
	ui := mcpapps.ToolUIMetadata{ResourceURI: page}
	if t.schema != nil {
		mcpapps.RegisterRawAppTool(s, decl, ui, t.call)
		return
	}
	mcpapps.RegisterAppTool(s, decl, ui, typed(t.call))
}

func typed(h mcp.ToolHandler) mcp.ToolHandlerFor[any, any] {
	return func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		res, err := h(ctx, req)
		return res, nil, err
	}
}

// text returns a result with a text.
func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}
