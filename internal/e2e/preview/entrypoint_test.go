package preview

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/mcpapps-go/mcpapps/preview"
)

// moveForm has each field that OpenAI's extension adds.
const moveForm = `{"type":"object","required":["list"],"properties":{
	"list":{"type":"string","title":"List","description":"Where it stands from now on","oneOf":[
		{"const":"g","title":"Groceries","description":"3 lines, changed today","x-openai-thumbnail":{"src":"data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5IDkiPjxwYXRoIGZpbGw9IiMzYTgiIGQ9Ik0wIDBoOXY5SDB6Ii8+PC9zdmc+"}},
		{"const":"w","title":"Work","description":"No lines","x-openai-thumbnail":{"src":"https://notes.example/w.png"}}]},
	"color":{"type":"string","title":"Colour","x-openai-suggestions":[{"const":"red","title":"Red"}]},
	"tags":{"type":"array","title":"Tags","items":{"type":"string","x-openai-suggestions":[{"const":"soon","title":"Soon"}]},"default":["soon"]},
	"source":{"type":"string","title":"Source","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"note://1","name":"n1","title":"First note"},{"uri":"note://2","name":"n2"}]}},
	"link":{"type":"string","title":"Link","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"note://1","name":"n1"}],"userOptions":{}}},
	"files":{"type":"array","title":"Files","items":{"type":"string","format":"uri"},"x-openai-input":{"type":"resource","selection":"implicit","options":[{"uri":"note://1","name":"n1"},{"uri":"note://2","name":"n2"}]}}}}`

// entryServer serves a view with entrypoints, which records what it is given. pathOf
// returns the path that the last call had.
func entryServer() (s *mcp.Server, pathOf func() string) {
	s = mcp.NewServer(&mcp.Implementation{Name: "notes", Title: "Notes", Version: "1"}, nil)
	const uri = "ui://notes/board"
	var mu sync.Mutex
	var path string
	add := func(name, title string, entrypoints ...any) {
		meta := mcp.Meta{"ui": map[string]any{"resourceUri": uri, "visibility": []string{"app"}}}
		if len(entrypoints) > 0 {
			meta["openai/ui"] = map[string]any{"entrypoints": entrypoints}
		}
		s.AddTool(&mcp.Tool{Name: name, Title: title, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: meta}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			resource, _ := req.Params.Meta["openai/resource"].(map[string]any)
			path, _ = resource["path"].(string)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name}}}, nil
		})
	}
	add("notes.board", "All notes", map[string]any{"type": "global", "quickAction": map[string]any{
		"title": "New note", "icons": []any{map[string]any{"src": "https://notes.example/new.svg"}},
		"target": map[string]any{"type": "tool", "name": "notes.new", "arguments": map[string]any{"in": "drafts"}},
	}}, map[string]any{"type": "thread"})
	add("notes.edit", "Note", map[string]any{"type": "file", "extensions": []string{".note", ".md"}})
	add("notes.wrong", "Settings", map[string]any{"type": "settings"})
	add("notes.new", "New")
	forms := openai.NewForms(nil)
	s.AddTool(&mcp.Tool{Name: "notes.move", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, pending, err := forms.Ask(ctx, req, "move", &mcp.ElicitParams{Message: "Where does the note go?", RequestedSchema: json.RawMessage(moveForm)})
		if pending != nil || err != nil {
			return pending, err
		}
		content, err := json.Marshal(answer.Content)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(content)}}}, err
	})
	s.AddResource(&mcp.Resource{URI: uri, Name: "board", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		const html = `<!doctype html><meta name="color-scheme" content="light dark"><body style="font:15px system-ui;padding:20px"><h2>Notes</h2><script>
			window.got = []; window.answers = {};
			const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
			addEventListener("message", ({ data }) => {
				if (data.method) {
					got.push(data);
					if (data.id !== undefined) post({ id: data.id, result: {} });
				}
				if (data.id === 0) {
					window.given = data.result;
					post({ method: "ui/notifications/initialized" });
				} else if (data.id > 0 && !data.method) answers[data.id] = data.result ?? data.error;
				if (data.method === "ui/notifications/tool-input" && data.params.arguments.file) {
					window.uri = data.params.arguments.file.resourceUri;
					post({ id: 1, method: "resources/read", params: { uri } });
				}
				if (data.method) return;
				if (data.id === 1) post({ id: 2, method: "openai/resources/write", params: { uri, text: data.result.contents[0].text + " more", ifMatch: data.result.contents[0]._meta["openai/resource"].etag } });
				if (data.id === 2) post({ id: 3, method: "tools/call", params: { name: "notes.edit", arguments: {} } });
			});
			post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] }, protocolVersion: "2026-01-26" } });</script>`
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html}}}, nil
	})
	return s, func() string {
		mu.Lock()
		defer mu.Unlock()
		return path
	}
}

// Under a host with entrypoints the page lists the server's, and opens a view in
// fullscreen with a deep link, and one for a file, which the view reads and writes.
func TestEntrypoints(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	s, pathOf := entryServer()
	desktop, ok := compat.Lookup("chatgpt-desktop")
	require.True(t, ok)
	p := startWith(t, host.Target{Server: s}, &preview.Options{Emulate: desktop})
	g := p.open(t, "", 1280, 800)
	g.wait(t, `document.querySelectorAll("#entrypoint-list > li").length === 3`)
	g.shoot(t, "entrypoints")
	// In a narrow window all of them are in sight, above the tools.
	require.NoError(t, g.SetSize(t.Context(), 390, 1300))
	g.wait(t, `(() => {
		const panel = document.getElementById("panel-tools");
		return innerWidth === 390 && panel.scrollHeight === panel.clientHeight && getComputedStyle(panel).maxHeight === "none";
	})()`)
	require.NoError(t, g.SetSize(t.Context(), 1280, 800))
	var problem string
	g.eval(t, `document.querySelector("#entrypoint-list [data-tool='notes.wrong'] .problem").textContent`, &problem)
	assert.Contains(t, problem, "openai/settings")

	// The deep link is entered and Enter pressed.
	g.eval(t, `(() => {
		const path = document.querySelector("#entrypoint-list [data-link='notes.board']");
		path.focus();
		path.value = "/n/7?tab=2";
		path.dispatchEvent(new Event("change"));
		path.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
	})()`, nil)
	type seen struct {
		Given struct {
			HostContext, HostCapabilities map[string]any
		}
		Got     []struct{ Method, Params json.RawMessage }
		Answers map[string]json.RawMessage
	}
	view := func(condition string) (v seen) {
		t.Helper()
		g.eventually(t, func() bool {
			var met bool
			return g.EvalIn(t.Context(), "/view", `Boolean(window.given && (`+condition+`))`, &met) == nil && met
		})
		require.NoError(t, g.EvalIn(t.Context(), "/view", `({ given, got, answers })`, &v))
		return v
	}
	v := view(`got.some((m) => m.method === "ui/notifications/tool-result")`)
	assert.Equal(t, map[string]any{"url": "/n/7?tab=2"}, v.Given.HostContext["openai/deepLink"])
	assert.Equal(t, "fullscreen", v.Given.HostContext["displayMode"])
	assert.NotContains(t, v.Given.HostCapabilities["experimental"], "openai/resource")
	assert.JSONEq(t, `{"arguments":{}}`, string(v.Got[0].Params))
	g.shoot(t, "entrypoints-fullscreen")
	g.eval(t, `(() => {
		const path = document.querySelector(".frame-bar [data-link]");
		path.value = "/n/8";
		path.dispatchEvent(new Event("change"));
	})()`, nil)
	v = view(`got.some((m) => m.params?.["openai/deepLink"]?.url === "/n/8")`)

	// The quick action calls its tool.
	g.eval(t, `document.querySelector(".frame-bar button").click()`, nil)
	g.wait(t, `document.querySelector(".frame[data-mode=inline]")`)
	g.eval(t, `document.querySelector("#entrypoint-list .shortcut button").click()`, nil)
	v = view(`got.some((m) => m.method === "ui/notifications/tool-input" && m.params.arguments.in)`)
	assert.JSONEq(t, `{"arguments":{"in":"drafts"}}`, string(v.Got[0].Params))
	assert.Equal(t, "fullscreen", v.Given.HostContext["displayMode"])

	// A file is chosen.
	g.eval(t, `document.querySelector(".frame-bar button").click()`, nil)
	g.wait(t, `document.querySelector(".frame[data-mode=inline]")`)
	choose := func(file string) {
		t.Helper()
		g.eval(t, `(() => {
			const input = document.querySelector("#entrypoint-list [data-tool='notes.edit'] input[type=file]");
			const chosen = new DataTransfer();
			chosen.items.add(`+file+`);
			input.files = chosen.files;
			input.dispatchEvent(new Event("change"));
		})()`, nil)
	}
	choose(`new File([new Uint8Array(2 * 1024 * 1024 + 1)], "large.note")`)
	g.wait(t, `document.querySelector("#stage-empty.problem")?.textContent.includes("The file large.note has 2,097,153 bytes")`)
	choose(`new File(["some text"], "a.note")`)
	v = view(`answers[3]`)
	assert.Equal(t, map[string]any{"openai/message": map[string]any{}, "openai/modelContext": map[string]any{}, "openai/resource": map[string]any{}}, v.Given.HostCapabilities["experimental"])
	assert.NotContains(t, v.Given.HostContext, "openai/deepLink")
	assert.Contains(t, string(v.Answers["1"]), `"text":"some text"`)
	assert.Contains(t, string(v.Answers["2"]), `"outcome":"saved"`)
	first := pathOf()
	content, err := os.ReadFile(first)
	require.NoError(t, err)
	assert.Equal(t, "some text more", string(content))

	// The user removes what the view told the model.
	require.NoError(t, g.EvalIn(t.Context(), "/view", `post({ id: 9, method: "ui/update-model-context", params: { content: [{ type: "text", text: "kept" }] } })`, nil))
	g.wait(t, `[...document.querySelectorAll("#actions button")].some((b) => b.textContent === "Remove update-1")`)
	g.eval(t, `[...document.querySelectorAll("#actions button")].find((b) => b.textContent === "Remove update-1").click()`, nil)
	view(`got.some((m) => m.params?.["openai/modelContext"] === null)`)

	// The call is repeated: its file is read again, as its content is not kept.
	var kept string
	g.eval(t, `import("/app.js").then((m) => m.history).then((history) => JSON.stringify(history.last().entry))`, &kept)
	assert.JSONEq(t, `{"type":"file","file":{}}`, kept)
	g.past(t, 0, "Repeat")
	g.eventually(t, func() bool {
		content, err := os.ReadFile(pathOf())
		return pathOf() != first && err == nil && string(content) == "some text more"
	})
	assert.NoFileExists(t, first)

	g.eval(t, `document.querySelector(".frame-bar button").click()`, nil)
	g.answersForm(t)

	// Another host has no entrypoints.
	g.set(t, "host", "claude-web")
	g.wait(t, `document.getElementById("entrypoints").hidden && !document.querySelector("iframe")`)
	assert.NoFileExists(t, pathOf())
	assert.Empty(t, g.Exceptions())
}

// answersForm calls a tool that asks with the fields of OpenAI's extension, and answers.
func (g page) answersForm(t *testing.T) {
	t.Helper()
	g.call(t, "notes.move", "{}")
	g.wait(t, `document.getElementById("ask").open && document.querySelector("#ask-body img")`)
	g.shoot(t, "openai-form")
	var drawn struct {
		Pictures    int
		Radios      []string
		Suggestions [][]string
		Sources     []string
		Files       []bool
	}
	g.eval(t, `(() => {
		const fields = [...document.querySelectorAll("#ask-body .field, #ask-body fieldset")];
		const field = (title) => fields.find((f) => f.querySelector("bdi").textContent === title);
		const control = (title) => field(title).querySelector("input, select, textarea");
		window.askField = field;
		window.askControl = control;
		const lists = [control("Colour"), field("Tags").querySelector(".row input"), control("Link")];
		return {
			pictures: document.querySelectorAll("#ask-body img").length,
			radios: [...field("List").querySelectorAll("label")].map((l) => l.textContent),
			suggestions: lists.map((c) => [...c.list.options].map((o) => o.label + "=" + o.value)),
			sources: [...control("Source").options].map((o) => o.textContent),
			files: [...field("Files").querySelectorAll("input")].map((box) => box.checked),
		};
	})()`, &drawn)
	assert.Equal(t, 1, drawn.Pictures, "the page loads none from another site")
	assert.Equal(t, []string{"Groceries3 lines, changed today", "WorkNo lines"}, drawn.Radios)
	assert.Equal(t, [][]string{{"Red=red"}, {"Soon=soon"}, {"n1=note://1"}}, drawn.Suggestions)
	assert.Equal(t, []string{"–", "First note", "n2"}, drawn.Sources)
	assert.Equal(t, []bool{true, true}, drawn.Files)

	g.eval(t, `document.getElementById("ask-accept").click()`, nil)
	g.wait(t, `askField("List").querySelector(".field-error").textContent === "This is required."`)
	g.eval(t, `(() => {
		askField("List").querySelectorAll("input")[1].click();
		askControl("Colour").value = "mauve";
		askControl("Source").value = "0";
		askControl("Link").value = "https://example.com/a";
		askField("Files").querySelector("input").click();
		askField("Files").querySelector("textarea").value = "not a URI\n";
		document.getElementById("ask-accept").click();
	})()`, nil)
	g.wait(t, `document.getElementById("ask-error").textContent.includes("must be an absolute URI")`)
	g.shoot(t, "openai-form-again")
	g.eval(t, `(() => {
		askField("Files").querySelector("textarea").value = "file:///b\n";
		document.getElementById("ask-accept").click();
	})()`, nil)
	g.wait(t, `!document.getElementById("ask").open && document.getElementById("result").textContent.includes("mauve")`)
	var result string
	g.eval(t, `document.querySelector("#result").textContent`, &result)
	assert.Contains(t, result, `{"color":"mauve","files":["note://2","file:///b"],"link":"https://example.com/a","list":"w","source":"note://1","tags":["soon"]}`)
}
