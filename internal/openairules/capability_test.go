package openairules

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReadCapabilities(t *testing.T) {
	const s, m = `"openai/settings":{"readTool":"r","updateTool":"u"}`, `"openai/mentions":{"searchTool":"f"}`
	all := Tools{"r", "u", "f"}
	for _, test := range []struct {
		name, capabilities string
		tools              Tools
		problems           []string
	}{
		{"none", `{}`, Tools{}, []string{}},
		{"both maps", `{"extensions":{` + s + `,` + m + `},"experimental":{` + s + `,` + m + `}}`, all, []string{}},
		{"extensions", `{"extensions":{` + s + `,` + m + `}}`, all, []string{}},
		{"experimental", `{"experimental":{` + s + `,` + m + `}}`, all, []string{}},
		{"other tools", `{"extensions":{` + s + `},"experimental":{"openai/settings":{"readTool":"r2","updateTool":"u"}}}`, Tools{"r", "u", ""}, []string{"capability /experimental/openai~1settings/readTool"}},
		{"one tool for both", `{"extensions":{"openai/settings":{"readTool":"r","updateTool":"r"}}}`, Tools{"r", "r", ""}, []string{"capability "}},
		{"no tool", `{"extensions":{"openai/settings":{"readTool":"r"},"openai/mentions":{}}}`, Tools{"r", "", ""}, []string{"capability /extensions/openai~1settings/updateTool", "capability /extensions/openai~1mentions/searchTool"}},
		{"null", `{"extensions":{"openai/settings":null,"openai/mentions":[]}}`, Tools{}, []string{"capability /extensions/openai~1settings", "capability /extensions/openai~1mentions"}},
		{"names of other types", `{"extensions":{"openai/mentions":{"searchTool":1}}}`, Tools{}, []string{"capability /extensions/openai~1mentions/searchTool"}},
		{"maps of other types", `{"extensions":[],"experimental":"x"}`, Tools{}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tools, problems := ReadCapabilities(parse(t, test.capabilities).(map[string]any))
			assert.Equal(t, test.tools, tools)
			assert.Equal(t, test.problems, summary(problems))
		})
	}
}

func TestCapabilityTools(t *testing.T) {
	entry := func(rules func(map[string]any) []Problem) func(any) []Problem {
		return func(v any) []Problem {
			m, _ := v.(map[string]any)
			return rules(m)
		}
	}
	check(t, []vector{
		{"reads", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`, nil},
		{"read not listed", `null`, []string{"capability "}},
		{"read writes", `{"annotations":{"readOnlyHint":false},"inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`, []string{"capability /annotations"}},
		{"read without output schema", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}`, []string{"capability "}},
		{"read needs an argument", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","required":["a"]},"outputSchema":{"type":"object"}}`, []string{"capability /inputSchema"}},
	}, entry(SettingsReadTool))
	check(t, []vector{
		{"updates", `{"annotations":{"readOnlyHint":false},"inputSchema":{"type":"object","properties":{"set":{"type":"object"}}}}`, nil},
		{"update not listed", `null`, []string{"capability "}},
		{"update without set", `{"inputSchema":{"type":"object"}}`, []string{"capability /inputSchema"}},
		{"update only reads", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"set":{"type":"object"}}}}`, []string{"capability /annotations/readOnlyHint"}},
	}, entry(SettingsUpdateTool))
	check(t, []vector{
		{"searches", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"query":{"type":"string"}}},"_meta":{"ui":{"visibility":["app"]}}}`, nil},
		{"search not listed", `null`, []string{"capability "}},
		{"search writes", `{"inputSchema":{"type":"object","properties":{"query":{"type":"string"}}},"_meta":{"ui":{"visibility":["app"]}}}`, []string{"capability /annotations"}},
		{"search without query", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app","model"]}}}`, []string{"capability /inputSchema"}},
		{"search refuses an empty query", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"query":{"type":"string","minLength":1}}},"_meta":{"ui":{"visibility":["app"]}}}`, []string{"capability /inputSchema"}},
		{"search for the model only", `{"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"query":{"type":"string"}}},"_meta":{"ui":{"visibility":["model"]}}}`, []string{"capability "}},
	}, entry(MentionsTool))
}
