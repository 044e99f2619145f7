// Package pipe connects a client and a server of one process.
package pipe

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// New returns the two ends of a connection. Parameters and results cross it in
// their encoded form, as on any wire, but the envelope is passed as it is: to
// encode, frame and decode it is what the SDK's own in-memory transport spends
// most of its time on. Closing one end closes both.
func New() (near, far *End) {
	a, b := make(chan jsonrpc.Message, 64), make(chan jsonrpc.Message, 64)
	closed := make(chan struct{})
	var once sync.Once
	end := func() { once.Do(func() { close(closed) }) }
	return &End{a, b, closed, end}, &End{b, a, closed, end}
}

// An End is one end of a connection, both transport and connection.
type End struct {
	in, out chan jsonrpc.Message
	closed  chan struct{}
	end     func()
}

// Connect returns the end itself.
func (c *End) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID returns "": there is one session.
func (c *End) SessionID() string { return "" }

// Read returns the next message. What was written before the connection was
// closed is read before its [io.EOF].
func (c *End) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.in:
		return msg, nil
	default:
	}
	select {
	case msg := <-c.in:
		return msg, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. It waits while 64 are not read.
func (c *End) Write(ctx context.Context, msg jsonrpc.Message) error {
	select {
	case c.out <- delivered(msg):
		return nil
	case <-c.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

// delivered copies a message as it would arrive: an error is a wire error then.
func delivered(msg jsonrpc.Message) jsonrpc.Message {
	switch msg := msg.(type) {
	case *jsonrpc.Request:
		return &jsonrpc.Request{ID: msg.ID, Method: msg.Method, Params: msg.Params}
	case *jsonrpc.Response:
		r := &jsonrpc.Response{ID: msg.ID, Result: msg.Result}
		if msg.Error == nil {
			return r
		}
		e, ok := msg.Error.(*jsonrpc.Error)
		if !ok {
			e = &jsonrpc.Error{Message: msg.Error.Error()}
			var wrapped *jsonrpc.Error
			if errors.As(msg.Error, &wrapped) {
				e.Code = wrapped.Code
			}
		}
		r.Error = e
		return r
	default:
		return msg
	}
}

// Close closes both ends.
func (c *End) Close() error {
	c.end()
	return nil
}
