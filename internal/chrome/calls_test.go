package chrome

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fullConn is a browser whose input is full: it reads no call before its own
// events have been read.
type fullConn struct {
	events  chan []byte
	drained chan struct{}
	closed  chan struct{}
	once    sync.Once
}

func (c *fullConn) read() ([]byte, error) {
	select {
	case msg, ok := <-c.events:
		if ok {
			return msg, nil
		}
		c.events = nil
		close(c.drained)
	case <-c.closed:
		return nil, io.EOF
	}
	<-c.closed
	return nil, io.EOF
}

func (c *fullConn) write([]byte) error {
	select {
	case <-c.drained:
		return nil
	case <-c.closed:
		return io.ErrClosedPipe
	}
}

func (c *fullConn) close() { c.once.Do(func() { close(c.closed) }) }

// TestWriteDoesNotKeepTheReader shows that a browser which takes no call until
// its events are read is not waited for in vain.
func TestWriteDoesNotKeepTheReader(t *testing.T) {
	c := &fullConn{events: make(chan []byte), drained: make(chan struct{}), closed: make(chan struct{})}
	b := newBrowser(c)
	page := &Page{b: b, session: "S"}
	b.pages["S"] = page
	sent := make(chan error, 1)
	go func() {
		_, err := b.send(t.Context(), &call{method: "Browser.getVersion"}, nil)
		sent <- err
	}()
	require.NoError(t, <-sent, "the call waits to be written, and its caller for the answer alone")
	for i := range 100 {
		msg, err := json.Marshal(message{SessionID: "S", Method: "Log.entryAdded", Params: json.RawMessage(fmt.Sprintf(`{"entry":{"level":"error","text":"%d"}}`, i))})
		require.NoError(t, err)
		select {
		case c.events <- msg:
		case <-time.After(time.Minute):
			t.Fatalf("event %d is not read", i)
		}
	}
	close(c.events)
	<-c.drained
	assert.Len(t, page.Console(), 100)

	// A caller's context ends the wait for a browser that does not read.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.call(ctx, "", "Browser.getVersion", nil)
	assert.ErrorIs(t, err, context.Canceled)
	b.conn.close()
	<-b.done
	_, err = b.call(t.Context(), "", "Browser.getVersion", nil)
	assert.ErrorIs(t, err, errBrowserGone)
	assert.Len(t, b.pending, 1, "the first call, which nobody waits for")
}
