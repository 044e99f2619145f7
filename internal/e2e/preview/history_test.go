package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// counting serves the tools "reads", which opens a view and says that it only reads,
// and "writes". Both return what they were called with and how often they were.
func counting() (s *mcp.Server, calls *atomic.Int32) {
	s, calls = mcp.NewServer(&mcp.Implementation{Name: "counting", Version: "1"}, nil), new(atomic.Int32)
	const uri = "ui://counting/view"
	schema := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"}}}`)
	for name, reads := range map[string]bool{"reads": true, "writes": false} {
		tool := &mcp.Tool{Name: name, InputSchema: schema}
		if reads {
			tool.Annotations, tool.Meta = &mcp.ToolAnnotations{ReadOnlyHint: true}, mcp.Meta{"ui": map[string]any{"resourceUri": uri}}
		}
		s.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s %s, call %d", name, req.Params.Arguments, calls.Add(1))}}}, nil
		})
	}
	s.AddResource(&mcp.Resource{URI: uri, Name: "view", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: "<!doctype html><p>view</p>"}}}, nil
	})
	return s, calls
}

func (g page) waitResult(t *testing.T, want string) {
	t.Helper()
	g.wait(t, fmt.Sprintf(`document.getElementById("result").textContent.includes(%q)`, want))
}

func (g page) past(t *testing.T, n int, action string) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`[...document.querySelectorAll("#history > li")][%d].querySelectorAll(".past-actions button")[["Repeat", "Edit", "Copy"].indexOf(%q)].click()`, n, action), nil)
}

// Each call stands in the history, newest first, and can be repeated, edited and
// copied. Its messages are separate from those of other calls.
func TestHistory(t *testing.T) {
	t.Parallel()
	s, calls := counting()
	g := start(t, s).open(t, "", 1280, 800)
	g.call(t, "writes", `{"name":"Ada","n":7}`)
	g.waitResult(t, "call 1")
	g.call(t, "reads", `{"name":"Bob"}`)
	g.waitResult(t, "call 2")
	var listed []string
	const list = `[...document.querySelectorAll("#history > li")].map((li) => [li.querySelector(".past-tool").textContent, li.querySelector(".past-args").textContent, li.querySelector(".state").ariaLabel, li.ariaCurrent].join("|"))`
	g.eval(t, list, &listed)
	assert.Equal(t, []string{`reads|{"name":"Bob"}|Done|true`, `writes|{"name":"Ada","n":7}|Done|`}, listed)
	var of string
	g.eval(t, `document.getElementById("result-of").textContent`, &of)
	assert.Regexp(t, `^reads · \d+ ms · \d\d:\d\d:\d\d$`, of, "an answer names its tool")

	// Edit fills the form, and calls nothing.
	g.past(t, 1, "Edit")
	var form struct{ Tool, Name, N string }
	g.eval(t, `({ tool: document.getElementById("tool-title").textContent, name: document.querySelectorAll("#fields input")[0].value, n: document.querySelectorAll("#fields input")[1].value })`, &form)
	assert.Equal(t, struct{ Tool, Name, N string }{"writes", "Ada", "7"}, form)
	assert.EqualValues(t, 2, calls.Load())

	g.past(t, 1, "Repeat")
	g.waitResult(t, "call 3")
	g.waitResult(t, `writes {"name":"Ada","n":7}`)
	g.eval(t, list, &listed)
	assert.Len(t, listed, 3)

	var copied string
	g.eval(t, `{ window.copied = ""; navigator.clipboard.writeText = async (t) => { copied = t } }`, nil)
	g.past(t, 1, "Copy")
	g.eval(t, `copied`, &copied)
	var call struct {
		Tool      string
		Arguments json.RawMessage
		Duration  *int `json:"durationMilliseconds"`
		Result    struct{ Content []struct{ Text string } }
	}
	require.NoError(t, json.Unmarshal([]byte(copied), &call))
	assert.Equal(t, "reads", call.Tool)
	assert.JSONEq(t, `{"name":"Bob"}`, string(call.Arguments))
	assert.NotNil(t, call.Duration)
	assert.Contains(t, call.Result.Content[0].Text, "call 2")

	// An earlier call shows its own result.
	g.eval(t, `document.querySelector("#history > li:last-child .past-head").click()`, nil)
	g.waitResult(t, "call 1")
	assert.EqualValues(t, 3, calls.Load())

	g.eval(t, `(async () => { const h = await import("/app.js").then((m) => m.history); for (let i = 0; i < 200; i++) { h.begin({ id: "x" + i, tool: "t", title: "t", args: { a: "x".repeat(1000) } }); h.end({ call: "x" + i, characters: 900000, result: { content: [] } }) } })()`, nil)
	var kept struct{ Calls, Results int }
	g.eval(t, `(async () => { const h = await import("/app.js").then((m) => m.history); return { calls: document.getElementById("history").childElementCount, results: Array.from({ length: 200 }, (_, i) => h.get("x" + i)?.event.result).filter(Boolean).length } })()`, &kept)
	assert.Equal(t, 50, kept.Calls)
	assert.LessOrEqual(t, kept.Results, 19)
	assert.Positive(t, kept.Results)
}

// The record separates calls, names the tool of an answer, and shows the messages of
// one call.
func TestRecordOfCalls(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	g := start(t, showcase()).open(t, "", 1280, 800)
	g.callForecast(t)
	g.waitRecord(t, "is not for apps")
	g.eval(t, `document.getElementById("call").click()`, nil)
	g.wait(t, `document.querySelectorAll("#log > .call-line").length === 2 && [...document.querySelectorAll("#log > .call-line ~ .call-line ~ li")].some((li) => li.dataset.text.includes("is not for apps"))`)
	var answers []string
	g.eval(t, `[...document.querySelectorAll("#log > .error.to-view")].map((li) => li.querySelector(".title").textContent + " " + li.querySelector(".detail").textContent)`, &answers)
	require.NotEmpty(t, answers)
	assert.Contains(t, answers[0], "tools/call secret: ")
	g.eval(t, `document.querySelector("#history > li:last-child .past-head").click()`, nil)
	var shown struct{ Calls, Shown, All int }
	g.eval(t, `(() => { const all = [...document.querySelectorAll("#log > li")], shown = all.filter((li) => !li.hidden); return { calls: new Set(shown.map((li) => li.dataset.call)).size, shown: shown.length, all: all.length } })()`, &shown)
	assert.Equal(t, 1, shown.Calls)
	assert.Greater(t, shown.Shown, 5)
	assert.Less(t, shown.Shown, shown.All)
	g.eval(t, `document.getElementById("only-call").click()`, nil)
	g.wait(t, `[...document.querySelectorAll("#log > li")].every((li) => !li.hidden)`)

	var copied string
	g.eval(t, `{ window.copied = ""; navigator.clipboard.writeText = async (t) => { copied = t } }`, nil)
	g.past(t, 1, "Copy")
	g.eval(t, `copied`, &copied)
	assert.Contains(t, copied, `"ui/notifications/tool-result"`, "with its messages")
}
