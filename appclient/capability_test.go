package appclient

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// declared returns the capabilities that a client created with opts sends: at
// initialize, or with the first request of the newest version.
func declared(t *testing.T, opts *mcp.ClientOptions, version string) string {
	t.Helper()
	var got json.RawMessage
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch p := req.GetParams().(type) {
			case *mcp.InitializeParams:
				got, _ = json.Marshal(p.Capabilities)
			case *mcp.DiscoverParams:
				got, _ = json.Marshal(p.Meta[mcp.MetaKeyClientCapabilities])
			}
			return next(ctx, method, req)
		}
	})
	ct, st := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, opts).Connect(t.Context(), ct, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	defer cs.Close()
	require.Equal(t, version, cs.InitializeResult().ProtocolVersion)
	return string(got)
}

func TestEnableClient(t *testing.T) {
	const ours = `"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}`
	elicit := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, nil }
	for _, c := range []struct {
		name string
		opts mcp.ClientOptions
		want string // beside the extension
	}{
		{"nothing set: the SDK's default stays", mcp.ClientOptions{}, `{"roots":{"listChanged":true},"extensions":{` + ours + `}}`},
		{"an empty value turned roots off", mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}, `{"roots":{},"extensions":{` + ours + `}}`},
		{"other capabilities", mcp.ClientOptions{ElicitationHandler: elicit, Capabilities: &mcp.ClientCapabilities{Experimental: map[string]any{"x": map[string]any{}}}}, `{"experimental":{"x":{}},"roots":{},"elicitation":{"form":{}},"extensions":{` + ours + `}}`},
		{"another extension", mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Extensions: map[string]any{"vendor/x": map[string]any{"a": 1}}}}, `{"roots":{},"extensions":{"vendor/x":{"a":1},` + ours + `}}`},
		{"settings of this one", mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: map[string]any{"mimeTypes": []string{"text/x"}, "features": 1}}}}, `{"roots":{},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/x","text/html;profile=mcp-app"],"features":1}}}`},
		{"null settings", mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Extensions: map[string]any{mcpapps.ExtensionID: nil}}}, `{"roots":{},"extensions":{` + ours + `}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before []byte
			if c.opts.Capabilities != nil {
				before, _ = json.Marshal(c.opts.Capabilities)
			}
			opts, shared := c.opts, c.opts.Capabilities
			EnableClient(&opts)
			EnableClient(&opts)
			for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
				got := declared(t, &opts, version)
				var want, have map[string]any
				require.NoError(t, json.Unmarshal([]byte(c.want), &want))
				require.NoError(t, json.Unmarshal([]byte(got), &have))
				if version < "2025-11-25" && want["elicitation"] != nil {
					want["elicitation"] = map[string]any{}
				}
				if version == "2026-07-28" && have["roots"] == nil {
					delete(want, "roots") // no longer an empty object
				}
				assert.Equal(t, want, have, "%s: %s", version, got)
			}
			if shared != nil {
				after, _ := json.Marshal(shared)
				assert.JSONEq(t, string(before), string(after), "a shared value is not changed")
			}
		})
	}
	assert.PanicsWithValue(t, "appclient.EnableClient: opts is nil: pass the options that mcp.NewClient gets", func() { EnableClient(nil) })
}

func TestServerSupportsUI(t *testing.T) {
	for settings, want := range map[string]bool{
		`{"extensions":{"io.modelcontextprotocol/ui":{}}}`:                                          true,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`: true,
		`{"extensions":{"io.modelcontextprotocol/ui":{"later":1}}}`:                                 true,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html+mcp"]}}}`:             false,
		`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":"text/html;profile=mcp-app"}}}`:   false,
		`{"extensions":{"io.modelcontextprotocol/ui":null}}`:                                        false,
		`{"extensions":{"io.modelcontextprotocol/ui":true}}`:                                        false,
		`{"io.modelcontextprotocol/ui":{}}`:                                                         false,
		`{"experimental":{"io.modelcontextprotocol/ui":{}}}`:                                        false,
		`{}`: false,
	} {
		cs := wireServer(t, settings, func(string, json.RawMessage) wireReply { return wireReply{} })
		assert.Equal(t, want, ServerSupportsUI(cs), settings)
	}
	assert.False(t, ServerSupportsUI(nil))
	for _, version := range []string{"2024-11-05", "2025-11-25", "2026-07-28"} {
		caps := &mcp.ServerCapabilities{}
		caps.AddExtension(mcpapps.ExtensionID, nil)
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{Capabilities: caps})
		ct, st := mcp.NewInMemoryTransports()
		_, err := server.Connect(t.Context(), st, nil)
		require.NoError(t, err)
		cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, &mcp.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err)
		defer cs.Close()
		require.Equal(t, version, cs.InitializeResult().ProtocolVersion)
		assert.True(t, ServerSupportsUI(cs), version)
	}
}
