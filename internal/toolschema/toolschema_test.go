package toolschema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/toolschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What ListToolsResultSchema of @modelcontextprotocol/sdk 1.32.2 says of the same
// schemas.
func TestFaults(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object"}`:                             "",
		`{"type":"object","required":[]}`:               "",
		`{"type":"object","required":["a","a"]}`:        "",
		`{"type":"object","properties":{}}`:             "",
		`{"type":"object","properties":{"a":{}}}`:       "",
		`{"type":"object","oneOf":[{}]}`:                "",
		`{"type":"object","additionalProperties":true}`: "",
		`{"type":"object","additionalProperties":null}`: "",
		`{}`:                                                "has no type",
		`{"type":null}`:                                     "has no type",
		`{"type":["object"]}`:                               `has the type ["object"]`,
		`{"type":["null","array"]}`:                         `has the type ["null","array"]`,
		`{"anyOf":[{"type":"object"}]}`:                     "has no type",
		`{"$ref":"#/$defs/a"}`:                              "has no type",
		`{"type":"object","required":null}`:                 "has required as null, which is not a list of strings",
		`{"type":"object","required":true}`:                 "has required as true, which is not a list of strings",
		`{"type":"object","required":[1]}`:                  "has required as [1], which is not a list of strings",
		`{"type":"object","properties":null}`:               "has properties as null, which is not an object",
		`{"type":"object","properties":[]}`:                 "has properties as [], which is not an object",
		`{"type":"object","properties":{"a":true}}`:         `has true as the schema of the property "a", which is not an object`,
		`{"type":"object","properties":{"a":{},"b":false}}`: `has false as the schema of the property "b", which is not an object`,
		`{"type":"object","properties":{"a":null}}`:         `has null as the schema of the property "a", which is not an object`,
		`{"type":"object","properties":{"a":"string"}}`:     `has "string" as the schema of the property "a", which is not an object`,
	} {
		var root map[string]any
		require.NoError(t, json.Unmarshal([]byte(schema), &root))
		faults := toolschema.Faults(root)
		if want == "" {
			assert.Empty(t, faults, schema)
		} else if assert.Len(t, faults, 1, schema) {
			assert.Equal(t, want, faults[0].Message, schema)
			assert.NotEmpty(t, faults[0].Remedy, schema)
		}
	}
}

// Each fault has its place, and schemas built from Go types are read as they are
// encoded.
func TestFaultsOfGoValues(t *testing.T) {
	assert.Empty(t, toolschema.Faults(map[string]any{
		"type": "object", "required": []string{"a"},
		"properties": map[string]map[string]string{"a": {"type": "string"}},
	}))
	faults := toolschema.Faults(map[string]any{
		"type": "array", "required": []string(nil),
		"properties": map[string]any{"b": true, "a": json.RawMessage("false"), "c": json.RawMessage("{}")},
	})
	var paths [][]any
	for _, f := range faults {
		paths = append(paths, f.Path)
	}
	assert.Equal(t, [][]any{nil, {"required"}, {"properties", "a"}, {"properties", "b"}}, paths)
}
