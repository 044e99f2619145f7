package preview

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/preview"
)

// trying serves a tool whose view records what it is given: the answer to its
// handshake, the notifications, and the answers to its requests.
func trying() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "trying", Version: "1"}, nil)
	const uri = "ui://trying/view"
	s.AddTool(&mcp.Tool{Name: "try", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				Content: []mcp.Content{&mcp.TextContent{Text: "text"}}, StructuredContent: map[string]any{"a": 1},
				Meta: mcp.Meta{"id": "x", "ui": map[string]any{"resourceUri": "ui://trying/other"}},
			}, nil
		})
	s.AddResource(&mcp.Resource{URI: uri, Name: "view", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		const html = `<!doctype html><body style="margin:0;height:1000px;background:#789"><iframe src="https://frames.example/" title="f"></iframe><script>
			window.got = []; window.answers = {};
			const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
			addEventListener("securitypolicyviolation", (e) => got.push({ method: "violation " + e.effectiveDirective }));
			addEventListener("message", ({ data }) => {
				if (data.method) got.push(data);
				if (data.method === "ui/resource-teardown") post({ id: data.id, result: {} });
				if (data.id === 0) {
					window.given = data.result;
					post({ method: "ui/notifications/initialized" });
					post({ method: "ui/notifications/size-changed", params: { height: 1000 } });
					post({ id: 1, method: "ui/open-link", params: { url: "https://example.com" } });
					post({ id: 2, method: "ui/message", params: { role: "user", content: [{ type: "text", text: "hi" }] } });
					post({ id: 3, method: "ui/request-display-mode", params: { mode: "pip" } });
					post({ id: 4, method: "tools/call", params: { name: "try" } });
				} else if (data.id > 0) answers[data.id] = data.error ? { error: data.error.code } : data.result;
			});
			post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] }, protocolVersion: "2026-01-26" } });</script>`
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html,
			Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"frameDomains": []string{"https://frames.example"}}}}}}}, nil
	})
	return s
}

func says[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: compat.Source{Kind: compat.Probe, By: "a test", Date: "2026-08-19"}}}}
}

// strange is a host that differs from the preview's own in all that a page can show.
func strange() *compat.Profile {
	return &compat.Profile{
		ID: "strange", Name: "Strange host", Version: "2", Notes: []string{"It is made up."},
		ShowsApps: says(true), DisplayModes: says([]string{"inline"}), Size: says(compat.Size{Width: 420, MaxHeight: 300}),
		Result: says(compat.ResultContentOnly), Reload: says(compat.ReloadNothing), ContextChanged: says(false), PartialInput: says(false), ToolInfo: says(false),
		OpenLink: says(compat.Refused), Message: says(compat.No), FrameDomains: says(compat.No), Engine: says(compat.WebKit),
	}
}

// What a view saw of a host.
type saw struct {
	Given struct {
		HostInfo         mcp.Implementation
		HostCapabilities map[string]json.RawMessage
		HostContext      host.HostContext
	}
	Got []struct {
		Method string
		Params json.RawMessage
	}
	Answers map[string]json.RawMessage
}

func (s saw) count(method string) (n int) {
	for _, m := range s.Got {
		if m.Method == method {
			n++
		}
	}
	return n
}

// saw waits for the view's answers and returns what it saw.
func (g page) saw(t *testing.T, ready string) (s saw) {
	t.Helper()
	g.eventually(t, func() bool {
		var done bool
		return g.EvalIn(t.Context(), "/view", `Object.keys(window.answers ?? {}).length === 4 && (`+ready+`)`, &done) == nil && done
	})
	require.NoError(t, g.EvalIn(t.Context(), "/view", `({ given, got, answers })`, &s))
	return s
}

// One view, opened as in a host that lacks much, opened again there, and then as in
// the preview's own host.
func TestAViewInTwoHosts(t *testing.T) {
	t.Parallel()
	p := startWith(t, host.Target{Server: trying()}, &preview.Options{Emulate: strange()})
	g := p.open(t, "", 1280, 800)
	const resultCame, violationCame = `got.some((m) => m.method === "ui/notifications/tool-result")`, `got.some((m) => m.method === "violation frame-src")`
	g.call(t, "try", `{}`)
	there := g.saw(t, resultCame+" && "+violationCame)
	assert.Equal(t, "strange", there.Given.HostInfo.Name)
	assert.Equal(t, &host.Dimensions{Width: 420, MaxHeight: 300}, there.Given.HostContext.ContainerDimensions)
	assert.Equal(t, []host.DisplayMode{host.DisplayInline}, there.Given.HostContext.AvailableDisplayModes)
	assert.NotContains(t, there.Given.HostCapabilities, "message")
	assert.JSONEq(t, `{"csp":{}}`, string(there.Given.HostCapabilities["sandbox"]))
	assert.JSONEq(t, `{"isError":true}`, string(there.Answers["1"]))
	assert.JSONEq(t, `{"error":-32601}`, string(there.Answers["2"]))
	assert.JSONEq(t, `{"mode":"inline"}`, string(there.Answers["3"]))
	assert.Contains(t, string(there.Answers["4"]), `"structuredContent"`, "the view's own call")
	for _, m := range there.Got {
		if m.Method == "ui/notifications/tool-result" {
			assert.Contains(t, string(m.Params), `"content":[`)
			assert.NotContains(t, string(m.Params), `"structuredContent"`)
			assert.NotContains(t, string(m.Params), `"_meta"`)
		}
	}
	g.wait(t, `document.querySelector(".frame").clientWidth === 420 && document.querySelector(".frame").clientHeight === 300`)
	g.wait(t, `document.getElementById("host-text").textContent.includes("emulated")`)
	var page struct{ Note, Mode, Panel, Sizes string }
	g.eval(t, `({ note: document.getElementById("host-text").textContent, panel: document.getElementById("host-facts").textContent,
		mode: [...document.getElementById("mode").options].filter((o) => !o.disabled).map((o) => o.value).join(), sizes: document.getElementById("size").selectedOptions[0].textContent })`, &page)
	assert.Regexp(t, `^11 facts emulated, [0-9]+ unknown, 1 not shown$`, page.Note)
	assert.Equal(t, "inline", page.Mode)
	assert.Equal(t, "Host, 420 × ≤ 300", page.Sizes)
	assert.Contains(t, page.Panel, "probe, a test, 2026-08-19")
	assert.Contains(t, page.Panel, "It is made up.")
	assert.Contains(t, page.Panel, "The server is told the name of the preview's own client: the menu does not change it")
	g.wait(t, `document.getElementById("log").textContent.includes("the result names the view ui://trying/other")`)
	g.wait(t, `document.getElementById("violations").textContent.includes("The metadata allows it in csp.frameDomains, which Strange host ignores as it is emulated.")`)

	// The document loads again, and the tool is not called again.
	require.NoError(t, g.EvalIn(t.Context(), "/view", `window.before = true`, nil))
	g.eval(t, `document.getElementById("reload").click()`, nil)
	again := g.saw(t, `!window.before`)
	assert.Zero(t, again.count("ui/notifications/tool-input"))
	assert.Zero(t, again.count("ui/notifications/tool-result"))
	assert.Zero(t, again.count("ui/notifications/host-context-changed"))

	g.set(t, "host", "preview")
	here := g.saw(t, `given.hostInfo.name !== "strange" && `+resultCame)
	assert.Equal(t, "mcpapps preview", here.Given.HostInfo.Name)
	assert.Contains(t, here.Given.HostCapabilities, "message")
	assert.JSONEq(t, `{}`, string(here.Answers["1"]))
	assert.JSONEq(t, `{}`, string(here.Answers["2"]))
	for _, m := range here.Got {
		if m.Method == "ui/notifications/tool-result" {
			assert.Contains(t, string(m.Params), `"structuredContent":{"a":1}`)
		}
	}
	assert.Zero(t, here.count("violation frame-src"))
	assert.Equal(t, "preview", g.address(t).Get("host"))
}

// A host without apps shows the text of a result, and there is no view of it alone.
func TestAHostWithoutApps(t *testing.T) {
	t.Parallel()
	p := startWith(t, host.Target{Server: trying()}, &preview.Options{Emulate: &compat.Profile{ID: "text", Name: "Text only", ShowsApps: says(false)}})
	g := p.open(t, "", 1280, 800)
	g.call(t, "try", `{}`)
	g.waitResult(t, "text")
	g.wait(t, `document.getElementById("stage-empty").textContent.includes("This host shows no apps") && !document.querySelector("iframe")`)
	for id, want := range map[string]string{"text": `the host "Text only" shows no apps`, "other": `no host "other" is known`} {
		alone := p.openURL(t, p.ViewURL(url.Values{"host": {id}}))
		alone.wait(t, `document.documentElement.dataset.failed`)
		var failed string
		alone.eval(t, `document.documentElement.dataset.failed`, &failed)
		assert.Equal(t, want, failed)
	}
}

// lacks is a host that lacks much.
func lacks() *compat.Profile {
	return &compat.Profile{
		ID: "lacks", Name: "Lacks much", DisplayModes: says([]string{"inline", "fullscreen"}), Size: says(compat.Size{Width: 400, MaxHeight: 768}),
		PartialInput: says(true), Teardown: says(false), Result: says(compat.ResultContentOnly), ToolInfo: says(false),
		OpenLink: says(compat.Refused), Message: says(compat.No), UpdateModelContext: says(compat.Unadvertised), DownloadFile: says(compat.No),
		RequestTeardown: says(compat.No), ServerResources: says(compat.Refused), AppTools: says(compat.No),
		ConnectDomains: says(compat.No), FrameDomains: says(compat.Restricted), Permissions: says([]string{}),
	}
}

func (g page) surfaceWhereMuchLacks(t *testing.T) {
	t.Helper()
	g.call(t, "show", `{"n":5,"unit":"Kelvin"}`)
	g.wait(t, `document.querySelector("#ask[open]")`)
	g.eval(t, `document.getElementById("ask-accept").click()`, nil)
	var s struct {
		Got, Problems []string
		Results       map[string]any
	}
	g.eventually(t, func() bool {
		return g.EvalIn(t.Context(), "/view", `globalThis.surface && { got: surface.got, problems: surface.problems, results: surface.results }`, &s) == nil && s.Results != nil
	})
	assert.Empty(t, s.Problems)
	assert.Subset(t, s.Got, []string{"partial", `input {"n":5,"unit":"Kelvin"}`, "result shown"})
	assert.Equal(t, "partial", s.Got[0])
	// What the host refuses softly is a result; our runtime makes one of errors, too.
	assert.Equal(t, map[string]any{"isError": true}, s.Results["openLink"])
	for _, step := range []string{"sendMessage", "downloadFile"} {
		assert.NotEqual(t, map[string]any{}, s.Results[step], step)
	}
	for _, step := range []string{"readServerResource", "listServerResources", "toolInfo"} {
		assert.Contains(t, s.Results[step], "threw ", step)
	}
	for _, step := range []string{"connect", "updateModelContext", "callServerTool", "sendLog", "sendToolListChanged"} {
		assert.NotContains(t, string(mustEncode(t, s.Results[step])), "threw", step)
	}
	assert.Contains(t, string(mustEncode(t, s.Results["requestDisplayMode"])), "fullscreen")
	assert.NotContains(t, g.record(t), `"method": "tools/list"`, "the view's tools are not asked for")
}

func mustEncode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}
