package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
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
	allow   func(tool string, args map[string]any) bool

	mu     sync.Mutex
	wires  []wire
	closed bool
}

// allowedCalls is the rule of callable for calls as they come: those of a tool
// that the author named, with the arguments that the author named, to which the
// host adds the defaults of the schema.
func allowedCalls(o *Options, auto bool, tools []*tool) func(string, map[string]any) bool {
	known := byName(tools)
	unasked := callable(&Options{}, auto)
	named := make(map[string][]any)
	for _, call := range o.Calls {
		args := call.Arguments
		if args == nil {
			args = map[string]any{}
		}
		var plain any // as it will come back
		if raw, err := json.Marshal(args); err == nil && json.Unmarshal(raw, &plain) == nil {
			named[call.Tool] = append(named[call.Tool], plain)
		}
	}
	return func(name string, args map[string]any) bool {
		t := known[name]
		if t == nil {
			return false
		}
		if _, ok := unasked(t); ok {
			return true
		}
		return slices.ContainsFunc(named[name], func(n any) bool { return equalButDefaults(t.obj["inputSchema"], n, args) })
	}
}

// equalButDefaults reports whether arguments are the named ones, with defaults
// of the schema where those have nothing.
func equalButDefaults(schema, named, args any) bool {
	n, isObject := named.(map[string]any)
	a, too := args.(map[string]any)
	if !isObject || !too {
		return reflect.DeepEqual(named, args)
	}
	s, _ := schema.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	for key, v := range a {
		want, ok := n[key]
		if !ok {
			property, _ := properties[key].(map[string]any)
			if want, ok = property["default"]; !ok {
				return false
			}
		}
		if !equalButDefaults(properties[key], want, v) {
			return false
		}
	}
	for key := range n {
		if _, ok := a[key]; !ok {
			return false
		}
	}
	return true
}

// Connect implements mcp.Transport.
func (t *wireTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	t.mu.Lock() // so that close waits for it
	defer t.mu.Unlock()
	if t.closed {
		return nil, errClosed
	}
	w, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	t.wires = append(t.wires, w)
	c := &wireConn{wire: w, allow: t.allow, in: make(chan jsonrpc.Message, 16)}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return c, nil
}

// close ends all connections, and returns when they have ended: whoever uses
// them may not wait for that.
func (t *wireTransport) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, w := range t.wires {
		w.close()
	}
}

type wireConn struct {
	wire   wire
	allow  func(string, map[string]any) bool
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
		ctx, cancel := context.WithTimeout(c.ctx, writeGrace) // for a server that does not take it
		defer cancel()
		return c.wire.notify(ctx, req.Method, params)
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
