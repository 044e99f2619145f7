package mcpapps_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestToolMetadataIsMerged(t *testing.T) {
	const a = "ui://a"
	for _, tt := range []struct {
		name   string
		author string
		decl   mcpapps.ToolUIMetadata
		want   string
	}{
		{"nothing of the author's", `null`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"ui":{"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"app only, no URI", `null`, mcpapps.AppOnly(""), `{"ui":{"visibility":["app"]}}`},
		{"app only, with a view", `null`, mcpapps.AppOnly(a), `{"ui":{"resourceUri":"ui://a","visibility":["app"]},"ui/resourceUri":"ui://a"}`},
		{"model only", `null`, mcpapps.ToolUIMetadata{ResourceURI: a, Visibility: []mcpapps.Visibility{"model"}},
			`{"ui":{"resourceUri":"ui://a","visibility":["model"]},"ui/resourceUri":"ui://a"}`},
		{"other vendors stay", `{"openai/outputTemplate":"ui://o","x":{"ui":1}}`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"openai/outputTemplate":"ui://o","x":{"ui":1},"ui":{"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"unknown keys of both", `{"ui":{"foo":1,"both":"author"}}`, mcpapps.ToolUIMetadata{ResourceURI: a, Extra: map[string]any{"bar": 2, "both": "declared"}},
			`{"ui":{"bar":2,"both":"declared","foo":1,"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"author's visibility does not widen", `{"ui":{"visibility":["app"]}}`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"ui":{"resourceUri":"ui://a","visibility":["app"]},"ui/resourceUri":"ui://a"}`},
		{"a set field wins", `{"ui":{"visibility":["model","app"],"resourceUri":"ui://b"}}`, mcpapps.AppOnly(a),
			`{"ui":{"resourceUri":"ui://a","visibility":["app"]},"ui/resourceUri":"ui://a"}`},
		{"the author's URI", `{"ui":{"resourceUri":"ui://b"}}`, mcpapps.ToolUIMetadata{},
			`{"ui":{"resourceUri":"ui://b","visibility":["model","app"]},"ui/resourceUri":"ui://b"}`},
		{"flat key alone is folded in", `{"ui/resourceUri":"ui://b"}`, mcpapps.ToolUIMetadata{},
			`{"ui":{"resourceUri":"ui://b","visibility":["model","app"]},"ui/resourceUri":"ui://b"}`},
		{"flat key beside other ui keys", `{"ui/resourceUri":"ui://a","ui":{"foo":1}}`, mcpapps.ToolUIMetadata{},
			`{"ui":{"foo":1,"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"equal flat key", `{"ui/resourceUri":"ui://a"}`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"ui":{"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"a pair is replaced as one", `{"ui/resourceUri":"ui://b","ui":{"resourceUri":"ui://b"}}`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"ui":{"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
		{"null is nothing", `{"ui":null}`, mcpapps.ToolUIMetadata{ResourceURI: a},
			`{"ui":{"resourceUri":"ui://a","visibility":["model","app"]},"ui/resourceUri":"ui://a"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := &mcp.Tool{Name: "x"}
			require.NoError(t, json.Unmarshal([]byte(tt.author), &tool.Meta))
			require.NoError(t, mcpapps.SetToolUI(tool, tt.decl))
			got, err := json.Marshal(tool.Meta)
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(got))
			// Once more changes nothing, and so does the way over the wire.
			require.NoError(t, mcpapps.SetToolUI(tool, tt.decl))
			again, err := json.Marshal(tool.Meta)
			require.NoError(t, err)
			assert.Equal(t, string(got), string(again))
			if words, ok := tool.Meta["ui"].(map[string]any)["visibility"]; ok {
				assert.IsType(t, []string{}, words)
			}
		})
	}
}

func TestResourceMetadataIsMerged(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name       string
		author     string
		decl       mcpapps.ResourceUIMetadata
		list, item string
	}{
		{"nothing at all", `null`, mcpapps.ResourceUIMetadata{}, `null`, `null`},
		{"only another vendor's", `{"x":1}`, mcpapps.ResourceUIMetadata{}, `{"x":1}`, `{"x":1}`},
		{"author's empty object", `{"ui":{}}`, mcpapps.ResourceUIMetadata{}, `{"ui":{}}`, `{"ui":{}}`},
		{"author's null", `{"ui":null}`, mcpapps.ResourceUIMetadata{}, `null`, `null`},
		{"empty CSP", `null`, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}}, `{"ui":{"csp":{}}}`, `{"ui":{"csp":{}}}`},
		{"empty list", `null`, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{FrameDomains: []string{}}}, `{"ui":{"csp":{"frameDomains":[]}}}`, `{"ui":{"csp":{"frameDomains":[]}}}`},
		{"no permission", `null`, mcpapps.ResourceUIMetadata{Permissions: &mcpapps.Permissions{}}, `{"ui":{"permissions":{}}}`, `{"ui":{"permissions":{}}}`},
		{"all permissions", `null`, mcpapps.ResourceUIMetadata{Permissions: &mcpapps.Permissions{Camera: true, Microphone: true, Geolocation: true, ClipboardWrite: true}},
			`{"ui":{"permissions":{"camera":{},"clipboardWrite":{},"geolocation":{},"microphone":{}}}}`, `{"ui":{"permissions":{"camera":{},"clipboardWrite":{},"geolocation":{},"microphone":{}}}}`},
		{"border", `null`, mcpapps.ResourceUIMetadata{PrefersBorder: &yes}, `{"ui":{"prefersBorder":true}}`, `{"ui":{"prefersBorder":true}}`},
		{"no border", `null`, mcpapps.ResourceUIMetadata{PrefersBorder: &no}, `{"ui":{"prefersBorder":false}}`, `{"ui":{"prefersBorder":false}}`},
		{"domain", `null`, mcpapps.ResourceUIMetadata{Domain: "d"}, `{"ui":{"domain":"d"}}`, `{"ui":{"domain":"d"}}`},
		{"csp is replaced whole", `{"x":1,"ui":{"csp":{"connectDomains":["https://author.example"]},"domain":"author","foo":1}}`,
			mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://r.example"}}},
			`{"x":1,"ui":{"csp":{"resourceDomains":["https://r.example"]},"domain":"author","foo":1}}`, `{"x":1,"ui":{"csp":{"resourceDomains":["https://r.example"]},"domain":"author","foo":1}}`},
		{"domain and border are declared over the author's", `{"ui":{"domain":"author","prefersBorder":true}}`, mcpapps.ResourceUIMetadata{Domain: "d", PrefersBorder: &no},
			`{"ui":{"domain":"d","prefersBorder":false}}`, `{"ui":{"domain":"d","prefersBorder":false}}`},
		{"author's booleans become objects", `{"ui":{"permissions":{"camera":true,"microphone":false}}}`, mcpapps.ResourceUIMetadata{},
			`{"ui":{"permissions":{"camera":{}}}}`, `{"ui":{"permissions":{"camera":{}}}}`},
		{"keys of a newer specification", `null`, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{Extra: map[string]any{"workerDomains": []any{}}}, Permissions: &mcpapps.Permissions{Extra: map[string]any{"midi": map[string]any{}}}, Extra: map[string]any{"theme": "x"}},
			`{"ui":{"csp":{"workerDomains":[]},"permissions":{"midi":{}},"theme":"x"}}`, `{"ui":{"csp":{"workerDomains":[]},"permissions":{"midi":{}},"theme":"x"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &mcp.Resource{URI: "ui://a"}
			require.NoError(t, json.Unmarshal([]byte(tt.author), &r.Meta))
			s := newServer()
			mcpapps.RegisterAppResource(s, r, tt.decl, mcpapps.HTML("<p>"))
			for _, version := range mcp.SupportedProtocolVersions() {
				c := connectRaw(t, s, version, capsUI)
				var got struct {
					Resources []struct {
						Meta json.RawMessage `json:"_meta"`
					}
					Contents []struct {
						Meta json.RawMessage `json:"_meta"`
					}
				}
				require.NoError(t, json.Unmarshal([]byte(c.result("resources/list", `{}`)), &got))
				require.NoError(t, json.Unmarshal([]byte(c.result("resources/read", `{"uri":"ui://a"}`)), &got))
				assert.JSONEq(t, tt.list, orNull(got.Resources[0].Meta), version)
				assert.JSONEq(t, tt.item, orNull(got.Contents[0].Meta), version)
			}
		})
	}
}

func orNull(raw json.RawMessage) string {
	if raw == nil {
		return "null"
	}
	return string(raw)
}

// A content item's own _meta.ui replaces the declared one entirely, and so does each
// key of another vendor. What the handler does not set comes from the list entry.
// Other content items are not changed.
func TestItemsKeepTheirMetadata(t *testing.T) {
	declared := mcp.Meta{}
	item := func(meta mcp.Meta) string {
		s := newServer()
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a", Meta: declared}, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}}, contents(
			&mcp.ResourceContents{Text: "<p>", MIMEType: `Text/HTML; profile="mcp-app"`, Meta: meta}, &mcp.ResourceContents{URI: "data://x", MIMEType: "text/plain", Text: "x"}))
		return connectRaw(t, s, "2025-11-25", capsUI).result("resources/read", `{"uri":"ui://a"}`)
	}
	const rest = `,{"uri":"data://x","mimeType":"text/plain","text":"x"}]`
	const head = `"contents":[{"uri":"ui://a","mimeType":"text/html;profile=mcp-app","text":"\u003cp\u003e","_meta":`
	assert.Contains(t, item(nil), head+`{"ui":{"csp":{}}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"k": 1}), head+`{"k":1,"ui":{"csp":{}}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"ui": nil}), head+`{"ui":{"csp":{}}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"ui": map[string]any{}}), head+`{"ui":{}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"ui": map[string]any{"domain": "own"}}), head+`{"ui":{"domain":"own"}}}`+rest)

	declared = mcp.Meta{"openai/widgetCSP": map[string]any{"connect_domains": []string{"https://a.example"}}, "k": 0}
	const widget = `"openai/widgetCSP":{"connect_domains":["https://a.example"]}`
	assert.Contains(t, item(nil), head+`{"k":0,`+widget+`,"ui":{"csp":{}}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"k": 1, "ui": map[string]any{}}), head+`{"k":1,`+widget+`,"ui":{}}}`+rest)
	assert.Contains(t, item(mcp.Meta{"openai/widgetCSP": nil}), head+`{"k":0,"openai/widgetCSP":null,"ui":{"csp":{}}}}`+rest)
}

func TestWithoutUI(t *testing.T) {
	for author, want := range map[string]string{
		`null`: `null`,
		`{"ui":{"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"}`:                                   `null`,
		`{"ui":{"resourceUri":"ui://a","visibility":["app","model"]}}`:                                `null`,
		`{"ui":{"resourceUri":"ui://a","visibility":["app"]},"x":1}`:                                  `{"ui":{"visibility":["app"]},"x":1}`,
		`{"ui":{"resourceUri":"ui://a","visibility":["model"]}}`:                                      `{"ui":{"visibility":["model"]}}`,
		`{"ui":{"resourceUri":"ui://a","visibility":"app"}}`:                                          `{"ui":{"visibility":[]}}`,
		`{"ui":{"resourceUri":"ui://a","foo":1}}`:                                                     `{"ui":{"foo":1}}`,
		`{"ui.resourceUri":"ui://a","openai/outputTemplate":"ui://a","openai/widgetAccessible":true}`: `{"openai/widgetAccessible":true}`,
	} {
		tool := &mcp.Tool{Name: "x", Title: "t"}
		require.NoError(t, json.Unmarshal([]byte(author), &tool.Meta))
		c := mcpapps.WithoutUI(tool)
		got, err := json.Marshal(c.Meta)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), author)
		assert.Equal(t, "t", c.Title)
		before, err := json.Marshal(tool.Meta)
		require.NoError(t, err)
		assert.JSONEq(t, author, string(before), "the tool itself")
	}
	assert.Nil(t, mcpapps.WithoutUI(nil))
}
