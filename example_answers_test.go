package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool that opens a table unless what it found is better shown as a chart.
func ExampleSetResultUI() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	for _, name := range []string{"table", "chart"} {
		mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/" + name + ".html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html>…"))
	}
	type input struct {
		Days int `json:"days"`
	}
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/table.html"},
		func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
			res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Sunny."}}}
			if in.Days > 3 {
				if err := mcpapps.SetResultUI(res, "ui://weather/chart.html"); err != nil {
					return nil, nil, err
				}
			}
			return res, nil, nil
		})
	cs := connect(server, true)
	for _, days := range []int{1, 7} {
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "show", Arguments: input{Days: days}})
		if err != nil {
			log.Fatal(err)
		}
		ui, _ := json.Marshal(res.Meta["ui"])
		fmt.Println(days, string(ui))
	}
	// Output:
	// 1 null
	// 7 {"resourceUri":"ui://weather/chart.html"}
}

func ExampleMergeToolMeta() {
	// What a registry of another library keeps of a tool.
	kept := map[string]any{"openai/toolInvocation/invoking": "Looking at the sky"}
	meta, err := mcpapps.MergeToolMeta(kept, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"})
	if err != nil {
		log.Fatal(err)
	}
	data, _ := json.Marshal(meta)
	fmt.Println(string(data))
	// Output:
	// {"openai/toolInvocation/invoking":"Looking at the sky","ui":{"resourceUri":"ui://weather/map.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/map.html"}
}

func ExampleStripToolMeta() {
	meta := mcp.Meta{"com.example/cost": 2, "ui": map[string]any{"resourceUri": "ui://weather/map.html"}, "ui/resourceUri": "ui://weather/map.html"}
	fmt.Println(mcpapps.StripToolMeta(meta))
	// Output:
	// map[com.example/cost:2]
}

// A tool that changes what an open view shows. The host reads it again.
func ExampleNotifyResourcesChanged() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html>…"))
	mcp.AddTool(server, &mcp.Tool{Name: "use_dark_tiles"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><body style='background: black'>…"))
		return nil, nil, mcpapps.NotifyResourcesChanged(ctx, server, "ui://weather/map.html")
	})

	changed := make(chan struct{}, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, &mcp.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- struct{}{} },
	})
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	cs, err := client.Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "use_dark_tiles"}); err != nil {
		log.Fatal(err)
	}
	<-changed
	fmt.Println("the host looks at its views again")
	// Output:
	// the host looks at its views again
}

// Hosts have formats of their own for a domain; other clients get none.
func ExampleDomainFunc() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	domain := func(_ context.Context, req *mcp.ReadResourceRequest) string {
		for _, host := range compat.IdentifyRequest(req) { // its example has ChatGPT too
			if format, _ := host.Domain.Value(); format == compat.DomainClaude {
				return compat.ClaudeDomain("https://weather.example.com/mcp")
			}
		}
		return ""
	}
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"},
		mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}},
		mcpapps.DomainFunc(mcpapps.HTML("<!doctype html>…"), domain))
	printRead(connect(server, true), "ui://weather/map.html")
	// Output:
	// ui://weather/map.html <!doctype html>… {"ui":{"csp":{"connectDomains":["https://api.example.com"]}}}
}
