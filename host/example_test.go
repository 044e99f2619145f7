package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
)

// clock is a server with one app.
func clock() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show-time", Description: "Shows the time."}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://clock/view.html", Name: "clock"},
		Document: mcpapps.HTML("<!doctype html><title>clock</title>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "12:00"}}}, nil, nil
	})
	return s
}

// A host opens a tool's view: it shows the document in a frame, and carries the
// messages between the frame and the bridge.
func ExampleServer_Open() {
	ctx := context.Background()
	server, err := host.Connect(ctx, host.Target{Server: clock()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	bridge, err := server.Open(ctx, "show-time", nil, &host.ViewOptions{
		Context: host.Context{Theme: host.ThemeDark},
	})
	if err != nil {
		log.Fatal(err)
	}
	app, err := bridge.App(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(app.URI, len(app.HTML), "bytes")

	// To the frame, through postMessage in a web page:
	bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error {
		var m struct{ Method string }
		_ = json.Unmarshal(msg, &m)
		if m.Method != "" {
			fmt.Println("to the view:", m.Method)
		}
		if m.Method == "ui/resource-teardown" { // the view has nothing to clean up
			bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{}}`))
		}
		return nil
	}))
	// From the frame, as its script would send it:
	bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"clock","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`))
	if _, err := bridge.Result(ctx); err != nil {
		log.Fatal(err)
	}
	bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	bridge.Close(ctx, nil)
	// Output:
	// ui://clock/view.html 35 bytes
	// to the view: ui/notifications/tool-input
	// to the view: ui/notifications/tool-result
	// to the view: ui/resource-teardown
}

// The agent's tool list leaves out what is for views alone.
func ExampleServer_ModelTools() {
	ctx := context.Background()
	server, err := host.Connect(ctx, host.Target{Server: clock()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	tools, err := server.ModelTools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools {
		fmt.Println(t.Name)
	}
	// Output: show-time
}
