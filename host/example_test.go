package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/host"
)

// clockServer returns a server with one app.
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

// A host opens a tool's view, shows its document in a frame and passes messages
// between the frame and the bridge.
func ExampleConnection_Open() {
	ctx := context.Background()
	conn, err := host.Connect(ctx, host.Target{Server: clockServer()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()

	bridge, err := conn.Open(ctx, "show-time", nil, &host.BridgeOptions{
		Context: host.HostContext{Theme: host.ThemeDark},
	})
	if err != nil {
		log.Fatal(err)
	}
	app, err := bridge.WaitApp(ctx)
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
	if _, err := bridge.WaitResult(ctx); err != nil {
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

// The agent's tool list excludes tools that only views may call.
func ExampleConnection_ModelTools() {
	ctx := context.Background()
	conn, err := host.Connect(ctx, host.Target{Server: clockServer()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	tools, err := conn.ModelTools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools {
		fmt.Println(t.Name)
	}
	// Output: show-time
}

// A program with a web page serves the frames of its views. See examples/host for
// a complete program.
func ExampleSandboxHandler() {
	ctx := context.Background()
	conn, err := host.Connect(ctx, host.Target{Server: clockServer()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	bridge, err := conn.Open(ctx, "show-time", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	open := map[string]*host.Bridge{"k5z3.views.example.net": bridge}
	sandbox := host.SandboxHandler("https://chat.example.com", func(r *http.Request) *host.Bridge { return open[r.Host] }, nil)

	for _, url := range []string{"https://k5z3.views.example.net/view", "https://other.views.example.net/view"} {
		w := httptest.NewRecorder()
		sandbox.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 <!doctype html><title>clock</title>
	// 404 no such view
}

// A program that calls tools on its own session passes the tool's input and result
// to the view itself.
func ExampleNewBridge() {
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := clockServer().Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	opts := &mcp.ClientOptions{}
	appclient.EnableClient(opts)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, opts).Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	tools, err := appclient.ListToolsForModel(ctx, session, nil)
	if err != nil {
		log.Fatal(err)
	}
	tool := tools[0]
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name})
	if err != nil {
		log.Fatal(err)
	}
	_, uri := appclient.DetectUI(tool, result)
	app, err := appclient.ReadApp(ctx, session, uri, nil)
	if err != nil {
		log.Fatal(err)
	}
	bridge, err := host.NewBridge(session, &host.BridgeOptions{Tool: tool, App: app})
	if err != nil {
		log.Fatal(err)
	}
	raw, err := json.Marshal(result)
	if err != nil {
		log.Fatal(err)
	}
	// Both are queued until the view is ready.
	if err := bridge.SendToolInput(nil); err != nil {
		log.Fatal(err)
	}
	if err := bridge.SendToolResult(raw); err != nil {
		log.Fatal(err)
	}
	fmt.Println(app.HTML)
	bridge.Close(ctx, nil)
	// Output: <!doctype html><title>clock</title>
}

// A document that has changed while its view is open is read again and set. The
// program then loads the view's frame again.
func ExampleBridge_SetApp() {
	ctx := context.Background()
	server := clockServer()
	conn, err := host.Connect(ctx, host.Target{Server: server}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	bridge, err := conn.Open(ctx, "show-time", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	before, err := bridge.WaitApp(ctx)
	if err != nil {
		log.Fatal(err)
	}

	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://clock/view.html", Name: "clock"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><title>a better clock</title>"))
	now, err := conn.ReadApp(ctx, before.URI)
	if err != nil {
		log.Fatal(err)
	}
	if now.HTML != before.HTML || !reflect.DeepEqual(now.UI, before.UI) {
		if err := bridge.SetApp(now); err != nil {
			log.Fatal(err)
		}
		fmt.Println("load the frame again:", now.HTML)
	}
	// Output: load the frame again: <!doctype html><title>a better clock</title>
}
