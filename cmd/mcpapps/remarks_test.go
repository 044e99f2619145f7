package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

func TestTheToolToRender(t *testing.T) {
	serverWith := func(metas map[string]mcp.Meta) *host.Connection {
		s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
		for name, meta := range metas {
			s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: meta}, nil)
		}
		c, err := host.Connect(t.Context(), host.Target{Server: s}, nil)
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		return c
	}
	view := func(visibility ...string) mcp.Meta {
		return mcp.Meta{"ui": map[string]any{"resourceUri": "ui://t/v.html", "visibility": visibility}}
	}
	all := serverWith(map[string]mcp.Meta{"a-plain": nil, "b-app": view("app"), "c": view("model", "app"), "d": view("model"),
		"e-wrong": {"ui": map[string]any{"resourceUri": "ui://t/v.html", "visibility": "app"}}})
	for name, want := range map[string]string{"": "c", "b-app": "b-app", "d": "d"} {
		got, err := toolWithView(t.Context(), all, name)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for name, want := range map[string]string{
		"a-plain": `the tool "a-plain" has no view; those that have one: b-app, c, d`,
		"nope":    `the server has no tool "nope" with a view; those that have one: b-app, c, d`,
	} {
		_, err := toolWithView(t.Context(), all, name)
		assert.EqualError(t, err, want)
	}
	_, err := toolWithView(t.Context(), all, "e-wrong")
	assert.ErrorContains(t, err, `the tool "e-wrong" counts as one without a view: `)
	_, err = toolWithView(t.Context(), serverWith(map[string]mcp.Meta{"b-app": view("app")}), "")
	assert.EqualError(t, err, "no tool for the model has a view: name one with -tool; those that have one: b-app")
	_, err = toolWithView(t.Context(), serverWith(nil), "")
	assert.EqualError(t, err, "no tool of the server has a view")
}

// A picture alone does not tell that the tool failed or that the policy stopped
// a part of the view.
func TestScreenshotSaysWhatWentWrong(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	const shake = `<script>
		const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
		addEventListener("message", (e) => { if (e.data.id === 0) post({ method: "ui/notifications/initialized" }) });
		post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
	</script>`
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for name, doc := range map[string]string{
		"fails": "<!doctype html>" + shake + `<script>fetch("https://api.example.com/").catch(() => {})</script>`,
		"mute":  "<!doctype html><script>nothing.here()</script>",
	} {
		uri := "ui://t/" + name + ".html"
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such city"}}}, nil
			})
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: doc}}}, nil
		})
	}
	url := serve(t, s)
	file := filepath.Join(t.TempDir(), "view.png")
	var out, errs outbuf.Buffer
	initializesWithin(t, 5*time.Minute)
	require.Zero(t, run(t.Context(), []string{"screenshot", "-timeout", "10m", "-tool", "fails", "-o", file, url}, stdio{&out, &errs}), errs.String())
	assert.FileExists(t, file)
	assert.Contains(t, errs.String(), "note: the tool's result is an error: no such city\n")
	assert.Contains(t, errs.String(), "note: the policy stopped https://api.example.com/ (connect-src). Allow it in the resource's _meta.ui.csp: connectDomains: [\"https://api.example.com\"]\n")

	require.NoError(t, os.Remove(file))
	const uncaught = "note: uncaught in the view: ReferenceError: nothing is not defined, line 1, column "
	for _, d := range []time.Duration{5 * time.Second, 40 * time.Second} { // the second where a busy machine has not got to the script in the first
		initializesWithin(t, d)
		errs = outbuf.Buffer{}
		require.Equal(t, exitFailure, run(t.Context(), []string{"screenshot", "-timeout", "10m", "-tool", "mute", "-o", file, url}, stdio{&out, &errs}))
		assert.Contains(t, errs.String(), "mcpapps screenshot: the view did not initialize within "+d.String()+"\n")
		if strings.Contains(errs.String(), uncaught) {
			break
		}
	}
	assert.Contains(t, errs.String(), uncaught)
	assert.NoFileExists(t, file)
}

// initializesWithin sets initializeWithin for the rest of the test.
func initializesWithin(t *testing.T, d time.Duration) {
	was := initializeWithin
	t.Cleanup(func() { initializeWithin = was })
	initializeWithin = d
}
