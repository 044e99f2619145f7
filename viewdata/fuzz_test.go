package viewdata

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// FuzzArguments calls the tools that views call with any arguments: they answer with a
// text or with an error, and never panic.
func FuzzArguments(f *testing.F) {
	s := newServer()
	Register(s, readTool("read"), testView, forecast, nil)
	Register(s, &mcp.Tool{Name: "write"}, testView, forecast, &Options{Store: newStore()})
	RegisterPages(s, readTool("list"), testView, (&table{rows: 5, width: 10}).read, &PageOptions[search, string]{Size: 2, Key: []byte("the key of a test")})
	RegisterLive(s, &mcp.Tool{Name: "live"}, func(_ context.Context, _ *mcp.CallToolRequest, in any) (any, error) { return in, nil },
		func(_ context.Context, k any) (any, error) { return k, nil }, nil)
	server, client := mcp.NewInMemoryTransports()
	_, err := s.Connect(f.Context(), server, nil)
	require.NoError(f, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(f.Context(), client, nil)
	require.NoError(f, err)
	for _, seed := range []string{
		``, `null`, `[]`, `1`, `"a"`, `{}`, `{"city":"Oslo"}`, `{"city":"Oslo","days":2}`, `{"city":null}`, `{"city":"Oslo","days":1e2}`,
		`{"view_id":"x"}`, `{"view_id":null}`, `{"view_id":{"a":[]}}`, `{"VIEW_ID":"x"}`, `{"view_id":"x","city":1}`,
		`{"text":"a"}`, `{"text":"a","view_cursor":"AAAAAAAAAAAAAAAAAAAAAAAA"}`, `{"text":"a","view_cursor":""}`, `{"text":"a","view_cursor":7}`,
		`{"view_version":"x"}`, `{"view_version":[1]}`, `{"key":[1]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return // it can't be sent
		}
		if len(arguments) > 1<<16 {
			return
		}
		var in struct{ Days int }
		if json.Unmarshal([]byte(arguments), &in) == nil && in.Days > 1000 {
			return // the test's tool makes as many values
		}
		for _, tool := range []string{"read_data", "write_data", "list_data", "live"} {
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
			if err != nil {
				continue // the SDK rejects arguments that are not an object
			}
			require.Len(t, res.Content, 1, tool)
			require.Nil(t, res.StructuredContent, tool)
			text := res.Content[0].(*mcp.TextContent).Text
			require.NotEmpty(t, text, tool)
			require.True(t, res.IsError || json.Valid([]byte(text)), "%s %s", tool, text)
		}
	})
}
