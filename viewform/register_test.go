package viewform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// list returns the tools of a server as a client gets them.
func list(t *testing.T, s *mcp.Server) []byte {
	t.Helper()
	c := dial(t, s, older, ui)
	var r struct{ Tools json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(c.Result(t, "tools/list", `{}`)), &r))
	var out bytes.Buffer
	require.NoError(t, json.Indent(&out, r.Tools, "", "  "))
	out.WriteByte('\n')
	return out.Bytes()
}

// The two tools in a list: neither softens the author's annotations or has an output
// schema, and only views are meant to call the second.
func TestList(t *testing.T) {
	var o orders
	s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
	assert.NoError(t, golden.Compare(filepath.Join("testdata", "tools.json"), list(t, s)))
}

// What the author passes is not changed, and not needed after the call.
func TestRegisterCopies(t *testing.T) {
	var o orders
	yes := true
	schema, err := jsonschema.For[removal](nil)
	require.NoError(t, err)
	schema.Properties["reason"].Default = json.RawMessage(`"old"`)
	tool := &mcp.Tool{
		Name: "remove", InputSchema: schema, Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, Title: "Remove"},
		Meta: mcp.Meta{"example.com/a": 1, "ui": map[string]any{"example.com/b": 2}},
	}
	v := view()
	before, err := json.Marshal([]any{tool, v.Resource, v.UI})
	require.NoError(t, err)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	viewform.Register(s, tool, v, viewform.Form[removal, removed]{Do: o.remove, Store: newStore()})
	after, err := json.Marshal([]any{tool, v.Resource, v.UI})
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	var tools []map[string]any
	require.NoError(t, json.Unmarshal(list(t, s), &tools))
	require.Len(t, tools, 2)
	assert.Equal(t, tools[0]["annotations"], tools[1]["annotations"])
	assert.Equal(t, map[string]any{"destructiveHint": true, "idempotentHint": false, "readOnlyHint": false, "title": "Remove"}, tools[0]["annotations"])
	meta, _ := tools[1]["_meta"].(map[string]any)
	assert.Equal(t, map[string]any{"ui": map[string]any{"visibility": []any{"app"}}}, meta, "the author's is of the other tool")

	c := dial(t, s, older, ui)
	assert.Contains(t, c.submit(c.open(), `{"ids":[1]}`), "done")
	assert.Equal(t, []removal{{IDs: []int{1}, Reason: "old"}}, o.done, "defaults apply")
}

// Mistakes panic with the name of the tool and the remedy, and register nothing.
func TestRegisterMistakes(t *testing.T) {
	var o orders
	form := viewform.Form[removal, removed]{Do: o.remove, Store: newStore()}
	tool := &mcp.Tool{Name: "remove"}
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	for want, register := range map[string]func(){
		"viewform.Register: the server is nil": func() { viewform.Register(nil, tool, view(), form) },
		"viewform.Register: the tool is nil":   func() { viewform.Register(s, nil, view(), form) },
		`viewform.Register: tool "remove": Form.Do is nil`: func() {
			viewform.Register(s, tool, view(), viewform.Form[removal, removed]{Store: newStore()})
		},
		`viewform.Register: tool "remove": Form.Store is nil: viewstate.NewMemory makes one for a single process`: func() {
			viewform.Register(s, tool, view(), viewform.Form[removal, removed]{Do: o.remove})
		},
		`viewform.Register: tool "remove": OutputSchema is set: leave it out, since the tool answers with a form first`: func() {
			viewform.Register(s, &mcp.Tool{Name: "remove", OutputSchema: &jsonschema.Schema{Type: "object"}}, view(), form)
		},
		`viewform.Register: tool "remove": the input has a property "confirm", which this library adds: give yours another name`: func() {
			viewform.Register(s, tool, view(), viewform.Form[struct {
				Confirm bool `json:"confirm"`
			}, any]{Store: newStore(), Do: func(context.Context, *mcp.CallToolRequest, struct {
				Confirm bool `json:"confirm"`
			}) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			}})
		},
		`viewform.Register: tool "remove": View.Document is nil: mcpapps.HTML, HTMLFile and HTMLFunc make one, and bundle.Handler (package view/bundle) for a page that imports or refers to files`: func() {
			viewform.Register(s, tool, mcpapps.View{Resource: view().Resource}, form)
		},
	} {
		assert.PanicsWithValue(t, want, register)
	}
	bad := &mcp.Tool{Name: "remove", Meta: mcp.Meta{"ui": 7}}
	assert.Panics(t, func() { viewform.Register(s, bad, view(), form) })
	assert.Equal(t, "[]\n", string(list(t, s)))
}
