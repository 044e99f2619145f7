package mcpapps_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// returns is a handler with an output of type Out.
func returns[Out any](context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, Out, error) {
	var out Out
	return nil, out, nil
}

// outputs registers a tool with the output type and the schema by each function with
// a typed handler, and returns what the first panic says after the tool's name.
func outputs[Out any](t *testing.T, schema any) string {
	t.Helper()
	tool := &mcp.Tool{Name: "x", OutputSchema: schema}
	view := mcpapps.View{Resource: mcp.Resource{URI: "ui://a"}, Document: mcpapps.HTML("<p>")}
	const tail = `: tool "x": `
	first := panicOf(t, func() { mcpapps.RegisterAppTool(newServer(), tool, mcpapps.AppOnly(""), returns[Out]) })
	second := panicOf(t, func() { mcpapps.RegisterApp(newServer(), tool, view, returns[Out]) })
	if first == "" {
		assert.Empty(t, second)
		return ""
	}
	message := first[len("mcpapps.RegisterAppTool"+tail):]
	assert.Equal(t, "mcpapps.RegisterAppTool"+tail+message, first)
	assert.Equal(t, "mcpapps.RegisterApp"+tail+message, second)
	return message
}

// Clients reject a list of tools with an output schema whose root is not an object,
// whatever protocol version the server speaks.
func TestOutputSchemaIsAnObject(t *testing.T) {
	const (
		loses = ", for which clients reject the whole list of tools: "
		of    = "the root of the schema of the output type "
		wrap  = loses + "wrap it in a struct"
		set   = loses + `set Type to "object", with the values as Properties`
		write = loses + `write "type": "object" at the root, with the values as properties`
	)
	object := &jsonschema.Schema{Type: "object"}
	for i, tt := range []struct{ got, want string }{
		{outputs[report](t, nil), ""},
		{outputs[*report](t, nil), ""},
		{outputs[map[string]int](t, nil), ""},
		{outputs[any](t, nil), ""},
		{outputs[any](t, object), ""},
		{outputs[[]string](t, object), ""}, // the author knows better
		{outputs[any](t, map[string]any{"type": "object", "properties": map[string]*jsonschema.Schema{"a": {Type: "string"}}}), ""},
		{outputs[any](t, &jsonschema.Schema{Type: "object", OneOf: []*jsonschema.Schema{{Required: []string{"a"}}}}), ""},

		{outputs[[]string](t, nil), of + `[]string has the type ["null","array"]` + wrap},
		{outputs[*[]string](t, nil), of + `*[]string has the type ["null","array"]` + wrap},
		{outputs[[2]int](t, nil), of + `[2]int has the type "array"` + wrap},
		{outputs[string](t, nil), of + `string has the type "string"` + wrap},
		{outputs[bool](t, nil), of + `bool has the type "boolean"` + wrap},
		{outputs[time.Time](t, nil), of + `time.Time has the type "string"` + wrap},
		{outputs[**report](t, nil), of + `**mcpapps_test.report has the type ["null","object"]` + wrap},
		{outputs[error](t, nil), of + `error has no type` + wrap},
		{outputs[json.RawMessage](t, nil), of + `json.RawMessage has the type ["null","array"]` + wrap},
		{outputs[any](t, &jsonschema.Schema{Type: "array"}), `the root of OutputSchema has the type "array"` + set},
		{outputs[any](t, &jsonschema.Schema{Types: []string{"object", "null"}}), `the root of OutputSchema has the type ["object","null"]` + set},
		{outputs[any](t, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{object, object}}), `the root of OutputSchema has no type` + set},
		{outputs[any](t, &jsonschema.Schema{OneOf: []*jsonschema.Schema{object, object}}), `the root of OutputSchema has no type` + set},
		{outputs[any](t, json.RawMessage(`{"type":["object"]}`)), `the root of OutputSchema has the type ["object"]` + write},
		{outputs[any](t, map[string]any{"anyOf": []any{map[string]any{"type": "object"}}}), `the root of OutputSchema has no type` + write},
		{outputs[any](t, json.RawMessage(`{"type":"object","required":null}`)), `the root of OutputSchema has required as null, which is not a list of strings` + loses + "write a list of property names, or leave it out"},
	} {
		assert.Equal(t, tt.want, tt.got, i)
	}
}

// Schemas that an author wrote as JSON are checked in both places.
func TestSchemasOfRawTools(t *testing.T) {
	raw := func(in, out string) string {
		tool := &mcp.Tool{Name: "x", InputSchema: json.RawMessage(in)}
		if out != "" {
			tool.OutputSchema = json.RawMessage(out)
		}
		return panicOf(t, func() {
			mcpapps.RegisterRawAppTool(newServer(), tool, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		})
	}
	const head, loses = `mcpapps.RegisterRawAppTool: tool "x": the root of `, ", for which clients reject the whole list of tools: "
	assert.Empty(t, raw(`{"type":"object"}`, `{"type":"object"}`))
	assert.Equal(t, head+`OutputSchema has no type`+loses+`write "type": "object" at the root, with the values as properties`,
		raw(`{"type":"object"}`, `{"oneOf":[{"type":"object"}]}`))
	assert.Equal(t, head+`InputSchema has required as null, which is not a list of strings`+loses+"write a list of property names, or leave it out",
		raw(`{"type":"object","required":null}`, ""))
	assert.Equal(t, head+`InputSchema has true as the schema of the property "a", which is not an object`+loses+"write {}, which allows any value too",
		raw(`{"type":"object","properties":{"a":true}}`, ""))
}

// jsonschema-go writes true for a field of type any. In lists it is an object,
// because clients reject true.
func TestFieldsOfAnyType(t *testing.T) {
	type values struct {
		Z     any            `json:"z"`
		A     string         `json:"a"`
		Later any            `json:"later,omitempty" jsonschema:"has a description"`
		M     map[string]any `json:"m,omitempty"`
	}
	list := func(o *mcpapps.Options) string {
		s := newServer()
		mcpapps.Enable(s, o)
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "any"}, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest, values) (*mcp.CallToolResult, values, error) {
			return nil, values{}, nil
		})
		never := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"never": {Not: &jsonschema.Schema{}}, "some": {Not: &jsonschema.Schema{Type: "null"}}}}
		mcp.AddTool(s, &mcp.Tool{Name: "never", InputSchema: never}, returns[any])
		return connectRaw(t, s, "2025-11-25", capsUI).result("tools/list", `{}`)
	}
	const (
		head = `{"type":"object","properties":{"z":`
		tail = `,"a":{"type":"string"},"later":{"description":"has a description"},"m":{"type":"object","additionalProperties":true}},"required":["z","a"],"additionalProperties":false}`
	)
	got := list(nil)
	assert.Contains(t, got, `"inputSchema":`+head+`{}`+tail)
	assert.Contains(t, got, `"outputSchema":`+head+`{}`+tail)
	assert.Contains(t, got, `"inputSchema":{"type":"object","properties":{"never":{"not":{}},"some":{"not":{"type":"null"}}}}`)
	assert.Contains(t, list(&mcpapps.Options{KeepSchemas: true}), `"inputSchema":`+head+`true`+tail, "as the SDK has them")
}

// A registration that panics leaves the server as it was: without its resource, its
// tool, the extension and options.
func TestNothingIsHalfRegistered(t *testing.T) {
	type cyclic struct{ Next *cyclic }
	doc := mcpapps.HTML("<p>new")
	view := mcpapps.View{Resource: mcp.Resource{URI: "ui://a"}, Document: doc}
	ui := mcpapps.ToolUIMetadata{ResourceURI: "ui://a"}
	bad := mcpapps.ResourceUIMetadata{Domain: "a b"}
	tmpl := mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "<p>", nil })
	template := func(s *mcp.Server, uri, shell string, ui mcpapps.ResourceUIMetadata, h mcpapps.TemplateHandler) {
		mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: uri}, shell, ui, h)
	}
	for name, register := range map[string]func(*mcp.Server){
		"app, input type": func(s *mcp.Server) {
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, view, func(context.Context, *mcp.CallToolRequest, []int) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		},
		"app, input type without schema": func(s *mcp.Server) {
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, view, func(context.Context, *mcp.CallToolRequest, cyclic) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		},
		"app, output type": func(s *mcp.Server) { mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, view, returns[[]int]) },
		"app, output type without schema": func(s *mcp.Server) {
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, view, returns[cyclic])
		},
		"app, schema that does not resolve": func(s *mcp.Server) {
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "x", InputSchema: &jsonschema.Schema{Type: "object", Ref: "#/$defs/none"}}, view, returns[any])
		},
		"app, metadata of the view": func(s *mcp.Server) {
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, mcpapps.View{Resource: view.Resource, Document: doc, UI: bad}, returns[any])
		},
		"tool, input type": func(s *mcp.Server) {
			mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "x"}, ui, func(context.Context, *mcp.CallToolRequest, string) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		},
		"raw tool without a schema": func(s *mcp.Server) {
			mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "x"}, ui, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		},
		"raw tool with a schema of another type": func(s *mcp.Server) {
			mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "x", InputSchema: &jsonschema.Schema{Type: "array"}}, ui, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		},
		"resource":           func(s *mcp.Server) { mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, bad, doc) },
		"template":           func(s *mcp.Server) { template(s, "ui://a/{b", "ui://a", mcpapps.ResourceUIMetadata{}, tmpl) },
		"template, shell":    func(s *mcp.Server) { template(s, "ui://a/{b}", "ui://", mcpapps.ResourceUIMetadata{}, tmpl) },
		"template, metadata": func(s *mcp.Server) { template(s, "ui://a/{b}", "ui://a", bad, tmpl) },
		"template, handler":  func(s *mcp.Server) { template(s, "ui://a/{b}", "ui://a", mcpapps.ResourceUIMetadata{}, nil) },
		"template that the SDK rejects": func(s *mcp.Server) {
			template(s, "ui://a/{b}/{-c}", "ui://a", mcpapps.ResourceUIMetadata{}, tmpl)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer()
			s.AddResource(&mcp.Resource{URI: "ui://a", Name: "old"}, contents(&mcp.ResourceContents{URI: "ui://a", Text: "old"}))
			mcp.AddTool(s, &mcp.Tool{Name: "x", Title: "old"}, returns[any])
			state := func() (all []string) {
				c := connectRaw(t, s, "2026-07-28", capsUI)
				for _, method := range []string{"server/discover", "tools/list", "resources/list", "resources/templates/list"} {
					all = append(all, c.result(method, `{}`))
				}
				return append(all, c.result("resources/read", `{"uri":"ui://a"}`))
			}
			before := state()
			assert.Panics(t, func() { register(s) })
			assert.Equal(t, before, state())
			assert.NotPanics(t, func() { mcpapps.Enable(s, &mcpapps.Options{UnlistResources: true}) })
		})
	}
}
