// Guide is the server whose views docs/views.md explains. Each file in ui with a
// name that begins with "books" is the same view at another step of the guide.
//
//	go run ./cmd/mcpapps preview -- go run ./examples/guide -view ui/books-paging.html
package main

import (
	"context"
	"flag"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	view := flag.String("view", "ui/books-paging.html", "the `file` to serve as the view")
	addr := flag.String("http", "", "the `address` to serve HTTP on, such as localhost:8080; by default it serves standard input and output")
	flag.Parse()
	server := newServer(*view)
	if *addr == "" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	// Web pages can't call it. See docs/connect.md for hosts that run in a browser.
	http.Handle("/mcp", http.NewCrossOriginProtection().Handler(handler))
	log.Fatal(http.ListenAndServe(*addr, nil))
}
