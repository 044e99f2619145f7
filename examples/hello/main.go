// Hello is the smallest MCP App: one tool, and the view that it opens.
//
// It speaks MCP over standard input and output, so a host starts it. Most hosts
// are told how in a JSON file:
//
//	{"mcpServers": {"hello": {
//	  "command": "go",
//	  "args": ["run", "github.com/mcpapps-go/mcpapps/examples/hello@latest"]
//	}}}
//
// Then ask: "Say hello to Ada."
package main

import (
	"context"
	"embed"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed hello.html
var files embed.FS

// Input is what the model fills in; its JSON schema is made from this type.
type Input struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

// Output reaches the view as structuredContent.
type Output struct {
	Greeting string `json:"greeting"`
}

func hello(_ context.Context, _ *mcp.CallToolRequest, in Input) (*mcp.CallToolResult, Output, error) {
	greeting := fmt.Sprintf("Hello, %s!", in.Name)
	// The text is for the model, and for people whose client shows no views.
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: greeting}}}
	return text, Output{Greeting: greeting}, nil
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1.0.0"}, nil)
	mcpapps.RegisterApp(server,
		&mcp.Tool{Name: "hello", Description: "Greets somebody, in a view of its own."},
		mcpapps.View{
			Resource: mcp.Resource{URI: "ui://hello/hello.html", Name: "hello"},
			Document: bundle.Handler(files, "hello.html", nil),
		},
		hello)
	return server
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newServer().Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}
