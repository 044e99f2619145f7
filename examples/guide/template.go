package main

import (
	"context"
	"io/fs"
	"strconv"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func byID(id int) (Book, error) {
	if id < 1 || id > len(library) {
		return Book{}, fs.ErrNotExist // of a read, the client gets "resource not found"
	}
	return library[id-1], nil
}

// registerBook adds a view for each book. A tool names the shell, which shows the
// book of the tool's result.
func registerBook(server *mcp.Server) {
	const shell = "ui://library/book"
	page := bundle.TemplateHandler(ui, "ui/book.html", nil, func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (any, error) {
		id, _ := strconv.Atoi(vars["id"])
		return byID(id)
	})
	mcpapps.RegisterAppResourceTemplate(server, &mcp.ResourceTemplate{URITemplate: "ui://library/book/{id}", Name: "book"}, shell, mcpapps.ResourceUIMetadata{}, page)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_book", Description: "Show a book."}, mcpapps.ToolUIMetadata{ResourceURI: shell},
		func(_ context.Context, _ *mcp.CallToolRequest, in Loan) (*mcp.CallToolResult, Book, error) {
			book, err := byID(in.ID)
			return nil, book, err
		})
}
