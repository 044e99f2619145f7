package mcpapps_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"log"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect runs a server in memory and returns a session of a client, with or
// without UI.
func connect(s *mcp.Server, ui bool) *mcp.ClientSession {
	opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if ui {
		opts.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
	}
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := s.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, opts).Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	return cs
}

func printMeta(cs *mcp.ClientSession) {
	tools, err := cs.ListTools(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools.Tools {
		meta, _ := json.Marshal(t.Meta)
		fmt.Println(t.Name, string(meta))
	}
}

func printText(cs *mcp.ClientSession, tool string) {
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
}

func printRead(cs *mcp.ClientSession, uri string) {
	res, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := res.Contents[0]
	meta, _ := json.Marshal(c.Meta)
	fmt.Println(c.URI, c.Text, string(meta))
}

type cityInput struct {
	City string `json:"city,omitempty"`
}

func weather(ctx context.Context, req *mcp.CallToolRequest, in cityInput) (*mcp.CallToolResult, any, error) {
	return mcpapps.TextFor(ctx, req, "Sunny; the forecast is on screen.", "Sunny today, rain from Tuesday on."), nil, nil
}

func ExampleRegisterApp() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	forecast := mcpapps.View{
		Resource: mcp.Resource{URI: "ui://weather/forecast.html", Name: "forecast"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}},
		Document: mcpapps.HTML("<!doctype html><p>…"),
	}
	mcpapps.RegisterApp(server, &mcp.Tool{Name: "show_forecast", Description: "Show the weather."}, forecast, weather)

	host, text := connect(server, true), connect(server, false)
	printMeta(host)
	printRead(host, "ui://weather/forecast.html")
	printText(host, "show_forecast")
	printText(text, "show_forecast")
	// Output:
	// show_forecast {"ui":{"resourceUri":"ui://weather/forecast.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/forecast.html"}
	// ui://weather/forecast.html <!doctype html><p>… {"ui":{"csp":{"connectDomains":["https://api.example.com"]}}}
	// Sunny; the forecast is on screen.
	// Sunny today, rain from Tuesday on.
}

func ExampleRegisterAppTool() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html", Name: "map"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html>…"))
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_map"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"}, weather)
	printMeta(connect(server, true))
	// Output:
	// show_map {"ui":{"resourceUri":"ui://weather/map.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/map.html"}
}

func ExampleRegisterRawAppTool() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	tool := &mcp.Tool{Name: "refresh", InputSchema: json.RawMessage(`{"type":"object"}`)}
	mcpapps.RegisterRawAppTool(server, tool, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: map[string]any{"celsius": 21}}, nil
	})
	printText(connect(server, true), "refresh") // structured content goes out as text too
	// Output:
	// {"celsius":21}
}

func ExampleRegisterAppResource() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	border := false
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html", Name: "map"}, mcpapps.ResourceUIMetadata{
		CSP:           &mcpapps.CSP{ResourceDomains: []string{"https://*.tiles.example"}},
		Permissions:   &mcpapps.Permissions{Geolocation: true},
		PrefersBorder: &border,
	}, mcpapps.HTML("<!doctype html>…"))
	printRead(connect(server, true), "ui://weather/map.html")
	// Output:
	// ui://weather/map.html <!doctype html>… {"ui":{"csp":{"resourceDomains":["https://*.tiles.example"]},"permissions":{"geolocation":{}},"prefersBorder":false}}
}

func ExampleRegisterAppResourceTemplate() {
	server := mcp.NewServer(&mcp.Implementation{Name: "decks", Version: "v1.0.0"}, nil)
	page := mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
		if vars == nil { // the shell, which gets its data from the tool's result
			return "<!doctype html><p>Any deck", nil
		}
		if vars["name"] != "intro" {
			return "", fs.ErrNotExist
		}
		return "<!doctype html><p>Intro", nil
	})
	mcpapps.RegisterAppResourceTemplate(server, &mcp.ResourceTemplate{URITemplate: "ui://decks/{name}/view", Name: "deck"}, "ui://decks/view", mcpapps.ResourceUIMetadata{}, page)
	cs := connect(server, true)
	printRead(cs, "ui://decks/view")
	printRead(cs, "ui://decks/intro/view")
	printRead(cs, "ui://decks/other/view")
	// Output:
	// ui://decks/view <!doctype html><p>Any deck null
	// ui://decks/intro/view <!doctype html><p>Intro null
	// calling "resources/read": Resource not found
}

func ExampleEnable() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.Enable(server, &mcpapps.Options{OmitLegacyURI: true})
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_map"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"}, weather)
	cs := connect(server, true)
	printMeta(cs)
	fmt.Println(cs.InitializeResult().Capabilities.Extensions[mcpapps.ExtensionID])
	// Output:
	// show_map {"ui":{"resourceUri":"ui://weather/map.html","visibility":["model","app"]}}
	// map[mimeTypes:[text/html;profile=mcp-app]]
}

func ExampleSetToolUI() {
	tool := &mcp.Tool{Name: "show_map", Meta: mcp.Meta{"vendor/key": "kept"}}
	if err := mcpapps.SetToolUI(tool, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"}); err != nil {
		log.Fatal(err)
	}
	meta, _ := json.Marshal(tool.Meta)
	fmt.Println(string(meta))
	fmt.Println(mcpapps.SetToolUI(tool, mcpapps.ToolUIMetadata{ResourceURI: "map.html"}))
	// Output:
	// {"ui":{"resourceUri":"ui://weather/map.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/map.html","vendor/key":"kept"}
	// mcpapps.SetToolUI: tool "show_map": resourceUri "map.html" does not begin with "ui://": every app has a URI such as "ui://server/view.html"
}

func ExampleWithoutUI() {
	tool := &mcp.Tool{Name: "show_map", Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"})}
	fmt.Println(len(mcpapps.WithoutUI(tool).Meta), len(tool.Meta))
	// Output:
	// 0 2
}

func ExampleAppOnly() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "refresh"}, mcpapps.AppOnly(""), weather)
	printMeta(connect(server, true))
	// Output:
	// refresh {"ui":{"visibility":["app"]}}
}

func ExampleClientSupport() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "who"}, mcpapps.AppOnly(""), func(ctx context.Context, req *mcp.CallToolRequest, _ cityInput) (*mcp.CallToolResult, any, error) {
		fmt.Println(mcpapps.ClientSupport(ctx, req), mcpapps.ClientSupportsUI(ctx, req))
		return mcpapps.TextFor(ctx, req, "short", "full"), nil, nil
	})
	printText(connect(server, true), "who")
	printText(connect(server, false), "who")
	// Output:
	// ui true
	// short
	// none false
	// full
}

func ExampleCapabilitiesSupport() {
	caps := &mcp.ClientCapabilities{}
	fmt.Println(mcpapps.CapabilitiesSupport(nil), mcpapps.CapabilitiesSupport(caps))
	caps.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
	fmt.Println(mcpapps.CapabilitiesSupport(caps))
	// Output:
	// unknown none
	// ui
}

func ExampleWithClientSupport() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_map"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"}, weather)
	// This host shows apps without declaring it.
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if r, ok := req.(*mcp.CallToolRequest); ok && r.ClientInfo() != nil && r.ClientInfo().Name == "host" {
				ctx = mcpapps.WithClientSupport(ctx, mcpapps.SupportUI)
			}
			return next(ctx, method, req)
		}
	})
	printText(connect(server, false), "show_map")
	// Output:
	// Sunny; the forecast is on screen.
}

func ExampleHTMLFile() {
	ui := fstest.MapFS{"dist/index.html": {Data: []byte("<!doctype html><p>From a file")}} // usually an embed.FS
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFile(ui, "dist/index.html"))
	printRead(connect(server, true), "ui://weather/map.html")
	// Output:
	// ui://weather/map.html <!doctype html><p>From a file null
}

func ExampleHTMLFunc() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{},
		mcpapps.HTMLFunc(func(context.Context, *mcp.ReadResourceRequest) (string, error) {
			return "<!doctype html><p>Made for this read", nil
		}))
	printRead(connect(server, true), "ui://weather/map.html")
	// Output:
	// ui://weather/map.html <!doctype html><p>Made for this read null
}

func ExampleResourceUIMetadata_Validate() {
	config := []byte(`{"csp":{"connectDomains":["https://api.example.com/v1"]}}`)
	var ui mcpapps.ResourceUIMetadata
	if err := json.Unmarshal(config, &ui); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ui.Validate())
	// Output:
	// csp.connectDomains[0] is "https://api.example.com/v1": it has a path; write "https://api.example.com"
}

func ExampleToolUIMetadata_Validate() {
	fmt.Println(mcpapps.ToolUIMetadata{}.Validate())
	// Output:
	// resourceUri and visibility are empty: name the ui:// resource that the tool opens, or say in Visibility who may call a tool that opens none
}

func ExampleClientSupportsUI() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_map"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"},
		func(ctx context.Context, req *mcp.CallToolRequest, _ cityInput) (*mcp.CallToolResult, any, error) {
			if !mcpapps.ClientSupportsUI(ctx, req) {
				return nil, nil, errors.New("the map needs a client that shows apps")
			}
			return mcpapps.TextFor(ctx, req, "The map is on screen.", ""), nil, nil
		})
	printText(connect(server, true), "show_map")
	printText(connect(server, false), "show_map")
	// Output:
	// The map is on screen.
	// the map needs a client that shows apps
}

func ExampleTextFor() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppTool(server, &mcp.Tool{Name: "show_map"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"},
		func(ctx context.Context, req *mcp.CallToolRequest, in cityInput) (*mcp.CallToolResult, any, error) {
			return mcpapps.TextFor(ctx, req, "The map is on screen.", "Rain in the north, sun in the south."), nil, nil
		})
	printText(connect(server, true), "show_map")
	printText(connect(server, false), "show_map")
	// Output:
	// The map is on screen.
	// Rain in the north, sun in the south.
}

func ExampleHTML() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{},
		mcpapps.HTML("<!doctype html><p>A finished document"))
	printRead(connect(server, true), "ui://weather/map.html")
	// Output:
	// ui://weather/map.html <!doctype html><p>A finished document null
}

func ExampleHTMLTemplateFunc() {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	page := mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
		if vars == nil { // the shell, without a city
			return "<!doctype html><p>Any city", nil
		}
		return "<!doctype html><p>" + html.EscapeString(vars["city"]), nil
	})
	mcpapps.RegisterAppResourceTemplate(server, &mcp.ResourceTemplate{URITemplate: "ui://weather/{city}/map", Name: "map"}, "ui://weather/map", mcpapps.ResourceUIMetadata{}, page)
	cs := connect(server, true)
	printRead(cs, "ui://weather/map")
	printRead(cs, "ui://weather/%3Coslo%3E/map")
	// Output:
	// ui://weather/map <!doctype html><p>Any city null
	// ui://weather/%3Coslo%3E/map <!doctype html><p>&lt;oslo&gt; null
}

func ExampleToolMeta() {
	tool := &mcp.Tool{
		Name: "show_map",
		Meta: mcpapps.ToolMeta(
			mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/map.html"},
			mcp.Meta{"openai/toolInvocation/invoking": "Drawing"},
		),
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, nil)
	mcpapps.Enable(server, nil) // no Register function does
	mcp.AddTool(server, tool, weather)
	printMeta(connect(server, true))
	// Output:
	// show_map {"openai/toolInvocation/invoking":"Drawing","ui":{"resourceUri":"ui://weather/map.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/map.html"}
}
