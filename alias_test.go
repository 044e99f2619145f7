package mcpapps_test

import (
	"context"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// The caller changes everything that it passed to a registration, and the wire
// stays the same.
func TestCallersValuesAreCopied(t *testing.T) {
	lists := []string{"https://a.example"}
	extra := map[string]any{"vendor": map[string]any{"k": []any{"v"}}}
	ui := mcpapps.ResourceUIMetadata{
		CSP:         &mcpapps.CSP{ConnectDomains: lists, Extra: map[string]any{"later": []string{"x"}}},
		Permissions: &mcpapps.Permissions{Camera: true, Extra: map[string]any{"midi": map[string]any{}}},
		Extra:       extra,
	}
	visibility := []mcpapps.Visibility{mcpapps.VisibilityApp}
	nested := map[string]any{"future": map[string]any{"a": []any{1.0}}}
	tool := &mcp.Tool{Name: "x", Title: "title", Meta: mcp.Meta{"ui": nested, "vendor": map[string]any{"n": 1.0}, "typed": map[string]string{"k": "v"}, "list": [][]int{{1}}}}
	resource := &mcp.Resource{URI: "ui://a", Name: "name", Meta: mcp.Meta{"ui": map[string]any{"other": map[string]any{}}, "vendor": []any{"v"}}}
	template := &mcp.ResourceTemplate{URITemplate: "ui://t/{id}", Name: "t", Meta: mcp.Meta{"vendor": []any{"v"}}}
	toolUI := mcpapps.ToolUIMetadata{ResourceURI: "ui://a", Visibility: visibility, Extra: map[string]any{"mine": []any{"m"}}}

	s, s2 := newServer(), newServer()
	for _, s := range []*mcp.Server{s, s2} { // the same values on two servers
		mcpapps.RegisterAppTool(s, tool, toolUI, say(""))
		mcpapps.RegisterAppResource(s, resource, ui, mcpapps.HTML("<p>"))
		mcpapps.RegisterAppResourceTemplate(s, template, "ui://t", ui, mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "<p>", nil }))
	}
	wire := func(s *mcp.Server) []string {
		c := connectRaw(t, s, "2025-11-25", capsUI)
		return []string{
			c.result("tools/list", `{}`), c.result("resources/list", `{}`), c.result("resources/templates/list", `{}`),
			c.result("resources/read", `{"uri":"ui://a"}`), c.result("resources/read", `{"uri":"ui://t/1"}`), c.result("resources/read", `{"uri":"ui://t"}`),
		}
	}
	before := wire(s)
	assert.Equal(t, before, wire(s2))
	assert.Equal(t, mcp.Meta{"ui": map[string]any{"future": map[string]any{"a": []any{1.0}}}, "vendor": map[string]any{"n": 1.0}, "typed": map[string]string{"k": "v"}, "list": [][]int{{1}}}, tool.Meta, "the caller's Meta")
	assert.Empty(t, resource.MIMEType)

	lists[0] = "https://evil.example"
	visibility[0] = mcpapps.VisibilityModel
	extra["vendor"].(map[string]any)["k"].([]any)[0] = "changed"
	extra["new"] = true
	ui.CSP.Extra["later"].([]string)[0] = "changed"
	ui.CSP.ResourceDomains = []string{"https://evil.example"}
	ui.Permissions.Microphone = true
	ui.Permissions.Extra["midi"].(map[string]any)["sysex"] = true
	toolUI.Extra["mine"].([]any)[0] = "changed"
	nested["resourceUri"] = "ui://evil"
	nested["future"].(map[string]any)["a"].([]any)[0] = 2.0
	tool.Title, tool.Name = "changed", "changed"
	tool.Meta["vendor"].(map[string]any)["n"] = 2.0
	tool.Meta["typed"].(map[string]string)["k"] = "changed"
	tool.Meta["list"].([][]int)[0][0] = 2
	tool.Meta["new"] = true
	resource.Name, resource.URI = "changed", "ui://changed"
	resource.Meta["ui"].(map[string]any)["other"].(map[string]any)["x"] = 1
	resource.Meta["vendor"].([]any)[0] = "changed"
	template.Name = "changed"
	template.Meta["vendor"].([]any)[0] = "changed"
	assert.Equal(t, before, wire(s))
	assert.Equal(t, before, wire(s2))
}

// A handler may return the same result to all clients: nothing writes to it.
func TestHandlersResultsAreCopied(t *testing.T) {
	doc := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "<p>", Meta: mcp.Meta{"k": "v"}}, {URI: "other://x", Text: "x"}}}
	res := &mcp.CallToolResult{StructuredContent: map[string]any{"a": 1}}
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, mcpapps.ResourceUIMetadata{Domain: "d"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return doc, nil })
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "typed"}, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return res, nil, nil
	})
	mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "raw", InputSchema: map[string]any{"type": "object"}}, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, nil })
	for _, version := range mcp.SupportedProtocolVersions() {
		c := connectRaw(t, s, version, capsUI)
		read := c.result("resources/read", `{"uri":"ui://a"}`)
		assert.Contains(t, read, `"_meta":{"k":"v","ui":{"domain":"d"}}`)
		for _, name := range []string{"typed", "raw"} {
			assert.Contains(t, c.result("tools/call", `{"name":"`+name+`"}`), `"content":[{"type":"text","text":"{\"a\":1}"}]`, name)
		}
	}
	assert.Equal(t, &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "<p>", Meta: mcp.Meta{"k": "v"}}, {URI: "other://x", Text: "x"}}}, doc)
	assert.Equal(t, &mcp.CallToolResult{StructuredContent: map[string]any{"a": 1}}, res)
}
