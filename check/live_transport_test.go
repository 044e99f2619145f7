package check

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
)

// TestLiveTransportEnds shows that the live part returns when its connections have ended,
// not before, and makes none afterwards.
func TestLiveTransportEnds(t *testing.T) {
	w := &slowWire{}
	transport := &liveTransport{connect: func(context.Context) (rpc.Conn, error) { return w, nil }}
	_, err := transport.Connect(t.Context())
	require.NoError(t, err)
	transport.close()
	assert.True(t, w.ended)
	_, err = transport.Connect(t.Context())
	assert.Error(t, err)
}

// TestLiveTransportCancels shows that a cancelled request of a view is cancelled at the
// server, and no other one: the numbers of requests differ on both sides.
func TestLiveTransportCancels(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "never", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("the check may not call it")
	})
	asked, reading, cancelled, release := make(chan bool, 1), make(chan string, 2), make(chan string, 2), make(chan bool)
	for _, name := range []string{"kept", "cancelled"} {
		s.AddResource(&mcp.Resource{URI: "ui://s/" + name, Name: name}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			reading <- name
			select {
			case <-release:
			case <-ctx.Done():
				cancelled <- name
				return nil, ctx.Err()
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: name}}}, nil
		})
	}
	transport := &liveTransport{allow: func(string, map[string]any) bool { asked <- true; return false }, connect: func(ctx context.Context) (rpc.Conn, error) { return rpc.Memory(ctx, s) }}
	defer transport.close()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "never"})
		called <- err
	}()
	<-asked // it took a number on the client's side alone
	read := func(ctx context.Context, name string) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "ui://s/" + name})
			done <- err
		}()
		assert.Equal(t, name, <-reading)
		return done
	}
	kept := read(t.Context(), "kept")
	cancel()
	assert.ErrorIs(t, <-called, context.Canceled)
	ctx, cancel = context.WithCancel(t.Context())
	dropped := read(ctx, "cancelled")
	cancel()
	assert.ErrorIs(t, <-dropped, context.Canceled)
	assert.Equal(t, "cancelled", <-cancelled)
	close(release)
	assert.NoError(t, <-kept)
	assert.Empty(t, cancelled)
}

// slowWire takes its time to end.
type slowWire struct {
	fakeWire
	ended bool
}

func (w *slowWire) Close() {
	time.Sleep(50 * time.Millisecond)
	w.ended = true
}
