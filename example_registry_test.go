package mcpapps_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A registry of tools as values, as large servers have it. Each entry can register
// itself on a server, and only the Meta in its literal comes from this package.
type entry struct {
	tool *mcp.Tool
	add  func(*mcp.Server, *mcp.Tool)
}

func typed[In, Out any](tool *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) entry {
	return entry{tool, func(s *mcp.Server, t *mcp.Tool) { mcp.AddTool(s, t, h) }}
}

var registry = []entry{
	typed(&mcp.Tool{
		Name: "show_forecast",
		Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/forecast.html"}),
	}, weather),
	typed(&mcp.Tool{Name: "refresh", Meta: mcpapps.ToolMeta(mcpapps.AppOnly(""))}, weather),
	typed(&mcp.Tool{Name: "ordinary"}, weather),
}

// A server for each HTTP request, whose tools depend on the request: here a header
// turns the apps off. The servers share schemas through the SDK's cache.
func Example_serverPerRequest() {
	schemas := mcp.NewSchemaCache()
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "v1.0.0"}, &mcp.ServerOptions{SchemaCache: schemas})
		apps := r.Header.Get("X-Apps") != "off"
		for _, e := range registry {
			tool := e.tool
			if !apps {
				tool = mcpapps.WithoutUI(tool)
			}
			e.add(s, tool)
		}
		if apps {
			mcpapps.Enable(s, nil)
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://weather/forecast.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html>…"))
		}
		return s
	}, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	web := httptest.NewServer(handler)
	defer web.Close()

	for _, apps := range []string{"on", "off"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, nil)
		cs, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{
			Endpoint:   web.URL,
			HTTPClient: &http.Client{Transport: withHeader{"X-Apps", apps}},
		}, nil)
		if err != nil {
			log.Fatal(err)
		}
		_, advertised := cs.InitializeResult().Capabilities.Extensions[mcpapps.ExtensionID]
		fmt.Println("apps", apps, "advertised", advertised)
		printMeta(cs)
		cs.Close()
	}
	// Output:
	// apps on advertised true
	// ordinary null
	// refresh {"ui":{"visibility":["app"]}}
	// show_forecast {"ui":{"resourceUri":"ui://weather/forecast.html","visibility":["model","app"]},"ui/resourceUri":"ui://weather/forecast.html"}
	// apps off advertised false
	// ordinary null
	// refresh {"ui":{"visibility":["app"]}}
	// show_forecast null
}

type withHeader struct{ key, value string }

func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(h.key, h.value)
	return http.DefaultTransport.RoundTrip(r)
}
