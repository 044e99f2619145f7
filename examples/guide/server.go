package main

import (
	"context"
	"embed"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed ui
var ui embed.FS

type Search struct {
	Words string `json:"words" jsonschema:"what to search for"`
}

// Found is small on purpose, because some hosts pass it to the model.
type Found struct {
	Words string `json:"words"`
	Total int    `json:"total"`
	First []Book `json:"first"`
}

type PageRequest struct {
	Words string `json:"words"`
	After int    `json:"after,omitempty" jsonschema:"id of the last book that the caller has"`
}

type Page struct {
	Books []Book `json:"books"`
	More  bool   `json:"more"`
}

type Loan struct {
	ID int `json:"id"`
}

// newServer returns a library with a view, which it reads from the given file.
func newServer(view string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "library", Version: "v1.0.0"}, nil)
	const uri = "ui://library/books.html"

	// For the model, and for people: opens the view.
	mcpapps.RegisterApp(server, &mcp.Tool{
		Name:        "search_books",
		Description: "Search the library and show the books that were found.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, // preview and check may call it
	}, mcpapps.View{
		Resource: mcp.Resource{URI: uri, Name: "books"},
		Document: bundle.Handler(ui, view, nil),
	}, func(ctx context.Context, req *mcp.CallToolRequest, in Search) (*mcp.CallToolResult, Found, error) {
		books := find(in.Words)
		found := Found{Words: in.Words, Total: len(books), First: books[:min(3, len(books))]}
		short := fmt.Sprintf("Found %d books; the list is on screen.", found.Total)
		return mcpapps.TextFor(ctx, req, short, fmt.Sprintf("Found %d books: %v", found.Total, titles(books))), found, nil
	})

	// For the view only: hosts hide these from the model.
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "list_books",
		Description: "A page of the books that were found.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, mcpapps.AppOnly(uri), func(_ context.Context, _ *mcp.CallToolRequest, in PageRequest) (*mcp.CallToolResult, Page, error) {
		books, more := after(find(in.Words), in.After, 20)
		return nil, Page{Books: books, More: more}, nil
	})
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "borrow_book", Description: "Borrows a book for the user."},
		mcpapps.AppOnly(uri), func(_ context.Context, _ *mcp.CallToolRequest, in Loan) (*mcp.CallToolResult, any, error) {
			if in.ID%3 == 0 { // the view gets {isError: true} with this text
				return nil, nil, fmt.Errorf("book %d is on loan until Friday", in.ID)
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "It is yours for three weeks."}}}, nil, nil
		})

	registerCovers(server)
	registerBook(server)
	return server
}
