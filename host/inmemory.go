package host

import (
	"context"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inMemory returns the two ends of a connection to a server in this process.
// Messages are encoded and decoded as on any wire, but nothing has to look for
// their ends, which is what the SDK's own in-memory transport spends most of
// its time on.
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
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if msg, err = jsonrpc.DecodeMessage(data); err != nil {
		return err
	}
	select {
	case c.out <- msg:
		return nil
	case <-c.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *memoryConn) Close() error {
	c.end()
	return nil
}
