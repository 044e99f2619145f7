package firstday

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// page returns a page with more markup.
func page(more string) string {
	return "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Hello</title>\n<p id=\"greeting\">…</p>\n" + more
}

// importing is a script that imports the runtime.
const importing = "<script type=\"module\">\n  import { App } from \"mcp-app\";\n  await new App({ name: \"hello\", version: \"1.0.0\" }).connect();\n</script>\n"

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "v1.0.0"}, nil)
}

// misspelled returns a server whose tool names a view that is registered at another URI.
func misspelled() *mcp.Server {
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{}, bundle.Handler(ui, name, nil))
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "greet"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://hello/indx.html"}, newApp(nil).handler)
	return s
}

// inUTF16 returns text as some editors save it.
func inUTF16(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// TestCheckSays shows the mistakes with which a server starts in silence, and what
// mcpapps check says: whole findings, the ones that are notes left out.
func TestCheckSays(t *testing.T) {
	const (
		unreadable = `error resource-unreadable: tool "greet", ui://hello/index.html, resources/read: the answer is an error: reading the app "ui://hello/index.html": `
		whyRead    = "    why:    hosts read it before or during the first call, and show nothing if that fails\n"
		mend       = " as the message says: the resource must be readable at any time, also before the first call\n"
		specRead   = "    hosts:  all hosts\n    spec:   Resource Discovery\n"
		bareImport = "    why:    browsers can't resolve the name, and the whole script does not run\n" +
			"    remedy: bundle the module into the document: in Go, serve the page with bundle.Handler, or bundle.TemplateHandler for a template (package view/bundle)\n" +
			"    hosts:  all hosts\n"
		chart   = `<script src="https://cdn.example.com/chart.js"></script>`
		blocked = `bundle: ui/index.html:5:9: "https://cdn.example.com/chart.js" is blocked when the view runs, `
	)
	cdn := &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}
	handler := newApp(nil).handler
	for author, c := range map[string]struct {
		server func() *mcp.Server
		want   string
	}{
		"made no mistake": {func() *mcp.Server { return hello(nil) }, ""},
		"misspelled the view's URI in a tool": {
			misspelled,
			`error resource-unreadable: tool "greet", ui://hello/indx.html, resources/read: the answer is the error -32602: "Resource not found"` + "\n" + whyRead +
				`    remedy: name "ui://hello/index.html", which is listed, or serve the resource at exactly the URI that the tool names` + "\n" + specRead,
		},
		"registered no view": {
			func() *mcp.Server {
				s := newServer()
				mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "greet"}, mcpapps.ToolUIMetadata{ResourceURI: uri}, handler)
				return s
			},
			`error resource-unreadable: tool "greet", ui://hello/index.html, resources/read: the answer is the error -32602: "Resource not found"` + "\n" + whyRead +
				"    remedy: serve the resource at exactly the URI that the tool names, on every transport, also before the first call; if it is registered there, its file may be missing: build it first\n" + specRead +
				"warning capability-resources: initialize /capabilities/resources: the server has apps and does not advertise resources\n" +
				"    why:    clients that check it never read the document\n    remedy: advertise \"resources\": {}\n",
		},
		"added the view with AddResource as text/html": {
			func() *mcp.Server {
				s := newServer()
				mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "greet"}, mcpapps.ToolUIMetadata{ResourceURI: uri}, handler)
				s.AddResource(&mcp.Resource{URI: uri, Name: "hello", MIMEType: "text/html"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
					return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html", Text: page("")}}}, nil
				})
				return s
			},
			`error resource-media-type: ui://hello/index.html, resources/read /mimeType: the media type is "text/html", which plain HTML and MCP-UI resources have; it must be "text/html;profile=mcp-app"` + "\n" +
				"    why:    the reference host compares the exact string and refuses the document\n" +
				`    remedy: write "mimeType": "text/html;profile=mcp-app" on the content item` + "\n" +
				"    hosts:  the reference host (ext-apps), hosts on @mcp-ui/client\n    spec:   Content Requirements\n" +
				`warning resource-list-media-type: ui://hello/index.html, resources/list /mimeType: the media type is "text/html", which plain HTML and MCP-UI resources have; it must be "text/html;profile=mcp-app"` + "\n" +
				"    why:    hosts that find apps in the list miss this one\n" +
				`    remedy: write "mimeType": "text/html;profile=mcp-app" on the list entry` + "\n    spec:   UI Resource Format\n",
		},
		"loaded a script from a CDN": {
			func() *mcp.Server { return hello(func(a *app) { a.page = page(chart) }) },
			unreadable + blocked + `since View.UI.CSP does not allow it: add "https://cdn.example.com" to its ResourceDomains, or put a copy of the file beside the page` + "\n" + whyRead + "    remedy: correct ui/index.html:5:9" + mend + specRead,
		},
		"allowed a CDN in the bundler's options alone": {
			func() *mcp.Server {
				return hello(func(a *app) { a.page, a.bundling.CSP = page(chart), cdn })
			},
			unreadable + blocked + `since hosts enforce View.UI.CSP, which does not allow it, although Options.CSP does: move "https://cdn.example.com" to the ResourceDomains of View.UI.CSP, or put a copy of the file beside the page` + "\n" + whyRead + "    remedy: correct ui/index.html:5:9" + mend + specRead,
		},
		"allowed a CDN in View.UI, as is right": {
			func() *mcp.Server {
				return hello(func(a *app) { a.page, a.view.UI.CSP = page(chart), cdn })
			},
			`warning doc-cdn: ui://hello/index.html:5:1: <script src> loads code from "https://cdn.example.com/chart.js"` + "\n" +
				"    why:    a host that restricts or ignores the declaration shows the view without that code, often without a handshake\n" +
				"    remedy: inline the code\n    spec:   Host Behavior\n",
		},
		"misspelled a style sheet": {
			func() *mcp.Server {
				return hello(func(a *app) {
					a.page, a.files = page(`<link rel="stylesheet" href="stlye.css">`), map[string]string{"ui/style.css": "p { color: teal }"}
				})
			},
			unreadable + `bundle: ui/index.html:5:24: "stlye.css" is not there: file does not exist (looked for "ui/stlye.css")` + "\n" + whyRead + "    remedy: correct ui/index.html:5:24" + mend + specRead,
		},
		"served a page that imports unbundled": {
			func() *mcp.Server { return hello(func(a *app) { a.view.Document = mcpapps.HTMLFile(ui, name) }) },
			`error doc-bare-import: ui://hello/index.html:6:23: import "mcp-app": a browser can't resolve the name` + "\n" + bareImport,
		},
		"imported the runtime in a template": {
			func() *mcp.Server {
				s := newServer()
				shell := func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) {
					return page(importing), nil
				}
				mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://decks/{name}/view", Name: "deck"}, "ui://decks/view",
					mcpapps.ResourceUIMetadata{}, mcpapps.HTMLTemplateFunc(shell))
				mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "greet"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://decks/view"}, handler)
				return s
			},
			`error doc-bare-import: ui://decks/view:6:23: import "mcp-app": a browser can't resolve the name` + "\n" + bareImport,
		},
		"saved the page in UTF-16": {
			func() *mcp.Server { return hello(func(a *app) { a.page = inUTF16(page("")) }) },
			unreadable + `bundle: ui/index.html:1:1: not UTF-8, in which a view travels: save the file as UTF-8` + "\n" + whyRead + "    remedy: correct ui/index.html:1:1" + mend + specRead,
		},
		"fetched from an origin that is not declared": {
			func() *mcp.Server {
				return hello(func(a *app) {
					a.view.Document = mcpapps.HTML(page("<script>\n  fetch(\"https://api.example.com/names\");\n</script>"))
				})
			},
			`warning csp-undeclared: ui://hello/index.html:6:9: fetch uses "https://api.example.com", which is not in csp.connectDomains` + "\n" +
				"    why:    the policy blocks the request\n" +
				`    remedy: declare {"connectDomains": ["https://api.example.com"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)` + "\n" +
				"    hosts:  all hosts\n    spec:   Host Behavior\n",
		},
	} {
		t.Run(author, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, checked(t, c.server()))
		})
	}
}

// TestCheckNotesWhatFailsAlways shows a fault that the declaration does not have: a handler
// that returns an error.
func TestCheckNotesWhatFailsAlways(t *testing.T) {
	t.Parallel()
	s := hello(func(a *app) {
		a.handler = func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, output, error) {
			return nil, output{}, errors.New("the database is down")
		}
	})
	r, err := check.Server(t.Context(), s, &check.Options{Calls: []check.Call{{Tool: "greet", Arguments: args}}})
	require.NoError(t, err)
	var text []string
	for _, f := range r.Findings {
		text = append(text, strings.SplitN(f.String(), "\n", 2)[0])
	}
	assert.Equal(t, []string{`note result-failed: tool "greet", tools/call: the call's result is an error: "the database is down"`}, text)
}

// TestCheckOfAFileSays shows what mcpapps check says of a page alone, which is not what
// a server serves.
func TestCheckOfAFileSays(t *testing.T) {
	t.Parallel()
	r, err := check.Document(page(importing), &check.Options{URI: "ui/index.html"})
	require.NoError(t, err)
	assert.Equal(t, `error doc-bare-import: ui/index.html:6:23: import "mcp-app": a browser can't resolve the name`+"\n"+
		"    why:    browsers can't resolve the name, and the whole script does not run\n"+
		"    remedy: bundle the module into the document: in Go, serve the page with bundle.Handler, or bundle.TemplateHandler for a template (package view/bundle)\n"+
		"    hosts:  all hosts\n", findings(r))
}
