package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/command"
)

// An endReason keeps the error that ended a connection, which the SDK does not
// return, and the connection itself, to close it if the SDK hangs.
type endReason struct {
	ended chan struct{} // closed when reading or writing failed
	once  sync.Once

	mu        sync.Mutex
	err       error
	conn      mcp.Connection
	abandoned bool
	bare      bool // the connection is not wrapped, so ended is not closed
}

func newEndReason() *endReason { return &endReason{ended: make(chan struct{})} }

func (w *endReason) get() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *endReason) set(err error) {
	w.mu.Lock()
	if w.err == nil && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		w.err = err
	}
	w.mu.Unlock()
	w.once.Do(func() { close(w.ended) })
}

func (w *endReason) isBare() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bare
}

func (w *endReason) abandon() {
	w.mu.Lock()
	w.abandoned = true
	conn := w.conn
	w.mu.Unlock()
	if conn != nil {
		abandon(conn)
	}
}

// withNoise adds to the error of an answer that did not come in time the last line
// since then that the server wrote in place of a message: it may be that answer,
// malformed.
func (w *endReason) withNoise(err error, since time.Time) error {
	w.mu.Lock()
	conn := w.conn
	w.mu.Unlock()
	if t, ok := conn.(*tap); ok {
		conn = t.Connection
	}
	p, ok := conn.(*command.Process)
	if !ok {
		return err
	}
	line, at := p.LastNoise()
	if line == "" || at.Before(since) {
		return err
	}
	return fmt.Errorf("%w; on its standard output the server wrote %q, which is not a message", err, line)
}

// An abandoner can be closed at once, without the grace period of Close.
type abandoner interface{ Abandon() }

func abandon(conn mcp.Connection) {
	if a, ok := conn.(abandoner); ok {
		a.Abandon()
	} else {
		conn.Close()
	}
}

type endTransport struct {
	mcp.Transport
	why *endReason
}

// Connect does not wrap the connection of streamable HTTP: the SDK needs more of
// it than the interface has.
func (t endTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	t.why.mu.Lock()
	t.why.conn = c
	_, t.why.bare = t.Transport.(*mcp.StreamableClientTransport)
	bare := t.why.bare
	abandoned := t.why.abandoned
	t.why.mu.Unlock()
	if abandoned {
		abandon(c)
		return nil, context.Canceled
	}
	if bare {
		return c, nil
	}
	return endConn{c, t.why}, nil
}

type endConn struct {
	mcp.Connection
	why *endReason
}

func (c endConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if err != nil {
		c.why.set(err)
	}
	return msg, err
}

func (c endConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if err != nil && ctx.Err() == nil {
		c.why.set(err)
	}
	return err
}

// within runs f, but returns when ctx ends at the latest. It then calls giveUp,
// which must make f return.
func within(ctx context.Context, f func() error, giveUp func()) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		giveUp()
		return context.Cause(ctx)
	}
}
