package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func findNotes(_ context.Context, _ *mcp.CallToolRequest, query string) ([]*mcp.ResourceLink, error) {
	switch query {
	case "none":
		return nil, nil
	case "fail":
		return nil, errors.New("the index is being built")
	case "nil":
		return []*mcp.ResourceLink{{URI: "notes://n/7", Name: "n7"}, nil}, nil
	case "unnamed":
		return []*mcp.ResourceLink{{URI: "notes://n/7", Name: " "}}, nil
	case "control":
		return []*mcp.ResourceLink{{URI: "notes://n/7", Name: "n\x007"}}, nil
	case "icon":
		return []*mcp.ResourceLink{{URI: "notes://n/7", Name: "n7", Icons: []mcp.Icon{{Source: "https://n.example/i.svg"}, {}}}}, nil
	case "many":
		var links []*mcp.ResourceLink
		for i := range 101 {
			links = append(links, &mcp.ResourceLink{URI: fmt.Sprintf("notes://n/%d", i), Name: "n"})
		}
		return links, nil
	}
	return []*mcp.ResourceLink{{URI: "notes://n/7", Name: "n7", Title: "Groceries " + query, Icons: []mcp.Icon{{Source: "https://n.example/i.svg"}}}}, nil
}

func TestMentions(t *testing.T) {
	s := newPlainServer()
	openai.RegisterMentions(s, nil, findNotes)
	cs := connectNotes(t, s)
	list, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	data, err := json.Marshal(list.Tools)
	require.NoError(t, err)
	assert.JSONEq(t, `[{
		"name":"search_mentions","title":"Search mentions","description":"Searches what users can mention in a message.",
		"annotations":{"readOnlyHint":true,"idempotentHint":false,"destructiveHint":false,"openWorldHint":false},
		"_meta":{"ui":{"visibility":["app"]}},
		"inputSchema":{"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"What the user has typed so far, which may be empty."}}},
		"outputSchema":{"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"type":"object","required":["type","uri","name"],"properties":{
			"type":{"type":"string","enum":["resource_link"]},"uri":{"type":"string"},"name":{"type":"string"}}}}}}
	}]`, string(data))
	resolved := resolveSchema(t, list.Tools[0].OutputSchema)

	for arguments, want := range map[string]string{
		`{"query":""}`:           `{"items":[{"type":"resource_link","uri":"notes://n/7","name":"n7","title":"Groceries ","icons":[{"src":"https://n.example/i.svg"}]}]}`,
		`{"query":"x","more":1}`: `{"items":[{"type":"resource_link","uri":"notes://n/7","name":"n7","title":"Groceries x","icons":[{"src":"https://n.example/i.svg"}]}]}`,
		`{"query":"none"}`:       `{"items":[]}`,
	} {
		got, _ := answerOf(t, cs, "search_mentions", arguments)
		assert.JSONEq(t, want, got, arguments)
		var v any
		require.NoError(t, json.Unmarshal([]byte(got), &v))
		assert.NoError(t, resolved.Validate(v))
		assert.Empty(t, openairules.Mentions(v))
	}
	got, _ := answerOf(t, cs, "search_mentions", `{"query":"many"}`)
	var many struct{ Items []any }
	require.NoError(t, json.Unmarshal([]byte(got), &many))
	assert.Len(t, many.Items, 100)

	for arguments, want := range map[string]string{
		``:                    `the argument "query" is not a string: give one, which may be empty`,
		`{"query":null}`:      `the argument "query" is not a string: give one, which may be empty`,
		`{"query":["a"]}`:     `the argument "query" is not a string: give one, which may be empty`,
		`{"Query":"a"}`:       `the argument "query" is not a string: give one, which may be empty`,
		`{"query":"fail"}`:    `the index is being built`,
		`{"query":"nil"}`:     `the server found a mention, items[1], without a URI or without a name`,
		`{"query":"unnamed"}`: `the server found a mention, items[0], without a URI or without a name`,
		`{"query":"control"}`: `the server found a mention, items[0], with a control character or invalid UTF-8 in its URI, name or title`,
		`{"query":"icon"}`:    `the server found a mention, items[0], with an icon without a source`,
	} {
		_, fault := answerOf(t, cs, "search_mentions", arguments)
		assert.Equal(t, want, fault, arguments)
	}
}

// resolveSchema returns a schema that a client has received.
func resolveSchema(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	data, err := json.Marshal(schema)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(data, &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

func TestMentionsTool(t *testing.T) {
	own := &mcp.Tool{
		Name: "find_notes", Title: "Find notes", Description: "Finds notes.",
		Annotations: &mcp.ToolAnnotations{Title: "Find", OpenWorldHint: jsonschema.Ptr(true)},
		Meta:        mcp.Meta{"example.com/a": 1, "ui": map[string]any{"visibility": []any{"model", "app"}}},
	}
	before, err := json.Marshal(own)
	require.NoError(t, err)
	s := newPlainServer()
	openai.RegisterMentions(s, own, findNotes)
	after, err := json.Marshal(own)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the author's tool stays as it is")
	list, err := connectNotes(t, s).ListTools(t.Context(), nil)
	require.NoError(t, err)
	tool := list.Tools[0]
	assert.Equal(t, []string{"find_notes", "Find notes", "Finds notes."}, []string{tool.Name, tool.Title, tool.Description})
	assert.Equal(t, &mcp.ToolAnnotations{Title: "Find", ReadOnlyHint: true, DestructiveHint: jsonschema.Ptr(false), OpenWorldHint: jsonschema.Ptr(true)}, tool.Annotations)
	assert.Equal(t, mcp.Meta{"example.com/a": 1.0, "ui": map[string]any{"visibility": []any{"model", "app"}}}, tool.Meta)

	for want, change := range map[string]func(*mcp.Tool){
		`the name of the tool "a/b" has '/': use letters, digits, _, - and . only`: func(t *mcp.Tool) { t.Name = "a/b" },
		`tool "find_notes": its schemas are fixed: leave InputSchema and OutputSchema out`: func(t *mcp.Tool) {
			t.InputSchema = json.RawMessage(`{"type":"object"}`)
		},
		`tool "find_notes": DestructiveHint is true, and a search of mentions changes nothing: leave it out`: func(t *mcp.Tool) {
			t.Annotations = &mcp.ToolAnnotations{DestructiveHint: jsonschema.Ptr(true)}
		},
		`tool "find_notes": its visibility does not include "app", which clients require of it: add it to _meta.ui.visibility`: func(t *mcp.Tool) {
			t.Meta = mcp.Meta{"ui": map[string]any{"visibility": []string{"model"}}}
		},
	} {
		wrong := *own
		change(&wrong)
		assert.PanicsWithValue(t, "openai.RegisterMentions: "+want, func() { openai.RegisterMentions(newPlainServer(), &wrong, findNotes) })
	}
	assert.Contains(t, panicText(func() {
		openai.RegisterMentions(newPlainServer(), &mcp.Tool{Meta: mcp.Meta{"ui": 7}}, findNotes)
	}), "_meta.ui")
	assert.PanicsWithValue(t, "openai.RegisterMentions: search is nil", func() { openai.RegisterMentions(newPlainServer(), nil, nil) })
	assert.PanicsWithValue(t, "openai.RegisterMentions: the server is nil", func() { openai.RegisterMentions(nil, nil, findNotes) })
}
