package check

import (
	"context"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// throwing is a view whose handler takes for granted what is not there.
const throwing = `import { draw } from "./draw";
const app = new App({ name: "v", version: "1" });
app.ontoolresult = (result: any) => draw(result);
app.connect();
`

const drawCode = `export function draw(result: any): void {
  const out = document.querySelector("#out")!;
  out.textContent = result.structuredContent.city.name;
}
`

// files is a folder with a view, and with the packages of this module's browser tests.
type files struct {
	view     fstest.MapFS
	packages fs.FS
}

func (f files) Open(name string) (fs.File, error) {
	if file, err := f.view.Open(name); err == nil && name != "." {
		return file, nil
	}
	return f.packages.Open(name)
}

// throwingServer serves the view on this module's runtime and on the published one.
func throwingServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "throws", Version: "1"}, nil)
	for name, library := range map[string]string{"ours": "mcp-app", "reference": "@modelcontextprotocol/ext-apps"} {
		fsys := files{fstest.MapFS{
			"ui/index.html": {Data: []byte("<!doctype html>\n<title>v</title><p id=out>Loading</p>\n<script type=module src=main.ts></script>\n")},
			"ui/main.ts":    {Data: []byte(`import { App } from "` + library + "\";\n" + throwing)},
			"ui/draw.ts":    {Data: []byte(drawCode)},
		}, os.DirFS(e2e.Dir())}
		mcpapps.RegisterApp(s, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, mcpapps.View{
			Resource: mcp.Resource{URI: "ui://throws/" + name}, Document: bundle.Handler(fsys, "ui/index.html", &bundle.Options{PackagedRuntime: true}),
		}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Rome"}}}, nil, nil
		})
	}
	return s
}

// TestThrowInHandler shows that an error which a handler throws is found in the author's
// file: this module's runtime reports it, and the published one catches it and tells
// nobody. A command is asked for source maps in the live part alone.
func TestThrowInHandler(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Packages, e2e.Browser)
	self, err := os.Executable()
	require.NoError(t, err)
	for name, target := range map[string]host.Target{
		"command":         {Command: []string{self}, Env: []string{throwsVariable + "=1"}},
		"in this process": {Server: throwingServer()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := check.Target(t.Context(), target, &check.Options{Live: true, Timeout: patience})
			require.NoError(t, err)
			said := make(map[string]string)
			for _, f := range r.Findings {
				if f.Code != "view-probe" && f.Code != "view-contrast" {
					said[f.URI+" "+f.Code] = f.Message
				}
			}
			assert.Equal(t, map[string]string{
				"ui://throws/ours view-exception":   "uncaught: TypeError: Cannot read properties of undefined (reading 'city'), at ui/draw.ts:3:46",
				"ui://throws/reference view-caught": "thrown and caught: TypeError: Cannot read properties of undefined (reading 'city'), at ui/draw.ts:3:46",
			}, said)
		})
	}
}

const throwsVariable = "MCPAPPS_TEST_THROWS"

// serveThrows serves the views that throw, if this process was started for that.
func serveThrows() bool {
	if os.Getenv(throwsVariable) == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	_ = throwingServer().Run(ctx, &mcp.StdioTransport{})
	return true
}
