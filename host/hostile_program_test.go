package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/pipe"
)

func TestForwardReturnsInvalidResult(t *testing.T) {
	for _, returned := range []string{``, `null`, `{`, `[]`} {
		withServer(t, &BridgeOptions{Forward: func(context.Context, *Forwarded, func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
			return json.RawMessage(returned), nil
		}}, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
			v.handshake()
			for _, method := range []string{"tools/call", "tools/list"} {
				v.post(`{"jsonrpc":"2.0","id":1,"method":"%s","params":{"name":"both"}}`, method)
				assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the host's Forward callback did not return a result for `+method+`: it must return what next returns"}}`, v.takeOne())
			}
		})
	}
}

func TestTargetTransportReturnsNil(t *testing.T) {
	_, err := Connect(t.Context(), Target{Transport: func(context.Context) (mcp.Transport, error) { return nil, nil }}, nil)
	assert.ErrorContains(t, err, "neither a transport nor an error")
}

// If Send panics and the program recovers, the next message is still sent.
func TestSendPanic(t *testing.T) {
	b := mustNewBridge(nil, nil)
	sent := 0
	b.Attach(TransportFunc(func(json.RawMessage) error {
		if sent++; sent == 1 {
			panic("boom")
		}
		return nil
	}))
	assert.PanicsWithValue(t, "boom", func() { b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)) })
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":2,"method":"ping"}`))
	assert.Equal(t, 2, sent)
}

// A message that the old transport failed to send is sent by the new one.
func TestAttachDuringFailedSend(t *testing.T) {
	b := mustNewBridge(nil, nil)
	var got []string
	replacement := TransportFunc(func(msg json.RawMessage) error { got = append(got, string(msg)); return nil })
	b.Attach(TransportFunc(func(json.RawMessage) error {
		b.Attach(replacement)
		return errors.New("gone")
	}))
	for id := range 3 {
		b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id)))
	}
	assert.NoError(t, b.Err())
	assert.Equal(t, []string{`{"jsonrpc":"2.0","id":0,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`}, got)
}

// A single message may exceed Limits.QueueBytes if the transport accepts it
// immediately.
func TestMessageLargerThanQueue(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{QueueBytes: 1000}})
		v := newView(t, b)
		v.handshake()
		require.NoError(t, b.SendToolInput(map[string]string{"x": strings.Repeat("x", 2000)}))
		assert.Greater(t, len(v.takeOne()), 2000)
		b.Close(t.Context(), nil)
	})
}

// While AppToolsChanged blocks, it is not called again.
func TestBlockedAppToolsChanged(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		release, calls := make(chan struct{}), 0
		b := mustNewBridge(nil, &BridgeOptions{AppToolsChanged: func() {
			if calls++; calls == 2 {
				<-release
			}
		}})
		v := newView(t, b)
		v.handshake()
		for range 50 {
			v.post(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			time.Sleep(400 * time.Millisecond)
		}
		assert.Equal(t, 2, calls)
		close(release)
		synctest.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 3, calls, "one more call for the changes in the meantime")
		b.Close(t.Context(), nil)
	})
}

// StateChanged may call methods of the connection, and is called in the order of
// the changes.
func TestStateChangedMayUseConnection(t *testing.T) {
	conns := make(chan mcp.Connection, 10)
	target := scriptedServer(func(conn mcp.Connection, req *jsonrpc.Request) string {
		if req.Method == "initialize" {
			conns <- conn
		}
		return ""
	})
	var mu sync.Mutex
	var states []string
	var s *Connection
	reported := make(chan struct{}, 10)
	connected, err := Connect(t.Context(), target, &ConnectOptions{StateChanged: func(err error) {
		mu.Lock()
		states = append(states, fmt.Sprint(err))
		s := s
		mu.Unlock()
		if s != nil && err == nil {
			_, err := s.Tools(context.Background())
			assert.NoError(t, err)
		}
		reported <- struct{}{}
	}})
	require.NoError(t, err)
	mu.Lock()
	s = connected
	mu.Unlock()
	waitForState := func() {
		t.Helper()
		select {
		case <-reported:
		case <-time.After(time.Minute):
			t.Fatalf("StateChanged was not called\n%s", goroutineStacks())
		}
	}
	waitForState()
	for range 3 {
		(<-conns).Close()
		waitForState()
		_, err := connected.Tools(t.Context())
		require.NoError(t, err)
		waitForState()
	}
	require.NoError(t, connected.Close())
	const lost = "the server ended the connection"
	assert.Equal(t, []string{"<nil>", lost, "<nil>", lost, "<nil>", lost, "<nil>"}, states)
}

// Closed may open another view, restart the server or close the connection. If
// Closed does not return, Close returns after closeTimeout.
func TestClosedMayUseConnection(t *testing.T) {
	conns := make(chan mcp.Connection, 10)
	s, err := Connect(t.Context(), scriptedServer(func(conn mcp.Connection, req *jsonrpc.Request) string {
		if req.Method == "initialize" {
			conns <- conn
		}
		return ""
	}), nil)
	require.NoError(t, err)
	for _, use := range []func() error{
		func() error { _, err := s.NewBridge(context.Background(), nil); return err },
		func() error { return s.Restart(context.Background()) },
		s.Close,
	} {
		done := make(chan struct{})
		_, err := s.NewBridge(t.Context(), &BridgeOptions{Closed: func(error) {
			defer close(done)
			assert.NoError(t, use())
		}})
		require.NoError(t, err)
		(<-conns).Close()
		waitForDone(t, done, 9*time.Second, "Closed")
	}
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		never := make(chan struct{})
		_, err = s.NewBridge(t.Context(), &BridgeOptions{Closed: func(error) { <-never }})
		require.NoError(t, err)
		start := time.Now()
		require.NoError(t, s.Close())
		assert.Equal(t, closeTimeout, time.Since(start))
		close(never)
	})
}

// A call of Tools that waits for another caller's request returns when its own
// context ends. Close ends the other caller's request too.
func TestToolsReturnsWhenContextEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var conn mcp.Connection
		mute := false
		plain := scriptedServer(func(c mcp.Connection, req *jsonrpc.Request) string {
			conn = c
			if req.Method == "tools/list" {
				return noAnswer
			}
			return ""
		})
		s, err := Connect(t.Context(), Target{Transport: func(ctx context.Context) (mcp.Transport, error) {
			if mute {
				near, _ := pipe.New()
				return near, nil
			}
			return plain.Transport(ctx)
		}}, nil)
		require.NoError(t, err)
		assertWaitEnds := func(waitsFor string) {
			t.Helper()
			otherErr := make(chan error, 1)
			go func() { _, err := s.Tools(context.Background()); otherErr <- err }()
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := s.Tools(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded, waitsFor)
			assert.Equal(t, time.Second, time.Since(start), waitsFor)
			if mute {
				require.NoError(t, s.Close())
				assert.ErrorContains(t, <-otherErr, "closed", waitsFor)
				assert.Equal(t, time.Second, time.Since(start), waitsFor)
			} else {
				assert.ErrorContains(t, <-otherErr, "tools/list took longer than 1m0s")
			}
		}
		assertWaitEnds("a list")
		mute = true
		conn.Close()
		synctest.Wait()
		assertWaitEnds("a connection")
	})
}

// Tools returns a copy, so that the caller may sort or clear it.
func TestToolsReturnsCopy(t *testing.T) {
	s := connect(t, testServer(), nil)
	tools, err := s.Tools(t.Context())
	require.NoError(t, err)
	first := tools[0]
	clear(tools)
	again, err := s.Tools(t.Context())
	require.NoError(t, err)
	assert.Same(t, first, again[0])
}
