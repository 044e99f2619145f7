package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// The server names the note files beside the one that the host opened, and none outside of
// its folder, whatever links lead there.
func TestSiblings(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	opened := write("in/a.note", "A")
	write("in/b.note", "Second\nmore")
	write("in/c.txt", "no note")
	require.NoError(t, os.Mkdir(filepath.Join(folder, "in/d.note"), 0o700))
	secret := write("secret.note", "secret")
	require.NoError(t, os.Symlink(secret, filepath.Join(folder, "in/e.note")))
	write("elsewhere/f.note", "not beside the file")
	link := filepath.Join(folder, "elsewhere/link.note")
	require.NoError(t, os.Symlink(opened, link))

	server, s := newTestServer(t)
	list := func(server *mcp.Server, meta mcp.Meta) (*mcp.CallToolResult, error) {
		session := mcpappstest.Client(t, server, mcpapps.SupportUI)
		return session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_siblings", Meta: meta})
	}
	at := func(path any) mcp.Meta { return mcp.Meta{"openai/resource": map[string]any{"path": path}} }
	for name, meta := range map[string]mcp.Meta{"itself": at(opened), "a link to it": at(link)} {
		result, err := list(server, meta)
		require.NoError(t, err)
		require.False(t, result.IsError, name)
		assert.Equal(t, map[string]any{"files": []any{map[string]any{"name": "b.note", "title": "Second"}}}, result.StructuredContent, name)
	}
	result, err := list(server, nil)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"files": []any{}}, result.StructuredContent, "no file is open")
	result, err = list(newServer(s, false), at(opened))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"files": []any{}}, result.StructuredContent, "a client over HTTP can name any path")
	for _, path := range []any{filepath.Join(folder, "gone/x.note"), 1} {
		result, err = list(server, at(path))
		require.NoError(t, err)
		assert.True(t, result.IsError, path)
		assert.NotContains(t, result.Content[0].(*mcp.TextContent).Text, folder)
	}
}
