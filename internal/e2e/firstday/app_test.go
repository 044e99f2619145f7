package firstday

import (
	"context"
	"embed"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

//go:embed ui
var ui embed.FS

const (
	uri  = "ui://hello/index.html"
	name = "ui/index.html"
)

type input struct {
	Name string `json:"name"`
}

type output struct {
	Greeting string `json:"greeting"`
}

// An app is what an author has, whose mistake edits it: the README's program.
type app struct {
	tool     mcp.Tool
	view     mcpapps.View
	bundling bundle.Options
	handler  mcp.ToolHandlerFor[input, output]
	// page and files, if not empty, are bundled in place of the folder ui.
	page  string
	files map[string]string
}

// newApp returns an app without mistakes, edited.
func newApp(edit func(*app)) *app {
	a := &app{
		tool: mcp.Tool{Name: "greet", Description: "Greet somebody.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		view: mcpapps.View{Resource: mcp.Resource{URI: uri, Name: "hello"}},
		handler: func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, output, error) {
			return nil, output{"Hello, " + in.Name + "!"}, nil
		},
	}
	a.view.Document = bundle.Handler(ui, name, nil)
	if edit != nil {
		edit(a)
	}
	if a.page != "" {
		files := fstest.MapFS{name: {Data: []byte(a.page)}}
		for file, text := range a.files {
			files[file] = &fstest.MapFile{Data: []byte(text)}
		}
		a.view.Document = bundle.Handler(files, name, &a.bundling)
	}
	return a
}

// register registers the app on a new server.
func (a *app) register() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "v1.0.0"}, nil)
	mcpapps.RegisterApp(s, &a.tool, a.view, a.handler)
	return s
}

// hello returns the server of an app, edited.
func hello(edit func(*app)) *mcp.Server { return newApp(edit).register() }

// args are arguments of the tool.
var args = map[string]any{"name": "Ada"}

// checked returns what mcpapps check prints of a server, called with -call.
func checked(t *testing.T, s *mcp.Server) string {
	t.Helper()
	r, err := check.Server(t.Context(), s, &check.Options{Calls: []check.Call{{Tool: "greet", Arguments: maps.Clone(args)}}})
	require.NoError(t, err)
	return findings(r)
}

// findings returns the findings of a report above a note, as they are printed.
func findings(r *check.Report) string {
	var text string
	for _, f := range r.Findings {
		if f.Severity > check.SeverityNote {
			text += f.String() + "\n"
		}
	}
	return text
}
