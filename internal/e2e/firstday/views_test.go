package firstday

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// A broken is a view that loads and then fails, whose server is in order.
type broken struct {
	tool  string // whose name is that of the view too
	files map[string]string
	csp   *mcpapps.CSP
	// live and picture are what check -live and screenshot say, without what is the same
	// for all.
	live, bar, picture string
}

// script returns a page whose module is text, with the greeting of page.
func script(text string) map[string]string {
	return map[string]string{"index.html": page("<script type=\"module\" src=\"main.ts\"></script>\n"), "main.ts": text}
}

const connecting = "import { App } from \"mcp-app\";\n\nconst app = new App({ name: \"hello\", version: \"1.0.0\" });\n"

var brokenViews = map[string]broken{
	"forgot to connect": {bar: "The view has not called app.connect() for 5s, so it gets neither input nor result. Its script failed before, waits for something that does not load, or forgot the call. at ", tool: "unconnected", files: script(connecting + `app.ontoolresult = (result) => {
  document.querySelector("#greeting")!.textContent = result.structuredContent.greeting;
};
`)},
	"wrote a script that throws": {bar: "Uncaught TypeError: Cannot set properties of null (setting 'textContent') at ui/main.ts:4:37", tool: "throws", files: script(connecting + `document.querySelector("#greting")!.textContent = "Hello";
await app.connect();
`)},
	"wrote a handler of results that throws": {bar: "Uncaught TypeError: Cannot read properties of undefined (reading 'name') at ui/main.ts:5:86", tool: "result", files: script(connecting + `app.ontoolresult = (result) => {
  document.querySelector("#greeting")!.textContent = result.structuredContent.person.name;
};
await app.connect();
`)},
	"did not catch a rejected promise": {bar: "Uncaught (in promise) Error: no names yet at ui/load.ts:2:9", tool: "rejects", files: func() map[string]string {
		files := script(connecting + "import { load } from \"./load\";\n\nawait app.connect();\nvoid load();\n")
		files["load.ts"] = "export async function load() {\n  throw new Error(\"no names yet\");\n}\n"
		return files
	}()},
	"fetched from an origin that is not declared": {tool: "fetches", files: script(connecting + `await app.connect();
const api = ["https:", "", "api.example.com", "names"].join("/");
await fetch(api).catch(() => {});
`)},
	"drew a map without a network": {bar: "the img could not be loaded at ", tool: "map", csp: &mcpapps.CSP{ResourceDomains: []string{"https://tiles.invalid"}}, files: map[string]string{
		"index.html": "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Map</title>\n<div id=\"map\"></div>\n<script type=\"module\" src=\"main.ts\"></script>\n",
		"main.ts": connecting + `await app.connect();
const tile = new Image();
tile.onload = () => document.querySelector("#map")!.append(tile);
tile.src = "https://tiles.invalid/1/0/0.png";
`}},
}

// views returns a server of all broken views.
func views() *mcp.Server {
	s := newServer()
	for _, v := range brokenViews {
		files := fstest.MapFS{}
		for file, text := range v.files {
			files["ui/"+file] = &fstest.MapFile{Data: []byte(text)}
		}
		mcpapps.RegisterApp(s, &mcp.Tool{Name: v.tool, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, mcpapps.View{
			Resource: mcp.Resource{URI: "ui://hello/" + v.tool + ".html", Name: v.tool},
			UI:       mcpapps.ResourceUIMetadata{CSP: v.csp},
			Document: bundle.Handler(files, name, nil),
		}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, output, error) {
			return nil, output{"Hello, Ada!"}, nil
		})
	}
	return s
}

// target names a server of servers to a Go program.
func target(t *testing.T, name string) host.Target {
	return host.Target{Command: command(t, name)[1:]}
}

// TestCheckLiveSays shows what mcpapps check -live says of views that fail in a browser.
func TestCheckLiveSays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	r, err := check.Target(t.Context(), target(t, "has views that fail"), &check.Options{Live: true})
	require.NoError(t, err)
	for author, v := range brokenViews {
		var said string
		for _, f := range r.Findings {
			if f.URI == "ui://hello/"+v.tool+".html" {
				said += f.String() + "\n"
			}
		}
		assert.Equal(t, v.live, said, author)
	}
}

// serve serves a server over HTTP.
func serve(t *testing.T, s *mcp.Server) string {
	hs := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(hs.Close)
	t.Cleanup(hs.CloseClientConnections)
	return hs.URL
}

// TestScreenshotSays shows what mcpapps screenshot says of them.
func TestScreenshotSays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	url := serve(t, views())
	var wg sync.WaitGroup
	for author, v := range brokenViews {
		wg.Go(func() {
			code, _, stderr := runProgram(t, nil, "screenshot", "-o", t.TempDir()+"/view.png", "-tool", v.tool, url)
			_, said, _ := strings.Cut(stderr, "rendering the view of "+v.tool+"\n")
			assert.Equal(t, v.picture, said, "%s, exit %d", author, code)
		})
	}
	wg.Wait()
}
