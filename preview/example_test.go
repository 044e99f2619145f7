package preview_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/preview"
)

func clockServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show-time", Description: "Shows the time."}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://clock/view.html", Name: "clock"},
		Document: mcpapps.HTML("<!doctype html><title>clock</title>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "12:00"}}}, nil, nil
	})
	return s
}

// A program shows its own server while it is developed, until Ctrl-C.
func ExampleServe() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := preview.Serve(ctx, host.Target{Server: clockServer()}, &preview.Options{
		Ready: func(url string) { fmt.Println("see the apps at", url) },
	})
	if err != nil {
		log.Fatal(err)
	}
}

// A test opens a view in a browser of its own and learns what happens there.
func ExampleStart() {
	ctx, cancel := context.WithCancel(context.Background())
	p, err := preview.Start(ctx, host.Target{Server: clockServer()}, &preview.Options{
		Event: func(e preview.Event) { fmt.Println(e.Kind, e.Tool) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	fmt.Println(strings.HasPrefix(p.URL(), "http://localhost:"))

	// The address for the browser, of one view alone.
	address := p.ViewURL(url.Values{"name": {"clock"}, "tool": {"show-time"}, "theme": {"dark"}})
	response, err := http.Get(address)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.StatusCode)
	fmt.Println(p.Bridge("clock")) // nil, since the page's script did not run

	tools, err := p.Connection().Tools(ctx)
	fmt.Println(len(tools), err)
	fmt.Println(p.Restart(ctx)) // such as after a new build
	cancel()
	fmt.Println(p.Wait(ctx))
	// Output:
	// true
	// 200
	// <nil>
	// 1 <nil>
	// <nil>
	// <nil>
}
