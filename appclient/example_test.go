package appclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// weatherSession connects a client to a server that does not use this module.
func weatherSession(ctx context.Context, opts *mcp.ClientOptions) *mcp.ClientSession {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	call := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	}
	schema := json.RawMessage(`{"type":"object"}`)
	server.AddTool(&mcp.Tool{Name: "forecast", InputSchema: schema, Meta: mcp.Meta{
		"ui": map[string]any{"resourceUri": "ui://weather/view.html"},
	}}, call)
	server.AddTool(&mcp.Tool{Name: "refresh", InputSchema: schema, Meta: mcp.Meta{
		"ui": map[string]any{"visibility": []string{"app"}},
	}}, call)
	server.AddTool(&mcp.Tool{Name: "alerts", InputSchema: schema}, call)
	server.AddResource(&mcp.Resource{URI: "ui://weather/view.html", Name: "view", MIMEType: mcpapps.MIMEType},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: "ui://weather/view.html", MIMEType: mcpapps.MIMEType, Text: "<!doctype html><p>Sunny</p>",
				Meta: mcp.Meta{"ui": map[string]any{
					"csp":         map[string]any{"connectDomains": []string{"https://api.weather.example", "*"}},
					"permissions": map[string]any{"geolocation": map[string]any{}},
				}},
			}}}, nil
		})
	ct, st := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, st, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, opts).Connect(ctx, ct, nil)
	if err != nil {
		log.Fatal(err)
	}
	return session
}

func ExampleEnableClient() {
	opts := &mcp.ClientOptions{}
	appclient.EnableClient(opts)
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, opts)
	_ = client // connect it as usual

	declared, _ := json.Marshal(opts.Capabilities.Extensions)
	fmt.Println(string(declared))
	// Output:
	// {"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}
}

func ExampleServerSupportsUI() {
	session := weatherSession(context.Background(), nil)
	defer session.Close()

	// Most servers with apps declare nothing: look at their tools.
	fmt.Println(appclient.ServerSupportsUI(session))
	// Output:
	// false
}

func ExampleReadApp() {
	ctx := context.Background()
	session := weatherSession(ctx, nil)
	defer session.Close()

	app, err := appclient.ReadApp(ctx, session, "ui://weather/view.html", &appclient.ReadOptions{
		MaxBytes: 1 << 20,
		Timeout:  10 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(app.HTML)
	fmt.Println("allow:", app.UI.Permissions.Allow())
	for _, err := range app.UI.CSP.Dropped() {
		fmt.Println("dropped:", err)
	}

	_, err = appclient.ReadApp(ctx, session, "ui://weather/old.html", nil)
	var re *appclient.ReadError
	if errors.As(err, &re) && re.Reason == appclient.ReadNotFound {
		fmt.Println("show the text result instead of", re.URI)
	}
	// Output:
	// <!doctype html><p>Sunny</p>
	// allow: geolocation
	// dropped: csp.connectDomains[1] is "*": it allows every host; name each origin, such as "https://api.example.com"
	// show the text result instead of ui://weather/old.html
}

func ExampleListToolsForModel() {
	ctx := context.Background()
	session := weatherSession(ctx, nil)
	defer session.Close()

	tools, err := appclient.ListToolsForModel(ctx, session, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools {
		fmt.Println(t.Name)
	}
	// Output:
	// alerts
	// forecast
}

func ExampleModelTools() {
	ctx := context.Background()
	session := weatherSession(ctx, nil)
	defer session.Close()

	all, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all.Tools), "listed,", len(appclient.ModelTools(all.Tools)), "for the model")
	for _, t := range all.Tools {
		fmt.Println(t.Name, "callable by views:", mcpapps.VisibleTo(t, mcpapps.VisibilityApp))
	}
	// Output:
	// 3 listed, 2 for the model
	// alerts callable by views: true
	// forecast callable by views: true
	// refresh callable by views: true
}

func ExampleDetectUI() {
	tool := &mcp.Tool{Name: "board", Meta: mcp.Meta{"openai/outputTemplate": "ui://widget/board.html"}}
	kind, uri := appclient.DetectUI(tool, nil)
	fmt.Println(kind, uri)

	result := &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "ui://chart/1", MIMEType: "text/html", Text: "<p>"}},
	}}
	kind, uri = appclient.DetectUI(nil, result)
	fmt.Println(kind, uri)
	// Output:
	// OpenAI Apps SDK ui://widget/board.html
	// embedded resource ui://chart/1
}
