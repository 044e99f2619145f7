package tooltypes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
)

// typeOf returns the type of a schema on one line, after its aliases.
func typeOf(t *testing.T, schema string) string {
	t.Helper()
	text, err := tooltypes.Declare([]*mcp.Tool{{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(schema)}})
	require.NoError(t, err)
	head, rest, ok := strings.Cut(text, "  interface ServerTools {\n")
	require.True(t, ok)
	_, aliases, _ := strings.Cut(head, "declare module \"mcp-app\" {\n")
	_, rest, ok = strings.Cut(rest, "structuredContent: ")
	require.True(t, ok)
	rest = strings.TrimSuffix(rest, ";\n    };\n  }\n}\n")
	return strings.Join(strings.Fields(aliases+rest), " ")
}

func TestDeclareSchemas(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{}`, `unknown`},
		{`{"type":"string"}`, `string`},
		{`{"type":"integer"}`, `number`},
		{`{"type":["integer","number","null"]}`, `number | null`},
		{`{"type":["string","null"]}`, `null | string`},
		{`{"type":"nonsense"}`, `never`},
		{`{"type":"array"}`, `unknown[]`},
		{`{"type":["null","array"],"items":{"type":["string","null"]}}`, `((null | string)[]) | null`},
		{`{"type":"array","items":{"type":"array","items":{"type":"number"}}}`, `number[][]`},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"items":false,"minItems":1}`, `[string, number?]`},
		{`{"type":"array","prefixItems":[{"type":"string"}]}`, `[string?, ...unknown[]]`},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"number"}}`, `[string?, ...number[]]`},

		{`{"enum":["a","b \"q\"",1,null,true,{"x":[1]}]}`, `"a" | "b \"q\"" | 1 | null | true | { x: [1] }`},
		{`{"type":"string","enum":["a",1]}`, `"a"`},
		{`{"const":"a"}`, `"a"`},
		{`{"const":null}`, `null`},
		{`{"const":-1.5e3}`, `-1.5e3`},
		{`{"enum":[]}`, `never`},

		{`{"type":"object"}`, `{ [key: string]: unknown }`},
		{`{"type":"object","additionalProperties":false}`, `{ [key: string]: never }`},
		{`{"type":"object","additionalProperties":{"type":"number"}}`, `{ [key: string]: number }`},
		{
			`{"type":"object","properties":{"b":{"type":"string"},"a":{}},"required":["b","c"],"additionalProperties":false}`,
			`{ a?: unknown; b: string; c: never; }`,
		},
		{
			`{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{ a?: string; [key: string]: unknown; }`,
		},
		{
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"number"}}`,
			`{ a: string; [key: string]: number | string; }`,
		},
		{
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`,
			`{ a?: string; [key: string]: number | undefined | string; }`,
		},
		{
			`{"type":"object","patternProperties":{"^x":{"type":"boolean"}},"additionalProperties":false}`,
			`{ [key: string]: boolean }`,
		},
		{
			`{"type":"object","properties":{"a-b":{},"1":{},"new":{},"__proto__":{},"\"":{}},"additionalProperties":false}`,
			`{ "\""?: unknown; "1"?: unknown; __proto__?: unknown; "a-b"?: unknown; new?: unknown; }`,
		},
		// Without a type, a value need not be an object.
		{`{"properties":{"a":{"type":"string"}}}`, `unknown`},

		{`{"anyOf":[{"type":"string"},{"type":"number"}]}`, `string | number`},
		{`{"oneOf":[{"type":"string"},{}]}`, `unknown`},
		{`{"anyOf":[]}`, `never`},
		{`{"allOf":[{"type":"string"},{"enum":["a"]}]}`, `string & "a"`},
		{
			`{"type":"object","properties":{"k":{"const":1}},"required":["k"],"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{ k: 1; [key: string]: unknown; } & ({ a: unknown; [key: string]: unknown; } | { b: unknown; [key: string]: unknown; })`,
		},
		// Keywords that TypeScript can't express do not change the type.
		{`{"type":"string","not":{"const":"a"},"if":{"const":"b"},"then":false,"pattern":"x","minLength":3}`, `string`},

		{
			`{"$ref":"#/$defs/A","$defs":{"A":{"type":"string"}}}`,
			`type ServerTool_t_out_A = string; ServerTool_t_out_A`,
		},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/x~1y%20z"}},"definitions":{"x/y z":{"type":"number"}},"additionalProperties":false}`,
			`type ServerTool_t_out_x_1y_20z = number; { a?: ServerTool_t_out_x_1y_20z; }`,
		},
		{
			`{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`,
			`type ServerTool_t_out = { next?: ServerTool_t_out; }; { next?: ServerTool_t_out; }`,
		},
		{
			`{"$ref":"#/$defs/T","$defs":{"T":{"type":"array","items":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/T"}]}}}}`,
			`type ServerTool_t_out_T = (string | ServerTool_t_out_T)[]; ServerTool_t_out_T`,
		},
		{`{"$ref":"#"}`, `type ServerTool_t_out = unknown; ServerTool_t_out`},
		{
			`{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"},{"type":"string"}]},"B":{"allOf":[{"$ref":"#/$defs/A"}]}}}`,
			`type ServerTool_t_out_A = unknown; ServerTool_t_out_A`,
		},
		{`{"$ref":"#/$defs/missing"}`, `unknown`},
		{`{"$ref":"https://example.com/schema"}`, `unknown`},
		{`{"$ref":"#anchor"}`, `unknown`},
		{`{"$ref":"#/$defs/A/enum/7","$defs":{"A":{"enum":[1]}}}`, `unknown`},
		// Below an $id, "#" means another document.
		{`{"$ref":"#/$defs/A","$defs":{"A":{"$id":"https://example.com/a","$ref":"#"}}}`, `unknown`},
	} {
		assert.Equal(t, test.want, typeOf(t, test.schema), "%s", test.schema)
	}
}

func TestDeclareComments(t *testing.T) {
	text, err := tooltypes.Declare([]*mcp.Tool{{
		Name:        "a\"b*/",
		Description: "Ends */ here.\n\nAnd\x00 goes on. ",
		InputSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
			"old": {Type: "string", Description: "One */ line", Deprecated: true},
		}},
	}})
	require.NoError(t, err)
	assert.Equal(t, `// The tools of the server, for app.callServerTool. Written by mcpapps types.

declare module "mcp-app" {
  interface ServerTools {
    /**
     * Ends *\/ here.
     *
     * And goes on.
     */
    "a\"b*/": {
      arguments: {
        /**
         * One *\/ line
         * @deprecated
         */
        old?: string;
        [key: string]: unknown;
      };
    };
  }
}
`, text)
}

func TestDeclareErrors(t *testing.T) {
	for schema, want := range map[any]string{
		make(chan int): `tool "t": input schema: json: unsupported type: chan int`,
		"a string":     `tool "t": input schema: "\"a string\"" is not a JSON object`,
		3:              `tool "t": input schema: "3" is not a JSON object`,
	} {
		_, err := tooltypes.Declare([]*mcp.Tool{{Name: "t", InputSchema: schema}})
		require.ErrorContains(t, err, want)
	}
	object := map[string]any{"type": "object"}
	_, err := tooltypes.Declare([]*mcp.Tool{{Name: "t", InputSchema: object}, {Name: "t", InputSchema: object}})
	require.ErrorContains(t, err, `tool "t" is listed twice`)
	// A tool as passed to mcp.AddTool, which infers schemas on a copy.
	_, err = tooltypes.Declare([]*mcp.Tool{{Name: "a", InputSchema: object}, {Name: "t"}})
	require.EqualError(t, err, `tool "t" has no input schema: pass the tools that a client gets from ListTools, which have the schemas that mcp.AddTool infers`)
	_, err = tooltypes.Declare([]*mcp.Tool{{Name: "t", InputSchema: (*jsonschema.Schema)(nil)}})
	require.ErrorContains(t, err, `tool "t": input schema: "null" is not a JSON object`)
}

func TestDeclareLeavesOutWhatViewsMayNotCall(t *testing.T) {
	text, err := tooltypes.Declare([]*mcp.Tool{
		nil,
		{Name: "model", Meta: mcp.Meta{"ui": map[string]any{"visibility": []any{"model"}}}},
		{Name: "nobody", Meta: mcp.Meta{"ui": map[string]any{"visibility": []any{}}}},
		{Name: "app", InputSchema: map[string]any{}, Meta: mcp.Meta{"ui": map[string]any{"visibility": []any{"app"}}}},
		{Name: "both", InputSchema: map[string]any{}},
	})
	require.NoError(t, err)
	assert.NotContains(t, text, "model")
	assert.NotContains(t, text, "nobody")
	assert.Contains(t, text, "    app: {\n      arguments: { [key: string]: unknown };\n    };\n    both: {")

	text, err = tooltypes.Declare(nil)
	require.NoError(t, err)
	assert.Contains(t, text, "interface ServerTools {\n  }")
}

func TestDeclareDeepSchemasStaySmall(t *testing.T) {
	schema := `{"type":"string"}`
	for range 50 {
		schema = `{"type":"object","properties":{"a":` + schema + `},"additionalProperties":{"type":"number"}}`
	}
	got := typeOf(t, schema)
	assert.Less(t, len(got), 60_000)
	assert.True(t, strings.HasPrefix(got, "{ a?: { a?: "))
}

// Declare terminates for any schema, and always returns the same text.
func FuzzDeclare(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#"}}}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"}]},"B":{"$ref":"#/$defs/A"}}}`,
		`{"type":"array","prefixItems":[{},{"enum":[1e999]}],"minItems":-1}`,
		`{"allOf":{"type":3},"enum":{},"required":[1],"properties":[]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		if !json.Valid([]byte(schema)) {
			return
		}
		tool := &mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}
		first, err := tooltypes.Declare([]*mcp.Tool{tool})
		if err != nil {
			return
		}
		second, err := tooltypes.Declare([]*mcp.Tool{tool})
		require.NoError(t, err)
		assert.Equal(t, first, second, "the same text each time")
	})
}
