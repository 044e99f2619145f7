package preview

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// echo serves a tool whose view writes every message that it gets into window.got, and
// counts the tool's calls.
func echo() (s *mcp.Server, calls *atomic.Int32) {
	const script = `window.got = []; addEventListener("message", (e) => { if (e.data.method) got.push(e.data); if (e.data.id === 0) window.given = e.data.result.hostContext; if (e.data.method === "ui/notifications/host-context-changed") Object.assign(given, e.data.params) });`
	s, calls = mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil), new(atomic.Int32)
	const uri = "ui://echo/view"
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"number","default":5}}}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			calls.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echoed"}}}, nil
		})
	s.AddResource(&mcp.Resource{URI: uri, Name: "echo", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		html := `<!doctype html><p>echo</p><script>` + script + `const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
			addEventListener("message", (e) => { if (e.data.id === 0 && e.data.result) { post({ method: "ui/notifications/initialized" }); post({ method: "ui/notifications/size-changed", params: { height: 200 } }) }
				if (e.data.method === "ui/resource-teardown") post({ id: e.data.id, result: {} }) });
			post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });</script>`
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html}}}, nil
	})
	return s, calls
}

// got returns what the view got by a method, as JSON.
func (g page) got(t *testing.T, method string) []string {
	t.Helper()
	var params []string
	g.eventually(t, func() bool {
		return g.EvalIn(t.Context(), "/view", `(window.got ?? []).filter((m) => m.method === "`+method+`").map((m) => JSON.stringify(m.params))`, &params) == nil && len(params) > 0
	})
	return params
}

// What the controls above the frame do to it and to the view.
func TestTheFrame(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s, calls := echo()
	g := start(t, s).open(t, "?input=partial&safe=phone&touch=touch", 1280, 800)

	// Streamed, a view gets the input in parts before it gets the whole.
	g.call(t, "echo", `{"text":"a long text with \"quotes\" and \\ é 🙂","n":12}`)
	whole := g.got(t, "ui/notifications/tool-input")
	require.Len(t, whole, 1)
	g.got(t, "ui/notifications/tool-result")
	parts := g.got(t, "ui/notifications/tool-input-partial")
	assert.GreaterOrEqual(t, len(parts), 3)
	var order []string
	require.NoError(t, g.EvalIn(t.Context(), "/view", `got.map((m) => m.method).filter((m) => m.includes("tool-"))`, &order))
	assert.Equal(t, []string{"ui/notifications/tool-input", "ui/notifications/tool-result"}, order[len(parts):])

	var wrong []string
	g.eval(t, `(async () => {
		const { heal } = await import("/app.js").then((m) => m.partial), wrong = [];
		for (const value of [{}, { a: "x\\\"y\\u00e9\\\\", b: [1, 2.5e3, true, null, { c: "d" }], e: { f: [] }, "k\"ey": "🙂" }, { t: "\u0001\\" }]) {
			const text = JSON.stringify(value);
			for (let i = 1; i <= text.length; i++) { const got = heal(text.slice(0, i)); if (typeof got !== "object") wrong.push(text.slice(0, i)) }
			if (JSON.stringify(heal(text)) !== text) wrong.push("whole: " + text);
		}
		for (const [cut, want] of [['{"a":[1,2', '{"a":[1]}'], ['{"a":true,"b', '{"a":true}'], ['{"a":"x\\\\', '{"a":"x\\\\"}'], ['{"a":"x\\u00', '{"a":"x"}'], ['{"a":{"b":nul', '{"a":{}}']]) {
			if (JSON.stringify(heal(cut)) !== want) wrong.push(cut + ": " + JSON.stringify(heal(cut)));
		}
		return wrong })()`, &wrong)
	assert.Empty(t, wrong)

	// Safe areas and touch reach the view.
	var c struct {
		SafeAreaInsets     struct{ Top, Bottom int }
		DeviceCapabilities struct{ Touch, Hover bool }
	}
	require.NoError(t, g.EvalIn(t.Context(), "/view", `given`, &c))
	assert.Equal(t, 47, c.SafeAreaInsets.Top)
	assert.Equal(t, 34, c.SafeAreaInsets.Bottom)
	assert.True(t, c.DeviceCapabilities.Touch)
	assert.False(t, c.DeviceCapabilities.Hover)
	g.wait(t, `getComputedStyle(document.querySelector(".safe-area")).borderTopWidth === "47px"`)
	for id, value := range map[string]string{"input": "whole", "safe": "none", "touch": "auto"} {
		g.set(t, id, value)
	}

	// Side by side, the view is shown twice with the input and the result of one call.
	require.NoError(t, g.EvalIn(t.Context(), "/view", `window.got = []`, nil)) // of the last view
	calls.Store(0)
	g.call(t, "echo", `{"text":"hello"}`)
	g.got(t, "ui/notifications/tool-result")
	g.set(t, "theme", "both")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 2`)
	g.wait(t, `[...document.querySelectorAll("#log > li")].filter((li) => li.dataset.text.includes("ui/notifications/tool-result")).length === 2`)
	input := g.got(t, "ui/notifications/tool-input") // of the newest frame
	require.Len(t, input, 1)
	assert.JSONEq(t, `{"arguments":{"text":"hello","n":5}}`, input[0], "with the schema's defaults")
	assert.Contains(t, g.got(t, "ui/notifications/tool-result")[0], "echoed")
	assert.EqualValues(t, 1, calls.Load(), "the tool is not called for it")
	g.eventually(t, func() bool {
		var theme string
		return g.EvalIn(t.Context(), "/view", `given.theme`, &theme) == nil && theme == "dark"
	})
	var boxes struct {
		Tops  []float64
		Names []string
	}
	g.eval(t, `({ tops: [...document.querySelectorAll(".frame")].map((b) => b.getBoundingClientRect().top), names: [...document.querySelectorAll(".frame")].map((b) => b.dataset.theme) })`, &boxes)
	assert.Equal(t, []string{"light", "dark"}, boxes.Names)
	assert.Equal(t, boxes.Tops[0], boxes.Tops[1])

	g.set(t, "mode", "fullscreen")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 1`)
	g.set(t, "mode", "inline")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 2`)
	g.set(t, "theme", "dark")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 1`)
	g.set(t, "theme", "both")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 2`)
	g.call(t, "echo", `{"text":"again"}`)
	g.wait(t, `document.querySelectorAll(".frame:not(.closing) iframe").length === 2 && document.querySelectorAll(".frame").length === 2`)
	assert.EqualValues(t, 2, calls.Load())
	g.set(t, "theme", "system")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 1`)

	// The handles at the edges resize the frame by keys, and the view gets the size. A
	// double click goes back to the available width.
	g.wait(t, `document.querySelector(".frame")?.clientHeight === 200`)
	var before, after struct{ Width, Height float64 }
	const measure = `(() => { const box = document.querySelector(".frame"); return { width: box.clientWidth, height: box.clientHeight } })()`
	g.eval(t, measure, &before)
	g.eval(t, `document.querySelector(".handle.width").focus()`, nil)
	require.NoError(t, g.Press(t.Context(), "ArrowLeft"))
	require.NoError(t, g.Press(t.Context(), "ArrowLeft"))
	g.eval(t, measure, &after)
	assert.Equal(t, before.Width-20, after.Width)
	assert.Equal(t, before.Height, after.Height, "the view still chooses its height")
	g.wait(t, `document.getElementById("size").value === "free" && document.getElementById("view-size").textContent.startsWith(String(document.querySelector(".frame").clientWidth))`)
	g.wait(t, `document.querySelector(".handle.width").getAttribute("aria-valuenow") === String(document.querySelector(".frame").clientWidth)`)

	g.eval(t, `document.querySelector(".handle.height").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", shiftKey: true, bubbles: true, cancelable: true }))`, nil)
	g.wait(t, `document.querySelector(".frame").clientHeight === 250`)
	g.eval(t, measure, &after)
	g.eventually(t, func() bool {
		var d struct{ Width, Height float64 }
		_ = g.EvalIn(t.Context(), "/view", `given.containerDimensions`, &d)
		return d.Width == after.Width && d.Height == after.Height
	})
	assert.Equal(t, []string{"free"}, g.address(t)["size"])
	// The pointer drags both sides. A box in the middle grows on both sides, so that its
	// edge follows.
	g.eval(t, `(() => {
		const handle = document.querySelector(".handle.both"), box = document.querySelector(".frame"), { right, bottom } = box.getBoundingClientRect();
		window.wanted = right - 100;
		const send = (type, x, y) => handle.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, clientX: x, clientY: y, bubbles: true, cancelable: true }));
		send("pointerdown", right, bottom);
		send("pointermove", right - 100, bottom + 30);
		send("lostpointercapture");
		send("pointermove", right - 300, bottom) })()`, nil)
	g.wait(t, `document.querySelector(".frame").clientHeight === 280 && !document.documentElement.classList.contains("resizing")`)
	var dragged struct{ Wanted, Right float64 }
	g.eval(t, `({ wanted, right: document.querySelector(".frame").getBoundingClientRect().right })`, &dragged)
	assert.InDelta(t, dragged.Wanted, dragged.Right, 2)

	g.eval(t, `document.querySelector(".handle.width").dispatchEvent(new MouseEvent("dblclick"))`, nil)
	g.wait(t, `document.getElementById("size").value === "fit" && document.querySelector(".frame").clientHeight === 200`)
	g.set(t, "size", "1024")
	g.wait(t, `document.querySelector(".frame").clientWidth === 1024 && document.documentElement.scrollWidth <= 1280`)
}
