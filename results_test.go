package mcpapps_test

import (
	"context"
	"encoding/json"
	"maps"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps"
)

// TestResultsAreNotWritten: handlers and middleware may keep what they return,
// although the SDK writes its name and an output's text into results.
func TestResultsAreNotWritten(t *testing.T) {
	const uri = "ui://shared/view.html"
	meta := func() mcp.Meta { return mcp.Meta{"example.com/a": 1.0} }

	read := &mcp.ReadResourceResult{Meta: meta(), Contents: []*mcp.ResourceContents{{Text: "<p>", Meta: meta()}}}
	typed := &mcp.CallToolResult{Meta: meta(), Content: make([]mcp.Content, 0, 4)}
	listed := &mcp.CallToolResult{Meta: meta(), Content: append(make([]mcp.Content, 0, 4), &mcp.TextContent{Text: "a"})}
	raw := &mcp.CallToolResult{Meta: meta(), StructuredContent: map[string]any{"a": 1}}

	for _, plain := range []bool{false, true} {
		caps := &mcp.ServerCapabilities{Extensions: map[string]any{"example.com/b": map[string]any{}}}
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{Capabilities: caps})
		shared := make(map[string]mcp.Result)
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if res, ok := shared[method]; ok {
					return res, nil
				}
				res, err := next(ctx, method, req)
				switch method {
				case "server/discover", "tools/list", "resources/list", "resources/templates/list":
					res.SetMeta(meta())
					shared[method] = res
				}
				return res, err
			}
		})
		mcpapps.Enable(s, &mcpapps.Options{PlainReadResults: plain, OmitLegacyURI: true, UnlistResources: true})
		ui := mcpapps.ToolUIMetadata{ResourceURI: uri}
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "typed"}, ui,
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, report, error) {
				return typed, report{"Oslo", 1}, nil
			})
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "listed"}, ui,
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return listed, []int{1}, nil
			})
		mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, ui,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return raw, nil })
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return read, nil })

		w, c := dialMemory(t, s), wireClient{modern, true}
		for i, m := range []message{
			{"", "server/discover", ``}, {"", "tools/list", ``}, {"", "resources/list", ``}, {"", "resources/templates/list", ``},
			{"", "resources/read", `"uri":"` + uri + `"`},
			{"", "tools/call", `"name":"typed","arguments":{}`},
			{"", "tools/call", `"name":"listed","arguments":{}`},
			{"", "tools/call", `"name":"raw","arguments":{}`},
		} {
			for j := range 2 {
				got := w.exchange(t, c, c.line(1+2*i+j, m))
				assert.Contains(t, got, `"name":"s"`, "%s %s", m.method, m.params)
				assert.Contains(t, got, `"example.com/a":1`, "%s %s", m.method, m.params)
			}
		}
		assert.Equal(t, meta(), read.Meta)
		assert.Equal(t, meta(), read.Contents[0].Meta)
		assert.Empty(t, read.Contents[0].URI)
		assert.Empty(t, read.Contents[0].MIMEType)
		assert.Empty(t, read.CacheScope)
		for _, r := range []*mcp.CallToolResult{typed, listed, raw} {
			assert.Equal(t, meta(), r.Meta)
		}
		assert.Nil(t, typed.StructuredContent)
		assert.Empty(t, typed.Content)
		assert.Nil(t, listed.StructuredContent)
		assert.Nil(t, listed.Content[:2][1], "the SDK appended the output to the handler's array")
		assert.Empty(t, raw.Content)
		for method, res := range shared {
			assert.Equal(t, map[string]any(meta()), maps.Clone(res.GetMeta()), method)
		}
		discovered := shared["server/discover"].(*mcp.DiscoverResult)
		assert.Equal(t, map[string]any{"example.com/b": map[string]any{}}, discovered.Capabilities.Extensions)
		for _, tool := range shared["tools/list"].(*mcp.ListToolsResult).Tools {
			assert.Contains(t, tool.Meta, mcpapps.LegacyResourceURIKey, "a list was shaped in place")
		}
		assert.Len(t, shared["resources/list"].(*mcp.ListResourcesResult).Resources, 1, "a list was shaped in place")
	}
}

// A raw handler that returns no result makes the call fail. In the bare SDK it
// ends the process.
func TestRawHandlerReturnsNothing(t *testing.T) {
	s := mcp.NewServer(costInfo, nil)
	mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, mcpapps.AppOnly(""),
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	w, c := dialMemory(t, s), wireClient{modern, true}
	assert.Contains(t, w.exchange(t, c, c.line(1, message{"", "tools/call", `"name":"raw","arguments":{}`})),
		`"message":"tool \"raw\": the handler returned no result"`)
}

// A result whose content is empty and not nil gets its output as text too.
func TestEmptyContentGetsText(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "typed"}, mcpapps.AppOnly(""),
		func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, report, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}}, report{"Oslo", 1}, nil
		})
	mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, mcpapps.AppOnly(""),
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: report{"Oslo", 1}}, nil
		})
	c := connectRaw(t, s, "2025-11-25", capsUI)
	for _, name := range []string{"typed", "raw"} {
		assert.Contains(t, c.result("tools/call", `{"name":"`+name+`","arguments":{}}`), `"content":[{"type":"text","text":"{\"`, name)
	}
}

// A document of white space is empty.
func TestBlankDocuments(t *testing.T) {
	for _, item := range []*mcp.ResourceContents{{Text: " \n"}, {Blob: []byte("\t")}, {Text: "\u00a0\r\n"}} {
		s := mcp.NewServer(costInfo, nil)
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://blank"}, mcpapps.ResourceUIMetadata{},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{item}}, nil
			})
		w, c := dialMemory(t, s), wireClient{modern, true}
		assert.Contains(t, w.exchange(t, c, c.line(1, message{"", "resources/read", `"uri":"ui://blank"`})), "the document is empty")
	}
}

// A result that can't be encoded makes the call fail: the SDK would not answer.
func TestStructuredContentWithoutJSON(t *testing.T) {
	s := newServer()
	res := &mcp.CallToolResult{StructuredContent: func() {}}
	mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, mcpapps.AppOnly(""),
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, nil })
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "typed"}, mcpapps.AppOnly(""),
		func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
			return res, nil, nil
		})
	c := connectRaw(t, s, "2025-11-25", capsUI)
	const want = "structured content can't be encoded as JSON: json: unsupported type: func()"
	assert.Equal(t, want, c.fail("tools/call", `{"name":"raw"}`).Message)
	assert.Contains(t, c.result("tools/call", `{"name":"typed","arguments":{}}`), want)
}

// Some hosts compare the media type as text, so the author's spelling is not sent: not
// in lists, and not on a content item with text or a blob, from whatever URI.
func TestMediaTypeIsWrittenOneWay(t *testing.T) {
	const spelling = `Text/HTML; profile="mcp-app"`
	for _, plain := range []bool{false, true} {
		s := newServer()
		mcpapps.Enable(s, &mcpapps.Options{PlainReadResults: plain})
		none := mcpapps.ResourceUIMetadata{}
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a", MIMEType: spelling}, none, contents(&mcp.ResourceContents{MIMEType: spelling, Text: "<p>"}))
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://blob"}, none, contents(&mcp.ResourceContents{MIMEType: spelling, Blob: []byte("<p>")}))
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://unsaid"}, none, contents(&mcp.ResourceContents{Text: "<p>"}))
		mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://b/{id}", MIMEType: spelling}, "ui://b", none,
			func(ctx context.Context, req *mcp.ReadResourceRequest, _ map[string]string) (*mcp.ReadResourceResult, error) {
				return contents(&mcp.ResourceContents{MIMEType: spelling, Text: "<p>"})(ctx, req)
			})
		for _, version := range mcp.SupportedProtocolVersions() {
			c := connectRaw(t, s, version, capsUI)
			answers := []string{c.result("resources/list", `{}`), c.result("resources/templates/list", `{}`)}
			for _, uri := range []string{"ui://a", "ui://blob", "ui://unsaid", "ui://b", "ui://b/1"} {
				answers = append(answers, c.result("resources/read", `{"uri":"`+uri+`"}`))
			}
			for _, answer := range answers {
				assert.Contains(t, answer, `"mimeType":"text/html;profile=mcp-app"`)
				assert.NotContains(t, answer, "Text/HTML")
			}
		}
	}
}
