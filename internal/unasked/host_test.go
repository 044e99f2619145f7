package unasked

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAllowsHost shows which tools are called because the server's capabilities name
// them: they need no view, and may be for views only, and are harmless in all else.
func TestAllowsHost(t *testing.T) {
	const search = `{"name":"find","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]},"annotations":{"readOnlyHint":true}}`
	query := map[string]any{"query": ""}
	p := New([]Call{{"named", nil}}, true)
	find := tool(t, search, false)
	assert.True(t, p.AllowsHost(find, query))
	assert.False(t, p.Allows(find, query), "a view may not call it")
	_, ok := p.Arguments(find)
	assert.False(t, ok, "without its query")
	assert.False(t, New(nil, false).AllowsHost(find, query), "on a server that is not on this machine")
	assert.False(t, new(Policy).AllowsHost(find, query))
	assert.False(t, p.AllowsHost(find, map[string]any{}), "it requires the query")
	for name, change := range map[string]func(*Tool){
		"two of its name":   func(t *Tool) { t.Ambiguous = true },
		"named":             func(t *Tool) { t.Name = "named" },
		"no hint":           func(t *Tool) { t.Entry["annotations"] = nil },
		"destructive":       func(t *Tool) { t.Entry["annotations"].(map[string]any)["destructiveHint"] = true },
		"another argument":  func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["required"] = []any{"query", "limit"} },
		"required as text":  func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["required"] = "query" },
		"a number required": func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["required"] = []any{1.0} },
		"two properties":    func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["minProperties"] = 2.0 },
		"a schema in parts": func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["anyOf"] = []any{} },
		"no schema":         func(t *Tool) { delete(t.Entry, "inputSchema") },
	} {
		changed := tool(t, search, false)
		change(&changed)
		assert.False(t, p.AllowsHost(changed, query), name)
	}
	views := tool(t, search, false)
	views.ForModel = false
	assert.True(t, p.AllowsHost(views, query), "for views only")
}
