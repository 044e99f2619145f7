package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wireTransport makes the check's own connection into a transport of the SDK's,
// for the preview. It lets a tool call through only where the check may make
// it; another call is not answered, as if it took for ever, so that a view
// shows what it does without.
type wireTransport struct {
	connect func(context.Context) (wire, error)
	allow   func(tool string) bool
}

func (t wireTransport) make(context.Context) (mcp.Transport, error) { return t, nil }

// Connect implements mcp.Transport.
func (t wireTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	w, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &wireConn{wire: w, allow: t.allow, in: make(chan jsonrpc.Message, 16)}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return c, nil
}

type wireConn struct {
	wire   wire
	allow  func(string) bool
	in     chan jsonrpc.Message
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once
}

func (c *wireConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *wireConn) Write(_ context.Context, msg jsonrpc.Message) error {
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return nil // to a request of the server's, which the wire has answered
	}
	var params map[string]any
	d := json.NewDecoder(bytes.NewReader(req.Params))
	d.UseNumber()
	if err := d.Decode(&params); err != nil || params == nil {
		params = map[string]any{}
	}
	if !req.IsCall() {
		return c.wire.notify(c.ctx, req.Method, params)
	}
	if name, _ := params["name"].(string); req.Method == "tools/call" && !c.allow(name) {
		return nil
	}
	go func() {
		res := &jsonrpc.Response{ID: req.ID}
		raw, err := c.wire.call(c.ctx, req.Method, params)
		var rpc *jsonrpc.Error
		switch {
		case err == nil:
			res.Result = raw
		case errors.As(err, &rpc):
			res.Error = rpc
		case fatal(err):
			c.cancel()
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

func (c *wireConn) Close() error {
	c.once.Do(func() {
		c.cancel()
		c.wire.close()
	})
	return nil
}

func (c *wireConn) SessionID() string { return "" }
