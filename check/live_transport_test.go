package check

import (
	"context"
	"testing"
	"time"

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

// slowWire takes its time to end.
type slowWire struct {
	fakeWire
	ended bool
}

func (w *slowWire) Close() {
	time.Sleep(50 * time.Millisecond)
	w.ended = true
}
