package mcpapps_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// optionServer has everything that options affect: an app tool, an app-only tool, a
// tool of an author's own registry, an ordinary tool, an app, a template of an
// app, and an ordinary resource and template.
func optionServer(opts *mcpapps.Options) *mcp.Server {
	s := newServer()
	mcpapps.Enable(s, opts)
	doc := mcpapps.HTML("<p>hello")
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a/view.html"}, Document: doc}, say("shown"))
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "poll"}, mcpapps.AppOnly(""), say("polled"))
	mcp.AddTool(s, &mcp.Tool{Name: "own", Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"})}, say("own"))
	mcp.AddTool(s, &mcp.Tool{Name: "plain"}, say("plain"))
	mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://t/{id}"}, "ui://t", mcpapps.ResourceUIMetadata{},
		mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "<p>t", nil }))
	text := func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "t"}}}, nil
	}
	s.AddResource(&mcp.Resource{URI: "file:///readme", Name: "readme"}, text)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "file:///{name}", Name: "files"}, text)
	return s
}

type listing struct {
	CacheScope string
	Tools      []struct {
		Name string
		Meta map[string]any `json:"_meta"`
	}
	Resources         []struct{ URI string }
	ResourceTemplates []struct{ URITemplate string }
}

func list(t *testing.T, c *rawClient, method string) (l listing) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(c.result(method, `{}`)), &l))
	return l
}

// Per version and kind of client, the _meta of each tool in the list.
func TestOptionsOfToolLists(t *testing.T) {
	const both = `{"ui":{"resourceUri":"ui://a/view.html","visibility":["model","app"]},"ui/resourceUri":"ui://a/view.html"}`
	const nested = `{"ui":{"resourceUri":"ui://a/view.html","visibility":["model","app"]}}`
	const appOnly = `{"ui":{"visibility":["app"]}}`
	full := map[string]string{"own": both, "plain": `null`, "poll": appOnly, "show": both}
	off := map[string]string{"own": `null`, "plain": `null`, "show": `null`}
	bare := map[string]string{"own": `null`, "plain": `null`, "poll": `null`, "show": `null`}
	for _, tt := range []struct {
		name     string
		opts     mcpapps.Options
		ui, text map[string]string
		scope    string
	}{
		{"zero", mcpapps.Options{}, full, full, "public"},
		{"OmitLegacyURI", mcpapps.Options{OmitLegacyURI: true},
			map[string]string{"own": nested, "plain": `null`, "poll": appOnly, "show": nested},
			map[string]string{"own": nested, "plain": `null`, "poll": appOnly, "show": nested}, "public"},
		{"StripUIForText", mcpapps.Options{StripUIForText: true}, full, bare, "private"},
		{"OmitAppToolsForText", mcpapps.Options{OmitAppToolsForText: true}, full,
			map[string]string{"own": both, "plain": `null`, "show": both}, "private"},
		{"both for text", mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true, OmitLegacyURI: true},
			map[string]string{"own": nested, "plain": `null`, "poll": appOnly, "show": nested},
			off, "private"},
		{"DisableApps", mcpapps.Options{DisableApps: true}, off, off, "public"},
		{"DisableApps and KeepSchemas", mcpapps.Options{DisableApps: true, KeepSchemas: true}, off, off, "public"},
		{"DisableApps and others", mcpapps.Options{DisableApps: true, StripUIForText: true, VersionedURIs: true}, off, off, "public"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := optionServer(&tt.opts)
			for _, version := range mcp.SupportedProtocolVersions() {
				// The text client lists first and last: neither may leave a trace.
				for _, caps := range []string{capsText, capsUI, capsText} {
					want := tt.ui
					if caps == capsText {
						want = tt.text
					}
					got := map[string]string{}
					l := list(t, connectRaw(t, s, version, caps), "tools/list")
					for _, tool := range l.Tools {
						data, err := json.Marshal(tool.Meta)
						require.NoError(t, err)
						got[tool.Name] = string(data)
					}
					assert.Equal(t, want, got, "%s %s", version, caps)
					assert.Equal(t, tt.scope, l.CacheScope, "%s %s", version, caps)
				}
			}
		})
	}
}

// The context overrides what the client declares, also when it says unknown, for
// which lists are not shaped.
func TestShapingAsksTheContext(t *testing.T) {
	s := optionServer(&mcpapps.Options{StripUIForText: true})
	answer := mcpapps.SupportUnknown
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(mcpapps.WithClientSupport(ctx, answer), method, req)
		}
	})
	stripped := func(caps string) bool {
		return list(t, connectRaw(t, s, "2025-11-25", caps), "tools/list").Tools[0].Meta == nil
	}
	assert.False(t, stripped(capsText))
	answer = mcpapps.SupportUI
	assert.False(t, stripped(capsText))
	answer = mcpapps.SupportNone
	assert.True(t, stripped(capsUI))
}

// StripUIForText leaves the keys of other vendors, whose hosts may declare nothing.
func TestStripLeavesOtherVendors(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{StripUIForText: true})
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show", Meta: mcp.Meta{"openai/outputTemplate": "ui://a"}}, mcpapps.ToolUIMetadata{ResourceURI: "ui://a"},
		func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	for _, version := range mcp.SupportedProtocolVersions() {
		assert.Contains(t, connectRaw(t, s, version, capsText).result("tools/list", `{}`), `"_meta":{"openai/outputTemplate":"ui://a"}`, version)
	}
}

// A tool whose visibility can't be read is for nobody, the model included.
func TestOmitAppToolsWithUnreadableMetadata(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{OmitAppToolsForText: true})
	for name, ui := range map[string]any{"text": "ui://a", "visibility": map[string]any{"visibility": "model"}, "null": nil} {
		mcp.AddTool(s, &mcp.Tool{Name: name, Meta: mcp.Meta{"ui": ui}}, say(name))
	}
	l := list(t, connectRaw(t, s, "2025-11-25", capsText), "tools/list")
	require.Len(t, l.Tools, 1)
	assert.Equal(t, "null", l.Tools[0].Name)
}

func TestUnlistResources(t *testing.T) {
	uris := func(opts *mcpapps.Options) (list1, list2 []string) {
		c := connectRaw(t, optionServer(opts), "2025-11-25", capsUI)
		for _, r := range list(t, c, "resources/list").Resources {
			list1 = append(list1, r.URI)
		}
		for _, r := range list(t, c, "resources/templates/list").ResourceTemplates {
			list2 = append(list2, r.URITemplate)
		}
		for _, uri := range []string{"ui://a/view.html", "ui://t", "ui://t/1"} {
			assert.Contains(t, c.result("resources/read", `{"uri":"`+uri+`"}`), `"mimeType":"text/html;profile=mcp-app"`)
		}
		return list1, list2
	}
	resources, templates := uris(nil)
	assert.Equal(t, []string{"file:///readme", "ui://a/view.html", "ui://t"}, resources)
	assert.Equal(t, []string{"file:///{name}", "ui://t/{id}"}, templates)
	resources, templates = uris(&mcpapps.Options{UnlistResources: true})
	assert.Equal(t, []string{"file:///readme"}, resources)
	assert.Equal(t, []string{"file:///{name}"}, templates)
}

// A feature flag turns the apps off without another change: nobody learns of them,
// and handlers answer as for a client without UI.
func TestDisableApps(t *testing.T) {
	s := optionServer(&mcpapps.Options{DisableApps: true, VersionedURIs: true})
	mcp.AddTool(s, &mcp.Tool{Name: "vendor", Meta: mcp.Meta{"openai/outputTemplate": "ui://a", "ui.resourceUri": "ui://a", "x": 1}},
		func(ctx context.Context, req *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
			return mcpapps.TextFor(ctx, req, "short", "full"), nil, nil
		})
	// An outer middleware that says otherwise does not turn them on.
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(mcpapps.WithClientSupport(ctx, mcpapps.SupportUI), method, req)
		}
	})
	for _, version := range mcp.SupportedProtocolVersions() {
		c := connectRaw(t, s, version, capsUI)
		assert.Contains(t, c.result("tools/call", `{"name":"vendor","arguments":{}}`), `"text":"full"`, version)
		assert.Contains(t, c.result("tools/list", `{}`), `"_meta":{"x":1}`, version)
		for _, method := range []string{"tools/list", "resources/list", "resources/templates/list"} {
			assert.NotContains(t, c.result(method, `{}`), "ui://", "%s %s", method, version)
		}
		assert.Contains(t, c.result("resources/read", `{"uri":"ui://a/view.html"}`), "hello", version)
		assert.Contains(t, c.result("resources/read", `{"uri":"ui://a/view.html?v=0123456789ab"}`), "hello", version)
		if version >= "2026-07-28" {
			assert.NotContains(t, c.result("server/discover", `{}`), mcpapps.ExtensionID)
		}
	}
	hello := &rawClient{t: t, conn: connectRaw(t, s, "2026-07-28", capsUI).conn}
	assert.NotContains(t, hello.result("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capsUI+`,"clientInfo":{"name":"raw","version":"1"}}`), mcpapps.ExtensionID)
}

// observe reports what middleware outside this package's sees of a method.
func observe(t *testing.T, opts *mcpapps.Options, method, params string, see func(mcp.Result)) string {
	s := optionServer(opts)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, m string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, m, req)
			if m == method {
				see(res)
			}
			return res, err
		}
	})
	return connectRaw(t, s, "2026-07-28", capsUI).result(method, params)
}

func TestKeepSchemas(t *testing.T) {
	var schema any
	see := func(r mcp.Result) { schema = r.(*mcp.ListToolsResult).Tools[0].InputSchema }
	encoded := observe(t, nil, "tools/list", `{}`, see)
	assert.IsType(t, json.RawMessage{}, schema)
	kept := observe(t, &mcpapps.Options{KeepSchemas: true}, "tools/list", `{}`, see)
	assert.IsType(t, &jsonschema.Schema{}, schema)
	assert.Equal(t, kept, encoded, "the same bytes")
}

func TestPlainReadResults(t *testing.T) {
	var plain bool
	see := func(r mcp.Result) { _, sdk := r.(*mcp.ReadResourceResult); plain = !sdk }
	const uri = `{"uri":"ui://a/view.html"}`
	usual := observe(t, nil, "resources/read", uri, see)
	assert.False(t, plain)
	lighter := observe(t, &mcpapps.Options{PlainReadResults: true}, "resources/read", uri, see)
	assert.True(t, plain)
	assert.JSONEq(t, usual, lighter)
	// Ordinary resources are not changed.
	observe(t, &mcpapps.Options{PlainReadResults: true}, "resources/read", `{"uri":"file:///readme"}`, see)
	assert.False(t, plain)
}

func TestEnableTwice(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{UnlistResources: true})
	mcpapps.Enable(s, &mcpapps.Options{UnlistResources: true})
	mcpapps.Enable(s, nil)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "x"}, mcpapps.AppOnly(""), say(""))
	assert.PanicsWithValue(t, `mcpapps.Enable: other options are in force, UnlistResources, not the defaults: call Enable once, before the first Register function`,
		func() { mcpapps.Enable(s, &mcpapps.Options{}) })

	implied := newServer()
	mcpapps.RegisterAppTool(implied, &mcp.Tool{Name: "x"}, mcpapps.AppOnly(""), say(""))
	mcpapps.Enable(implied, nil)
	mcpapps.Enable(implied, &mcpapps.Options{})
	assert.PanicsWithValue(t, `mcpapps.Enable: other options are in force, the defaults, not UnlistResources, KeepSchemas: call Enable once, before the first Register function`,
		func() { mcpapps.Enable(implied, &mcpapps.Options{UnlistResources: true, KeepSchemas: true}) })
}
