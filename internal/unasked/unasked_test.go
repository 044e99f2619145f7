package unasked

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func tool(t *testing.T, entry string, opensView bool) Tool {
	t.Helper()
	var obj map[string]any
	require.NoError(t, json.Unmarshal([]byte(entry), &obj))
	name, _ := obj["name"].(string)
	return Tool{Name: name, Entry: obj, OpensView: opensView, ForModel: true}
}

// TestAllows shows which calls of a view reach the server.
func TestAllows(t *testing.T) {
	read := tool(t, `{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, true)
	write := tool(t, `{"name":"write","inputSchema":{"type":"object","properties":{"n":{"type":"number"},"mode":{"default":"dry"},"deep":{"default":{},"properties":{"x":{"default":1}}}}}}`, false)
	wipe := tool(t, `{"name":"wipe","inputSchema":{"type":"object"}}`, false)
	report := tool(t, `{"name":"report","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, true)
	p := New([]Call{{"write", map[string]any{"n": 1}}, {"write", map[string]any{"n": 2, "mode": "wet"}}, {"report", map[string]any{"year": 2020}}}, true)
	for _, c := range []struct {
		tool Tool
		args string
		ok   bool
	}{
		{read, `{}`, true},
		{read, `{"a":1}`, true},
		{report, `{"year":2020}`, true},
		{report, `{"year":2021}`, false}, // the author named what it may be asked
		{report, `{}`, false},
		{write, `{"n":1}`, true},
		{write, `{"n":1,"mode":"dry","deep":{"x":1}}`, true},
		{write, `{"n":2,"mode":"wet"}`, true},
		{write, `{"n":2}`, false},
		{write, `{"n":3}`, false},
		{write, `{}`, false},
		{write, `{"n":1,"mode":"wet"}`, false},
		{write, `{"n":1,"more":true}`, false},
		{write, `{"n":1,"deep":{"x":2}}`, false},
		{wipe, `{}`, false},
	} {
		var args map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.args), &args))
		assert.Equal(t, c.ok, p.Allows(c.tool, args), "%s %s", c.tool.Name, c.args)
	}
	assert.False(t, New(nil, false).Allows(read, nil), "on a server that is not on this machine")
	assert.False(t, new(Policy).Allows(read, nil))
}

// TestArguments shows what a tool is called with.
func TestArguments(t *testing.T) {
	read := tool(t, `{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, true)
	args, ok := New(nil, true).Arguments(read)
	assert.True(t, ok)
	assert.Equal(t, map[string]any{}, args)
	args, ok = New([]Call{{"read", map[string]any{"a": 1}}, {"read", map[string]any{"a": 2}}}, false).Arguments(read)
	assert.True(t, ok)
	assert.Equal(t, map[string]any{"a": 2}, args)
	for name, change := range map[string]func(*Tool){
		"opens no view":      func(t *Tool) { t.OpensView = false },
		"not for the model":  func(t *Tool) { t.ForModel = false },
		"two of its name":    func(t *Tool) { t.Ambiguous = true },
		"a stray visibility": func(t *Tool) { t.Entry["_meta"] = map[string]any{"ui.visibility": "x"} },
		"no hint":            func(t *Tool) { t.Entry["annotations"] = nil },
		"destructive":        func(t *Tool) { t.Entry["annotations"].(map[string]any)["destructiveHint"] = true },
		"a hint as a text":   func(t *Tool) { t.Entry["annotations"].(map[string]any)["readOnlyHint"] = "true" },
		"needs an argument":  func(t *Tool) { t.Entry["inputSchema"].(map[string]any)["required"] = []any{"a"} },
		"a schema by reference": func(t *Tool) {
			t.Entry["inputSchema"].(map[string]any)["$ref"] = "#/$defs/a"
		},
		"no schema": func(t *Tool) { delete(t.Entry, "inputSchema") },
	} {
		tl := tool(t, `{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, true)
		change(&tl)
		_, ok := New(nil, true).Arguments(tl)
		assert.False(t, ok, name)
	}
}

// TestRepeats shows which calls of a person are made again without asking: those of
// tools that say that they only read, whatever their arguments.
func TestRepeats(t *testing.T) {
	const needsArgument = `{"name":"read","inputSchema":{"type":"object","required":["city"]},"annotations":{"readOnlyHint":true}}`
	assert.True(t, New(nil, true).Repeats(tool(t, needsArgument, true)))
	assert.False(t, New(nil, false).Repeats(tool(t, needsArgument, true)), "on a server that is not on this machine")
	assert.False(t, New(nil, true).Repeats(tool(t, needsArgument, false)), "opens no view")
	assert.False(t, New(nil, true).Repeats(tool(t, `{"name":"write","inputSchema":{"type":"object"}}`, true)))
	assert.False(t, New(nil, true).Repeats(tool(t, `{"name":"odd","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true}}`, true)))
}
