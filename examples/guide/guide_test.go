package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// Each view of the guide opens in a browser without an error.
func TestViews(t *testing.T) {
	t.Parallel()
	browser := e2e.SharedBrowser(t)
	files, err := fs.Glob(ui, "ui/*.html")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tool, args := "search_books", `{"words":"gardening"}`
			if filepath.Base(file) == "cover.html" {
				tool, args = "show_cover", `{"id":1}`
			}
			viewer, err := liveview.Start(t.Context(), host.Target{Server: newServer(file)}, nil)
			require.NoError(t, err)
			defer viewer.Close()
			for _, dark := range []bool{false, true} {
				view, err := viewer.Open(t.Context(), browser, liveview.Request{Tool: tool, Args: json.RawMessage(args), Width: 480, Height: 300, Dark: dark})
				require.NoError(t, err)
				o, err := view.Watch(t.Context(), true, liveview.Limits{Quiet: 300 * time.Millisecond})
				require.NoError(t, err)
				assert.True(t, o.Initialized && o.Answered && !o.Blank, "%+v", o)
				assert.Empty(t, o.Exceptions)
				assert.Empty(t, o.ConsoleErrors())
				assert.Empty(t, o.Violations)
				assert.Empty(t, o.Refusals)
				pic, err := view.Screenshot(t.Context())
				require.NoError(t, err)
				name := strings.TrimSuffix(filepath.Base(file), ".html")
				if dark {
					name += "-dark"
				}
				require.NoError(t, os.WriteFile(filepath.Join(e2e.Artifacts(t), "guide-"+name+".png"), pic, 0o644))
				view.Close()
			}
		})
	}
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
