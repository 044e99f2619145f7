package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
)

// A liveTransport is a transport of the SDK over the check's own connections. It
// lets a tool call through only if the check may make it; another call is not
// answered, as if it took forever, so that a view shows what it does without a
// result.
type liveTransport struct {
	connect func(context.Context) (rpc.Conn, error)
	allow   func(tool string, args map[string]any) bool
	// oneAtATime ends a connection before the next one begins.
	oneAtATime bool

	mu     sync.Mutex
	conns  []*liveConn
	closed bool

	endedOnce sync.Once
	ended     error // of the first connection that the server ended, once endedOnce is done
}

// Connect implements mcp.Transport.
func (t *liveTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	t.mu.Lock() // so that close waits for it
	defer t.mu.Unlock()
	if t.closed {
		return nil, rpc.ErrClosed
	}
	if t.oneAtATime {
		for _, c := range t.conns {
			c.Close()
		}
		t.conns = nil
	}
	conn, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &liveConn{conn: conn, allow: t.allow, lost: t.lost, in: make(chan jsonrpc.Message, 16)}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	t.conns = append(t.conns, c)
	if e, ok := conn.(rpc.Ending); ok {
		go func() {
			select {
			case <-e.Ended():
				c.end(e.Failure())
			case <-c.ctx.Done():
			}
		}()
	}
	return c, nil
}

// lost takes note of why the server ended a connection. It does not take t.mu, which
// close holds while it waits for connections.
func (t *liveTransport) lost(err error) { t.endedOnce.Do(func() { t.ended = err }) }

// faults returns how many sessions the server forgot, and why it ended a connection,
// nil if it ended none. No connection is noted as ended afterwards.
func (t *liveTransport) faults() (forgotten int, ended error) {
	t.endedOnce.Do(func() {})
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.conns {
		forgotten += sessionsForgotten(c.conn)
	}
	return forgotten, t.ended
}

// close ends all connections and returns when they have ended. No connection can
// be made afterwards.
func (t *liveTransport) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, c := range t.conns {
		c.Close()
	}
}

type liveConn struct {
	conn   rpc.Conn
	allow  func(string, map[string]any) bool
	lost   func(error)
	in     chan jsonrpc.Message
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once
	calls  sync.Map // by the client's id of a request: the context.CancelFunc of the call
}

func (c *liveConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *liveConn) Write(_ context.Context, msg jsonrpc.Message) error {
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return nil // an answer to the server, which the connection has given
	}
	var params map[string]any
	d := json.NewDecoder(bytes.NewReader(req.Params))
	d.UseNumber()
	if err := d.Decode(&params); err != nil || params == nil {
		params = map[string]any{}
	}
	switch {
	case req.Method == "notifications/cancelled":
		// The connection numbers its requests itself, so that this number may be the
		// server's of another request.
		var n struct{ RequestID any }
		if json.Unmarshal(req.Params, &n) == nil {
			if id, err := jsonrpc.MakeID(n.RequestID); err == nil {
				if cancel, ok := c.calls.Load(id); ok {
					cancel.(context.CancelFunc)()
				}
			}
		}
		return nil
	case !req.IsCall():
		ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second) // for a server that does not read
		defer cancel()
		return c.conn.Notify(ctx, req.Method, params)
	}
	if req.Method == "tools/call" {
		var call struct {
			Name      string         `json:"name"`
			Arguments map[string]any `json:"arguments"`
		}
		if raw, err := json.Marshal(params); err != nil || json.Unmarshal(raw, &call) != nil || !c.allow(call.Name, call.Arguments) {
			return nil
		}
	}
	ctx, cancel := context.WithCancel(c.ctx)
	c.calls.Store(req.ID, cancel)
	go func() {
		defer cancel()
		defer c.calls.Delete(req.ID)
		res := &jsonrpc.Response{ID: req.ID}
		raw, err := c.conn.Call(ctx, req.Method, params)
		var answer *jsonrpc.Error
		switch {
		case ctx.Err() != nil: // nobody waits for the answer
			return
		case err == nil:
			res.Result = raw
		case errors.As(err, &answer):
			res.Error = answer
		case rpc.EndsSession(err):
			c.end(err)
			return
		default:
			res.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		select {
		case c.in <- res:
		case <-c.ctx.Done():
		}
	}()
	return nil
}

// end ends a connection that the server has ended. It does nothing after Close.
func (c *liveConn) end(err error) {
	c.once.Do(func() {
		c.lost(withLastWords(err, c.conn))
		c.cancel()
		c.conn.Close()
	})
}

func (c *liveConn) Close() error {
	c.once.Do(func() {
		c.cancel()
		c.conn.Close()
	})
	return nil
}

func (c *liveConn) SessionID() string { return "" }
