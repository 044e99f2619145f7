package appclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func toolNames(tools []*mcp.Tool) (names []string) {
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

// pages answers tools/list with one page per cursor.
func pages(t testing.TB, byCursor map[string]string) *mcp.ClientSession {
	return wireServer(t, `{"tools":{}}`, func(method string, params json.RawMessage) wireReply {
		var p struct{ Cursor string }
		_ = json.Unmarshal(params, &p)
		result, ok := byCursor[p.Cursor]
		if method != "tools/list" || !ok {
			return wireReply{Error: `{"code":-32602,"message":"bad cursor"}`}
		}
		return wireReply{Result: result}
	})
}

func TestListToolsForModel(t *testing.T) {
	const tool = `{"name":%q,"inputSchema":{"type":"object"},"_meta":%s}`
	page := func(next string, tools ...string) string {
		list := ""
		for i := 0; i < len(tools); i += 2 {
			if i > 0 {
				list += ","
			}
			list += fmt.Sprintf(tool, tools[i], tools[i+1])
		}
		return `{"tools":[` + list + `],"nextCursor":` + strconv.Quote(next) + `}`
	}
	cs := pages(t, map[string]string{
		"":  page("1", "plain", `{}`, "app", `{"ui":{"visibility":["app"]}}`),
		"1": page("2"),
		"2": page("", "nobody", `{"ui":{"visibility":[]}}`, "broken", `{"ui":"x"}`, "view", `{"ui":{"resourceUri":"ui://v"}}`, "bad-uri", `{"ui":{"resourceUri":"x"}}`, "null", `null`),
	})
	tools, err := ListToolsForModel(t.Context(), cs, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"plain", "view", "bad-uri", "null"}, toolNames(tools))

	_, err = ListToolsForModel(t.Context(), cs, &ListOptions{MaxTools: 6})
	assert.ErrorContains(t, err, "appclient.ListToolsForModel: the server lists more than 6 tools")
	_, err = ListToolsForModel(t.Context(), cs, &ListOptions{MaxTools: 7})
	assert.NoError(t, err, "exactly the limit")

	for name, c := range map[string]struct {
		pages map[string]string
		err   string
	}{
		"a cursor of its own": {map[string]string{"": page("1"), "1": page("1")}, `the server repeats the cursor "1"`},
		"a circle":            {map[string]string{"": page("1"), "1": page("2"), "2": page("1")}, `the server repeats the cursor "1"`},
		"an error in between": {map[string]string{"": page("9")}, "bad cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			tools, err := ListToolsForModel(t.Context(), pages(t, c.pages), nil)
			assert.ErrorContains(t, err, c.err)
			assert.Nil(t, tools, "no partial list")
		})
	}
}

func TestListToolsForModelEnds(t *testing.T) {
	n := 0
	endless := wireServer(t, `{"tools":{}}`, func(string, json.RawMessage) wireReply {
		n++
		return wireReply{Result: fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n)}
	})
	_, err := ListToolsForModel(t.Context(), endless, &ListOptions{MaxTools: 50})
	assert.ErrorContains(t, err, "more than 50 pages")
	start := time.Now()
	_, err = ListToolsForModel(t.Context(), stuckServer(t), &ListOptions{Timeout: 100 * time.Millisecond})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(start), 20*time.Second)
}

// manyTools connects a client to a server of n tools, a third of them with
// metadata of each kind, in pages of 500.
func manyTools(t testing.TB, n int) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{PageSize: 500})
	for i := range n {
		tool := &mcp.Tool{Name: fmt.Sprintf("tool-%05d", i), Description: "Does one thing.", InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`)}
		switch i % 3 {
		case 1:
			tool.Meta = mcp.Meta{"ui": map[string]any{"resourceUri": "ui://v", "visibility": []string{"model", "app"}}, mcpapps.LegacyResourceURIKey: "ui://v"}
		case 2:
			tool.Meta = mcp.Meta{"ui": map[string]any{"visibility": []string{"app"}}}
		}
		server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	ct, st := mcp.NewInMemoryTransports()
	_, err := server.Connect(context.Background(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(context.Background(), ct, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	return cs
}

func sdkListing(ctx context.Context, cs *mcp.ClientSession) (n int, err error) {
	for _, err := range cs.Tools(ctx, nil) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func BenchmarkListTools(b *testing.B) {
	cs := manyTools(b, 10_000)
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if n, err := sdkListing(b.Context(), cs); err != nil || n != 10_000 {
				b.Fatal(n, err)
			}
		}
	})
	b.Run("for-model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if tools, err := ListToolsForModel(b.Context(), cs, nil); err != nil || len(tools) != 6667 {
				b.Fatal(len(tools), err)
			}
		}
	})
}

// Filtering 3,000 tools costs little compared to listing them. The test limits
// allocations, because times vary on a shared machine; the benchmark shows them.
func TestCostListToolsForModel(t *testing.T) {
	testenv.Measure(t)
	cs := manyTools(t, 3_000)
	sdk := testing.AllocsPerRun(1, func() {
		n, err := sdkListing(t.Context(), cs)
		require.NoError(t, err)
		require.Equal(t, 3_000, n)
	})
	ours := testing.AllocsPerRun(1, func() {
		tools, err := ListToolsForModel(t.Context(), cs, nil)
		require.NoError(t, err)
		require.Len(t, tools, 2_000)
	})
	t.Logf("%.0f allocations, the SDK's own iteration %.0f", ours, sdk)
	assert.LessOrEqual(t, ours, 1.1*sdk)

	all, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for _, tool := range all.Tools {
			mcpapps.VisibleTo(tool, mcpapps.VisibilityModel)
		}
	}), "filtering alone allocates nothing")
}

func TestModelToolsWithoutTools(t *testing.T) {
	ok := &mcp.Tool{Name: "ok"}
	assert.Equal(t, []*mcp.Tool{ok}, ModelTools([]*mcp.Tool{nil, ok, nil}))
	assert.NotNil(t, ModelTools(nil))
}
