package mcpapps_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// handshakes returns the result of initialize and of server/discover.
func handshakes(t *testing.T, s *mcp.Server) map[string]map[string]any {
	t.Helper()
	results := make(map[string]map[string]any)
	for _, c := range []wireClient{{"2024-11-05", false}, {"2025-11-25", true}, {modern, false}} {
		method := "initialize"
		if c.version >= modern {
			method = "server/discover"
		}
		answer := dialMemory(t, s).exchange(t, c, c.line(1, message{"", method, ""}))
		assert.NotContains(t, answer, "null", method)
		var msg struct{ Result map[string]any }
		require.NoError(t, json.Unmarshal([]byte(answer), &msg))
		require.Contains(t, msg.Result, "capabilities")
		results[c.version] = msg.Result
	}
	return results
}

const ourSettings = `{"mimeTypes":["text/html;profile=mcp-app"]}`

// TestAdvertise: the extension is added to the other capabilities of the server.
func TestAdvertise(t *testing.T) {
	type settings struct {
		MIMETypes []string `json:"mimeTypes"`
		Level     int      `json:"level"`
	}
	var nilMap map[string]any
	tests := []struct {
		name string
		caps *mcp.ServerCapabilities
		want string // extensions
	}{
		{"the default, which logs", nil, `{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"nothing", &mcp.ServerCapabilities{}, `{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"no list changes", &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{},
		}, `{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"others", &mcp.ServerCapabilities{
			Completions:  &mcp.CompletionCapabilities{},
			Experimental: map[string]any{"io.modelcontextprotocol/ui": true},
			Extensions:   map[string]any{"example.com/a": map[string]any{"b": 1.0}, "example.com/list": map[string]any{"c": []any{}}},
		}, `{"example.com/a":{"b":1},"example.com/list":{"c":[]},"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"others without settings", &mcp.ServerCapabilities{
			Extensions: map[string]any{"example.com/a": nil, "example.com/b": nilMap},
		}, `{"example.com/a":{},"example.com/b":{},"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"ours without settings", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: nil}},
			`{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"ours with other media types", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{"text/uri-list"}}}},
			`{"io.modelcontextprotocol/ui":{"mimeTypes":["text/uri-list","text/html;profile=mcp-app"]}}`},
		{"ours with a word for a list", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": "text/uri-list"}}},
			`{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"ours with null in it", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": nil}}},
			`{"io.modelcontextprotocol/ui":` + ourSettings + `}`},
		{"ours with more settings", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"level": 2.0}}},
			`{"io.modelcontextprotocol/ui":{"level":2,"mimeTypes":["text/html;profile=mcp-app"]}}`},
		{"ours with more media types", &mcp.ServerCapabilities{Extensions: map[string]any{
			mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app", "text/uri-list"}},
		}}, `{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app","text/uri-list"]}}`},
		{"ours as a struct", &mcp.ServerCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: settings{[]string{mcpapps.MIMEType}, 3}}},
			`{"io.modelcontextprotocol/ui":{"level":3,"mimeTypes":["text/html;profile=mcp-app"]}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before []byte
			opts := &mcp.ServerOptions{Capabilities: test.caps, Instructions: "Read this."}
			before, err := json.Marshal(test.caps)
			require.NoError(t, err)

			s := mcp.NewServer(costInfo, opts)
			mcpapps.Enable(s, nil)
			addOurs(s, 0, true)
			got := handshakes(t, s)

			// The bare SDK, without the nil settings that it writes as null.
			bare := *opts
			if test.caps != nil {
				c := *test.caps
				c.Extensions = nil
				bare.Capabilities = &c
			}
			b := mcp.NewServer(costInfo, &bare)
			addBareTool(b)
			for version, want := range handshakes(t, b) {
				caps := got[version]["capabilities"].(map[string]any)
				extensions, err := json.Marshal(caps["extensions"])
				require.NoError(t, err)
				assert.JSONEq(t, test.want, string(extensions), version)
				delete(caps, "extensions")
				assert.Equal(t, want, got[version], "%s: something else is different", version)
			}
			after, err := json.Marshal(test.caps)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the author's capabilities are written to")
		})
	}
}

// addBareTool gives a bare server the kinds of things that addOurs does.
func addBareTool(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "t"}, searchTool)
	s.AddResource(&mcp.Resource{URI: "ui://t", Name: "t"}, nil)
}

// TestAdvertiseOptIn: a server advertises the extension only after the first call
// of this package on it, even if that is after the first client connected.
func TestAdvertiseOptIn(t *testing.T) {
	s := mcp.NewServer(costInfo, nil)
	tool := &mcp.Tool{Name: "t", Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://t"})}
	require.NoError(t, mcpapps.SetToolUI(tool, mcpapps.ToolUIMetadata{}))
	mcp.AddTool(s, mcpapps.WithoutUI(tool), func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return mcpapps.TextFor(ctx, req, "", ""), nil, nil
	})
	other := mcp.NewServer(costInfo, nil)
	mcpapps.Enable(other, nil)
	for version, result := range handshakes(t, s) {
		assert.NotContains(t, result["capabilities"], "extensions", version)
	}

	w, c := dialMemory(t, s), wireClient{modern, true}
	discover := message{"", "server/discover", ""}
	assert.NotContains(t, w.exchange(t, c, c.line(1, discover)), mcpapps.ExtensionID+`":{"mimeTypes"`)
	mcpapps.Enable(s, nil)
	assert.Contains(t, w.exchange(t, c, c.line(2, discover)), mcpapps.ExtensionID+`":{"mimeTypes"`)
	for version, result := range handshakes(t, s) {
		assert.Contains(t, result["capabilities"], "extensions", version)
	}
}
