package bundle_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"strings"
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

// deck is a view for which a URI has variables. In the shell, which tools name, the data
// is null, and the view shows the tool's result.
var deck = fstest.MapFS{
	"ui/deck.html": {Data: []byte(`<!doctype html>
<title>Deck</title>
<h1 id="title"></h1>
<script type="application/json" id="data"></script>
<script type="module" src="deck.ts"></script>
`)},
	"ui/deck.ts": {Data: []byte(`import { App } from "mcp-app"

type Deck = { title: string }
const show = (deck: Deck) => { document.getElementById("title")!.textContent = deck.title }

const deck: Deck | null = JSON.parse(document.getElementById("data")!.textContent!)
if (deck) show(deck)

const app = new App({ name: "deck", version: "1.0.0" })
app.ontoolresult = (result) => { if (!deck) show(result.structuredContent as Deck) }
app.connect()
`)},
}

func ExampleTemplateHandler() {
	type Deck struct {
		Title string `json:"title"`
	}
	decks := map[string]Deck{"intro": {Title: "An <introduction>"}}
	server := mcp.NewServer(&mcp.Implementation{Name: "decks", Version: "1.0.0"}, nil)
	mcpapps.RegisterAppResourceTemplate(server, &mcp.ResourceTemplate{URITemplate: "ui://decks/{name}/view", Name: "deck"},
		"ui://decks/view", mcpapps.ResourceUIMetadata{},
		bundle.TemplateHandler(deck, "ui/deck.html", nil, func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (any, error) {
			d, ok := decks[vars["name"]]
			if !ok {
				return nil, fmt.Errorf("deck %q: %w", vars["name"], fs.ErrNotExist)
			}
			return d, nil
		}))

	for _, uri := range []string{"ui://decks/intro/view", "ui://decks/view"} {
		for line := range strings.Lines(readFrom(server, uri).Text) {
			if strings.Contains(line, "application/json") {
				fmt.Print(line)
			}
		}
	}
	// Output:
	// <script type="application/json" id="data">{"title":"An \u003cintroduction\u003e"}</script>
	// <script type="application/json" id="data">null</script>
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
