package bundle_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// files stands for an embed.FS with a folder of views.
var files = fstest.MapFS{
	"ui/greeting.html": {Data: []byte(`<!doctype html>
<title>Greeting</title>
<link rel="stylesheet" href="greeting.css">
<p id="greeting"></p>
<script type="module" src="greeting.ts"></script>
`)},
	"ui/greeting.css": {Data: []byte("p { color: green }\n")},
	"ui/greeting.ts": {Data: []byte(`import words from "./words.json"
document.getElementById("greeting")!.textContent = words.hello as string
`)},
	"ui/words.json": {Data: []byte(`{ "hello": "Hello, World!" }`)},
}

func ExampleHTML() {
	doc, err := bundle.HTML(files, "ui/greeting.html", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(doc.HTML)
	fmt.Println(doc.Inputs)
	// Output:
	// <!doctype html>
	// <title>Greeting</title>
	// <style>p{color:green}</style>
	// <p id="greeting"></p>
	// <script type="module">var e={hello:"Hello, World!"};document.getElementById("greeting").textContent=e.hello;</script>
	// [ui/greeting.css ui/greeting.html ui/greeting.ts ui/words.json]
}

// The origins that a page loads from have to be declared.
func ExampleHTML_external() {
	page := fstest.MapFS{"map.html": {Data: []byte(`<div id="map"></div>
<script src="https://cdn.example.com/map.js"></script>
`)}}
	doc, err := bundle.HTML(page, "map.html", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(doc.CSP.ResourceDomains)
	_, err = bundle.HTML(page, "map.html", &bundle.Options{CSP: &mcpapps.CSP{}})
	fmt.Println(err)
	// Output:
	// [https://cdn.example.com]
	// bundle: map.html:2:9: "https://cdn.example.com/map.js" is blocked when the view runs, since Options.CSP does not allow it: add "https://cdn.example.com" to its ResourceDomains, and to View.UI.CSP, which hosts enforce, or put a copy of the file beside the page
}

func ExampleHandler() {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
	mcpapps.RegisterAppResource(server, &mcp.Resource{URI: "ui://greeter/greeting.html"},
		mcpapps.ResourceUIMetadata{}, bundle.Handler(files, "ui/greeting.html", nil))

	contents := readFrom(server, "ui://greeter/greeting.html")
	fmt.Println(contents.MIMEType, len(contents.Text) > 0)
	// Output: text/html;profile=mcp-app true
}

func ExampleRegisterDir() {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
	if err := bundle.RegisterDir(server, "greeter", files, &bundle.Options{Dir: "ui"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(readFrom(server, "ui://greeter/greeting.html").MIMEType)

	fmt.Println(bundle.RegisterDir(server, "greeter", files, &bundle.Options{Dir: "dist"}))
	// Output:
	// text/html;profile=mcp-app
	// bundle.RegisterDir: there is no folder "dist" in the file system: build the views first, or name another folder: file does not exist
}

// readFrom reads a resource of a server as a client does.
func readFrom(server *mcp.Server, uri string) *mcp.ResourceContents {
	ctx := context.Background()
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, ours, nil); err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, theirs, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	result, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		log.Fatal(err)
	}
	return result.Contents[0]
}
