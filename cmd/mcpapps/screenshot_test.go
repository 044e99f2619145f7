package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// shoot runs the screenshot command with the browser that the tests share and
// returns the picture, nil if there is none, and what it wrote.
func shoot(t *testing.T, change func(*camera), args ...string) (picture []byte, errs string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "view.png")
	errs, err = shootTo(t, file, change, args...)
	picture, readErr := os.ReadFile(file)
	if err == nil {
		assert.NoError(t, readErr)
	}
	return picture, errs, err
}

// shootTo is shoot with the file to write.
func shootTo(t *testing.T, file string, change func(*camera), args ...string) (errs string, err error) {
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
	var out, errOut outbuf.Buffer
	err = takeScreenshot(t.Context(), append([]string{"-timeout", "10m", "-o", file}, args...), stdio{&out, &errOut}, func() (*camera, error) { return c, nil })
	return errOut.String(), err
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

// shake does the handshake.
const shake = `<script>
	const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
	addEventListener("message", (e) => { if (e.data.id === 0) post({ method: "ui/notifications/initialized" }) });
	post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
</script>`

// TestScreenshotSaysWhatWentWrong shows that the command tells what a picture does
// not: that the tool failed, that the policy stopped a part of the view, and why
// there is no picture. ci/full adds a view that waits where "mute" fails.
func TestScreenshotSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for name, doc := range map[string]string{
		"fails": "<!doctype html><script>fetch(\"https://api.example.com/\").catch(() => {})</script>" + shake + `<p>x<script>Promise.reject(new Error("no map"));
			addEventListener("message", (e) => { if (e.data.method === "ui/notifications/tool-result") {
				post({ id: 1, method: "tools/call", params: { name: "none" } }); post({ id: 2, method: "resources/read", params: { uri: "file:///none" } }) } })</script>`,
		"fetches": "<!doctype html>" + shake + `<p>x<script>fetch("https://api.example.com/")</script>`,
		"blank":   "<!doctype html>" + shake + `<script>console.error("no map")</script>`,
		"unread":  "",
		"moves":   "<!doctype html>" + shake + `<p>x<script>let n = 0; setInterval(() => { document.body.textContent = n++ }, 50)</script>`,
		"mute":    "<!doctype html><script>nothing.here()</script>",
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
			if doc == "" {
				return nil, mcp.ResourceNotFoundError(uri)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: doc, Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"resourceDomains": []string{"https://cdn.invalid"}}}}}}}, nil
		})
	}
	url := serve(t, s)
	for _, c := range []struct {
		tool   string
		change func(*camera)
		said   []string
	}{
		{"fails", nil, []string{
			"error: the tool's result is an error: no such city\n",
			"error: a rejected promise that nothing handles: Error: no map, at line ",
			`note: tools/call of "none" is answered with the error `, `note: resources/read of "file:///none" is answered with the error `,
			"note: its policy blocks https://api.example.com/ (connect-src), at line 1, column ", "document\n    remedy: declare {\"connectDomains\": [\"https://api.example.com\"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)\n",
		}},
		{"fetches", nil, []string{
			"error: its policy blocks https://api.example.com/ (connect-src), at line ",
			" (View.UI.CSP in Go)\nerror: a rejected promise that nothing handles: TypeError: Failed to fetch",
		}},
		{"moves", func(c *camera) { c.moving = time.Second }, nil},
		{"mute", func(c *camera) { c.giveUp = 300 * time.Millisecond }, []string{
			"error: uncaught: ReferenceError: nothing is not defined, at line 1, column 24 of the document\n",
			"error: its script never calls app.connect(): uncaught: ReferenceError",
		}},
		{"offline", func(c *camera) { c.giveUp = 300 * time.Millisecond }, []string{
			"error: it could not load https://cdn.invalid/map.js: net::ERR_", "note: its console says: no map, at line 1, column ",
		}},
		{"late", func(c *camera) { c.initialize = time.Second }, []string{"error: its script never calls app.connect()\n    remedy: call app.connect()"}},
		{"leaves", nil, []string{"error: the view went to another page"}},
		{"blank", nil, []string{"error: the view has its result and shows nothing: its console says: no map"}},
	} {
		if c.tool == "late" && !testenv.Full() {
			continue
		}
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			picture, errs, err := shoot(t, c.change, "-tool", c.tool, url)
			assert.NotEmpty(t, picture, "it is written all the same")
			assert.Equal(t, exitFailure, exitOf(err), errs)
			for _, said := range c.said {
				assert.Contains(t, errs, said)
			}
		})
	}
	t.Run("is allowed to", func(t *testing.T) {
		t.Parallel()
		_, errs, err := shoot(t, nil, "-tool", "fails", "-allow-errors", url)
		assert.NoError(t, err)
		assert.Contains(t, errs, "error: the tool's result is an error: no such city\n")
	})
	t.Run("has no view to show", func(t *testing.T) {
		t.Parallel()
		picture, errs, err := shoot(t, nil, "-tool", "unread", url)
		assert.Empty(t, picture)
		assert.Equal(t, exitFailure, exitOf(err))
		assert.ErrorContains(t, err, "the view can't be read: ")
		assert.NotContains(t, errs, "the view can't be read")
	})
}

func exitOf(err error) int {
	return exitCode(err, "screenshot", stdio{io.Discard, io.Discard})
}

// TestScreenshotArguments shows that a missing argument is named, with what to pass.
func TestScreenshotArguments(t *testing.T) {
	for name, c := range map[string]struct{ schema, args, want string }{
		"none is required": {`{"type":"object","properties":{"city":{"type":"string"}}}`, `{}`, ""},
		"it is there":      {`{"required":["city"],"properties":{"city":{"type":"string"}}}`, `{"city":1}`, ""},
		"it has a default": {`{"type":"object","required":["city"],"properties":{"city":{"type":"string","default":"Rome"}}}`, `{}`, ""},
		"one":              {`{"required":["city"],"properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`, `{"days":3}`, `the tool "w" needs the argument "city": pass, for example, -args '{"city":"text","days":3}'`},
		"several": {`{"required":["a","b","c","d","e","f","g"],"properties":{"a":{"enum":["it's"]},"b":{"type":"number","minimum":5},"c":{"type":["boolean","null"]},"d":{"type":"array"},"e":{"type":"object","required":["x"],"properties":{"x":{"const":7}}},"f":{"type":"string","format":"date"},"g":true}}`, `{}`,
			`the tool "w" needs the arguments "a", "b", "c", "d", "e", "f", "g": pass, for example, -args '{"a":"it'\''s","b":5,"c":true,"d":[],"e":{"x":7},"f":"2026-01-31","g":"text"}'`},
		"no schema": {`[]`, `{}`, ""},
	} {
		err := missingArguments("w", json.RawMessage(c.schema), json.RawMessage(c.args))
		if c.want == "" {
			assert.NoError(t, err, name)
		} else {
			assert.EqualError(t, err, c.want, name)
		}
	}
}

// TestScreenshotHeight shows that a picture has the height that the view reports. ci/full
// adds a tall view, of which [TestScreenshotAsAllHosts] makes pictures in CI.
func TestScreenshotHeight(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	const report = shake + `<script>const size = () => post({ method: "ui/notifications/size-changed", params: { height: document.body.offsetHeight } }); addEventListener("load", size); onresize = size</script>`
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for name, body := range map[string]string{"short": `<body style="margin:0;height:123px">x`, "tall": `<body style="margin:0;height:9000px">x`, "follows": `<body style="margin:0;height:50vh">x`} {
		mcpapps.RegisterApp(s, &mcp.Tool{Name: name}, mcpapps.View{Resource: mcp.Resource{URI: "ui://t/" + name}, Document: mcpapps.HTML("<!doctype html>" + body + report)},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
	}
	url := serve(t, s)
	for name, want := range map[string][2]int{"short": {300, 123}, "tall": {300, maxHeight}, "follows": {300, 300}} {
		if name == "tall" && !testenv.Full() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, errs, err := shoot(t, nil, "-tool", name, "-size", "300x", url)
			require.NoError(t, err, errs)
			img, err := png.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			assert.Equal(t, want, [2]int{img.Bounds().Dx(), img.Bounds().Dy()})
		})
	}
}
