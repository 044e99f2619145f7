package host

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// elicit calls a tool that asks the user with a schema, and returns what the server
// was told, or the error. The server is a raw one before protocol version
// 2026-07-28: that of the SDK applies defaults itself.
func elicit(t *testing.T, version, schema string, handler elicitationHandler) string {
	t.Helper()
	opts := &ConnectOptions{ProtocolVersion: version, Client: &mcp.ClientOptions{ElicitationHandler: handler}}
	told := "nothing"
	target := onCall(func(conn mcp.Connection, _ *jsonrpc.Request) string {
		id, _ := jsonrpc.MakeID("q")
		_ = conn.Write(context.Background(), &jsonrpc.Request{ID: id, Method: "elicitation/create", Params: json.RawMessage(`{"mode":"form","message":"?","requestedSchema":` + schema + `}`)})
		msg, _ := conn.Read(context.Background())
		if answer := msg.(*jsonrpc.Response); answer.Error != nil {
			told = answer.Error.Error()
		} else {
			told = string(answer.Result)
		}
		return `{"content":[]}`
	})
	if version >= "2026-07-28" {
		server := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "x", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Params.InputResponses == nil {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "?", RequestedSchema: json.RawMessage(schema)}}}, nil
			}
			told = string(mustJSON(req.Params.InputResponses["q"]))
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
		target = Target{Server: server}
	}
	if _, err := connectTo(t, target, opts).Call(t.Context(), "x", nil); err != nil {
		return err.Error()
	}
	return told
}

// The SDK fills the defaults of absent values into an answer. One that the schema
// rejects does not reach the server.
func TestElicitationHasNoInvalidDefault(t *testing.T) {
	const schema = `{"type":"object","required":["must"],"properties":{
		"must":{"type":"string","minLength":1,"default":""},"bad":{"type":"integer","minimum":5,"default":1},
		"null":{"type":"string","default":null},"good":{"type":"string","default":"x"}}}`
	accept := func(content map[string]any) elicitationHandler {
		return func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		}
	}
	assert.Equal(t, `{"action":"accept","content":{"good":"x","must":"m"}}`, elicit(t, "2025-11-25", schema, accept(map[string]any{"must": "m"})))
	assert.Contains(t, elicit(t, "2026-07-28", schema, accept(map[string]any{"must": "m", "null": "n"})),
		`the answer has no "bad", and the schema's default for it is invalid`)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		assert.Equal(t, `{"action":"accept","content":{"bad":7,"good":"x","must":"m","null":"n"}}`,
			elicit(t, version, schema, accept(map[string]any{"must": "m", "bad": 7, "null": "n"})), version)
	}
	elicit(t, "2025-11-25", schema, func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		properties := req.Params.RequestedSchema.(map[string]any)["properties"].(map[string]any)
		assert.Equal(t, map[string]any{"type": "integer", "minimum": 5.0}, properties["bad"], "the program sees no invalid default")
		assert.Equal(t, map[string]any{"type": "string", "default": "x"}, properties["good"])
		assert.Equal(t, map[string]any{"type": "string", "minLength": 1.0, "default": ""}, properties["must"])
		return &mcp.ElicitResult{Action: "decline"}, nil
	})
}

// hostileForms are schemas that the SDK would validate an answer against for ever,
// or until the stack overflows.
func hostileForms() map[string]string {
	return map[string]string{
		`has $ref`:                             `{"type":"object","$ref":"#"}`,
		`has $dynamicRef`:                      `{"type":"object","allOf":[{"$dynamicRef":"#"}]}`,
		`has patternProperties`:                `{"type":"object","patternProperties":{"a{1000}":{}}}`,
		`is nested more than 16 deep`:          `{"type":"object","allOf":[` + strings.Repeat(`{"allOf":[`, 400) + `{}` + strings.Repeat(`]}`, 400) + `]}`,
		`has patterns of more than 4000 bytes`: `{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("a{1000}", 1000) + `"}}}`,
		`keywords that are misspelled`:         `{"type":"object","allOf":[{"$REF":"#"}]}`,
		`is too large`:                         `{"type":"object","dependentSchemas":{"` + strings.Repeat("x", 200_000) + `":{"anyOf":[` + strings.Repeat("{},", 50_000) + `{}]}}}`,
		`bytes are more than`:                  `{"type":"object","title":"` + strings.Repeat("x", 1<<20) + `"}`,
	}
}

// Forms are refused in both versions of the protocol; ci/full adds the large ones in the
// newer version.
func TestHostileFormsAreRefused(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for want, schema := range hostileForms() {
			if !testenv.Full() && version == "2026-07-28" && len(schema) > 100_000 {
				continue
			}
			got := elicit(t, version, schema, func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				t.Errorf("the user is asked: %.100s", schema)
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"a": "b"}}, nil
			})
			assert.Contains(t, got, "elicitation/create: the requested schema", version)
			assert.Contains(t, got, want, version)
		}
	}
}

// What is not refused is cheap, at the bounds too.
func TestCostLargestForms(t *testing.T) {
	testenv.Measure(t)
	for _, schema := range []string{
		`{"type":"object","properties":{` + strings.Repeat(`"a":{"type":"string","default":"x"},`, 20_000) + `"b":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("a{1000}", 570) + `"}}}`,
		`{"type":"object","allOf":[{"anyOf":[{"anyOf":[{"anyOf":[` + strings.Repeat(`{"required":["x"]},`, 10_000) + `{}]}]}]}]}`,
	} {
		before := cputime.Used()
		got := elicit(t, "2025-11-25", schema, func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"b": "c"}}, nil
		})
		assert.Contains(t, got, "accept")
		assert.Less(t, cputime.Used()-before, 5*time.Second, "%.60s", schema)
	}
}
