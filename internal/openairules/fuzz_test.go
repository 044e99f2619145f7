package openairules

import (
	"encoding/json"
	"testing"
)

// FuzzRules applies the rules of tools, documents and capabilities to any JSON: they never
// panic, and their messages stay short.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"_meta":null}`, `{"_meta":{"openai/ui":null}}`, `{"entrypoints":[{"type":"file","extensions":[" .a ",".",1,null]}]}`,
		`{"inputSchema":{"type":"object","properties":{"file":{"$ref":"#/$defs/f"}},"$defs":{"f":{"$ref":"#/$defs/f"}}},"_meta":{"openai/ui":{"entrypoints":[{"type":"global","quickAction":{"icons":[null],"target":{"arguments":1}}},{"type":"file"}]},"openai/fileParams":["file",1],"openai/toolInvocation/invoking":"a"}}`,
		`{"openai/ui":{"availableDisplayModes":["pip",null],"preferredDisplayMode":"inline"},"openai/widgetCSP":{"redirect_domains":["https://[::1]","\u0000",1]}}`,
		`{"extensions":{"openai/settings":{"readTool":1}},"experimental":{"openai/mentions":null}}`,
		`{"securitySchemes":[{}],"_meta":{"securitySchemes":[null,{"type":"noauth"}],"mcp/www_authenticate":["",1]}}`,
		`{"annotations":{"readOnlyHint":1},"outputSchema":[],"_meta":{"ui":{"visibility":"app","resourceUri":1},"OPENAI/UI":1}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		var v any
		if len(value) > 1<<16 || json.Unmarshal([]byte(value), &v) != nil {
			return
		}
		_, problems := ReadToolUI(v)
		m, _ := v.(map[string]any)
		_, capabilities := ReadCapabilities(m)
		for _, all := range [][]Problem{problems, capabilities, Tool(m), Result(m), Annotations(m), Content(m), SettingsReadTool(m), SettingsUpdateTool(m), MentionsTool(m)} {
			if len(all) > maxProblems {
				t.Fatalf("%d problems", len(all))
			}
			for _, p := range all {
				if len(p.Error()) > 1000 || p.Text == "" || p.Remedy == "" {
					t.Fatal(p)
				}
			}
		}
	})
}
