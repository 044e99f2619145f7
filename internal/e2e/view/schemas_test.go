package view

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
)

// The declarations for unusual schemas compile.
func TestToolTypesOfAwkwardSchemas(t *testing.T) {
	t.Parallel()
	var tools []*mcp.Tool
	for i, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["a"],"additionalProperties":{"type":"boolean"}}`,
		`{"type":"object","properties":{"new":{},"constructor":{},"a b":{},"0":{},"":{},"__proto__":{},"*/":{"description":"*/ ` + "`${x}`" + ` */"}}}`,
		`{"type":"object","properties":{"next":{"$ref":"#"},"list":{"type":"array","items":{"$ref":"#/properties/next"}}}}`,
		`{"type":"object","properties":{"x":{"$ref":"#/$defs/A"}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"},{"type":"null"}]},"B":{"allOf":[{"$ref":"#/$defs/A"}]}}}`,
		`{"type":"object","properties":{"x":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/C"},"C":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/A"}},{"$ref":"#/$defs/B"}]}}}`,
		`{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":["string","null"]},{"anyOf":[{"type":"number"},{"type":"boolean"}]}],"items":{"type":["string","number"]},"minItems":1}}}`,
		`{"type":"object","properties":{"e":{"enum":["a","\u2028","\"",1e400,-0,null,[],{"x":{}}]}}}`,
		`{"type":"object","patternProperties":{"^a":{"type":"string"}},"properties":{"a":{"type":"string"}},"additionalProperties":false,"required":["zz"]}`,
		`{"type":"object","properties":{"k":{"const":"a"}},"required":["k"],"oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"additionalProperties":false}],"allOf":[{"required":["c"]},true]}`,
		`{"type":"object","properties":{"n":false,"m":true,"d":{"$ref":"https://example.com/x"},"r":{"$dynamicRef":"#x"}}}`,
		`{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"$ref":"#"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a-b"},"b":{"$ref":"#/$defs/a_b"}},"$defs":{"a-b":{"type":"string"},"a_b":{"type":"number"}}}`,
		`{"type":["object","null"],"properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"array"}}}}}`,
		`{"type":"string"}`,
	} {
		raw := json.RawMessage(schema)
		tools = append(tools, &mcp.Tool{Name: fmt.Sprintf("t-%d", i), Description: schema, InputSchema: raw, OutputSchema: raw})
	}
	types, err := tooltypes.Declare(tools)
	require.NoError(t, err)
	use := map[string]string{"use.ts": `
import type { ServerTools } from "mcp-app";
export const shape: ServerTools["t-0"]["arguments"] = { a: "x", b: 1, other: true };
export const recursive: ServerTools["t-2"]["arguments"] = { next: { next: { list: [{}] } }, more: 1 };
export const tuple: ServerTools["t-5"]["arguments"] = { t: [null, true, "x", 3] };
// @ts-expect-error the first item is not a number
export const noTuple: ServerTools["t-5"]["arguments"] = { t: [1] };
export const two: ServerTools["t-11"]["arguments"] = { a: "x", b: 1 };
// @ts-expect-error they are two types
export const mixed: ServerTools["t-11"]["arguments"] = { a: 1, b: "x" };
export const branch: ServerTools["t-8"]["arguments"] = { k: "a", a: "x", c: 1 };
`}
	assert.Empty(t, tsc(t, declarations(), map[string]string{"tools.ts": types}, use), "%s", types)
}
