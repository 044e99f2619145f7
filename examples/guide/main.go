// Guide is the server whose views docs/views.md explains. Each file in ui with a
// name that begins with "books" is the same view at another step of the guide.
//
//	go run ./cmd/mcpapps preview -- go run ./examples/guide -view ui/books-paging.html
package main

import (
	"context"
	"flag"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	view := flag.String("view", "ui/books-paging.html", "the `file` to serve as the view")
	flag.Parse()
	if err := newServer(*view).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
