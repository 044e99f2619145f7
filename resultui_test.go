package mcpapps_test

import (
	"context"
	"encoding/json"
	"maps"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSetResultUI(t *testing.T) {
	const uri = "ui://a/view.html"
	author := mcp.Meta{"com.example/x": 1, "ui": map[string]any{"later": true, "resourceUri": "ui://a/other.html"}}
	before := jsonOf(t, author)
	res := &mcp.CallToolResult{Meta: author}
	require.NoError(t, mcpapps.SetResultUI(res, uri))
	assert.JSONEq(t, `{"com.example/x":1,"ui":{"later":true,"resourceUri":"ui://a/view.html"},"ui/resourceUri":"ui://a/view.html"}`, jsonOf(t, res.Meta))
	assert.Equal(t, before, jsonOf(t, author), "the author's map is not written to")

	for want, tt := range map[string]struct {
		res *mcp.CallToolResult
		uri string
	}{
		`mcpapps.SetResultUI: the result is nil`:                                           {nil, uri},
		`mcpapps.SetResultUI: the URI "view.html"`:                                         {&mcp.CallToolResult{}, "view.html"},
		`mcpapps.SetResultUI: the URI "ui://a/{id}"`:                                       {&mcp.CallToolResult{}, "ui://a/{id}"},
		`mcpapps.SetResultUI: the URI ""`:                                                  {&mcp.CallToolResult{}, ""},
		`mcpapps.SetResultUI: the result that would name "ui://a/view.html" is an error: `: {&mcp.CallToolResult{IsError: true}, uri},
		`mcpapps.SetResultUI: the result's _meta.ui is 7: it must be an object`:            {&mcp.CallToolResult{Meta: mcp.Meta{"ui": 7}}, uri},
	} {
		var meta mcp.Meta
		if tt.res != nil {
			meta = maps.Clone(tt.res.Meta)
		}
		assert.ErrorContains(t, mcpapps.SetResultUI(tt.res, tt.uri), want)
		if tt.res != nil {
			assert.Equal(t, meta, tt.res.Meta, want)
		}
	}
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// chooser returns a server whose tools choose their view in the result.
func chooser(opts *mcpapps.Options) *mcp.Server {
	s := newServer()
	mcpapps.Enable(s, opts)
	for _, uri := range []string{"ui://a/table.html", "ui://a/chart.html"} {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>"+uri))
	}
	result := func(fails bool) (*mcp.CallToolResult, any, error) {
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}}, Meta: mcp.Meta{"com.example/x": 1}}
		err := mcpapps.SetResultUI(res, "ui://a/chart.html")
		res.IsError = fails
		return res, nil, err
	}
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "app"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://a/table.html"}, func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return result(false)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "plain"}, func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return result(false)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "fails"}, func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return result(true)
	})
	return s
}

// resultMeta returns the _meta of a call's result without what the SDK adds.
func resultMeta(t *testing.T, c *rawClient, tool string) string {
	t.Helper()
	var res struct {
		Meta map[string]any `json:"_meta"`
	}
	require.NoError(t, json.Unmarshal([]byte(c.result("tools/call", `{"name":"`+tool+`"}`)), &res))
	delete(res.Meta, "io.modelcontextprotocol/serverInfo")
	return jsonOf(t, res.Meta)
}

// A view that is chosen in a result is shaped as lists are, whoever added the tool.
func TestResultUIOnTheWire(t *testing.T) {
	const (
		other = `"com.example/x":1`
		bare  = `{` + other + `}`
		both  = `{` + other + `,"ui":{"resourceUri":"ui://a/chart.html"},"ui/resourceUri":"ui://a/chart.html"}`
		one   = `{` + other + `,"ui":{"resourceUri":"ui://a/chart.html"}}`
	)
	for name, tt := range map[string]struct {
		opts     mcpapps.Options
		ui, text string
	}{
		"defaults":               {mcpapps.Options{}, both, both},
		"OmitLegacyURI":          {mcpapps.Options{OmitLegacyURI: true}, one, one},
		"StripUIForText":         {mcpapps.Options{StripUIForText: true}, both, bare},
		"DisableApps":            {mcpapps.Options{DisableApps: true}, bare, bare},
		"DisableApps, versioned": {mcpapps.Options{DisableApps: true, VersionedURIs: true}, bare, bare},
	} {
		for _, version := range mcp.SupportedProtocolVersions() {
			s := chooser(&tt.opts)
			for caps, want := range map[string]string{capsUI: tt.ui, capsText: tt.text} {
				c := connectRaw(t, s, version, caps)
				for _, tool := range []string{"app", "plain"} {
					assert.JSONEq(t, want, resultMeta(t, c, tool), "%s %s %s %s", name, version, caps, tool)
				}
				assert.JSONEq(t, bare, resultMeta(t, c, "fails"), "%s %s: an error names no view", name, version)
			}
		}
	}
}

// The URI in a result is the one that lists have.
func TestResultUIIsVersioned(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		s := chooser(&mcpapps.Options{VersionedURIs: true})
		c := connectRaw(t, s, version, capsUI)
		listed := resourceURIs(t, c)
		require.Len(t, listed, 2)
		chart := listed[0]
		require.Regexp(t, `^ui://a/chart.html\?v=[0-9a-f]{12}$`, chart)
		want := `{"com.example/x":1,"ui":{"resourceUri":"` + chart + `"},"ui/resourceUri":"` + chart + `"}`
		for range 2 {
			for _, tool := range []string{"app", "plain"} {
				assert.JSONEq(t, want, resultMeta(t, c, tool), version)
			}
		}
		assert.JSONEq(t, `{"com.example/x":1}`, resultMeta(t, c, "fails"), version)
		assert.Contains(t, c.result("resources/read", `{"uri":"`+chart+`"}`), "ui://a/chart.html")

		text := connectRaw(t, chooser(&mcpapps.Options{VersionedURIs: true, OmitLegacyURI: true}), version, capsText)
		assert.JSONEq(t, `{"com.example/x":1,"ui":{"resourceUri":"`+chart+`"}}`, resultMeta(t, text, "app"), version)
	}
}

// A handler, or middleware, may return the same result to several calls: it is not
// written to.
func TestSharedResultIsNotChanged(t *testing.T) {
	shared := &mcp.CallToolResult{Content: []mcp.Content{}}
	require.NoError(t, mcpapps.SetResultUI(shared, "ui://a/view.html"))
	before := jsonOf(t, shared)
	for _, versioned := range []bool{false, true} {
		s := newServer()
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "tools/call" {
					return shared, nil
				}
				return next(ctx, method, req)
			}
		})
		mcpapps.Enable(s, &mcpapps.Options{OmitLegacyURI: true, VersionedURIs: versioned, StripUIForText: true})
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/view.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>"))
		want := `^{"ui":{"resourceUri":"ui://a/view.html"}}$`
		if versioned {
			want = `^{"ui":{"resourceUri":"ui://a/view.html\?v=[0-9a-f]{12}"}}$`
		}
		assert.Regexp(t, want, resultMeta(t, connectRaw(t, s, "2025-11-25", capsUI), "t"))
		assert.Equal(t, `null`, resultMeta(t, connectRaw(t, s, "2025-11-25", capsText), "t"))
		assert.Equal(t, before, jsonOf(t, shared))
	}
}
