package main

import (
	"context"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// registerCovers adds a view that fetches from another origin.
func registerCovers(server *mcp.Server) {
	mcpapps.RegisterApp(server, &mcp.Tool{Name: "show_cover", Description: "Show the cover of a book."}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://library/cover.html", Name: "cover"},
		UI: mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{
			ConnectDomains:  []string{"https://covers.example.com"}, // fetch, WebSocket
			ResourceDomains: []string{"https://covers.example.com"}, // images, scripts, styles, fonts
		}},
		Document: bundle.Handler(ui, "ui/cover.html", nil),
	}, func(_ context.Context, _ *mcp.CallToolRequest, in Loan) (*mcp.CallToolResult, Loan, error) {
		return nil, in, nil
	})
}
