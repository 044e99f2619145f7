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

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/openai"
)

const whereForm = `{"type":"object","required":["list"],"properties":{
	"list":{"type":"string","title":"List","oneOf":[{"const":"7","title":"Groceries","description":"3 lines"},{"const":"8","title":"Work"}]},
	"tags":{"type":"array","items":{"type":"string","x-openai-suggestions":[{"const":"a","title":"A"}]},"default":["a"]},
	"file":{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"cad://a","name":"a"}]}}}}`

// formServer asks the form of the tool ask with package openai, and another one, which hosts
// do not draw, with the tool wrong. It sends what the client declares to the channel.
func formServer(declared chan<- *mcp.ClientCapabilities) *mcp.Server {
	s := testServer()
	forms := openai.NewForms(nil)
	input := json.RawMessage(`{"type":"object"}`)
	text := func(v any) *mcp.CallToolResult {
		raw, _ := json.Marshal(v)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}
	}
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: input}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, pending, err := forms.Ask(ctx, req, "where", &mcp.ElicitParams{Message: "Where?", RequestedSchema: json.RawMessage(whereForm)})
		if pending != nil || err != nil {
			return pending, err
		}
		return text(answer), nil
	})
	s.AddTool(&mcp.Tool{Name: "wrong", InputSchema: input}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
			return text(answer), nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{
			Message: "Where?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
			Meta: mcp.Meta{"openai/elicitation": map[string]any{"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"deep": map[string]any{"type": "object"}}}}},
		}}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "declared", InputSchema: input}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		declared <- req.ClientCapabilities()
		return &mcp.CallToolResult{}, nil
	})
	return s
}

// showsForms is a host that shows the forms of OpenAI's extension.
var showsForms = &compat.Profile{ID: "forms", Name: "Forms", OpenAIForms: says(true)}

// The client declares OpenAI's forms where the emulated host shows them and the page asks,
// and writes nothing into the options of the program.
func TestFormsCapability(t *testing.T) {
	handler := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, nil }
	own := func() *mcp.ClientOptions {
		return &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Extensions: map[string]any{"example.com/x": map[string]any{}}}}
	}
	for name, c := range map[string]struct {
		profile *compat.Profile
		client  *mcp.ClientOptions
		want    any
	}{
		"shown":          {showsForms, nil, map[string]any{"form": map[string]any{}}},
		"beside others":  {showsForms, own(), map[string]any{"form": map[string]any{}}},
		"not shown":      {&compat.Profile{ID: "no", OpenAIForms: says(false)}, nil, nil},
		"unknown":        {desktop, nil, nil},
		"no host":        {nil, nil, nil},
		"other handler":  {showsForms, &mcp.ClientOptions{ElicitationHandler: handler}, nil},
		"no plain forms": {showsForms, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}}}, nil},
	} {
		declared := make(chan *mcp.ClientCapabilities, 1)
		run, err := Start(t.Context(), host.Target{Server: formServer(declared)}, &Options{Emulate: c.profile, Connect: &host.ConnectOptions{Client: c.client}})
		require.NoError(t, err, name)
		_, err = run.Connection().Call(t.Context(), "declared", nil)
		require.NoError(t, err, name)
		got := <-declared
		assert.Equal(t, c.want, got.Extensions["openai/elicitation"], name)
		assert.NotEmpty(t, got.Extensions["io.modelcontextprotocol/ui"], name)
		assert.Equal(t, c.want != nil, run.forms, name)
		if c.client != nil && c.client.Capabilities != nil && len(c.client.Capabilities.Extensions) > 0 {
			assert.Contains(t, got.Extensions, "example.com/x", name)
			assert.Equal(t, own().Capabilities, c.client.Capabilities, name)
		}
		run.Close()
	}
	for _, p := range []string{"chatgpt-desktop", "codex-desktop", "chatgpt"} {
		profile, _ := compat.Lookup(p)
		shown, known := profile.OpenAIForms.Value()
		assert.True(t, shown && known, p)
	}
}

// The page draws the extension's schema, and the answer is checked against it.
func TestPageAnswersExtendedForms(t *testing.T) {
	p := startPageFor(t, host.Target{Server: formServer(nil)}, &Options{Emulate: showsForms})
	hosts := p.waitType("hosts")
	assert.Equal(t, "true", string(hosts["forms"]))
	p.do(`[{"op":"host","host":"forms"}]`)
	assert.Equal(t, "emulated", shownForms(t, p))
	p.do(`[{"op":"host","host":"chatgpt-ios"}]`)
	assert.Equal(t, "not-shown", shownForms(t, p), "the declaration stays")

	p.do(`[{"op":"call","call":"1","tool":"ask","args":{}}]`)
	q := p.waitType("ask")
	assert.JSONEq(t, `{"inputSchema":`+whereForm+`,"defaults":{"tags":["a"]},"extended":true}`, string(q["form"]))
	p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":{"action":"accept","content":{"list":"9","file":"cad://b","tags":["a"]}}}]`, q["ask"]))
	assert.Equal(t, `"file" must be one of the choices, not "cad://b"; "List" must be one of the choices, not "9"`, str(p.waitType("ask-again")["text"]))
	p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":{"action":"accept","content":{"list":"8","file":"cad://a","tags":["b"]}}}]`, q["ask"]))
	assert.Contains(t, string(p.waitType("result")["result"]), `{\"action\":\"accept\",\"content\":{\"file\":\"cad://a\",\"list\":\"8\",\"tags\":[\"b\"]}}`)

	p.do(`[{"op":"call","call":"2","tool":"wrong","args":{}}]`)
	q = p.waitType("ask")
	assert.Contains(t, string(q["form"]), `A host does not draw this form: /properties/deep/type: the type is \"object\"`)
	assert.NotContains(t, string(q["form"]), `inputSchema`)
	p.do(fmt.Sprintf(`[{"op":"answer","ask":%s,"answer":{"action":"accept","content":{"deep":{"a":1}}}}]`, q["ask"]))
	assert.Contains(t, string(p.waitType("result")["result"]), `\"content\":{\"deep\":{\"a\":1}}`)
}

// Without the declaration the server gets what other clients get, and the page does not look
// at what the extension adds.
func TestFormsWithoutDeclaration(t *testing.T) {
	p := startPageFor(t, host.Target{Server: formServer(nil)}, &Options{Emulate: desktop})
	p.do(`[{"op":"call","call":"1","tool":"ask","args":{}}]`)
	assert.Contains(t, string(p.waitType("result")["result"]), "this client does not show this form")
	p.do(`[{"op":"call","call":"2","tool":"wrong","args":{}}]`)
	assert.JSONEq(t, `{"inputSchema":{"type":"object","properties":{}},"defaults":{}}`, string(p.waitType("ask")["form"]))
}

// shownForms returns how the page shows the fact about the forms of the host that it asked for.
func shownForms(t *testing.T, p *pageScript) string {
	t.Helper()
	var entry hostEntry
	require.NoError(t, json.Unmarshal(p.waitType("host")["host"], &entry))
	for _, f := range entry.Facts {
		if f.Title == "OpenAI's forms" {
			return f.Shown
		}
	}
	return ""
}

// What a server sends in place of a schema costs little and is entered as JSON.
func TestExtendedFormsFromTheWire(t *testing.T) {
	p := &Preview{forms: true}
	for _, extension := range []any{nil, 1, "x", []any{}, map[string]any{}, map[string]any{"requestedSchema": "x"}} {
		schema, ok := p.extendedSchema(&mcp.ElicitParams{Meta: mcp.Meta{"openai/elicitation": extension}})
		assert.True(t, ok, extension)
		assert.Contains(t, extendedFormOf(schema).Problem, "A host does not draw this form: the schema is", extension)
		assert.NoError(t, checkExtended(schema, nil))
	}
	large := map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string", "description": strings.Repeat("d", maxSchema)}}}
	require.Empty(t, openairules.Form(large))
	assert.Contains(t, extendedFormOf(large).Problem, "bytes")
}

// A quick action has what the page needs to call its tool.
func TestShortcut(t *testing.T) {
	assert.Nil(t, shortcutOf(openairules.ToolEntrypoint{Type: "global", ShortcutTitle: "New"}))
	assert.Equal(t, &shortcut{Title: "new", Tool: "new"}, shortcutOf(openairules.ToolEntrypoint{ShortcutTool: "new", ShortcutTitle: " "}))
	large := shortcutOf(openairules.ToolEntrypoint{ShortcutTool: "new", ShortcutTitle: strings.Repeat("t", 1000), ShortcutArguments: map[string]any{"a": strings.Repeat("a", maxShortcutArguments)}})
	assert.Nil(t, large.Arguments)
	assert.NotEmpty(t, large.Problem)
	assert.Less(t, len(large.Title), 220)
}
