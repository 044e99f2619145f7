package compat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// domainServer has an app with the domain of the example.
func domainServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/view"}, mcpapps.ResourceUIMetadata{},
		mcpapps.DomainFunc(mcpapps.HTML("<p>"), domain))
	return s
}

// TestIdentifyRequest reads an app in both eras, in the older one with and without
// sessions.
func TestIdentifyRequest(t *testing.T) {
	const (
		claude  = `{"ui":{"domain":"c3d80a4ed901ee05b21755a88273b4a4.claudemcpcontent.com"}}`
		chatgpt = `{"ui":{"domain":"https://app.example.com"}}`
		none    = `null`
	)
	for _, test := range []struct {
		version, asks string
		stateless     bool
		known         bool
	}{
		{version: "2025-06-18", known: true},
		{version: "2025-11-25", known: true},
		{version: "2025-11-25", asks: perReq, known: true},
		{version: "2025-11-25", stateless: true},
		{version: perReq, stateless: true, known: true},
	} {
		url := serve(t, domainServer(), test.stateless)
		for name, want := range map[string]string{"claude-ai": claude, "openai-mcp": chatgpt, "Visual Studio Code": none, "somebody": none, "": none} {
			for _, caps := range []string{capsEmpty, capsUI} {
				c := (&caller{t: t, url: url, version: test.version, asks: test.asks, name: name, caps: caps}).connect()
				if !test.known {
					want = none
				}
				assert.JSONEq(t, want, c.readMeta("ui://test/view"), "%+v %s", test, name)
			}
		}
	}
}

// readMeta reads an app and returns the raw _meta of its document.
func (c *caller) readMeta(uri string) string {
	c.t.Helper()
	var msg struct {
		Result struct {
			Contents []struct {
				Meta json.RawMessage `json:"_meta"`
			}
		}
	}
	answer := c.ask("resources/read", fmt.Sprintf(`"uri":%q`, uri))
	require.NoError(c.t, json.Unmarshal([]byte(answer), &msg), answer)
	require.Len(c.t, msg.Result.Contents, 1, answer)
	if msg.Result.Contents[0].Meta == nil {
		return "null"
	}
	return string(msg.Result.Contents[0].Meta)
}

// TestIdentifyRequestOfOneSession shows that what the first request of a session said of
// its client is not used for a request that says nothing, from 2026-07-28 on.
func TestIdentifyRequestOfOneSession(t *testing.T) {
	ct, st := mcp.NewInMemoryTransports()
	ss, err := domainServer().Connect(t.Context(), st, nil)
	require.NoError(t, err)
	defer ss.Close()
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	m, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"claude-ai","version":"1"}}}}`))
	require.NoError(t, err)
	require.NoError(t, conn.Write(t.Context(), m))
	_, err = conn.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, "claude-ai", ss.InitializeParams().ClientInfo.Name, "what the SDK remembers")

	req := &mcp.ReadResourceRequest{Session: ss, Params: &mcp.ReadResourceParams{URI: "ui://test/view"}}
	assert.Empty(t, compat.IdentifyRequest(req))
	assert.Empty(t, domain(context.Background(), req))
	req.Params.Meta = mcp.Meta{mcp.MetaKeyClientCapabilities: map[string]any{}, mcp.MetaKeyClientInfo: map[string]any{"name": "openai-mcp"}}
	require.Len(t, compat.IdentifyRequest(req), 1)
	assert.Equal(t, "chatgpt", compat.IdentifyRequest(req)[0].ID)
	assert.Empty(t, compat.IdentifyRequest(nil))
	assert.Empty(t, compat.IdentifyRequest((*mcp.CallToolRequest)(nil)))
}
