package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// A rawClient exchanges JSON-RPC messages with a server in memory and gets the raw
// JSON of the responses.
type rawClient struct {
	t    *testing.T
	conn mcp.Connection
	id   int
	caps string // the JSON of the client's capabilities
	meta string // the _meta of each request, for versions that want one
}

const (
	capsUI   = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	capsText = `{}`
)

// connectRaw connects and, for versions that have it, does the handshake.
func connectRaw(t *testing.T, s *mcp.Server, version, caps string) *rawClient {
	t.Helper()
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	t.Cleanup(func() { ss.Close() })
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	c := &rawClient{t: t, conn: conn, caps: caps}
	if version >= "2026-07-28" {
		c.meta = fmt.Sprintf(`{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s}`, version, caps)
		return c
	}
	c.result("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}`, version, caps))
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *rawClient) send(msg string) {
	c.t.Helper()
	m, err := jsonrpc.DecodeMessage([]byte(msg))
	require.NoError(c.t, err)
	require.NoError(c.t, c.conn.Write(context.Background(), m))
}

// call sends a request and returns the response; params is a JSON object.
func (c *rawClient) call(method, params string) *jsonrpc.Response {
	c.t.Helper()
	if c.meta != "" {
		var p map[string]any
		require.NoError(c.t, json.Unmarshal([]byte(params), &p))
		p["_meta"] = json.RawMessage(c.meta)
		data, err := json.Marshal(p)
		require.NoError(c.t, err)
		params = string(data)
	}
	c.id++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	for {
		m, err := c.conn.Read(c.t.Context())
		require.NoError(c.t, err)
		if r, ok := m.(*jsonrpc.Response); ok {
			return r
		}
	}
}

// result returns the raw result of a call that succeeds.
func (c *rawClient) result(method, params string) string {
	c.t.Helper()
	r := c.call(method, params)
	require.NoError(c.t, r.Error, "%s %s", method, params)
	return string(r.Result)
}

// fail returns the error of a call that does not.
func (c *rawClient) fail(method, params string) *jsonrpc.Error {
	c.t.Helper()
	r := c.call(method, params)
	var e *jsonrpc.Error
	require.ErrorAs(c.t, r.Error, &e, "%s %s gave %s", method, params, r.Result)
	return e
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
}

type noInput struct{}

func say(text string) mcp.ToolHandlerFor[noInput, any] {
	return func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

// contents is a handler that returns items as they are.
func contents(items ...*mcp.ResourceContents) mcp.ResourceHandler {
	return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: items}, nil
	}
}
