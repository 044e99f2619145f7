package mcpapps_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func supportTool(ctx context.Context, req *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: mcpapps.ClientSupport(ctx, req).String()}}}, nil, nil
}

// If a client requests a version without initialize in an initialize request, the
// server selects an older version, and the capabilities in that request apply.
func TestInitializeForANewerVersion(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{OmitAppToolsForText: true})
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "poll"}, mcpapps.AppOnly(""), supportTool)
	for _, version := range []string{"2026-07-28", "2099-01-01", "DRAFT"} {
		for caps, want := range map[string]string{capsUI: "ui", capsText: "none"} {
			ct, st := mcp.NewInMemoryTransports()
			ss, err := s.Connect(t.Context(), st, nil)
			require.NoError(t, err)
			t.Cleanup(func() { ss.Close() })
			conn, err := ct.Connect(t.Context())
			require.NoError(t, err)
			c := &rawClient{t: t, conn: conn}
			require.Contains(t, c.result("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}`, version, caps)), `"protocolVersion":"2025-11-25"`)
			c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			assert.Contains(t, c.result("tools/call", `{"name":"poll"}`), `"text":"`+want+`"`, "%s %s", version, caps)
			assert.Equal(t, want == "ui", len(list(t, c, "tools/list").Tools) == 1, "%s %s", version, caps)
		}
	}
}

// In a session without initialize, only the capabilities in each request apply. If
// a request invalidly omits them, they are unknown.
func TestNoHandshakeIsUnknown(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "poll"}, mcpapps.AppOnly(""), supportTool)
	c := connectRaw(t, s, "2026-07-28", capsUI)
	assert.Contains(t, c.result("tools/call", `{"name":"poll"}`), `"text":"ui"`)
	c.meta = ""
	c.call("initialize", `{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}`) // refused
	assert.Contains(t, c.result("tools/call", `{"name":"poll"}`), `"text":"unknown"`)
}
