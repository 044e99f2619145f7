package openai

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// TestAdvertise: a capability is in both maps of both handshakes, over each transport, and
// those of the program and of MCP Apps stay as they are.
func TestAdvertise(t *testing.T) {
	opts := &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{
		Extensions:   map[string]any{"example.com/a": map[string]any{"x": 1}},
		Experimental: map[string]any{"example.com/b": map[string]any{}},
		Completions:  &mcp.CompletionCapabilities{},
	}}
	s := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, opts)
	advertise(s, "openai/mentions", map[string]any{"searchTool": "find"})
	mcpapps.Enable(s, nil)
	advertise(s, "openai/settings", map[string]any{"readTool": "r", "updateTool": "u"})
	rawclient.Each(t, s, rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		var got struct{ Capabilities json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(c.Handshake), &got))
		assert.JSONEq(t, `{
			"extensions": {
				"example.com/a": {"x": 1},
				"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]},
				"openai/mentions": {"searchTool": "find"},
				"openai/settings": {"readTool": "r", "updateTool": "u"}
			},
			"experimental": {
				"example.com/b": {},
				"openai/mentions": {"searchTool": "find"},
				"openai/settings": {"readTool": "r", "updateTool": "u"}
			},
			"completions": {}
		}`, string(got.Capabilities))
	})
	assert.Len(t, opts.Capabilities.Extensions, 1, "the program's own map")
	assert.Len(t, opts.Capabilities.Experimental, 1, "the program's own map")
}

// TestAdvertiseCopies: the result of a handshake that other middleware keeps for all clients
// is not written to, neither its _meta by what comes after nor its capabilities.
func TestAdvertiseCopies(t *testing.T) {
	var inits []*mcp.InitializeResult
	var discovers []*mcp.DiscoverResult
	meta := func() mcp.Meta { return mcp.Meta{"example.com/a": 1.0} }
	caps := &mcp.ServerCapabilities{Extensions: map[string]any{"example.com/a": 1}}
	s := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			switch r := res.(type) {
			case *mcp.InitializeResult:
				r.Meta, r.Capabilities = meta(), caps
				inits = append(inits, r)
			case *mcp.DiscoverResult:
				r.Meta, r.Capabilities = meta(), caps
				discovers = append(discovers, r)
			}
			return res, err
		}
	})
	advertise(s, "openai/mentions", map[string]any{"searchTool": "find"})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if method == "initialize" || method == "server/discover" {
				res.GetMeta()["example.com/later"] = true
			}
			return res, err
		}
	})
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		c := rawclient.Memory(t, s, rawclient.Config{Version: version})
		assert.Contains(t, c.Handshake, `"example.com/later":true`)
		assert.Contains(t, c.Handshake, `"openai/mentions":{"searchTool":"find"}`)
	}
	require.NotEmpty(t, inits)
	require.NotEmpty(t, discovers)
	for _, r := range inits {
		assert.Equal(t, meta(), r.Meta)
	}
	for _, r := range discovers {
		assert.Equal(t, meta(), r.Meta)
	}
	assert.Equal(t, &mcp.ServerCapabilities{Extensions: map[string]any{"example.com/a": 1}}, caps)
}

// TestWithCapability: what other middleware keeps is not written to.
func TestWithCapability(t *testing.T) {
	caps := &mcp.ServerCapabilities{Extensions: map[string]any{"example.com/a": 1}}
	got := withCapability(caps, "openai/mentions", nil)
	assert.Len(t, got.Extensions, 2)
	assert.Len(t, got.Experimental, 1)
	assert.Equal(t, &mcp.ServerCapabilities{Extensions: map[string]any{"example.com/a": 1}}, caps)
	assert.Len(t, withCapability(nil, "openai/mentions", nil).Extensions, 1)
}
