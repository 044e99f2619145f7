package host

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestPing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		assert.ErrorIs(t, b.Ping(t.Context()), ErrNotReady)
		v.handshake()
		answered := make(chan error, 1)
		ping := func(ctx context.Context) {
			go func() { answered <- b.Ping(ctx) }()
			synctest.Wait()
		}
		ping(t.Context())
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		assert.NoError(t, <-answered)

		ping(t.Context())
		v.takeOne()
		v.post(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"unknown"}}`)
		assert.ErrorContains(t, <-answered, "unknown")

		ctx, cancel := context.WithCancel(t.Context())
		ping(ctx)
		cancel()
		assert.ErrorIs(t, <-answered, context.Canceled)
		b.Close(t.Context(), nil)
		assert.ErrorIs(t, b.Ping(t.Context()), ErrClosed)
	})
}
