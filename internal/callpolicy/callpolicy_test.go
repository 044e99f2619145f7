package check

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAllowedCalls shows which calls of a live view reach the server.
func TestAllowedCalls(t *testing.T) {
	var tools []*tool
	for _, raw := range []string{
		`{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://a/b"}}}`,
		`{"name":"write","inputSchema":{"type":"object","properties":{"n":{"type":"number"},"mode":{"default":"dry"},"deep":{"default":{},"properties":{"x":{"default":1}}}}}}`,
		`{"name":"wipe","inputSchema":{"type":"object"}}`,
	} {
		tl, err := newTool(0, json.RawMessage(raw))
		require.NoError(t, err)
		tools = append(tools, tl)
	}
	allow := allowedCalls(&Options{Calls: []Call{{"write", map[string]any{"n": 1}}, {"write", map[string]any{"n": 2, "mode": "wet"}}}}, true, tools)
	for _, c := range []struct {
		tool, args string
		ok         bool
	}{
		{"read", `{}`, true},
		{"read", `{"a":1}`, true},
		{"write", `{"n":1}`, true},
		{"write", `{"n":1,"mode":"dry","deep":{"x":1}}`, true},
		{"write", `{"n":2,"mode":"wet"}`, true},
		{"write", `{"n":2}`, false},
		{"write", `{"n":3}`, false},
		{"write", `{}`, false},
		{"write", `{"n":1,"mode":"wet"}`, false},
		{"write", `{"n":1,"more":true}`, false},
		{"write", `{"n":1,"deep":{"x":2}}`, false},
		{"wipe", `{}`, false},
		{"none", `{}`, false},
	} {
		var args map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.args), &args))
		assert.Equal(t, c.ok, allow(c.tool, args), "%s %s", c.tool, c.args)
	}
	assert.False(t, allowedCalls(&Options{}, false, tools)("read", nil), "on a server that is not on this machine")
}
