package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

// annotations are those that ChatGPT requires.
func annotations() *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}

type openInput struct {
	File *openai.OpenedFile `json:"file,omitempty"`
}

type attachInput struct {
	Note  string                `json:"note" jsonschema:"the note"`
	Files []openai.UploadedFile `json:"files" jsonschema:"what to attach"`
}

func say[In any](text string) mcp.ToolHandlerFor[In, any] {
	return func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

var boardView = mcpapps.View{
	Resource: mcp.Resource{URI: "ui://notes/board", Meta: mcp.Meta{"example.com/owner": "team"}},
	UI: mcpapps.ResourceUIMetadata{
		CSP:    &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}, FrameDomains: []string{}},
		Domain: "notes.example.com",
	},
	Document: mcpapps.HTML("<!doctype html><title>Notes</title>"),
}

// newDeclared returns a server that declares everything which this file's subject has, or the
// same server without it.
func newDeclared(opts *mcpapps.Options, declared bool) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	mcpapps.Enable(s, opts)
	board := &mcp.Tool{Name: "notes.board", Title: "Notes", Annotations: annotations(), Meta: mcp.Meta{
		"example.com/owner": "team",
		"ui":                map[string]any{"visibility": []string{"app"}},
	}}
	open := &mcp.Tool{Name: "notes.open", Annotations: annotations()}
	attach := &mcp.Tool{Name: "notes.attach", Annotations: annotations()}
	view := boardView
	// The types of files have their schemas from the declaration, so the server without it
	// gets the same ones.
	openTool, attachTool := openai.Tool[openInput](open, openai.ToolUI{}), openai.Tool[attachInput](attach, openai.ToolUI{})
	openTool.Meta, attachTool.Meta = nil, nil
	if declared {
		view = openai.View(view, openai.ViewUI{
			AvailableDisplayModes: []openai.DisplayMode{openai.Inline, openai.Fullscreen},
			PreferredDisplayMode:  openai.Inline,
			Description:           "Shows the notes",
			RedirectDomains:       []string{"https://example.com"},
		})
		board = openai.Tool[struct{}](board, openai.ToolUI{
			Entrypoints: []openai.Entrypoint{
				openai.Global(&openai.QuickAction{Title: "New note", Icons: []mcp.Icon{{Source: "https://example.com/i.svg"}}, Tool: "notes.attach", Arguments: map[string]any{"note": ""}}),
				openai.Thread(),
			},
			PreferredModelDisplayMode: openai.Fullscreen,
			MonochromeIcon:            true,
			Invoking:                  "Opening",
			Invoked:                   "Opened",
		})
		openTool = openai.Tool[openInput](open, openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.File(".note")}})
		attachTool = openai.Tool[attachInput](attach, openai.ToolUI{})
	}
	mcpapps.RegisterApp(s, board, view, say[struct{}]("notes"))
	mcpapps.RegisterApp(s, openTool, view, func(_ context.Context, req *mcp.CallToolRequest, in openInput) (*mcp.CallToolResult, any, error) {
		path, err := openai.FilePath(req)
		if err != nil {
			return nil, nil, err
		}
		text := "no file"
		if in.File != nil {
			text = in.File.Name
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text + " at " + path}}}, nil, nil
	})
	mcp.AddTool(s, attachTool, func(_ context.Context, _ *mcp.CallToolRequest, in attachInput) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(len(in.Files), in.Files)}}}, nil, nil
	})
	return s
}

// declaredKeys are the keys of _meta that declarations add, and nothing else.
const (
	boardKeys = `{
		"openai/ui": {"entrypoints": [
			{"type": "global", "quickAction": {"title": "New note", "icons": [{"src": "https://example.com/i.svg"}], "target": {"type": "tool", "name": "notes.attach", "arguments": {"note": ""}}}},
			{"type": "thread"}
		], "preferredModelDisplayMode": "fullscreen"},
		"openai/iconStyle": "monochrome",
		"openai/toolInvocation/invoking": "Opening",
		"openai/toolInvocation/invoked": "Opened"
	}`
	openKeys   = `{"openai/ui": {"entrypoints": [{"type": "file", "extensions": [".note"]}]}}`
	attachKeys = `{"openai/fileParams": ["files"]}`
	viewKeys   = `{
		"openai/ui": {"availableDisplayModes": ["inline", "fullscreen"], "preferredDisplayMode": "inline"},
		"openai/widgetDescription": "Shows the notes",
		"openai/widgetCSP": {"connect_domains": ["https://api.example.com"], "resource_domains": [], "frame_domains": [], "redirect_domains": ["https://example.com"]}
	}`
)

func decode(t *testing.T, data string) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(data), &m), data)
	return m
}

// withoutOpenAI takes the keys that begin with "openai/" out of each _meta within v, and
// returns those of the entry with the given name or URI.
func withoutOpenAI(v any, of string) map[string]any {
	taken := make(map[string]any)
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			maps.Copy(taken, withoutOpenAI(item, of))
		}
	case map[string]any:
		meta, _ := v["_meta"].(map[string]any)
		for k, value := range meta {
			if strings.HasPrefix(k, "openai/") {
				delete(meta, k)
				if v["name"] == of || v["uri"] == of {
					taken[k] = value
				}
			}
		}
		if len(meta) == 0 {
			delete(v, "_meta")
		}
		for _, member := range v {
			maps.Copy(taken, withoutOpenAI(member, of))
		}
	}
	return taken
}

// TestDeclared: over each transport, what a server answers with declarations differs from
// what it answers without by the declared keys alone.
func TestDeclared(t *testing.T) {
	plain := make(map[string]map[string]any)
	requests := []struct{ method, params, of, keys string }{
		{"tools/list", `{}`, "notes.board", boardKeys},
		{"tools/list", `{}`, "notes.open", openKeys},
		{"tools/list", `{}`, "notes.attach", attachKeys},
		{"resources/list", `{}`, "ui://notes/board", viewKeys},
		{"resources/read", `{"uri":"ui://notes/board"}`, "ui://notes/board", viewKeys},
		{"resources/templates/list", `{}`, "", `{}`},
		{"tools/call", `{"name":"notes.board","arguments":{}}`, "", `{}`},
		{"tools/call", `{"name":"notes.open","arguments":{"file":{"name":"a.note","resourceUri":"host-resource://1","later":true}}}`, "", `{}`},
	}
	for _, declared := range []bool{false, true} {
		rawclient.Each(t, newDeclared(nil, declared), rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
			for _, r := range requests {
				key := c.Version + r.method + r.params
				got := decode(t, c.Result(t, r.method, r.params))
				keys := withoutOpenAI(got, r.of)
				if !declared {
					assert.Empty(t, keys, r.method)
					plain[key] = got
					continue
				}
				assert.Equal(t, decode(t, r.keys), keys, "%s %s", r.method, r.of)
				assert.Equal(t, plain[key], got, "%s but for the keys", r.method)
			}
			if declared {
				assert.Equal(t, plain[c.Version], decode(t, c.Handshake), "declarations on tools add no capability")
			} else {
				plain[c.Version] = decode(t, c.Handshake)
			}
		})
	}
}

// TestFileSchemas: the schemas of the arguments that are files, as listed.
func TestFileSchemas(t *testing.T) {
	c := rawclient.Memory(t, newDeclared(nil, true), rawclient.Config{})
	var list struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal([]byte(c.Result(t, "tools/list", `{}`)), &list))
	schemas := make(map[string]string)
	for _, tool := range list.Tools {
		schemas[tool.Name] = string(tool.InputSchema)
	}
	assert.JSONEq(t, `{"type":"object","properties":{"file":{"type":["null","object"],"properties":{"name":{"type":"string","minLength":1,"pattern":"^([^/\\\\]*[^/\\\\.][^/\\\\]*|\\.{3,})$"},"resourceUri":{"type":"string","minLength":1}},"required":["name","resourceUri"]}},"additionalProperties":false}`, schemas["notes.open"])
	assert.JSONEq(t, `{"type":"object","properties":{"note":{"type":"string","description":"the note"},"files":{"type":"array","description":"what to attach","items":{"type":"object","properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"mime_type":{"type":"string"},"file_name":{"type":"string"}},"required":["download_url","file_id"]}}},"required":["note","files"],"additionalProperties":false}`, schemas["notes.attach"])

	for arguments, want := range map[string]string{
		`{"file":{"name":"a.note","resourceUri":"host-resource://1","x":1}}`: "a.note at ",
		`{}`: "no file at ",
		`{"file":{"name":"","resourceUri":"host-resource://1"}}`:                 "",
		`{"file":{"name":"../../etc/passwd","resourceUri":"host-resource://1"}}`: "",
		`{"file":{"name":"..\\a.note","resourceUri":"host-resource://1"}}`:       "",
		`{"file":{"name":"/a.note","resourceUri":"host-resource://1"}}`:          "",
		`{"file":{"name":"a/","resourceUri":"host-resource://1"}}`:               "",
		`{"file":{"name":".","resourceUri":"host-resource://1"}}`:                "",
		`{"file":{"name":"..","resourceUri":"host-resource://1"}}`:               "",
		`{"file":{"name":"...","resourceUri":"host-resource://1"}}`:              "... at ",
		`{"file":{"name":"..note","resourceUri":"host-resource://1"}}`:           "..note at ",
		`{"file":{"name":".note","resourceUri":"host-resource://1"}}`:            ".note at ",
		`{"file":{"name":"a b.é","resourceUri":"host-resource://1"}}`:            "a b.é at ",
		`{"file":{"name":"a"}}`: "",
		`{"file":{}}`:           "",
	} {
		result := c.Call(t, "notes.open", arguments)
		if want == "" {
			assert.Contains(t, result, `"isError":true`, arguments)
		} else {
			assert.Contains(t, result, `"text":"`+want, arguments)
		}
	}
	assert.Contains(t, c.Call(t, "notes.attach", `{"note":"n","files":[{"download_url":"u","file_id":"f","file_name":"a","x":1}]}`), "1 [{u f  a}]")
	assert.Contains(t, c.Call(t, "notes.attach", `{"note":"n","files":[{"download_url":"u"}]}`), `"isError":true`)
}
