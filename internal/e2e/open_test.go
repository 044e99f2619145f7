package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// The smallest example, over stdio.
func TestHello(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Browser)
	var r struct {
		Shown          struct{ Greeting, Note string }
		Size           struct{ Frame, Content, Overflow float64 }
		Ping, Teardown map[string]any
		Errors         []string
	}
	Drive(t, "open.mjs", map[string]any{
		"command": []string{Build(t, "examples/hello")},
		"open":    map[string]any{"tool": "hello", "arguments": map[string]any{"name": "Ada <b>"}, "width": 480},
		"wait":    []string{"#greeting", "Hello"},
		"texts":   map[string]string{"greeting": "#greeting", "note": "#note"},
		"picture": "hello",
	}, &r)
	assert.Equal(t, "Hello, Ada <b>!", r.Shown.Greeting, "the name is text, not HTML")
	assert.Equal(t, "Rendered by an MCP App", r.Shown.Note)
	assert.Equal(t, r.Size.Content, r.Size.Frame)
	assert.Zero(t, r.Size.Overflow)
	assert.NotNil(t, r.Ping)
	assert.Equal(t, map[string]any{}, r.Teardown)
	assert.Empty(t, r.Errors)
	assert.Greater(t, Ink(t, "hello.png"), 0.01)
}

// A published app, as a test of the driver's host: a view of the reference class
// must work in it as ours do. ci/full adds a picture for people.
func TestPublishedView(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Apps, Browser)
	var r struct {
		Shown  struct{ Body string }
		Log    []struct{ From, Method string }
		Errors []string
	}
	input := map[string]any{
		"command": []string{filepath.Join(Dir(), "apps", "node_modules", ".bin", "mcp-cohort-heatmap-server"), "--stdio"},
		"open":    map[string]any{"tool": "get-cohort-data"},
		"wait":    []string{"body", "M11"},
		"texts":   map[string]string{"body": "body"},
	}
	if testenv.Full() {
		input["picture"] = "published-cohort-heatmap"
	}
	Drive(t, "open.mjs", input, &r)
	assert.Contains(t, r.Shown.Body, "Cohort Retention Analysis")
	assert.Empty(t, r.Errors)
	for _, method := range []string{"ui/initialize", "ui/notifications/initialized", "ui/notifications/size-changed", "tools/call"} {
		assert.True(t, slices.ContainsFunc(r.Log, func(m struct{ From, Method string }) bool { return m.From == "view" && m.Method == method }), "the view sent no %s", method)
	}
}
