package viewstate_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// A client sends requests and gets the raw JSON of the results.
type client struct {
	*rawclient.Client
	t *testing.T
}

// connect connects a client of a user, or of none if that is "".
func connect(t *testing.T, tr rawclient.Transport, s *mcp.Server, user string) *client {
	t.Helper()
	return &client{tr.Dial(t, s, rawclient.Config{User: user}), t}
}

// inProcess connects over a pipe in this process, as standard input and output do.
func inProcess(t *testing.T, s *mcp.Server) *client {
	t.Helper()
	return &client{rawclient.Stdio(t, s, rawclient.Config{Version: rawclient.Modern}), t}
}

// call calls a tool and returns its text, after "error: " if it failed. The result has
// one text and nothing structured.
func (c *client) call(tool, arguments string) string {
	c.t.Helper()
	raw := c.Call(c.t, tool, arguments)
	var res struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	require.NoError(c.t, json.Unmarshal([]byte(raw), &res))
	require.Len(c.t, res.Content, 1, raw)
	require.Equal(c.t, "text", res.Content[0].Type)
	require.NotContains(c.t, raw, `"structuredContent"`)
	if res.IsError {
		return "error: " + res.Content[0].Text
	}
	return res.Content[0].Text
}

func (c *client) state(arguments string) string {
	c.t.Helper()
	return c.call("view_state", arguments)
}
