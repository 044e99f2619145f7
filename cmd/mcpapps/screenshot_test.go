package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
)

// shoot runs the screenshot command with the browser that the tests share and
// returns the picture, nil if there is none, and what it wrote.
func shoot(t *testing.T, change func(*camera), args ...string) (picture []byte, errs string, err error) {
	t.Helper()
	b := e2e.SharedBrowser(t)
	c := &camera{
		browser:    func(context.Context) (*chrome.Browser, func(), error) { return b, func() {}, nil },
		initialize: 5 * time.Minute, giveUp: 5 * time.Minute, // for a machine that does other things too
		interval: 200 * time.Millisecond, still: 5, moving: 5 * time.Minute,
	}
	if change != nil {
		change(c)
	}
	file := filepath.Join(t.TempDir(), "view.png")
	var out, errOut outbuf.Buffer
	err = takeScreenshot(t.Context(), append([]string{"-timeout", "10m", "-o", file}, args...), stdio{&out, &errOut}, func() (*camera, error) { return c, nil })
	picture, readErr := os.ReadFile(file)
	assert.Equal(t, err == nil, readErr == nil, "a file is written for a picture, and only then")
	return picture, errOut.String(), err
}

func TestScreenshot(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	url := server(t)
	data, errs, err := shoot(t, nil, "-size", "200x100", url)
	require.NoError(t, err, errs)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 200, img.Bounds().Dx())
	require.Equal(t, 100, img.Bounds().Dy())
	for _, at := range [][2]int{{5, 5}, {195, 95}} {
		r, g, b, _ := img.At(at[0], at[1]).RGBA()
		assert.Equal(t, [3]uint32{0, 0, 0xcccc}, [3]uint32{r, g, b}, "the view with its result, from edge to edge")
	}
	_, _, err = shoot(t, nil, "-tool", "a-plain", url)
	assert.ErrorContains(t, err, `the tool "a-plain" has no view`)
}

// TestScreenshotSaysWhatWentWrong shows that the command tells what a picture does
// not: that the tool failed, that the policy stopped a part of the view, and why
// there is no picture.
func TestScreenshotSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	const shake = `<script>
		const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
		addEventListener("message", (e) => { if (e.data.id === 0) post({ method: "ui/notifications/initialized" }) });
		post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
	</script>`
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for name, doc := range map[string]string{
		"fails": "<!doctype html>" + shake + `<script>fetch("https://api.example.com/").catch(() => {})</script>`,
		"moves": "<!doctype html>" + shake + `<p>x<script>let n = 0; setInterval(() => { document.body.textContent = n++ }, 1)</script>`,
		"mute":  "<!doctype html><script>nothing.here()</script>",
		"asks": "<!doctype html>" + shake + `<p>x<script>addEventListener("message", (e) => { if (e.data.method === "ui/notifications/tool-result") {
			post({ id: 1, method: "tools/call", params: { name: "none" } }); post({ id: 2, method: "resources/read", params: { uri: "file:///none" } }) } })</script>`,
		"offline": `<!doctype html><script>console.error("no map")</script><script src="https://cdn.invalid/map.js"></script><script>L.map()</script>`,
		"late":    "<!doctype html><script>/* waits */</script>",
		"leaves":  `<!doctype html><script>location.href = "https://example.com/"</script>`,
	} {
		uri := "ui://t/" + name + ".html"
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such city"}}}, nil
			})
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: doc, Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"resourceDomains": []string{"https://cdn.invalid"}}}}}}}, nil
		})
	}
	url := serve(t, s)
	for _, c := range []struct {
		tool   string
		change func(*camera)
		err    string // of the command
		notes  []string
	}{
		{"fails", nil, "", []string{
			"note: the tool's result is an error: no such city\n",
			"note: the policy stopped https://api.example.com/ (connect-src). Allow it in the resource's _meta.ui.csp: connectDomains: [\"https://api.example.com\"]\n",
		}},
		{"moves", func(c *camera) { c.moving = time.Second }, "", nil},
		{"mute", func(c *camera) { c.giveUp = 300 * time.Millisecond }, "the view did not initialize within ", []string{
			"note: uncaught in the view: ReferenceError: nothing is not defined, line 1, column ",
		}},
		{"offline", func(c *camera) { c.giveUp = 300 * time.Millisecond }, ": it could not load https://cdn.invalid/map.js: net::ERR_", []string{
			"note: the view could not load https://cdn.invalid/map.js: net::ERR_", "note: an error on the view's console: no map\n",
		}},
		{"asks", nil, "", []string{
			`note: tools/call of "none" is answered with the error `, `note: resources/read of "file:///none" is answered with the error `,
		}},
		{"late", func(c *camera) { c.initialize = time.Second }, "the view did not initialize within ", nil},
		{"leaves", nil, "the view went to another page before it was initialized", nil},
	} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			_, errs, err := shoot(t, c.change, "-tool", c.tool, url)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
			for _, note := range c.notes {
				assert.Contains(t, errs, note)
			}
		})
	}
}
