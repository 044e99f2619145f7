package mcpapps_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever a tool's metadata is made with, it is the same.
func TestMetaOfBareMaps(t *testing.T) {
	ui := mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html", Visibility: []mcpapps.Visibility{mcpapps.VisibilityModel}}
	vendor := mcp.Meta{"openai/toolInvocation/invoking": "…", "com.example/x": map[string]any{"y": []any{1.0}}}
	before := jsonOf(t, vendor)
	const want = `{"com.example/x":{"y":[1]},"openai/toolInvocation/invoking":"…","ui":{"resourceUri":"ui://a/view.html","visibility":["model"]},"ui/resourceUri":"ui://a/view.html"}`

	tool := &mcp.Tool{Name: "t", Meta: vendor}
	require.NoError(t, mcpapps.SetToolUI(tool, ui))
	merged, err := mcpapps.MergeToolMeta(vendor, ui)
	require.NoError(t, err)
	for name, meta := range map[string]mcp.Meta{
		"SetToolUI": tool.Meta, "MergeToolMeta": merged, "ToolMeta": mcpapps.ToolMeta(ui, vendor),
		"ToolMeta, several": mcpapps.ToolMeta(ui, nil, mcp.Meta{"com.example/x": vendor["com.example/x"]}, vendor),
	} {
		assert.JSONEq(t, want, jsonOf(t, meta), name)
		meta["com.example/x"].(map[string]any)["y"] = "changed"
		meta["another"] = true
	}
	assert.Equal(t, before, jsonOf(t, vendor))

	merged, err = mcpapps.MergeToolMeta(nil, ui)
	require.NoError(t, err)
	before = jsonOf(t, merged)
	assert.JSONEq(t, `{"ui":{"visibility":["model"]}}`, jsonOf(t, mcpapps.StripToolMeta(merged)))
	assert.Equal(t, before, jsonOf(t, merged))
	assert.Equal(t, mcpapps.WithoutUI(&mcp.Tool{Meta: merged}).Meta, mcpapps.StripToolMeta(merged))
	assert.Nil(t, mcpapps.StripToolMeta(mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"})))
	assert.Nil(t, mcpapps.StripToolMeta(nil))
}

func TestMetaOfBareMapsMistakes(t *testing.T) {
	ui := mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"}
	flat := mcp.Meta{"ui/resourceUri": "ui://a/other.html"}
	const differ = `_meta["ui/resourceUri"] is "ui://a/other.html" and the declared resourceUri is "ui://a/view.html": leave the flat key out`
	_, err := mcpapps.MergeToolMeta(flat, ui)
	assert.EqualError(t, err, "mcpapps.MergeToolMeta: "+differ)
	assert.PanicsWithValue(t, "mcpapps.ToolMeta: "+differ, func() { mcpapps.ToolMeta(ui, flat) })
	assert.PanicsWithValue(t, `mcpapps.ToolMeta: _meta["a"] is given twice, as 1 and as 2: leave one out`, func() {
		mcpapps.ToolMeta(ui, mcp.Meta{"a": 1}, mcp.Meta{"a": 2})
	})
	assert.PanicsWithValue(t, `mcpapps.ToolMeta: _meta["ui"] is given twice, as {"later":1} and as {"later":2}: leave one out`, func() {
		mcpapps.ToolMeta(ui, mcp.Meta{"ui": map[string]any{"later": 1}}, mcp.Meta{"ui": map[string]any{"later": 2}})
	})
	for _, m := range []mcp.Meta{{"f": func() {}}, {"ui": map[string]any{"csp": 1}}, {"ui": 7}, {"UI": map[string]any{}}} {
		_, err := mcpapps.MergeToolMeta(m, ui)
		require.Error(t, err)
		assert.Panics(t, func() { mcpapps.ToolMeta(ui, m) })
		assert.Panics(t, func() { mcpapps.ToolMeta(ui, m, m) })
	}
}

// OmitLegacyURI leaves the flat key out of every tool of the server, however it came
// there.
func TestOmitLegacyURIForAllTools(t *testing.T) {
	ui := mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"}
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, omit := range []bool{false, true} {
			s := newServer()
			s.AddReceivingMiddleware(addsTool("inner"))
			mcpapps.Enable(s, &mcpapps.Options{OmitLegacyURI: omit, KeepSchemas: true})
			mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "registered"}, ui, say("a"))
			mcp.AddTool(s, &mcp.Tool{Name: "toolMeta", Meta: mcpapps.ToolMeta(ui, mcp.Meta{"com.example/x": 1})}, say("a"))
			set := &mcp.Tool{Name: "setToolUI"}
			require.NoError(t, mcpapps.SetToolUI(set, ui))
			mcp.AddTool(s, set, say("a"))
			merged, err := mcpapps.MergeToolMeta(nil, ui)
			require.NoError(t, err)
			mcp.AddTool(s, &mcp.Tool{Name: "merged", Meta: merged}, say("a"))
			mcp.AddTool(s, &mcp.Tool{Name: "byHand", Meta: mcp.Meta{"ui/resourceUri": "ui://a/view.html"}}, say("a"))

			var res struct{ Tools []map[string]json.RawMessage }
			raw := connectRaw(t, s, version, capsUI).result("tools/list", `{}`)
			require.NoError(t, json.Unmarshal([]byte(raw), &res))
			require.Len(t, res.Tools, 6)
			for _, tool := range res.Tools {
				name := string(tool["name"])
				if omit {
					assert.NotContains(t, string(tool["_meta"]), "ui/resourceUri", "%s %s", version, name)
				} else {
					assert.Contains(t, string(tool["_meta"]), `"ui/resourceUri":"ui://a/view.html"`, "%s %s", version, name)
				}
				if name != `"byHand"` {
					assert.Contains(t, string(tool["_meta"]), `"resourceUri":"ui://a/view.html"`, "%s %s", version, name)
				}
			}
		}
	}
}

// addsTool is middleware that adds a tool to lists.
func addsTool(name string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				c := *list
				c.Tools = append(c.Tools[:len(c.Tools):len(c.Tools)], &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"})})
				return &c, err
			}
			return res, err
		}
	}
}
