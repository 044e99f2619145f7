package check

import (
	"context"
	"io/fs"
	"os"
	"strings"
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
	"github.com/mcpapps-go/mcpapps/internal/testenv"
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

// libraries are this module's runtime and the published one.
var libraries = map[string]string{"ours": "mcp-app", "reference": "@modelcontextprotocol/ext-apps"}

// throwingServer serves the view on the named libraries.
func throwingServer(names ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "throws", Version: "1"}, nil)
	for _, name := range names {
		fsys := files{fstest.MapFS{
			"ui/index.html": {Data: []byte("<!doctype html>\n<title>v</title><p id=out>Loading</p>\n<script type=module src=main.ts></script>\n")},
			"ui/main.ts":    {Data: []byte(`import { App } from "` + libraries[name] + "\";\n" + throwing)},
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
// nobody. A command is asked for source maps in the live part alone. CI opens the
// view on the published library from a command, and that on this module's runtime from a
// server in this process, ci/full both from each.
func TestThrowInHandler(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Packages, e2e.Browser)
	e2e.SharedBrowser(t)
	self, err := os.Executable()
	require.NoError(t, err)
	const thrown = "TypeError: Cannot read properties of undefined (reading 'city'), at ui/draw.ts:3:46"
	says := map[string]string{"ours": "view-exception: uncaught: " + thrown, "reference": "view-caught: thrown and caught: " + thrown}
	fromCommand, inProcess := []string{"reference"}, []string{"ours"}
	if testenv.Full() {
		fromCommand = []string{"ours", "reference"}
		inProcess = fromCommand
	}
	for name, c := range map[string]struct {
		target host.Target
		views  []string
	}{
		"command":         {host.Target{Command: []string{self}, Env: []string{throwsVariable + "=" + strings.Join(fromCommand, " ")}}, fromCommand},
		"in this process": {host.Target{Server: throwingServer(inProcess...)}, inProcess},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := check.Target(t.Context(), c.target, &check.Options{Live: true, Timeout: patience})
			require.NoError(t, err)
			var said, want []string
			for _, f := range r.Findings {
				if f.Code != "view-probe" && f.Code != "view-contrast" {
					said = append(said, f.URI+" "+f.Code+": "+f.Message)
				}
			}
			for _, view := range c.views {
				want = append(want, "ui://throws/"+view+" "+says[view])
			}
			assert.ElementsMatch(t, want, said)
		})
	}
}

const throwsVariable = "MCPAPPS_TEST_THROWS"

// serveThrows serves the views that throw, if this process was started for that.
func serveThrows() bool {
	names := strings.Fields(os.Getenv(throwsVariable))
	if len(names) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	_ = throwingServer(names...).Run(ctx, &mcp.StdioTransport{})
	return true
}
