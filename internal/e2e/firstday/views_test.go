package firstday

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// A broken is a view that loads and then fails, whose server is in order.
type broken struct {
	tool  string // whose name is that of the view too
	files map[string]string
	csp   *mcpapps.CSP
	// What is said of it: the findings of check -live above a note, the bar of the
	// preview's page, and the lines of screenshot before the last.
	live, bar, picture string
	like               bool // check -live says the same kind of findings of another one
}

// script returns a page whose module is text, with the greeting of page.
func script(text string) map[string]string {
	return map[string]string{"index.html": page("<script type=\"module\" src=\"main.ts\"></script>\n"), "main.ts": text}
}

const (
	connecting = "import { App } from \"mcp-app\";\n\nconst app = new App({ name: \"hello\", version: \"1.0.0\" });\n"
	whyWait    = "    why:    a host sends nothing before ui/notifications/initialized, so the view stays as it is, often blank\n"
	whyStop    = "    why:    the code after it does not run, and the view stays unfinished\n"
	handle     = "    remedy: handle the error, or correct what the view assumes\n    hosts:  all hosts\n"
)

// throwing is the author of the view whose script throws.
const throwing = "wrote a script that throws"

var brokenViews = map[string]broken{
	"forgot to connect": {tool: "unconnected", files: script(connecting + `app.ontoolresult = (result) => {
  document.querySelector("#greeting")!.textContent = result.structuredContent.greeting;
};
`),
		live: `error view-not-ready: tool "unconnected", ui://hello/unconnected.html: its script did not call app.connect() within Ns` + "\n" + whyWait +
			"    remedy: call app.connect() once the handlers are set; a script without the App class sends ui/initialize\n" +
			"    hosts:  all hosts\n    spec:   Lifecycle\n",
		bar: `The view has not called app.connect() for 5s, so it gets neither input nor result. Its script failed before, waits for something that does not load, or forgot the call.`,
		picture: "error: its script never calls app.connect()\n" +
			"    remedy: call app.connect() once the handlers are set; a script without the App class sends ui/initialize\n",
	},
	throwing: {tool: "throws", files: script(connecting + `document.querySelector("#greting")!.textContent = "Hello";
await app.connect();
`),
		live: `error view-exception: tool "throws", ui://hello/throws.html: uncaught: TypeError: Cannot set properties of null (setting 'textContent'), at ui/main.ts:4:37` + "\n" + whyStop + handle +
			`error view-not-ready: tool "throws", ui://hello/throws.html: its script never calls app.connect(): uncaught: TypeError: Cannot set properties of null (setting 'textContent'), at ui/main.ts:4:37` + "\n" + whyWait +
			"    remedy: correct what the message ends with: the script gets no further\n    hosts:  all hosts\n    spec:   Lifecycle\n",
		bar: `Uncaught TypeError: Cannot set properties of null (setting 'textContent') at ui/main.ts:4:37`,
		picture: "error: uncaught: TypeError: Cannot set properties of null (setting 'textContent'), at ui/main.ts:4:37\n" +
			"error: its script never calls app.connect(): uncaught: TypeError: Cannot set properties of null (setting 'textContent'), at ui/main.ts:4:37\n" +
			"    remedy: correct what the message ends with: the script gets no further\n",
	},
	"wrote a handler of results that throws": {tool: "result", like: true, files: script(connecting + `app.ontoolresult = (result) => {
  document.querySelector("#greeting")!.textContent = result.structuredContent.person.name;
};
await app.connect();
`),
		live:    `error view-exception: tool "result", ui://hello/result.html: uncaught: TypeError: Cannot read properties of undefined (reading 'name'), at ui/main.ts:5:86` + "\n" + whyStop + handle,
		bar:     `Uncaught TypeError: Cannot read properties of undefined (reading 'name') at ui/main.ts:5:86`,
		picture: "error: uncaught: TypeError: Cannot read properties of undefined (reading 'name'), at ui/main.ts:5:86\n",
	},
	"did not catch a rejected promise": {tool: "rejects", files: map[string]string{
		"index.html": page("<script type=\"module\" src=\"main.ts\"></script>\n"),
		"main.ts":    connecting + "import { load } from \"./load\";\n\nawait app.connect();\nvoid load();\n",
		"load.ts":    "export async function load() {\n  throw new Error(\"no names yet\");\n}\n",
	},
		live: `error view-exception: tool "rejects", ui://hello/rejects.html: a rejected promise that nothing handles: Error: no names yet, at ui/load.ts:2:9` + "\n" + whyStop +
			"    remedy: await the promise in try and catch, or give it a catch\n    hosts:  all hosts\n",
		bar: `Uncaught (in promise) Error: no names yet at ui/load.ts:2:9`,
		picture: "error: a rejected promise that nothing handles: Error: no names yet, at ui/load.ts:2:9\n" +
			"    remedy: await the promise in try and catch, or give it a catch\n",
	},
	"fetched from an origin that is not declared": {tool: "fetches", files: script(connecting + `await app.connect();
const api = ["https:", "", "api.example.com", "names"].join("/");
await fetch(api).catch(() => {});
`),
		live: `warning view-blocked: tool "fetches", ui://hello/fetches.html: its policy blocks https://api.example.com/names (connect-src), at ui/main.ts:6:7` + "\n" +
			"    why:    hosts that keep to the specification block it too\n" +
			`    remedy: declare {"connectDomains": ["https://api.example.com"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)` + "\n" +
			"    hosts:  VS Code, PostHog, Goose\n    spec:   Host Behavior\n",
	},
	"loaded a library without a network": {tool: "library", like: true, csp: &mcpapps.CSP{ResourceDomains: []string{"https://cdn.invalid"}}, files: map[string]string{
		"index.html": page("<script src=\"https://cdn.invalid/chart.js\"></script>\n<script type=\"module\" src=\"main.ts\"></script>\n"),
		"main.ts":    connecting + "declare const Chart: any;\nnew Chart(\"#greeting\");\nawait app.connect();\n",
	},
		live: `error view-exception: tool "library", ui://hello/library.html: uncaught: ReferenceError: Chart is not defined, at ui/main.ts:5:1` + "\n" + whyStop + handle +
			`error view-not-ready: tool "library", ui://hello/library.html: its script never calls app.connect(): it could not load https://cdn.invalid/chart.js: net::ERR_NAME_NOT_RESOLVED` + "\n" + whyWait +
			"    remedy: correct what the message ends with: the script gets no further\n    hosts:  all hosts\n    spec:   Lifecycle\n" +
			`warning doc-cdn: ui://hello/library.html:5:1: <script src> loads code from "https://cdn.invalid/chart.js"` + "\n" +
			"    why:    a host that restricts or ignores the declaration shows the view without that code, often without a handshake\n" +
			"    remedy: inline the code\n    spec:   Host Behavior\n",
		bar: `the script could not be loaded at https://cdn.invalid/chart.js`,
		picture: "error: it could not load https://cdn.invalid/chart.js: net::ERR_NAME_NOT_RESOLVED\n" +
			"error: uncaught: ReferenceError: Chart is not defined, at ui/main.ts:5:1\n" +
			"error: its script never calls app.connect(): it could not load https://cdn.invalid/chart.js: net::ERR_NAME_NOT_RESOLVED\n" +
			"    remedy: correct what the message ends with: the script gets no further\n",
	},
	"drew a map without a network": {tool: "map", csp: &mcpapps.CSP{ResourceDomains: []string{"https://tiles.invalid"}}, files: map[string]string{
		"index.html": "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Map</title>\n<div id=\"map\"></div>\n<script type=\"module\" src=\"main.ts\"></script>\n",
		"main.ts": connecting + `await app.connect();
const tile = new Image();
tile.onload = () => document.querySelector("#map")!.append(tile);
tile.src = "https://tiles.invalid/1/0/0.png";
`},
		live: `warning view-blank: tool "map", ui://hello/map.html: the view has its result and shows nothing: it could not load https://tiles.invalid/1/0/0.png: net::ERR_NAME_NOT_RESOLVED` + "\n" +
			"    why:    the user sees an empty frame\n    remedy: draw from the tool's result, and show something until it is there\n    hosts:  all hosts\n",
		bar: `The view shows nothing 3s after its result: its document has neither text nor anything else that can be seen.`,
		picture: "error: it could not load https://tiles.invalid/1/0/0.png: net::ERR_NAME_NOT_RESOLVED\n" +
			"error: the view has its result and shows nothing: it could not load https://tiles.invalid/1/0/0.png: net::ERR_NAME_NOT_RESOLVED\n",
	},
}

// views returns a server of broken views: all, or those that are not like another one.
func views(all bool) *mcp.Server {
	s := newServer()
	for _, v := range brokenViews {
		if all || !v.like {
			v.register(s)
		}
	}
	return s
}

// register registers the view, with a tool that opens it.
func (v broken) register(s *mcp.Server) {
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

// target names a server of servers to a Go program.
func target(t *testing.T, name string) host.Target {
	return host.Target{Command: command(t, name)[1:]}
}

// TestCheckLiveSays shows what mcpapps check -live says of views that fail in a browser.
// The server is a command, so that positions are those of the author's files. CI opens one
// view of each kind; ci/full opens each.
func TestCheckLiveSays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	server := "has one of each kind"
	if testenv.Full() {
		server = "has views that fail"
	}
	r, err := check.Target(t.Context(), target(t, server), &check.Options{Live: true})
	require.NoError(t, err)
	said := make(map[string]string)
	var dark string
	for _, f := range r.Findings {
		if f.Code == "view-contrast" && f.Tool == "rejects" {
			dark = f.String()
		}
		if f.Severity > check.SeverityNote && f.Code != "view-contrast" {
			said[f.URI] += regexp.MustCompile(`within \d+s`).ReplaceAllString(f.String(), "within Ns") + "\n"
		}
	}
	for author, v := range brokenViews {
		if v.like && !testenv.Full() {
			continue
		}
		assert.Equal(t, v.live, said["ui://hello/"+v.tool+".html"], author)
	}
	// Their author has left colors to the browser.
	assert.Equal(t, `warning view-contrast: tool "rejects", ui://hello/rejects.html: p#greeting "…" in the dark theme: #000000 on #181b20 has a contrast of 1.22, and needs 4.5`+"\n"+
		"    why:    a view without a background of its own shows the host's, which is dark in the dark theme, under text that is black unless the view says otherwise\n"+
		`    remedy: follow the host's theme: <meta name="color-scheme" content="light dark">, the host's style variables with applyHostStyleVariables(), or a background and a color that belong together`+"\n"+
		"    hosts:  all hosts", dark)
}

// frames matches where an error of a view comes from, below its own place.
var frames = regexp.MustCompile(`(?m)^    from .*\n`)

// TestScreenshotSays shows what mcpapps screenshot says of them, and that it does not
// exit with 0. CI runs the program once, without arguments for a view that throws, as
// the tests of cmd/mcpapps show what it says of each kind; ci/full adds each view.
func TestScreenshotSays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	picture := t.TempDir() + "/view.png"
	for author, v := range brokenViews {
		if v.picture == "" || !testenv.Full() {
			continue // without a text, the picture has what the view shows
		}
		t.Run(author, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"screenshot", "-o", picture + v.tool, "-tool", v.tool}, command(t, "has views that fail")...)
			code, _, stderr := runProgram(t, nil, args...)
			_, said, _ := strings.Cut(stderr, "rendering the view of "+v.tool+"\n")
			said = frames.ReplaceAllString(said, "")
			first, _, _ := strings.Cut(strings.TrimPrefix(v.picture, "error: "), "\n")
			assert.Equal(t, v.picture+"mcpapps screenshot: "+first+" (the picture is written; with -allow-errors the exit code is 0)\n", said)
			assert.Equal(t, 1, code)
		})
	}
	t.Run("left out the arguments that the tool requires", func(t *testing.T) {
		t.Parallel()
		code, _, stderr := runProgram(t, nil, append([]string{"screenshot", "-o", picture}, command(t, "has a script that throws")...)...)
		_, said, _ := strings.Cut(stderr, "\n") // the program's name
		const missing = `the tool "greet" needs the argument "name": pass, for example, -args '{"name":"text"}'`
		assert.Equal(t, "error: "+missing+"\nrendering the view of greet\n"+
			`error: the tool's result is an error: validating "arguments": validating root: required: missing properties: ["name"]`+"\n"+
			brokenViews[throwing].picture+
			"mcpapps screenshot: "+missing+" (the picture is written; with -allow-errors the exit code is 0)\n", frames.ReplaceAllString(said, ""))
		assert.Equal(t, 1, code)
	})
}
