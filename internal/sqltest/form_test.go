package sqltest

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

type transfer struct {
	Amount int `json:"amount"`
}

type receipt struct {
	Number int64 `json:"number"`
}

// TestFormOnReplicas: a form that is submitted 100 times at once, on two servers with one
// database, has one effect and one answer.
func TestFormOnReplicas(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		open := d.create(t)
		var transfers atomic.Int64
		clients := make([]*mcp.ClientSession, 2)
		for i := range clients {
			clients[i] = connect(t, formServer(d.store(t, open(), nil), &transfers))
		}
		res, err := clients[0].CallTool(t.Context(), &mcp.CallToolParams{Name: "transfer", Arguments: transfer{7}})
		require.NoError(t, err)
		var mark struct{ Form struct{ Key, Tool string } }
		meta, err := json.Marshal(res.Meta["mcpapps/data"])
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(meta, &mark))
		require.Equal(t, "transfer_submit", mark.Form.Tool)

		answers := make([]string, 100)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				res, err := clients[i%2].CallTool(t.Context(), &mcp.CallToolParams{Name: mark.Form.Tool, Arguments: map[string]any{
					"confirm": mark.Form.Key, "values": transfer{7},
				}})
				if assert.NoError(t, err) {
					answers[i] = res.Content[0].(*mcp.TextContent).Text
				}
			})
		}
		wg.Wait()
		assert.EqualValues(t, 1, transfers.Load())
		for _, a := range answers {
			assert.JSONEq(t, `{"state":"done","value":{"number":1}}`, a)
		}
	})
}

func formServer(store viewstate.Store, transfers *atomic.Int64) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, nil)
	viewform.Register(s, &mcp.Tool{Name: "transfer"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://bank/transfer.html"}, Document: mcpapps.HTML("<!doctype html><title>Transfer</title>"),
	}, viewform.Form[transfer, receipt]{
		Store: store,
		Do: func(context.Context, *mcp.CallToolRequest, transfer) (*mcp.CallToolResult, receipt, error) {
			return nil, receipt{transfers.Add(1)}, nil
		},
	})
	return s
}

func connect(t *testing.T, s *mcp.Server) *mcp.ClientSession {
	ct, st := mcp.NewInMemoryTransports()
	_, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	var o mcp.ClientOptions
	appclient.EnableClient(&o)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, &o).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}
