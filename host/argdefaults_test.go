package host

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

func TestFillDefaults(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{
		"a":{"default":1.50},"b":{"default":{"x":1},"properties":{"y":{"default":"z"}}},
		"c":{"properties":{"d":{"default":null}}},"e":true}}`)
	for in, want := range map[string]string{
		`{}`:                             `{"a":1.50,"b":{"x":1,"y":"z"}}`,
		`{"a":2,"b":{"y":0},"c":{}}`:     `{"a":2,"b":{"y":0},"c":{"d":null}}`,
		`{ "a": 2, "b": 5, "other": 1 }`: `{ "a": 2, "b": 5, "other": 1 }`,
		`{"a":null,"b":[]}`:              `{"a":null,"b":[]}`,
	} {
		assert.Equal(t, want, string(FillDefaults(schema, json.RawMessage(in))), in)
	}
	for _, invalid := range []string{``, `null`, `[]`, `{"properties":[]}`, `{"properties":{"a":{"default":`} {
		assert.Equal(t, `{"q":1}`, string(FillDefaults(json.RawMessage(invalid), json.RawMessage(`{"q":1}`))))
	}
}

// A default that its own schema rejects is not filled in.
func TestInvalidDefaultsAreNotFilledIn(t *testing.T) {
	for property, want := range map[string]string{
		`{"type":"string","default":null}`:                                                  `{}`,
		`{"type":"integer","default":"5"}`:                                                  `{}`,
		`{"type":"integer","default":5.5}`:                                                  `{}`,
		`{"type":"integer","default":5.0}`:                                                  `{"p":5.0}`,
		`{"type":["string","null"],"default":null}`:                                         `{"p":null}`,
		`{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}`:                     `{"p":null}`,
		`{"anyOf":[{"type":"integer"},{"type":"boolean"}],"default":null}`:                  `{}`,
		`{"enum":["a","b"],"default":"c"}`:                                                  `{}`,
		`{"enum":["a","b"],"default":"b"}`:                                                  `{"p":"b"}`,
		`{"$ref":"#/$defs/small","default":20}`:                                             `{}`,
		`{"$ref":"#/$defs/small","default":2}`:                                              `{"p":2}`,
		`{"allOf":[{"$ref":"#/$defs/small"}],"default":2}`:                                  `{"p":2}`,
		`{"$ref":"other.json","default":2}`:                                                 `{}`,
		`{"type":"number","minimum":1,"default":0}`:                                         `{}`,
		`{"type":"string","maxLength":1,"default":"ab"}`:                                    `{}`,
		`{"type":"string","pattern":"^x","default":"y"}`:                                    `{}`,
		`{"type":"string","pattern":"^x","default":"xy"}`:                                   `{"p":"xy"}`,
		`{"type":"string","format":"uri","default":""}`:                                     `{}`,
		`{"type":"array","items":{"type":"string"},"default":[1]}`:                          `{}`,
		`{"default":{"n":null},"properties":{"n":{"type":"string"}}}`:                       `{}`,
		`{"default":{},"properties":{"n":{"type":"string","default":null}}}`:                `{"p":{}}`,
		`{"default":{},"additionalProperties":false,"properties":{"n":{"default":1}}}`:      `{"p":{"n":1}}`,
		`{"default":{},"maxProperties":0,"properties":{"n":{"default":1}}}`:                 `{"p":{}}`,
		`{"default":9007199254740993,"type":"integer"}`:                                     `{"p":9007199254740993}`,
		`{"type":"object","properties":{"n":{"type":"integer","default":"5"}},"default":5}`: `{}`,
	} {
		schema := fmt.Sprintf(`{"type":"object","properties":{"p":%s},"$defs":{"small":{"maximum":10}}}`, property)
		assert.Equal(t, want, string(FillDefaults(json.RawMessage(schema), json.RawMessage(`{}`))), property)
	}
	// Also within an object that is there.
	assert.Equal(t, `{"p":{"m":1}}`, string(FillDefaults(
		json.RawMessage(`{"properties":{"p":{"properties":{"n":{"type":"string","default":null},"m":{"default":1}}}}}`), json.RawMessage(`{"p":{}}`))))
}

// Defaults that are valid by themselves can make the arguments invalid.
func TestDefaultsThatContradictTheArguments(t *testing.T) {
	oneOf := `{"properties":{"a":{"type":"string"},"b":{"default":1}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`
	for _, c := range []struct{ schema, args, want string }{
		{oneOf, `{"a":"x"}`, `{"a":"x"}`},
		{oneOf, `{}`, `{"b":1}`},
		{`{"properties":{"b":{"default":1}},"maxProperties":1}`, `{"a":2}`, `{"a":2}`},
		{`{"properties":{"b":{"default":1}},"dependentRequired":{"b":["c"]}}`, `{}`, `{}`},
		{`{"properties":{"b":{"default":1}},"required":["a"]}`, `{}`, `{"b":1}`}, // which lacks a in any case
	} {
		assert.Equal(t, c.want, string(FillDefaults(json.RawMessage(c.schema), json.RawMessage(c.args))), "%s %s", c.schema, c.args)
	}
}

// hostileSchemas are input schemas whose defaults would be expensive to check.
func hostileSchemas() map[string]string {
	var doubling, wide strings.Builder
	for i := range 30 {
		fmt.Fprintf(&doubling, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%[2]d"}]},`, i, i+1)
	}
	for i := range 100_000 {
		fmt.Fprintf(&wide, `"p%d":{"default":1},`, i)
	}
	deep := `{"default":1}`
	for range 25 {
		deep = fmt.Sprintf(`{"default":{"p":{}},"properties":{"p":%s,"q":{"default":%q}}}`, deep, strings.Repeat("x", 20_000))
	}
	return map[string]string{
		"doubling":          `{"properties":{"p":{"$ref":"#/$defs/a0","default":1}},"$defs":{` + doubling.String() + `"a30":{}}}`,
		"doubling, root":    `{"properties":{"p":{"default":1}},"$ref":"#/$defs/a0","$defs":{` + doubling.String() + `"a30":{}}}`,
		"recursion":         `{"properties":{"p":{"default":1}},"allOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		"repetitions":       `{"properties":{"p":{"default":"x","pattern":"` + strings.Repeat("a{1000}", 140) + `"}}}`,
		"100,000 defaults":  `{"properties":{` + wide.String() + `"z":{}}}`,
		"nested defaults":   deep,
		"a default of 1 MB": `{"properties":{"p":{"default":"` + strings.Repeat("x", 1<<20-50) + `"}}}`,
		"a schema of 9 MB":  `{"properties":{"p":{"default":"` + strings.Repeat("x", 9<<20) + `"}}}`,
	}
}

func TestHostileSchemasGetNoDefaults(t *testing.T) {
	for name, schema := range hostileSchemas() {
		got := string(FillDefaults(json.RawMessage(schema), json.RawMessage(`{}`)))
		assert.Equal(t, `{}`, got, name)
	}
}

// TestCostHostileSchemas calls a tool with a hostile schema, and meanwhile one of
// another server.
func TestCostHostileSchemas(t *testing.T) {
	testenv.Measure(t)
	for name, schema := range hostileSchemas() {
		hostile := connectTo(t, scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
			if req.Method == "tools/list" {
				return `{"tools":[{"name":"x","inputSchema":` + schema + `}]}`
			}
			return ""
		}), nil)
		_, err := hostile.Tools(t.Context())
		require.NoError(t, err)
		before := cputime.Used()
		_, err = hostile.Call(t.Context(), "x", nil)
		require.NoError(t, err)
		assert.Less(t, cputime.Used()-before, 3*time.Second, name)
	}
}

// The server and the view get the same arguments, without invalid defaults.
func TestArgumentsOnTheWireHaveNoInvalidDefault(t *testing.T) {
	var sent []string
	s := connectTo(t, scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		switch req.Method {
		case "tools/list":
			return `{"tools":[{"name":"x","_meta":{"ui":{"resourceUri":"ui://x/y"}},"inputSchema":{"type":"object","properties":{"a":{"type":"string","default":null},"b":{"type":"integer","default":"5"},"c":{"default":7}}}}]}`
		case "tools/call":
			sent = append(sent, string(req.Params))
		}
		return ""
	}), nil)
	_, err := s.Call(t.Context(), "x", nil)
	require.NoError(t, err)
	require.Len(t, sent, 1)
	assert.JSONEq(t, `{"name":"x","arguments":{"c":7}}`, withoutMeta(t, sent[0]))
	b, err := s.Open(t.Context(), "x", map[string]any{"b": 1}, nil)
	require.NoError(t, err)
	_, err = b.WaitResult(t.Context())
	require.NoError(t, err)
	require.Len(t, sent, 2)
	assert.JSONEq(t, `{"name":"x","arguments":{"b":1,"c":7}}`, withoutMeta(t, sent[1]))
	assert.Equal(t, `{"arguments":{"b":1,"c":7}}`, string(b.delivery.input))
	b.Close(t.Context(), nil)
}

func withoutMeta(t *testing.T, params string) string {
	t.Helper()
	var m map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(params), &m))
	delete(m, "_meta")
	return string(mustJSON(m))
}
