package main

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// Each view of the guide opens in a browser without an error.
func TestViews(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	files, err := fs.Glob(ui, "ui/*.html")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tool, args := "search_books", `{"words":"gardening"}`
			if filepath.Base(file) == "cover.html" {
				tool, args = "show_cover", `{"id":1}`
			}
			opens(t, newServer(file), tool, args)
		})
	}
}

// opens opens the view of a tool in both themes. It must work without errors.
func opens(t *testing.T, server *mcp.Server, tool, args string) {
	viewer, err := liveview.Start(t.Context(), host.Target{Server: server}, nil)
	require.NoError(t, err)
	defer viewer.Close()
	for _, dark := range []bool{false, true} {
		view, err := viewer.Open(t.Context(), e2e.SharedBrowser(t), liveview.Request{Tool: tool, Args: json.RawMessage(args), Width: 480, Height: 300, Dark: dark})
		require.NoError(t, err)
		o, err := view.Watch(t.Context(), true, liveview.Limits{Quiet: 300 * time.Millisecond})
		require.NoError(t, err)
		assert.True(t, o.Initialized && o.Answered && !o.Blank, "%+v", o)
		assert.Empty(t, o.Exceptions)
		assert.Empty(t, o.ConsoleErrors())
		assert.Empty(t, o.Violations)
		assert.Empty(t, o.Refusals)
		view.Close()
	}
}

// The view at the beginning of the comment of package view works as it stands.
func TestPackageComment(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../view/view.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	_, text, found := strings.Cut(file.Doc.Text(), "\n\t<!doctype")
	require.True(t, found)
	text, _, found = strings.Cut("<!doctype"+text, "\n\n")
	require.True(t, found)
	server := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1"}, nil)
	mcpapps.RegisterApp(server, &mcp.Tool{Name: "greet"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://hello/index.html"},
		Document: bundle.Handler(fstest.MapFS{"index.html": {Data: []byte(text)}}, "index.html", nil),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, map[string]string, error) {
		return nil, map[string]string{"greeting": "Hello!"}, nil
	})
	opens(t, server, "greet", "{}")
}

// The declarations for typed views match the current tools.
func TestToolTypes(t *testing.T) {
	near, far := mcp.NewInMemoryTransports()
	_, err := newServer("ui/books-typed.html").Connect(t.Context(), far, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	require.NoError(t, err)
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}
