// Hello is a minimal MCP App: one tool, and the view that it opens.
//
// It serves MCP over standard input and output, so a host starts it. Most hosts
// read the command from a JSON file:
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

// Input has the arguments of the tool. The SDK derives the tool's input schema from
// this type.
type Input struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

// Output is the structuredContent of the result, which the view shows.
type Output struct {
	Greeting string `json:"greeting"`
}

func hello(_ context.Context, _ *mcp.CallToolRequest, in Input) (*mcp.CallToolResult, Output, error) {
	greeting := fmt.Sprintf("Hello, %s!", in.Name)
	// The text is for the model, and for users whose client does not show views.
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: greeting}}}
	return text, Output{Greeting: greeting}, nil
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1.0.0"}, nil)
	mcpapps.RegisterApp(server,
		&mcp.Tool{Name: "hello", Description: "Greets somebody and shows the greeting in a view."},
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
