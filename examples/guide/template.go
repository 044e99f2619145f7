package main

import (
	"context"
	"fmt"
	"html"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func registerBook(server *mcp.Server) {
	page := mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
		return fmt.Sprintf("<!doctype html><p>%s", html.EscapeString(vars["id"])), nil
	})
	mcpapps.RegisterAppResourceTemplate(server, &mcp.ResourceTemplate{URITemplate: "ui://library/book/{id}", Name: "book"}, "ui://library/book", mcpapps.ResourceUIMetadata{}, page)
}
