package gateway_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpapps-go/mcpapps/gateway"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ExampleBackend() {
	maps, err := gateway.New("maps")
	if err != nil {
		log.Fatal(err)
	}
	// On the way to the host: tools, resources, templates and results.
	tool := maps.Tool(&mcp.Tool{Name: "show", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://view.html"}}})
	fmt.Println(tool.Meta["ui"])

	// On the way back: the URI of a resources/read.
	name, uri, ok := gateway.Split("ui://maps/view.html")
	fmt.Println(name, uri, ok)
	// Output:
	// map[resourceUri:ui://maps/view.html]
	// maps ui://view.html true
}

func ExampleBackend_Strip() {
	maps, _ := gateway.New("maps")
	uri, ok := maps.Strip(maps.Name("ui://maps/view.html"))
	fmt.Println(uri, ok)
	_, ok = maps.Strip("ui://weather/view.html")
	fmt.Println(ok)
	// Output:
	// ui://maps/view.html true
	// false
}

func ExampleExtensions() {
	union := gateway.Extensions(
		map[string]any{"io.modelcontextprotocol/ui": map[string]any{}},
		map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app"}}},
		map[string]any{"com.example/search": nil},
	)
	out, _ := json.Marshal(union)
	fmt.Println(string(out))
	// Output:
	// {"com.example/search":{},"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}
}

func ExampleNew() {
	_, err := gateway.New("maps/eu")
	fmt.Println(err)
	// Output:
	// gateway.New: the backend name "maps/eu" has the character '/' at byte 4: it becomes the host of ui:// URIs, so use letters, digits, ".-_"
}

func ExampleSplit() {
	name, uri, ok := gateway.Split("ui://maps/view.html?v=2")
	fmt.Println(name, uri, ok)
	_, _, ok = gateway.Split("ui://view.html")
	fmt.Println(ok)
	// Output:
	// maps ui://view.html?v=2 true
	// false
}

// Lists and results go to the host with the backend's URIs renamed; the values that
// the backend sent stay as they are.
func ExampleBackend_MapCallResult() {
	maps, _ := gateway.New("maps")
	listed := maps.Resource(&mcp.Resource{URI: "ui://view.html", Name: "map"})
	template := maps.ResourceTemplate(&mcp.ResourceTemplate{URITemplate: "ui://city/{name}", Name: "city"})
	read := maps.ReadResult(&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "ui://view.html", Text: "<!doctype html>…"}}})
	fmt.Println(listed.URI, template.URITemplate, read.Contents[0].URI)

	link := &mcp.ResourceLink{URI: "ui://city/oslo", Name: "Oslo"}
	called, changed := maps.MapCallResult(&mcp.CallToolResult{Content: []mcp.Content{link}})
	fmt.Println(called.Content[0].(*mcp.ResourceLink).URI, changed)
	_, changed = maps.MapCallResult(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Oslo"}}})
	fmt.Println(changed)
	fmt.Println(maps.Content(link).(*mcp.ResourceLink).URI)
	fmt.Println(link.URI)
	// Output:
	// ui://maps/view.html ui://maps/city/{name} ui://maps/view.html
	// ui://maps/city/oslo true
	// false
	// ui://maps/city/oslo
	// ui://city/oslo
}
