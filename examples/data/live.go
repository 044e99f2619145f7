package main

import (
	"context"
	"runtime"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type Load struct {
	Goroutines int `json:"goroutines"`
}

// addLoad adds a tool whose view follows a value.
func addLoad(server *mcp.Server) {
	mcpapps.RegisterApp(server, &mcp.Tool{
		Name:        "show_load",
		Description: "Shows the server's load.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, page("live"), func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, Load, error) {
		return nil, Load{runtime.NumGoroutine()}, nil
	})
	viewdata.RegisterLive(server, &mcp.Tool{
		Name:        "watch_load",
		Description: "The server's load, now.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (string, error) {
		return "everyone", nil // the user's id, where users see different values
	}, func(_ context.Context, key string) (Load, error) {
		return Load{runtime.NumGoroutine()}, nil // once a second for all views of the key
	}, nil)
}
