package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/openai"
)

type cityInput struct {
	City string `json:"city"`
}

type optionalInput struct {
	City string `json:"city,omitempty"`
}

func entrypoints(all ...openai.Entrypoint) openai.ToolUI { return openai.ToolUI{Entrypoints: all} }

// declareAs calls Tool with the type of v as input.
func declareAs(v any, t *mcp.Tool, ui openai.ToolUI) *mcp.Tool {
	switch v.(type) {
	case cityInput:
		return openai.Tool[cityInput](t, ui)
	case optionalInput:
		return openai.Tool[optionalInput](t, ui)
	case openInput:
		return openai.Tool[openInput](t, ui)
	case attachInput:
		return openai.Tool[attachInput](t, ui)
	case *openInput:
		return openai.Tool[*openInput](t, ui)
	case struct{ Inner attachInput }:
		return openai.Tool[struct{ Inner attachInput }](t, ui)
	case struct{ F func() }:
		return openai.Tool[struct{ F func() }](t, ui)
	case map[string]any:
		return openai.Tool[map[string]any](t, ui)
	case nil:
		return openai.Tool[any](t, ui)
	}
	return openai.Tool[struct{}](t, ui)
}

// panics returns what f panics with, or "".
func panics(f func()) (message string) {
	defer func() {
		if v := recover(); v != nil {
			message = v.(string)
		}
	}()
	f()
	return ""
}

// TestToolMistakes: what Tool panics with. Validate returns the same, but for what only the
// input type shows.
func TestToolMistakes(t *testing.T) {
	no := false
	shortcut := func(change func(*openai.QuickAction)) openai.ToolUI {
		q := openai.QuickAction{Title: "New", Icons: []mcp.Icon{{Source: "https://example.com/i.svg"}}, Tool: "new"}
		change(&q)
		return entrypoints(openai.Global(&q))
	}
	for _, test := range []struct {
		name  string
		input any
		tool  mcp.Tool
		ui    openai.ToolUI
		want  string // "" if it is right
		typed bool   // only the input type shows it
	}{
		{name: "nothing declared"},
		{name: "empty annotations", tool: mcp.Tool{Annotations: &mcp.ToolAnnotations{}}, want: "Annotations lacks DestructiveHint and OpenWorldHint, and ChatGPT requires ReadOnlyHint, DestructiveHint and OpenWorldHint: write Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: jsonschema.Ptr(false), OpenWorldHint: jsonschema.Ptr(false)}, each with what is so for this tool"},
		{name: "no openWorldHint", tool: mcp.Tool{Annotations: &mcp.ToolAnnotations{DestructiveHint: &no}}, want: "Annotations lacks OpenWorldHint, and ChatGPT requires ReadOnlyHint, DestructiveHint and OpenWorldHint: write "},
		{name: "no destructiveHint", tool: mcp.Tool{Annotations: &mcp.ToolAnnotations{OpenWorldHint: &no}}, want: "Annotations lacks DestructiveHint, and"},
		{name: "global that needs an argument", input: cityInput{}, ui: entrypoints(openai.Global(nil)), typed: true,
			want: "the input type: the tool is opened from a global entrypoint, which calls it with {}, and its schema does not accept that: make all arguments optional"},
		{name: "thread that needs an argument", input: cityInput{}, ui: entrypoints(openai.Thread()), typed: true,
			want: "the input type: the tool is opened from a thread entrypoint, which calls it with {}"},
		{name: "global of the author's schema", tool: mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","minProperties":1}`)}, ui: entrypoints(openai.Global(nil)),
			want: "InputSchema: the tool is opened from a global entrypoint"},
		{name: "global with optional arguments", input: optionalInput{}, ui: entrypoints(openai.Global(nil), openai.Thread())},
		{name: "global of any input", input: nil, ui: entrypoints(openai.Global(nil))},
		{name: "global of a map", input: map[string]any{}, ui: entrypoints(openai.Global(nil))},
		{name: "file", input: openInput{}, ui: entrypoints(openai.File(".note"), openai.Global(nil))},
		{name: "file of a pointer", input: &openInput{}, ui: entrypoints(openai.File(".note"))},
		{name: "file with the author's pattern", tool: mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"file":{"type":"object","properties":{"name":{"type":"string","pattern":"\\.note$"},"resourceUri":{"type":"string"}},"required":["name","resourceUri"]}}}`)}, ui: entrypoints(openai.File(".note"))},
		{name: "file of the author's schema", tool: mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"file":{"type":"object"}}}`)}, ui: entrypoints(openai.File(".note"))},
		{name: "file without the argument", input: optionalInput{}, ui: entrypoints(openai.File(".note")), typed: true,
			want: "the input type: the tool is opened from a file entrypoint, which calls it with the argument file, and its schema has no such property"},
		{name: "file without more keys", tool: mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"file":{"type":"object","properties":{"name":{},"resourceUri":{}},"additionalProperties":false}}}`)}, ui: entrypoints(openai.File(".note")),
			want: "allow additional properties in file"},
		{name: "no extension", input: openInput{}, ui: entrypoints(openai.File()), want: `ToolUI.Entrypoints[0]: it has no extension, so the entrypoint opens no file: call File with the extensions of the files, such as ".note"`},
		{name: "extension without a dot", input: openInput{}, ui: entrypoints(openai.File("note")), want: `ToolUI.Entrypoints[0], extension 0: "note" is not an extension: begin it with a dot, as in ".note"`},
		{name: "second extension", input: openInput{}, ui: entrypoints(openai.Global(nil), openai.File(".note", ".")), want: `ToolUI.Entrypoints[1], extension 1: no file has the extension "."`},
		{name: "no kind", ui: entrypoints(openai.Entrypoint{}), want: "ToolUI.Entrypoints[0]: it is empty: use Global, Thread or File"},
		{name: "four", ui: entrypoints(openai.Thread(), openai.Thread(), openai.Thread(), openai.Thread()), want: "ToolUI.Entrypoints: it has 4 entrypoints, and an app may have 3: leave out all but three"},
		{name: "shortcut", ui: shortcut(func(*openai.QuickAction) {})},
		{name: "shortcut without a title", ui: shortcut(func(q *openai.QuickAction) { q.Title = " " }), want: `ToolUI.Entrypoints[0], QuickAction.Title: " " is not a title: write what the shortcut does`},
		{name: "shortcut without icons", ui: shortcut(func(q *openai.QuickAction) { q.Icons = nil }), want: "ToolUI.Entrypoints[0], QuickAction.Icons: it is empty: add an mcp.Icon with a Source"},
		{name: "shortcut with an empty icon", ui: shortcut(func(q *openai.QuickAction) { q.Icons = append(q.Icons, mcp.Icon{}) }), want: "ToolUI.Entrypoints[0], QuickAction.Icons[1]: it has no Source: set its Source"},
		{name: "shortcut without a tool", ui: shortcut(func(q *openai.QuickAction) { q.Tool = "" }), want: "ToolUI.Entrypoints[0], QuickAction.Tool: it is empty: name a tool of this server"},
		{name: "shortcut that can't be encoded", ui: shortcut(func(q *openai.QuickAction) { q.Arguments = map[string]any{"f": func() {}} }), want: "can't be encoded as JSON"},
		{name: "mode", ui: openai.ToolUI{PreferredModelDisplayMode: "pip"}, want: `ToolUI.PreferredModelDisplayMode: ChatGPT has no mode "pip": use Inline or Fullscreen`},
		{name: "status of 64", ui: openai.ToolUI{Invoking: strings.Repeat("é", 64), Invoked: strings.Repeat("é", 64)}},
		{name: "status of 65", ui: openai.ToolUI{Invoked: strings.Repeat("a", 65)}, want: `aaaa" has 65 characters, and a status text may have 64: shorten it`},
		{name: "key in Meta too", tool: mcp.Tool{Meta: mcp.Meta{"openai/ui": map[string]any{}}}, ui: entrypoints(openai.Thread()), want: `Meta has the key "openai/ui", which the declaration sets: leave it out of Meta`},
		{name: "mistake in Meta", tool: mcp.Tool{Meta: mcp.Meta{"openai/ui": map[string]any{"entrypoint": []any{}}}}, want: `/_meta/openai~1ui: it has the unknown key "entrypoint"`},
		{name: "files", input: attachInput{}},
		{name: "files of the author's schema", input: attachInput{}, tool: mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"files":{"type":"array","items":{"type":"object"}}}}`)}, typed: true,
			want: `InputSchema: the argument "files" has no string download_url`},
		{name: "file inside of an argument", input: struct{ Inner attachInput }{}, typed: true, want: "a file is inside of another argument"},
		{name: "type without a schema", input: struct{ F func() }{}, typed: true, want: "the input type struct { F func() }"},
		{name: "type without a schema, with the author's", input: struct{ F func() }{}, tool: mcp.Tool{InputSchema: &jsonschema.Schema{Type: "object"}}, ui: entrypoints(openai.Thread())},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := test.tool
			tool.Name = "t"
			if tool.Annotations == nil {
				tool.Annotations = annotations()
			}
			before, err := json.Marshal(tool.Meta)
			require.NoError(t, err)
			message := panics(func() { declareAs(test.input, &tool, test.ui) })
			err = test.ui.Validate(&tool)
			after, _ := json.Marshal(tool.Meta)
			assert.Equal(t, string(before), string(after), "the author's Meta")
			if test.want == "" {
				assert.Empty(t, message)
				assert.NoError(t, err)
				return
			}
			assert.Contains(t, message, test.want)
			assert.Regexp(t, `^openai\.Tool: tool "t": `, message)
			if test.typed {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, strings.TrimPrefix(message, `openai.Tool: tool "t": `))
			}
		})
	}
	assert.Equal(t, "openai.Tool: the tool is nil", panics(func() { openai.Tool[any](nil, openai.ToolUI{}) }))
	assert.Error(t, openai.ToolUI{}.Validate(nil))
}

// TestToolCopies: Tool and View keep nothing of the author's, and change nothing of it.
func TestToolCopies(t *testing.T) {
	arguments := map[string]any{"a": map[string]any{"b": 1}}
	owner := map[string]any{"name": "team"}
	author := &mcp.Tool{Name: "t", Annotations: annotations(), Meta: mcp.Meta{"example.com/owner": owner}}
	tool := openai.Tool[struct{}](author, entrypoints(openai.Global(&openai.QuickAction{
		Title: "New", Icons: []mcp.Icon{{Source: "https://example.com/i.svg"}}, Tool: "new", Arguments: arguments,
	})))
	owner["name"] = "others"
	arguments["a"].(map[string]any)["b"] = 2
	data, err := json.Marshal(tool.Meta)
	require.NoError(t, err)
	assert.JSONEq(t, `{"example.com/owner":{"name":"team"},"openai/ui":{"entrypoints":[{"type":"global","quickAction":{"title":"New","icons":[{"src":"https://example.com/i.svg"}],"target":{"type":"tool","name":"new","arguments":{"a":{"b":1}}}}}]}}`, string(data))
	assert.Len(t, author.Meta, 1)
	assert.Nil(t, author.InputSchema)
	assert.Nil(t, tool.InputSchema, "the SDK infers it")
	assert.Nil(t, openai.Tool[struct{}](&mcp.Tool{Name: "t", Annotations: annotations()}, openai.ToolUI{}).Meta)

	first := openai.Tool[openInput](&mcp.Tool{Name: "a", Annotations: annotations()}, openai.ToolUI{})
	second := openai.Tool[*openInput](&mcp.Tool{Name: "b", Annotations: annotations()}, openai.ToolUI{})
	assert.Same(t, first.InputSchema, second.InputSchema, "servers that are made for each request share schemas")
}

// TestViewMistakes: what View panics with, and what Validate returns.
func TestViewMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		ui   openai.ViewUI
		want string
	}{
		"nothing":                {},
		"all":                    {openai.ViewUI{AvailableDisplayModes: []openai.DisplayMode{"inline"}, PreferredDisplayMode: "inline", Description: "a", RedirectDomains: []string{"https://a.example"}}, ""},
		"no mode":                {openai.ViewUI{AvailableDisplayModes: []openai.DisplayMode{}}, "ViewUI.AvailableDisplayModes: it is empty: name a mode, or leave it nil"},
		"pip":                    {openai.ViewUI{PreferredDisplayMode: "pip"}, `ViewUI.PreferredDisplayMode: ChatGPT has no mode "pip": use Inline or Fullscreen`},
		"preferred, unavailable": {openai.ViewUI{AvailableDisplayModes: []openai.DisplayMode{"inline"}, PreferredDisplayMode: "fullscreen"}, `ViewUI.PreferredDisplayMode: the preferred mode "fullscreen" is not among the available ones`},
		"unknown mode":           {openai.ViewUI{AvailableDisplayModes: []openai.DisplayMode{"inline", "modal"}}, `ViewUI.AvailableDisplayModes[1]: ChatGPT has no mode "modal": use Inline or Fullscreen`},
		"redirect to a path":     {openai.ViewUI{RedirectDomains: []string{"https://a.example/b"}}, `ViewUI.RedirectDomains[0]: "https://a.example/b" is not an origin`},
	} {
		t.Run(name, func(t *testing.T) {
			message := panics(func() { openai.View(boardView, test.ui) })
			err := test.ui.Validate()
			if test.want == "" {
				assert.Empty(t, message)
				assert.NoError(t, err)
				return
			}
			assert.Contains(t, message, test.want)
			assert.EqualError(t, err, strings.TrimPrefix(message, `openai.View: view "ui://notes/board": `))
		})
	}
	v := boardView
	v.Resource.Meta = mcp.Meta{"openai/widgetDescription": "a"}
	assert.Contains(t, panics(func() { openai.View(v, openai.ViewUI{Description: "b"}) }), `Meta has the key "openai/widgetDescription"`)
}

// TestViewCSP: openai/widgetCSP has the CSP of the view, wherever it is declared.
func TestViewCSP(t *testing.T) {
	for name, test := range map[string]struct {
		v    mcpapps.View
		want string
	}{
		"none":    {mcpapps.View{}, `{"connect_domains":[],"resource_domains":[],"redirect_domains":["https://a.example"]}`},
		"in UI":   {boardView, `{"connect_domains":["https://api.example.com"],"resource_domains":[],"frame_domains":[],"redirect_domains":["https://a.example"]}`},
		"in Meta": {mcpapps.View{Resource: mcp.Resource{Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"resourceDomains": []string{"https://b.example"}}}}}}, `{"connect_domains":[],"resource_domains":["https://b.example"],"redirect_domains":["https://a.example"]}`},
	} {
		data, err := json.Marshal(openai.View(test.v, openai.ViewUI{RedirectDomains: []string{"https://a.example"}}).Resource.Meta["openai/widgetCSP"])
		require.NoError(t, err)
		assert.JSONEq(t, test.want, string(data), name)
	}
	assert.NotContains(t, boardView.Resource.Meta, "openai/widgetCSP")
}
