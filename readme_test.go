package mcpapps_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The README's program, in a module of its own, is built, started and used.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	assert.Less(t, strings.Count(string(readme), "\n"), 150, "lines of the README")
	block := func(lang string) string {
		m := regexp.MustCompile("(?s)```" + lang + "\n(.*?)```").FindSubmatchIndex(readme)
		require.NotNil(t, m, "a %s block", lang)
		if lang == "go" {
			assert.Less(t, strings.Count(string(readme[:m[0]]), "\n"), 30, "the first Go snippet stands before line 30")
		}
		return string(readme[m[2]:m[3]])
	}
	root, err := os.Getwd()
	require.NoError(t, err)
	gomod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	gosum, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	mod := regexp.MustCompile(`(?s)ignore \(.*?\)\n`).ReplaceAllString(string(gomod), "")
	mod = strings.Replace(mod, "module github.com/mcpapps-go/mcpapps", "module example.com/hello", 1) +
		"\nrequire github.com/mcpapps-go/mcpapps v0.0.0\nreplace github.com/mcpapps-go/mcpapps => " + root + "\n"

	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", mod)
	write("go.sum", string(gosum))
	write("main.go", block("go"))
	write("ui/index.html", block("html"))
	build := exec.Command("go", "build", "-mod=mod", "-ldflags=-w", "-o", "hello", ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	for _, ui := range []bool{true, false} {
		opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
		if ui {
			opts.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
		}
		cs, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, opts).Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(filepath.Join(dir, "hello"))}, nil)
		require.NoError(t, err)
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "greet", Arguments: map[string]any{"name": "Ada"}})
		require.NoError(t, err)
		want := map[bool]string{true: "Greeted Ada on screen.", false: "Hello, Ada!"}[ui]
		assert.Equal(t, want, res.Content[0].(*mcp.TextContent).Text)
		assert.Equal(t, map[string]any{"greeting": "Hello, Ada!"}, res.StructuredContent)
		doc, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://hello/index.html"})
		require.NoError(t, err)
		assert.NotContains(t, doc.Contents[0].Text, `from "mcp-app"`, "the runtime is in the page")
		assert.Contains(t, doc.Contents[0].Text, "ui/initialize")
		require.NoError(t, cs.Close())
	}
}
