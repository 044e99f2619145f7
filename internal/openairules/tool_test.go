package openairules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A vector is a value, and the problems that it has: kind and pointer of each. The kinds
// that reject are those of OpenAI's validators; Ineffective is what they accept.
type vector struct {
	name, value string
	problems    []string
}

func parse(t *testing.T, value string) (v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(value), &v), value)
	return v
}

var kindNames = map[Kind]string{Type: "type", Key: "key", Entrypoint: "entrypoint", Input: "input", DisplayMode: "mode", Status: "status",
	FileParam: "file", Annotation: "annotation", Origin: "origin", Capability: "capability", Ineffective: "ineffective", Auth: "auth"}

func summary(problems []Problem) []string {
	all := []string{}
	for _, p := range problems {
		all = append(all, kindNames[p.Kind]+" "+p.Pointer)
	}
	return all
}

func check(t *testing.T, vectors []vector, rules func(v any) []Problem) {
	t.Helper()
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			problems := rules(parse(t, v.value))
			if v.problems == nil {
				v.problems = []string{}
			}
			assert.Equal(t, v.problems, summary(problems), "%v", problems)
			for _, p := range problems {
				assert.NotEmpty(t, p.Text)
				assert.NotEmpty(t, p.Remedy)
				assert.Less(t, len(p.Error()), 700)
			}
		})
	}
}

// TestToolUI has the vectors of OpenAI's validators for openai/ui of a tool, then what the
// specification says in addition.
func TestToolUI(t *testing.T) {
	check(t, []vector{
		{"empty", `{}`, nil},
		{"no entrypoints", `{"entrypoints":[]}`, nil},
		{"repeated types", `{"entrypoints":[{"type":"global"},{"type":"global"}]}`, nil},
		{"no extension", `{"entrypoints":[{"type":"file","extensions":[]}]}`, []string{"ineffective /entrypoints/0/extensions"}},
		{"spaces around an extension", `{"entrypoints":[{"type":"file","extensions":[" .stl "]}]}`, nil},
		{"only a dot", `{"entrypoints":[{"type":"file","extensions":["."]}]}`, []string{"ineffective /entrypoints/0/extensions/0"}},
		{"extension without a dot", `{"entrypoints":[{"type":"file","extensions":["stl"]}]}`, []string{"entrypoint /entrypoints/0/extensions/0"}},
		{"extensions missing", `{"entrypoints":[{"type":"file"}]}`, []string{"entrypoint /entrypoints/0/extensions"}},
		{"settings", `{"entrypoints":[{"type":"settings"}]}`, []string{"entrypoint /entrypoints/0/type"}},
		{"unknown key", `{"x":1}`, []string{"key "}},
		{"unknown key of an entrypoint", `{"entrypoints":[{"type":"thread","x":1}]}`, []string{"key /entrypoints/0"}},
		{"unknown key of a shortcut", `{"entrypoints":[{"type":"global","quickAction":{"title":"New","icons":[{"src":"a"}],"target":{"type":"tool","name":"n"},"x":1}}]}`, []string{"key /entrypoints/0/quickAction"}},
		{"no icon", `{"entrypoints":[{"type":"global","quickAction":{"title":"New","icons":[],"target":{"type":"tool","name":"n"}}}]}`, []string{"entrypoint /entrypoints/0/quickAction/icons"}},
		{"pip", `{"preferredModelDisplayMode":"pip"}`, []string{"mode /preferredModelDisplayMode"}},

		{"all", `{"entrypoints":[{"type":"global","quickAction":{"title":"New","icons":[{"src":"a"}],"target":{"type":"tool","name":"n","arguments":{"a":1}}}},{"type":"thread"},{"type":"file","extensions":[".note"]}],"preferredModelDisplayMode":"fullscreen"}`, nil},
		{"four", `{"entrypoints":[{"type":"thread"},{"type":"thread"},{"type":"thread"},{"type":"thread"}]}`, []string{"entrypoint /entrypoints"}},
		{"null", `null`, []string{"type "}},
		{"array", `[]`, []string{"type "}},
		{"entrypoints are an object", `{"entrypoints":{}}`, []string{"type /entrypoints"}},
		{"entrypoint is a string", `{"entrypoints":["global"]}`, []string{"type /entrypoints/0"}},
		{"no type", `{"entrypoints":[{}]}`, []string{"entrypoint /entrypoints/0/type"}},
		{"type in upper case", `{"entrypoints":[{"type":"Global"}]}`, []string{"entrypoint /entrypoints/0/type"}},
		{"extensions of a global one", `{"entrypoints":[{"type":"global","extensions":[".a"]}]}`, []string{"key /entrypoints/0"}},
		{"extension with a folder", `{"entrypoints":[{"type":"file","extensions":["./a"]}]}`, []string{"ineffective /entrypoints/0/extensions/0"}},
		{"extension is a number", `{"entrypoints":[{"type":"file","extensions":[1]}]}`, []string{"entrypoint /entrypoints/0/extensions/0"}},
		{"shortcut without anything", `{"entrypoints":[{"type":"global","quickAction":{}}]}`, []string{"entrypoint /entrypoints/0/quickAction/title", "entrypoint /entrypoints/0/quickAction/icons", "entrypoint /entrypoints/0/quickAction/target"}},
		{"shortcut to a link", `{"entrypoints":[{"type":"global","quickAction":{"title":"New","icons":[{}],"target":{"type":"url","arguments":[]}}}]}`, []string{"entrypoint /entrypoints/0/quickAction/icons/0", "entrypoint /entrypoints/0/quickAction/target/type", "entrypoint /entrypoints/0/quickAction/target/name", "type /entrypoints/0/quickAction/target/arguments"}},
		{"mode is a number", `{"preferredModelDisplayMode":1}`, []string{"type /preferredModelDisplayMode"}},
		{"mode of the document", `{"preferredDisplayMode":"inline"}`, []string{"key "}},
	}, func(v any) []Problem {
		_, problems := ReadToolUI(v)
		return problems
	})
}

// TestReadToolUI: what can be read is read, problems or not.
func TestReadToolUI(t *testing.T) {
	ui, problems := ReadToolUI(parse(t, `{"entrypoints":[{"type":"x"},1,{"type":"global","quickAction":{"title":"New","target":{"name":"new","arguments":{"n":1}}}},{"type":"file","extensions":[" .Note ",1]}],"preferredModelDisplayMode":"inline"}`))
	assert.NotEmpty(t, problems)
	assert.Equal(t, ToolUI{
		Entrypoints:               []ToolEntrypoint{{Index: 2, Type: "global", ShortcutTool: "new", ShortcutTitle: "New", ShortcutArguments: map[string]any{"n": 1.0}}, {Index: 3, Type: "file", Extensions: []string{".note"}}},
		PreferredModelDisplayMode: "inline",
	}, ui)
}

// TestTool has the keys of a tool, and what they say about its schema.
func TestTool(t *testing.T) {
	const view = `"ui":{"resourceUri":"ui://a"}`
	global := func(schema string) string {
		return `{"inputSchema":` + schema + `,"_meta":{` + view + `,"openai/ui":{"entrypoints":[{"type":"global"}]}}}`
	}
	file := func(schema string) string {
		return `{"inputSchema":` + schema + `,"_meta":{` + view + `,"openai/ui":{"entrypoints":[{"type":"file","extensions":[".a"]}]}}}`
	}
	params := func(schema string) string {
		return `{"inputSchema":{"type":"object","$defs":{"f":{"type":"object","required":["download_url","file_id"],"properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"mime_type":{"type":"string"},"file_name":{"type":"string"}}}},"properties":{"f":` + schema + `}},"_meta":{"openai/fileParams":["f"]}}`
	}
	const place = "file /_meta/openai~1fileParams/0"
	check(t, []vector{
		{"nothing", `{}`, nil},
		{"no view", `{"inputSchema":{"type":"object"},"_meta":{"openai/ui":{"entrypoints":[{"type":"thread"}]}}}`, []string{"entrypoint /_meta/openai~1ui/entrypoints"}},
		{"view in an older key", `{"inputSchema":{"type":"object"},"_meta":{"ui/resourceUri":"ui://a","openai/ui":{"entrypoints":[{"type":"thread"}]}}}`, nil},
		{"accepts {}", global(`{"type":"object","properties":{"a":{"type":"string"}}}`), nil},
		{"requires an argument", global(`{"type":"object","required":["a"]}`), []string{"input /inputSchema"}},
		{"requires one by its number", global(`{"type":"object","minProperties":1}`), []string{"input /inputSchema"}},
		{"requires one in a reference", global(`{"$ref":"#/$defs/a","$defs":{"a":{"required":["a"]}}}`), []string{"input /inputSchema"}},
		{"malformed schema", global(`{"type":1}`), nil},
		{"schema is not an object", global(`true`), nil},
		{"expensive schema", global(`{"pattern":"` + strings.Repeat("(a{1000}){1000}", 4) + `"}`), nil},

		{"file", file(`{"type":"object","required":["file"],"properties":{"file":{"type":"object","required":["name","resourceUri"],"properties":{"name":{"type":"string"},"resourceUri":{"type":"string"}}}},"additionalProperties":false}`), nil},
		{"no file", file(`{"type":"object"}`), []string{"input /inputSchema"}},
		{"file is a string", file(`{"type":"object","properties":{"file":{"type":"string"}}}`), []string{"input /inputSchema"}},
		{"file has no more keys", file(`{"type":"object","properties":{"file":{"type":"object","properties":{"name":{},"resourceUri":{}},"additionalProperties":false}}}`), []string{"input /inputSchema"}},
		{"file and another argument", file(`{"type":"object","required":["a"],"properties":{"file":{}}}`), []string{"input /inputSchema"}},

		{"file argument", params(`{"$ref":"#/$defs/f"}`), nil},
		{"array of files", params(`{"type":["null","array"],"items":{"$ref":"#/$defs/f"}}`), nil},
		{"not declared", `{"inputSchema":{"type":"object"},"_meta":{"openai/fileParams":["f"]}}`, []string{place}},
		{"a string as a file", params(`{"type":"string"}`), []string{place}},
		{"without mime_type", params(`{"type":"object","required":["download_url","file_id"],"properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"file_name":{"type":"string"}}}`), []string{place}},
		{"file_id not required", params(`{"type":"object","required":["download_url"],"properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"mime_type":{"type":"string"},"file_name":{"type":"string"}}}`), []string{place}},
		{"file_name required", params(`{"type":"object","required":["download_url","file_id","file_name"],"properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"mime_type":{"type":"string"},"file_name":{"type":"string"}}}`), []string{place}},
		{"reference to itself", `{"inputSchema":{"$defs":{"f":{"$ref":"#/$defs/f"}},"properties":{"f":{"$ref":"#/$defs/f"}}},"_meta":{"openai/fileParams":["f"]}}`, []string{place}},
		{"same argument twice", `{"inputSchema":{"properties":{"f":{"type":"string"}}},"_meta":{"openai/fileParams":["f","f"]}}`, []string{place}},
		{"many types", strings.Replace(params(`{"$ref":"#/$defs/f"}`), `"f":{"type":"object"`, `"f":{"type":[`+strings.Repeat(`"null",`, 100)+`"object"]`, 1), []string{place}},
		{"many required", strings.Replace(params(`{"$ref":"#/$defs/f"}`), `"download_url",`, strings.Repeat(`"file_id",`, 100)+`"download_url",`, 1), []string{place}},
		{"file arguments are a string", `{"_meta":{"openai/fileParams":"f"}}`, []string{"type /_meta/openai~1fileParams"}},
		{"file argument is a number", `{"_meta":{"openai/fileParams":[1]}}`, []string{"type /_meta/openai~1fileParams/0"}},

		{"status of 64 characters", `{"_meta":{"openai/toolInvocation/invoking":"` + strings.Repeat("é", 64) + `"}}`, nil},
		{"status of 65 characters", `{"_meta":{"openai/toolInvocation/invoked":"` + strings.Repeat("é", 65) + `"}}`, []string{"status /_meta/openai~1toolInvocation~1invoked"}},
		{"status of 33 emoji", `{"_meta":{"openai/toolInvocation/invoked":"` + strings.Repeat("🙂", 33) + `"}}`, []string{"status /_meta/openai~1toolInvocation~1invoked"}},
		{"status is a number", `{"_meta":{"openai/toolInvocation/invoked":1}}`, []string{"type /_meta/openai~1toolInvocation~1invoked"}},
		{"icon style", `{"_meta":{"openai/iconStyle":"color"}}`, []string{"type /_meta/openai~1iconStyle"}},
		{"older keys", `{"_meta":{"openai/outputTemplate":"ui://a","openai/widgetAccessible":true,"openai/visibility":"private"}}`, nil},
		{"malformed older keys", `{"_meta":{"openai/outputTemplate":1,"openai/widgetAccessible":"true","openai/visibility":true}}`, []string{"type /_meta/openai~1outputTemplate", "type /_meta/openai~1widgetAccessible", "type /_meta/openai~1visibility"}},
		{"keys of documents", `{"_meta":{"openai/widgetDescription":"a","openai/widgetCSP":{}}}`, []string{"key /_meta/openai~1widgetDescription", "key /_meta/openai~1widgetCSP"}},
		{"key in another case", `{"_meta":{"openai/fileparams":["f"]}}`, []string{"key /_meta"}},
		{"unknown keys of the vendor", `{"_meta":{"openai/new":1}}`, nil},
	}, func(v any) []Problem { return Tool(v.(map[string]any)) })
}

func TestSecuritySchemes(t *testing.T) {
	const both = `{"securitySchemes":[{"type":"noauth"},{"type":"oauth2","scopes":["a"]}],"_meta":{"securitySchemes":%s}}`
	check(t, []vector{
		{"in _meta alone", `{"_meta":{"securitySchemes":[{"type":"noauth"}]}}`, nil},
		{"the field alone", `{"securitySchemes":1}`, nil},
		{"both", fmt.Sprintf(both, `[{"type":"noauth"},{"scopes":["a"],"type":"oauth2"}]`), nil},
		{"they differ", fmt.Sprintf(both, `[{"type":"noauth"}]`), []string{"auth /_meta/securitySchemes"}},
		{"the field is malformed", `{"securitySchemes":null,"_meta":{"securitySchemes":[]}}`, []string{"auth /_meta/securitySchemes"}},
		{"null", fmt.Sprintf(both, `null`), []string{"auth /_meta/securitySchemes"}},
		{"an object", `{"_meta":{"securitySchemes":{"type":"noauth"}}}`, []string{"auth /_meta/securitySchemes"}},
		{"malformed ones", fmt.Sprintf(both, `["noauth",{},{"type":1},{"type":" "},null,{"type":"noauth"}]`),
			[]string{"auth /_meta/securitySchemes/0", "auth /_meta/securitySchemes/1", "auth /_meta/securitySchemes/2", "auth /_meta/securitySchemes/3", "auth /_meta/securitySchemes/4"}},
	}, func(v any) []Problem { return Tool(v.(map[string]any)) })
}

func TestResult(t *testing.T) {
	check(t, []vector{
		{"none", `{"_meta":null}`, nil},
		{"a string", `{"_meta":{"mcp/www_authenticate":"Bearer error=\"invalid_token\""}}`, nil},
		{"an array", `{"_meta":{"mcp/www_authenticate":["Bearer","Basic"]}}`, nil},
		{"null", `{"_meta":{"mcp/www_authenticate":null}}`, []string{"auth /_meta/mcp~1www_authenticate"}},
		{"an object", `{"_meta":{"mcp/www_authenticate":{}}}`, []string{"auth /_meta/mcp~1www_authenticate"}},
		{"other elements", `{"_meta":{"mcp/www_authenticate":["Bearer",1,null]}}`, []string{"auth /_meta/mcp~1www_authenticate/1", "auth /_meta/mcp~1www_authenticate/2"}},
	}, func(v any) []Problem { return Result(v.(map[string]any)) })
}

func TestAnnotations(t *testing.T) {
	check(t, []vector{
		{"all", `{"annotations":{"readOnlyHint":false,"destructiveHint":true,"openWorldHint":false}}`, nil},
		{"none", `{}`, []string{"annotation /annotations", "annotation /annotations", "annotation /annotations"}},
		{"null", `{"annotations":{"readOnlyHint":true,"destructiveHint":null,"openWorldHint":"no"}}`, []string{"annotation /annotations/destructiveHint", "annotation /annotations/openWorldHint"}},
	}, func(v any) []Problem { return Annotations(v.(map[string]any)) })
}

// TestContent has the vectors of OpenAI's validators for openai/ui of a content item, then
// the other keys.
func TestContent(t *testing.T) {
	ui := func(v string) string { return `{"openai/ui":` + v + `}` }
	check(t, []vector{
		{"empty", ui(`{}`), nil},
		{"no modes", ui(`{"availableDisplayModes":[]}`), []string{"ineffective /openai~1ui/availableDisplayModes"}},
		{"repeated modes", ui(`{"availableDisplayModes":["inline","inline"]}`), nil},
		{"preferred and not available", ui(`{"availableDisplayModes":["inline"],"preferredDisplayMode":"fullscreen"}`), []string{"ineffective /openai~1ui/preferredDisplayMode"}},
		{"pip", ui(`{"availableDisplayModes":["pip"]}`), []string{"ineffective /openai~1ui/availableDisplayModes/0"}},
		{"modal", ui(`{"availableDisplayModes":["modal"]}`), []string{"mode /openai~1ui/availableDisplayModes/0"}},
		{"unknown key", ui(`{"x":1}`), []string{"key /openai~1ui"}},

		{"key of tools", ui(`{"entrypoints":[]}`), []string{"key /openai~1ui"}},
		{"null", ui(`null`), []string{"type /openai~1ui"}},
		{"modes are a string", ui(`{"availableDisplayModes":"inline"}`), []string{"type /openai~1ui/availableDisplayModes"}},
		{"all", `{"openai/widgetDescription":"a","openai/widgetDomain":"https://a.example","openai/widgetPrefersBorder":true,"openai/widgetCSP":{"connect_domains":[],"resource_domains":["https://a.example"],"frame_domains":[],"redirect_domains":["https://a.example","http://localhost:8080","https://*.example.com"]}}`, nil},
		{"malformed", `{"openai/widgetDescription":1,"openai/widgetDomain":1,"openai/widgetPrefersBorder":1,"openai/widgetCSP":[]}`, []string{"type /openai~1widgetDescription", "type /openai~1widgetDomain", "type /openai~1widgetPrefersBorder", "type /openai~1widgetCSP"}},
		{"redirects", `{"openai/widgetCSP":{"redirect_domains":["https://a.example/path","a.example","wss://a.example",1,"javascript://a"]}}`, []string{"origin /openai~1widgetCSP/redirect_domains/0", "origin /openai~1widgetCSP/redirect_domains/1", "origin /openai~1widgetCSP/redirect_domains/2", "type /openai~1widgetCSP/redirect_domains/3", "origin /openai~1widgetCSP/redirect_domains/4"}},
		{"keys of tools", `{"openai/fileParams":[],"openai/toolInvocation/invoked":"a"}`, []string{"key /openai~1toolInvocation~1invoked", "key /openai~1fileParams"}},
	}, func(v any) []Problem { return Content(v.(map[string]any)) })
}

// TestBounds: what a server sends costs no more than reading it, and messages stay short.
func TestBounds(t *testing.T) {
	many := func(value string) string { return strings.TrimSuffix(strings.Repeat(value+",", 20000), ",") }
	long := `"` + strings.Repeat("a", 100000) + `"`
	keys := make([]string, 20000)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	object := "{" + strings.Join(keys, ",") + "}"
	for name, entry := range map[string]string{
		"entrypoints":  `{"_meta":{"openai/ui":{"entrypoints":[` + many(`{"type":"settings"}`) + `]}}}`,
		"good ones":    `{"_meta":{"openai/ui":{"entrypoints":[` + many(`{"type":"global"}`) + `]}}}`,
		"extensions":   `{"_meta":{"openai/ui":{"entrypoints":[{"type":"file","extensions":[` + many(`"a"`) + `]}]}}}`,
		"long type":    `{"_meta":{"openai/ui":{"entrypoints":[{"type":` + long + `}]}}}`,
		"keys":         `{"_meta":{"openai/ui":` + object + `}}`,
		"meta keys":    `{"_meta":` + object + `}`,
		"long key":     `{"_meta":{"openai/ui":{` + long + `:1}}}`,
		"long status":  `{"_meta":{"openai/toolInvocation/invoking":` + long + `}}`,
		"nested":       `{"_meta":{"openai/ui":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		"file params":  `{"inputSchema":{"properties":{"f":{"type":"object","properties":{"download_url":{"type":"string"},"file_id":{"type":"string"},"mime_type":{"type":"string"},"file_name":{"type":"string"}},"required":[` + many(`"file_id"`) + `,"download_url"]}}},"_meta":{"openai/fileParams":[` + many(`"f"`) + `]}}`,
		"schemes":      `{"securitySchemes":[],"_meta":{"securitySchemes":[` + many(`{"type":1}`) + `]}}`,
		"many files":   `{"_meta":{"openai/fileParams":[` + many(`"x"`) + `]}}`,
		"long outcome": `{"_meta":{"openai/outputTemplate":` + object + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			problems := Tool(parse(t, entry).(map[string]any))
			assert.LessOrEqual(t, len(problems), maxProblems)
			for _, p := range problems {
				assert.Less(t, len(p.Error()), 700)
			}
		})
	}
	for _, challenges := range []string{"[" + many("1") + "]", object} {
		problems := Result(map[string]any{"_meta": map[string]any{"mcp/www_authenticate": parse(t, challenges)}})
		assert.LessOrEqual(t, len(problems), maxProblems)
		assert.Less(t, len(problems[0].Error()), 700)
	}
	ui, _ := ReadToolUI(parse(t, `{"entrypoints":[`+many(`{"type":"global"}`)+`]}`))
	assert.LessOrEqual(t, len(ui.Entrypoints), maxProblems)
}
