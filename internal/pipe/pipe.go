package host

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inMemory returns the two ends of a connection to a server in this process.
// Parameters and results cross it in their encoded form, as on any wire, but
// the envelope is passed as it is: to encode, frame and decode it is what the
// SDK's own in-memory transport spends most of its time on.
func inMemory() (near, far mcp.Transport) {
	a, b := make(chan jsonrpc.Message, 64), make(chan jsonrpc.Message, 64)
	closed := make(chan struct{})
	var once sync.Once
	end := func() { once.Do(func() { close(closed) }) }
	return &memoryConn{a, b, closed, end}, &memoryConn{b, a, closed, end}
}

type memoryConn struct {
	in, out chan jsonrpc.Message
	closed  chan struct{}
	end     func()
}

func (c *memoryConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

func (c *memoryConn) SessionID() string { return "" }

func (c *memoryConn) Read(ctx context.Context) (jsonrpc.Message, error) {
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

func (c *memoryConn) Write(ctx context.Context, msg jsonrpc.Message) error {
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

func (c *memoryConn) Close() error {
	c.end()
	return nil
}
