package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/preview"
)

// list joins n parts, each made from its number.
func list(n int, part string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, part, i)
	}
	return b.String()
}

// branching is a schema of 2 kB in which each definition refers to the next one twice.
var branching = func() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%[2]d"}]},`, i, i+1)
	}
	return `"$defs":{` + b.String() + `"a30":{"type":"object"}}`
}()

// hostileSchemas are input schemas that are expensive for those who take them at their
// word. The form says reason where it takes JSON instead.
var hostileSchemas = []struct {
	name, schema, reason string
	sent                 string // what the tool gets, unless {}
}{
	{"branching", `{"type":"object","allOf":[{"$ref":"#/$defs/a0"},{"$ref":"#/$defs/a0"}],` + branching + `}`, "The form does not support allOf.", ""},
	{"branching-within", `{"type":"object","properties":{"x":{"$ref":"#/$defs/a0","default":{}}},` + branching + `}`, "The form does not support $ref.", ""},
	{"cyclic", `{"type":"object","properties":{"x":{"$ref":"#"}}}`, "The form does not support $ref.", ""},
	{"many-bytes", `{"type":"object","properties":{` + list(8000, `"property_number_%d":{"type":"string"}`) + `}}`, "bytes, and a form can be made from at most 262144.", ""},
	{"many-properties", `{"type":"object","properties":{` + list(301, `"p%d":{"type":"string"}`) + `}}`, "The form does not support more than 300 fields.", ""},
	{"deep", strings.Repeat(`{"type":"object","properties":{"x":`, 400) + `true` + strings.Repeat(`}}`, 400), "The form does not support objects this deeply nested.", ""},
	{"many-choices", `{"type":"object","properties":{"e":{"enum":[` + list(20_000, `"e%d"`) + `]}}}`, "The form does not support more than 500 choices.", ""},
	{"many-selects", `{"type":"object","properties":{` + list(50, `"p%d":{"enum":[`+strings.ReplaceAll(list(400, `"e%d"`), "%", "%%")+`]}`) + `}}`, "The form does not support more than 5000 choices.", ""},
	{"many-items", `{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"},"default":[` + list(1000, `"e%d"`) + `]}}}`, "The form does not support more than 100 items.", `{"l":[` + list(1000, `"e%d"`) + `]}`},
	{"backtracking", `{"type":"object","properties":{"s":{"type":"string","pattern":"^(a+)+$","default":"` + strings.Repeat("a", 40) + `!"},"t":{"type":"string","pattern":"^(a+)+$","default":"` + strings.Repeat("a", 40) + `"}}}`, "", `{"t":"` + strings.Repeat("a", 40) + `"}`},
	{"long-texts", `{"title":"T","type":"object","properties":{"s":{"type":"string","title":"` + strings.Repeat("t", 60_000) + `","description":"` + strings.Repeat("d", 60_000) + `","examples":["` + strings.Repeat("x", 60_000) + `"]}}}`, "", ""},
}

func hostileServer(t *testing.T) *mcp.Server {
	s := showcase()
	add := func(tool *mcp.Tool) {
		if tool.InputSchema == nil {
			tool.InputSchema = json.RawMessage(`{"type":"object"}`)
		}
		s.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "got " + string(req.Params.Arguments)}}}, nil
		})
	}
	for _, c := range hostileSchemas {
		require.True(t, json.Valid([]byte(c.schema)), c.name)
		add(&mcp.Tool{Name: c.name, InputSchema: json.RawMessage(c.schema)})
	}
	asks := func(name, schema string) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult)
			if !ok {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: strings.Repeat("Well? ", 20_000), RequestedSchema: json.RawMessage(schema)}}}, nil
			}
			data, err := json.Marshal(answer)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}, err
		})
	}
	asks("asks-branching", `{"type":"object","allOf":[{"$ref":"#/$defs/a0"},{"$ref":"#/$defs/a0"}],`+branching+`}`)
	asks("asks-much", `{"type":"object","required":[`+list(3000, `"p%d"`)+`],"properties":{`+list(3000, `"p%d":{"type":"string","pattern":"^(a+)+$","default":"`+strings.Repeat("a", 30)+`!"}`)+`}}`)
	asks("asks-many", `{"type":"object","properties":{`+list(3000, `"p%d":{"type":"string"}`)+`}}`)
	add(&mcp.Tool{Name: "described", Title: strings.Repeat("title ", 100_000), Description: strings.Repeat("description ", 100_000),
		Icons: []mcp.Icon{{Source: "data:image/svg+xml," + strings.Repeat("x", 1<<20)}, {Source: "https://tracker.example/icon.png"}}})
	return s
}

// A schema costs its own form, which falls back to JSON and says why. The call is made
// with what is valid, and other tools are as usable as before.
func TestHostileSchemas(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	t.Parallel()
	g := start(t, hostileServer(t)).open(t, "", 1000, 800)
	for _, c := range hostileSchemas {
		t.Run(c.name, func(t *testing.T) {
			g.eval(t, fmt.Sprintf(`document.querySelector('button.tool[data-tool=%q]').click()`, c.name), nil)
			var got struct {
				Reasons  string
				Elements int
				Height   int
			}
			g.eval(t, `({ reasons: [...document.querySelectorAll("#fields .reason")].map((e) => e.textContent).join("\n"),
				elements: document.querySelectorAll("#fields *").length, height: document.getElementById("fields").clientHeight })`, &got)
			if c.reason == "" {
				assert.Empty(t, got.Reasons)
			} else {
				assert.Contains(t, got.Reasons, c.reason)
			}
			assert.Less(t, got.Elements, 12_000)
			assert.Less(t, got.Height, 10_000)
			g.eval(t, `document.documentElement.dataset.result = ""; document.getElementById("call").click()`, nil)
			g.wait(t, `document.documentElement.dataset.result === "ok"`)
			sent := c.sent
			if sent == "" {
				sent = "{}"
			}
			var shown string
			g.eval(t, `document.querySelector("#result pre").textContent`, &shown)
			assert.True(t, strings.HasPrefix("got "+sent, shown[:min(len(shown), 1000)]), "%.1000s", shown)
		})
	}
	t.Run("texts", func(t *testing.T) {
		g.eval(t, `document.querySelector('button.tool[data-tool=described]').click()`, nil)
		var got struct{ Title, Description, Button, Images int }
		g.eval(t, `({ title: document.getElementById("tool-title").textContent.length, description: document.getElementById("tool-description").textContent.length,
			button: document.querySelector('button.tool[data-tool=described]').textContent.length, images: document.querySelectorAll("main img, nav img").length })`, &got)
		assert.Less(t, got.Title, 300)
		assert.Less(t, got.Description, 11_000)
		assert.Less(t, got.Button, 500)
		assert.Zero(t, got.Images, "icons can be addresses that tell who looks")
	})
	t.Run("questions", func(t *testing.T) {
		for tool, want := range map[string]string{"asks-branching": "the requested schema has $ref", "asks-much": "the requested schema has patterns of more than 4000 bytes"} {
			g.call(t, tool, "{}")
			g.wait(t, fmt.Sprintf(`document.getElementById("result").textContent.includes(%q)`, want))
		}
		g.call(t, "asks-many", "{}")
		g.wait(t, `document.querySelector("#ask[open] .reason")`)
		var got struct {
			Reason           string
			Elements, Length int
		}
		g.eval(t, `({ reason: document.querySelector("#ask .reason").textContent, elements: document.querySelectorAll("#ask *").length, length: document.getElementById("ask").textContent.length })`, &got)
		assert.Equal(t, "Enter JSON. The form does not support more than 300 fields.", got.Reason)
		assert.Less(t, got.Elements, 100)
		assert.Less(t, got.Length, 6000)
		g.eval(t, `document.querySelector("#ask textarea").value = '{"p7":"seven"}'; document.getElementById("ask-accept").click()`, nil)
		g.wait(t, `document.getElementById("result").textContent.includes('"content":{"p7":"seven"}')`)
	})
	t.Run("another tool", func(t *testing.T) {
		g.eval(t, `document.documentElement.dataset.ready = ""; document.querySelector('button.tool[data-tool=forecast]').click(); document.getElementById("call").click()`, nil)
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	})
}

// Ten thousand tools: the list shows a part, and the filter finds the others.
func TestManyTools(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "many", Version: "1"}, nil)
	for i := range 10_000 {
		s.AddTool(&mcp.Tool{Name: fmt.Sprintf("tool-%d", i), Description: strings.Repeat("d ", 100), InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
	}
	var findings []preview.Finding
	for i := range 20_000 {
		findings = append(findings, preview.Finding{Level: host.LevelWarning, Place: fmt.Sprint("tool ", i), Message: fmt.Sprint("message ", i%2*i), Remedy: "none"})
	}
	g := startWith(t, host.Target{Server: s}, &preview.Options{Findings: func(context.Context, *mcp.ClientSession) ([]preview.Finding, error) { return findings, nil }}).open(t, "", 1000, 800)
	g.wait(t, `document.getElementById("tools").textContent.includes("… and 9800 more. Filter the list to see them.")`)
	var shown int
	g.eval(t, `{ const filter = document.getElementById("tools-filter"); filter.value = "TOOL-9999"; filter.dispatchEvent(new Event("input")); document.querySelectorAll("button.tool").length }`, &shown)
	assert.Equal(t, 1, shown)
	g.wait(t, `document.getElementById("findings").textContent.includes("The first 200 of 10001.")`)
	g.eval(t, `document.querySelectorAll("#findings *").length`, &shown)
	assert.Less(t, shown, 3000)
}

// Results, records and output of any size leave the page usable.
func TestHostileResults(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	t.Parallel()
	s := showcase()
	deep := strings.Repeat(`[`, 900) + strings.Repeat(`]`, 900)
	for name, result := range map[string]*mcp.CallToolResult{
		"large":       {Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("0123456789 ", 1<<17)}}},
		"many-blocks": {Content: slicesRepeat(&mcp.TextContent{Text: "x"}, 10_000)},
		"deep":        {Content: []mcp.Content{&mcp.TextContent{Text: "deep"}}, StructuredContent: json.RawMessage(`{"x":` + deep + `}`)},
	} {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result, nil })
	}
	g := start(t, s).open(t, "", 1000, 800)
	for name, want := range map[string]string{"large": "1,441,", "many-blocks": "… and 9900 more blocks", "deep": "… shortened"} {
		g.call(t, name, "{}")
		g.wait(t, fmt.Sprintf(`document.getElementById("result").textContent.includes(%q)`, want))
		var got struct{ Elements, Length int }
		g.eval(t, `({ elements: document.querySelectorAll("#result *").length, length: document.getElementById("result").textContent.length })`, &got)
		assert.Less(t, got.Elements, 1000, name)
		assert.Less(t, got.Length, 200_000, name)
	}
	t.Run("record", func(t *testing.T) {
		var got struct{ Entries, Shown, Kept int }
		g.eval(t, fmt.Sprintf(`(async () => {
			const log = await import("/app.js").then((m) => m.log), list = document.getElementById("log"), search = document.getElementById("search");
			const settle = () => new Promise((done) => setTimeout(done, 200));
			document.getElementById("clear").click();
			for (let i = 0; i < 10000; i++) log.add({ view: "v", dir: "from-view", time: 0, msg: { jsonrpc: "2.0", id: i, method: "call/" + i } });
			await settle();
			search.value = "call/9999"; search.dispatchEvent(new Event("input"));
			const shown = [...list.children].filter((e) => !e.hidden).length, entries = list.childElementCount;
			search.value = ""; search.dispatchEvent(new Event("input"));
			const deep = JSON.parse(%q), large = "x".repeat(1 << 20);
			for (let i = 0; i < 500; i++) log.add({ view: "v", dir: "to-view", time: 0, msg: { jsonrpc: "2.0", method: "m", params: [deep, large] } });
			await settle();
			return { entries, shown, kept: list.childElementCount };
		})()`, deep), &got)
		assert.Equal(t, 2000, got.Entries)
		assert.Equal(t, 1, got.Shown)
		assert.Less(t, got.Kept, 300, "the texts of all entries have a bound")
	})
	t.Run("output", func(t *testing.T) {
		g.eval(t, `(async () => {
			const { showOutput } = await import("/app.js").then((m) => m.server);
			document.getElementById("tab-server").click();
			for (let i = 0; i < 3000; i++) showOutput({ text: "line " + i + " ".repeat(1000) });
		})()`, nil)
		g.wait(t, `document.getElementById("stderr").textContent.includes("line 2999")`)
	})
	t.Run("another tool", func(t *testing.T) {
		g.eval(t, `document.documentElement.dataset.ready = ""; document.querySelector('button.tool[data-tool=forecast]').click(); document.getElementById("call").click()`, nil)
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	})
}

// Large messages of a view reach the preview in batches that it takes, and are refused
// there one by one.
func TestLargeMessages(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	t.Parallel()
	g := start(t, viewServer(map[string]string{"posts": fmt.Sprintf(handWritten, `
		for (let i = 0; i < 3; i++) post({ id: 100 + i, method: "x", params: { a: "a".repeat(9000000) } });
		say("ping: " + JSON.stringify((await ask("ping")).result))`)})).open(t, "", 1000, 800)
	release := g.holdCommands(t, "x")
	g.call(t, "posts", "{}")
	g.wait(t, "held.messages === 3")
	release()
	g.waitRecord(t, `ping: {}`)
	g.waitRecord(t, "the limit is 4194304")
	var largest int // of three bytes each, it is less than the 64 MiB that the preview takes
	g.eval(t, "held.largest", &largest)
	assert.Less(t, largest, 17_000_000, "two messages are not sent at once")
	assert.Greater(t, largest, 9_000_000)
	assert.Empty(t, g.said(t).Banner)
}

func slicesRepeat(c mcp.Content, n int) []mcp.Content {
	list := make([]mcp.Content, n)
	for i := range list {
		list[i] = c
	}
	return list
}
