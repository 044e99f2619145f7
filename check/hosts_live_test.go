package check

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// carrying is a view that draws, from the result that it is given, what an expression of
// it says, and a clock. With the result it also calls its own tool again, whose answer
// is drawn too.
const carrying = `<!doctype html>
<meta name="color-scheme" content="light dark">
<p>The sales of this year</p><p id="out">Loading</p><p id="own"></p><p id="now"></p>
<script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
onmessage = ({ data }) => {
  if (data.id === 0 && data.result) {
    send({ method: "ui/notifications/initialized" });
    send({ method: "ui/notifications/size-changed", params: { height: 100 } });
    const tick = () => now.textContent = performance.now();
    tick();
    setInterval(tick, 200);
  }
  if (data.method === "ui/notifications/tool-result") {
    const result = data.params;
    out.textContent = %s;
    send({ id: 1, method: "tools/call", params: { name: %q, arguments: {} } });
  }
  if (data.id === 1) own.textContent = data.result.structuredContent?.places ?? "";
};
send({ id: 0, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {},
} });
</script>`

// TestLiveHosts opens views with what hosts leave of results, and judges each by what it
// then shows. A view is opened once more for each thing that a named host drops and its
// result has, and its own calls are answered whole. ci/full adds four views that fare as
// others do: what two carry that are blocked or degraded, "parts" carries at once.
func TestLiveHosts(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	var mu sync.Mutex
	calls := make(map[string]int)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	onlyInFull := []string{"content", "both", "structured", "meta"}
	const places = "north south east west"
	page := strings.Replace(carrying, "The sales of this year", "The sales of this year, "+strings.Repeat("as this help explains ", 10), 1)
	for name, draws := range map[string]string{
		"content":    `result.content[0].text`,
		"both":       `result.content[0].text + (result.structuredContent?.places ?? "")`,
		"structured": `result.structuredContent.places`,
		"guarded":    `result.structuredContent?.places ?? result.content[0].text + " are the places"`,
		"meta":       `result._meta["example/places"] + result._meta["example/places"]`,
		"parts":      `(result.structuredContent?.places ?? "") + " " + (result._meta?.["example/places"] ?? "")`,
		"plain":      `result.content[0].text`,
		"random":     `result.content[0].text`,
	} {
		if !testenv.Full() && slices.Contains(onlyInFull, name) {
			continue
		}
		res := mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: places}}, StructuredContent: json.RawMessage(`{"places": "` + places + `"}`)}
		switch name {
		case "meta", "parts":
			res.Meta = mcp.Meta{"example/places": places}
		case "plain":
			res.StructuredContent = nil
		}
		uri := "ui://s/" + name
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML(fmt.Sprintf(page, draws, name)))
		mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			mcpapps.ToolUIMetadata{ResourceURI: uri}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				mu.Lock()
				defer mu.Unlock()
				calls[name]++
				if name == "random" {
					var words []string
					for range 12 {
						words = append(words, strings.Map(func(r rune) rune { return 'a' + r%26 }, rand.Text()))
					}
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(words, " ")}}, StructuredContent: res.StructuredContent}, nil
				}
				return &res, nil
			})
	}
	whole, content, meta, unknown := generous(), generous(), generous(), generous()
	whole.ID, content.ID, meta.ID, unknown.ID = "whole", "content", "meta", "unknown"
	content.Result, meta.Result, unknown.Result = fact(compat.ResultContentOnly), fact(compat.ResultWithoutMeta), compat.Fact[compat.Result]{}
	var parts []string
	check := func(profiles ...*compat.Profile) map[string][]string {
		o := Live(t, *hostOptions(profiles...), liveview.Limits{})
		o.Timeout = 3 * time.Minute
		parts = nil
		o.Progress = func(p Progress) {
			if p.Part == "hosts" {
				parts = append(parts, p.String())
			}
		}
		r, err := Target(t.Context(), host.Target{Server: s}, o)
		require.NoError(t, err)
		verdicts := make(map[string][]string)
		for _, h := range r.Hosts {
			for _, v := range h.Apps {
				for _, reason := range v.Reasons {
					t.Log(h.ID, v.Tool, reason.String())
				}
				verdicts[v.Tool] = append(verdicts[v.Tool], v.Verdict.String())
			}
		}
		return verdicts
	}
	want := map[string][]string{
		"content":    {"works", "works", "works", "works"},
		"both":       {"works", "degraded", "works", "unknown"},
		"structured": {"works", "blocked", "works", "unknown"},
		"guarded":    {"works", "works", "works", "works"},
		"meta":       {"works", "blocked", "blocked", "unknown"},
		"parts":      {"works", "blocked", "degraded", "unknown"},
		"plain":      {"works", "works", "works", "works"},
		"random":     {"works", "unknown", "works", "unknown"},
	}
	emptied, withMeta, again := 7, 2, 5
	if !testenv.Full() {
		for _, name := range onlyInFull {
			delete(want, name)
		}
		emptied, withMeta, again = 3, 1, 2
	}
	assert.Equal(t, want, check(whole, content, meta, unknown))
	require.NotEmpty(t, parts)
	assert.Equal(t, fmt.Sprintf("opening views with less of their results: 0 of %d", emptied), parts[0], "all but one")
	assert.Contains(t, parts, fmt.Sprintf("opening views with less of their results: %[1]d of %[1]d", withMeta), "those with _meta")
	assert.Equal(t, fmt.Sprintf("opening views with less of their results: %[1]d of %[1]d", again), parts[len(parts)-1], "those that seem to lose something, with the whole")
	assert.Equal(t, calls["plain"]+3, calls["guarded"], "it is opened twice more, and calls its tool itself where it has a text")

	for name := range want {
		if name != "guarded" {
			s.RemoveTools(name)
			s.RemoveResources("ui://s/" + name)
		}
	}
	check(whole)
	assert.Empty(t, parts, "nothing is dropped")
}
