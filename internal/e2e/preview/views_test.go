package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/preview"
)

// surfaceView bundles testdata/surface.js with the class under test.
func surfaceView(t *testing.T, pkg string) string {
	t.Helper()
	source, err := os.ReadFile("testdata/surface.js")
	require.NoError(t, err)
	r := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: strings.Replace(string(source), `"PACKAGE"`, `"`+pkg+`"`, 1), ResolveDir: e2e.Dir(), Sourcefile: "surface.js"},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, LogLevel: api.LogLevelSilent, Charset: api.CharsetUTF8,
	})
	require.Empty(t, r.Errors)
	script := strings.ReplaceAll(string(r.OutputFiles[0].Contents), "</script", `<\/script`)
	return `<!doctype html><meta charset="utf-8"><title>surface</title><body></body><script type="module">` + script + `</script>`
}

// surfaceServer serves the view that the test has set last.
func surfaceServer(html *atomic.Value) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "surface", Version: "1"}, nil)
	object := json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"},"unit":{"type":"string","default":"C"}}}`)
	const uri = "ui://surface/view.html"
	add := func(name string, ui map[string]any, h mcp.ToolHandler) {
		t := &mcp.Tool{Name: name, InputSchema: object}
		if ui != nil {
			t.Meta = mcp.Meta{"ui": ui}
		}
		s.AddTool(t, h)
	}
	text := func(text string) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
	}
	add("show", map[string]any{"resourceUri": uri}, text("shown"))
	add("model-only", map[string]any{"visibility": []string{"model"}}, text("never"))
	add("fails", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("no luck")
	})
	add("counts", nil, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1)})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "counted"}}}, nil
	})
	s.AddResource(&mcp.Resource{URI: uri, Name: "view", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html.Load().(string)}}}, nil
	})
	return s
}

// Every method of the class App, of three packages, in our preview and in a host that lacks
// much, where each ends as its caller can handle. The messages that the hosts sent are
// validated by the published schemas. CI opens ours alone in the other host; ci/full all three.
func TestTheSurfaceOfApp(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Packages, e2e.Browser)
	ours := filepath.Join(e2e.Dir(), "..", "..", "view", "mcp-app.min.js")
	var html atomic.Value
	p := startWith(t, host.Target{Server: surfaceServer(&html)}, &preview.Options{Emulate: lacks()})
	g := p.openAt(t, p.URL(), 1280, 900, false)
	g.wait(t, `document.querySelector("button.tool")`)
	open := func(query string) {
		g.eval(t, fmt.Sprintf(`{ window.old = true; setTimeout(() => location.assign(%q)) }`, p.URL()+query), nil)
		g.wait(t, `!window.old && document.querySelector("button.tool")`)
	}
	var messages []json.RawMessage
	var methods [][]string // that are checked in the messages
	for name, pkg := range map[string]string{"2": "@modelcontextprotocol/ext-apps", "1": "ext-apps-1", "ours": filepath.ToSlash(ours)} {
		html.Store(surfaceView(t, pkg))
		open("?host=preview&locale=nb-NO&theme=dark")
		g.surface(t, name)
		messages, methods = append(messages, g.messages(t)), append(methods, []string{"ui/initialize", "ui/notifications/tool-input", "ui/notifications/tool-result", "ui/notifications/host-context-changed", "ui/open-link", "ui/message", "ui/download-file", "ui/request-display-mode", "ui/resource-teardown"})
		if name == "ours" || testenv.Full() {
			open("?host=lacks")
			g.surfaceWhereMuchLacks(t)
			messages, methods = append(messages, g.messages(t)), append(methods, []string{"ui/initialize", "ui/notifications/tool-input-partial", "ui/notifications/tool-input", "ui/notifications/tool-result"})
		}
	}
	for i, checked := range validate(t, messages) {
		for _, method := range methods[i] {
			assert.Positive(t, checked[method], "no %s was checked", method)
		}
	}
}

func (g page) surface(t *testing.T, name string) {
	t.Helper()
	g.call(t, "show", `{"n":5}`)
	g.wait(t, `document.querySelector("#ask[open]") && document.activeElement.id === "ask-reply"`)
	g.eval(t, `document.getElementById("ask-accept").click()`, nil)
	var s struct {
		Got, Problems []string
		Results       map[string]json.RawMessage
	}
	g.eventually(t, func() bool {
		return g.EvalIn(t.Context(), "/view", `globalThis.surface && { got: surface.got, problems: surface.problems, results: surface.results }`, &s) == nil && s.Results != nil
	})
	assert.Empty(t, s.Problems)
	var told []string
	for _, m := range s.Got {
		if !strings.HasPrefix(m, "context") {
			told = append(told, m)
		}
	}
	assert.Equal(t, []string{`input {"n":5,"unit":"C"}`, "result shown"}, told)
	result := func(step string) string { return string(s.Results[step]) }
	for step, want := range map[string]string{
		"callServerTool": `"counted"`, "progress": `[1,2,3]`, "callDenied": "is not for apps", "callFails": "no luck",
		"readServerResource": `"text/html;profile=mcp-app"`, "readMissing": "not found", "listServerResources": `["ui://surface/view.html"]`,
		"toolInfo": `"show"`, "getHostVersion": `"mcpapps preview"`, "getHostContext": `"containerDimensions"`,
		"openLinkDenied": `"isError":true`, "createSamplingMessage": "This is a preview",
		"requestDisplayMode": `{"mode":"fullscreen"}`, "requestDisplayModeUndeclared": `{"mode":"fullscreen"}`, "backToInline": `{"mode":"inline"}`,
		"getHostCapabilities": `"openLinks":{}`,
	} {
		assert.Contains(t, result(step), want, step)
	}
	for _, step := range []string{"connect", "sendMessage", "sendLog", "updateModelContext", "openLink", "downloadFile", "sendSizeChanged", "sendToolListChanged"} {
		assert.NotContains(t, result(step), "threw", step)
		assert.NotContains(t, result(step), "isError", step)
	}
	// The page lists the requests of the view.
	g.eval(t, `document.getElementById("tab-actions").click()`, nil)
	g.wait(t, `["Add a message", "Tell the model", "Open a link", "Save b.txt", "Ask a model", "the canned text of the preview", "Log"].every((x) => document.getElementById("panel-actions").textContent.includes(x))`)
	g.wait(t, `document.querySelector(".app-tool")`)
	g.eval(t, `document.querySelector(".app-tool button").click()`, nil)
	g.wait(t, `document.querySelector("[data-app-result]").textContent.includes("painted paint")`)
	g.waitRecord(t, `"height": 456`)
	assert.Contains(t, g.record(t), `"method": "tools/list"`)
	g.shoot(t, "surface-"+name)

	// Changes on the page reach the view, and a view is told before it is closed.
	g.eval(t, `{ const s = document.getElementById("theme"); s.value = "light"; s.dispatchEvent(new Event("change")) }`, nil)
	g.eventually(t, func() bool {
		var theme string
		_ = g.EvalIn(t.Context(), "/view", `surface.app.getHostContext().theme`, &theme)
		return theme == "light"
	})
	require.NoError(t, g.EvalIn(t.Context(), "/view", `surface.app.requestTeardown()`, nil))
	g.wait(t, `!document.querySelector("#frames iframe")`)
	g.waitRecord(t, "the view asked to be closed")
}

// messages returns those on the record.
func (g page) messages(t *testing.T) (entries json.RawMessage) {
	t.Helper()
	g.eval(t, `(async () => {
		for (const d of document.querySelectorAll("#log details")) d.open = true;
		await new Promise((done) => setTimeout(done, 300));
		return [...document.querySelectorAll("#log > li:has(pre)")].map((li) => ({ dir: li.classList.contains("to-view") ? "to-view" : "from-view", text: li.querySelector("pre").textContent }))
			.filter((e) => e.text.length < 100000).map((e) => ({ dir: e.dir, msg: JSON.parse(e.text) }));
	})()`, &entries)
	return entries
}

// validate validates lists of messages by the published schemas, and returns how many there
// were of each method.
func validate(t *testing.T, lists []json.RawMessage) (checked []map[string]int) {
	t.Helper()
	input, err := json.Marshal(lists)
	require.NoError(t, err)
	script, err := os.ReadFile(filepath.Join("testdata", "validate.mjs"))
	require.NoError(t, err)
	cmd := exec.Command("node", "--input-type=module", "-e", string(script))
	cmd.Dir = e2e.Dir()
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var reports []struct {
		Checked  map[string]int
		Problems []json.RawMessage
	}
	require.NoError(t, json.Unmarshal(out, &reports), "%s", out)
	require.Len(t, reports, len(lists))
	for _, r := range reports {
		assert.Empty(t, r.Problems, "%s", out)
		checked = append(checked, r.Checked)
	}
	return checked
}
