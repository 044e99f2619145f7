package rpc

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Memory connects to a server in this process. Messages are handed over as they
// are: the result in them is encoded already.
func Memory(ctx context.Context, s *mcp.Server) (Conn, error) {
	ours, theirs := make(chan jsonrpc.Message), make(chan jsonrpc.Message)
	done := make(chan struct{})
	var once sync.Once
	shut := func() { once.Do(func() { close(done) }) }
	session, err := s.Connect(ctx, memoryTransport{&memoryConn{in: theirs, out: ours, done: done, shut: shut}}, nil)
	if err != nil {
		return nil, err
	}
	client := &memoryConn{in: ours, out: theirs, done: done, shut: shut}
	p := newPeer(
		func(m jsonrpc.Message) error { return client.Write(context.Background(), m) },
		func() {
			shut()
			ended := make(chan struct{})
			go func() { _ = session.Wait(); close(ended) }()
			select { // a handler may hang, whatever its context says
			case <-ended:
			case <-time.After(exitGrace):
			}
		},
	)
	go p.serve(func() (jsonrpc.Message, error) { return client.Read(context.Background()) })
	return p, nil
}

type memoryTransport struct{ conn *memoryConn }

func (t memoryTransport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

type memoryConn struct {
	in, out chan jsonrpc.Message
	done    chan struct{}
	shut    func()
}

func (c *memoryConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *memoryConn) Write(ctx context.Context, m jsonrpc.Message) error {
	select {
	case c.out <- m:
		return nil
	case <-c.done:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *memoryConn) Close() error      { c.shut(); return nil }
func (c *memoryConn) SessionID() string { return "" }
