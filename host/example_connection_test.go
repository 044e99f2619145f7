package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/host"
)

// A program connects once and calls tools, with or without a view.
func ExampleConnect() {
	ctx := context.Background()
	conn, err := host.Connect(ctx, host.Target{Server: clockServer()}, &host.ConnectOptions{
		ClientInfo: &mcp.Implementation{Name: "agent", Version: "1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	fmt.Println(conn.Session().InitializeResult().ServerInfo.Name)

	tools, err := conn.Tools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tools[0].Tool.Name, tools[0].UI.ResourceURI, string(tools[0].InputSchemaJSON()))
	result, err := conn.Call(ctx, "show-time", nil)
	if err != nil {
		log.Fatal(err)
	}
	var text struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(result, &text); err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.Content[0].Text)
	// Output:
	// clock
	// show-time ui://clock/view.html {"type":"object","additionalProperties":false}
	// 12:00
}

// A connection that the program ends is made again when a method needs it. Its views
// are closed with the reason.
func ExampleConnection_Disconnect() {
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
	conn.Disconnect(errors.New("the user signed out"))
	<-bridge.Done()
	fmt.Println(bridge.Err())
	tools, err := conn.Tools(ctx)
	fmt.Println(len(tools), err)
	// Output:
	// the view's server is gone: the user signed out
	// 1 <nil>
}

// A new build of a server is started; a connection that was lost says why until then.
func ExampleConnection_Restart() {
	ctx := context.Background()
	build := 0
	conn, err := host.Connect(ctx, host.Target{Transport: func(context.Context) (mcp.Transport, error) {
		build++
		near, far := mcp.NewInMemoryTransports()
		_, err := clockServer().Connect(ctx, far, nil)
		return near, err
	}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Restart(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("build", build, conn.Err())
	// Output: build 2 <nil>
}

// The user stops a call; the view that waits for its result learns the reason.
func ExampleBridge_Cancel() {
	ctx := context.Background()
	slow := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	started := make(chan struct{})
	mcp.AddTool(slow, &mcp.Tool{Name: "wait", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://slow/view.html"}}},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			close(started)
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	conn, err := host.Connect(ctx, host.Target{Server: slow}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	bridge, err := conn.Open(ctx, "wait", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	<-started
	bridge.Cancel(errors.New("the user pressed stop"))
	_, err = bridge.WaitResult(ctx)
	fmt.Println(err)
	// Output: the user pressed stop
}

// Command lines name a server by its URL, or by the command that starts it.
func ExampleParseTarget() {
	for _, args := range [][]string{
		{"http://localhost:8080/mcp"},
		{"go", "run", "./cmd/server"},
		{"ftp://localhost/mcp"},
	} {
		target, err := host.ParseTarget(args)
		fmt.Println(target, err)
	}
	// Output:
	// http://localhost:8080/mcp <nil>
	// go run ./cmd/server <nil>
	// ftp://localhost/mcp the URL "ftp://localhost/mcp" is not an http or https address
}

// A form for a tool shows the defaults of its schema.
func ExampleFillDefaults() {
	schema := json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string","default":"UTC"},"hours":{"type":"integer"}}}`)
	fmt.Println(string(host.FillDefaults(schema, json.RawMessage(`{}`))))
	fmt.Println(string(host.FillDefaults(schema, json.RawMessage(`{"zone":"Europe/Oslo"}`))))
	// Output:
	// {"zone":"UTC"}
	// {"zone":"Europe/Oslo"}
}

// Links come from views and servers, so most schemes are rejected.
func ExampleCheckLink() {
	for _, link := range []string{"https://example.com/12", "javascript:alert(1)"} {
		u, err := host.CheckLink(link)
		fmt.Println(u, err)
	}
	// Output:
	// https://example.com/12 <nil>
	// <nil> the link javascript:alert(1) is not http or https
}

// A host sends the style variables that are on the specification's list.
func ExampleIsStyleVariable() {
	fmt.Println(host.IsStyleVariable("--color-text-primary"), host.IsStyleVariable("--my-color"))
	// Output: true false
}

func ExampleStyleVariables() {
	names := host.StyleVariables()
	fmt.Println(len(names), slices.Contains(names, "--font-sans"))
	// Output: 76 true
}

func ExampleHostContext_Validate() {
	context := host.HostContext{Theme: "sepia"}
	fmt.Println(context.Validate())
	// Output: theme is "sepia": it must be "light" or "dark"
}

// A host tells servers the language of its user with each call.
func ExampleWithCallMeta() {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "greet", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Println(req.Params.Meta["example.com/locale"])
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	ctx := context.Background()
	conn, err := host.Connect(ctx, host.Target{Server: server}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Call(host.WithCallMeta(ctx, mcp.Meta{"example.com/locale": "nn-NO"}), "greet", nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// nn-NO
}
