package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/throttle"
)

// A conn is one connection of a Server.
type conn struct {
	session *mcp.ClientSession
	catalog *catalog
	why     *endReason

	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	ended  chan struct{} // closed when gone is set
	exited chan struct{} // closed when the transport is closed: a command's process has ended
	done   chan struct{} // closed when all is cleaned up but the programs' callbacks

	isCommand bool

	mu      sync.Mutex
	bridges map[*Bridge]struct{}
	changed map[string]*throttle.Throttle // by method
	gone    error
}

func (s *Server) dial(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.ConnectTimeout,
		fmt.Errorf("no answer to the handshake within %v", s.opts.ConnectTimeout))
	defer cancel()
	c := &conn{why: newEndReason(), done: make(chan struct{}), ended: make(chan struct{}), exited: make(chan struct{}), bridges: make(map[*Bridge]struct{}), isCommand: len(s.target.Command) > 0}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.catalog = newCatalog(nil, listBounds{pages: s.opts.ListPages, items: s.opts.ListItems, bytes: s.opts.ListBytes, timeout: s.opts.ListTimeout})
	c.catalog.conn = c
	transport, err := s.target.transport(ctx, &s.opts)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", s.target, err)
	}
	client := mcp.NewClient(s.opts.ClientInfo, s.clientOptions(c))
	client.AddReceivingMiddleware(c.endHandlers)
	var session *mcp.ClientSession
	// The SDK waits for a mute peer longer than the context allows.
	err = within(ctx, func() (err error) {
		session, err = client.Connect(ctx, endTransport{transport, c.why}, &mcp.ClientSessionOptions{ProtocolVersion: s.opts.ProtocolVersion})
		if err == nil && ctx.Err() != nil {
			session.Close()
			err = context.Cause(ctx)
		}
		return err
	}, c.why.abandon)
	if err != nil {
		c.cancel(err)
		c.endProcess()
		if w := c.why.get(); w != nil && ctx.Err() == nil {
			err = w
		}
		if s.target.URL != "" {
			err = withHint(err)
		}
		return nil, fmt.Errorf("connecting to %s: %w", s.target, err)
	}
	c.session, c.catalog.session = session, session
	if caps := session.InitializeResult().Capabilities; caps != nil && caps.Tools != nil && caps.Tools.ListChanged {
		c.catalog.max = 0
	}
	go c.wait()
	return c, nil
}

// wait ends the connection when the SDK's has ended, or can't go on: the SDK
// still waits then for handlers of the server's own requests.
func (c *conn) wait() {
	waited := make(chan error, 1)
	go func() { waited <- c.session.Wait() }()
	var err error
	select {
	case err = <-waited:
	case <-c.why.ended:
	}
	if w := c.why.get(); w != nil {
		err = w
	}
	if err == nil {
		err = errors.New("the server ended the connection")
	}
	c.end(err)
}

// endHandlers has what handles the server's own requests, such as one that asks
// the user something, end with the connection.
func (c *conn) endHandlers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		ctx, cancel := c.within(ctx)
		defer cancel(nil)
		return next(ctx, method, req)
	}
}

// within returns a context that ends with the connection too.
func (c *conn) within(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}

// clientOptions adds the extension and the listeners for changed lists.
func (s *Server) clientOptions(c *conn) *mcp.ClientOptions {
	var o mcp.ClientOptions
	if s.opts.Client != nil {
		o = *s.opts.Client
	}
	if !s.opts.TextOnly {
		appclient.EnableClient(&o)
	}
	tools, prompts, resources := o.ToolListChangedHandler, o.PromptListChangedHandler, o.ResourceListChangedHandler
	o.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		c.catalog.invalidate()
		c.listChanged("notifications/tools/list_changed")
		if tools != nil {
			tools(ctx, req)
		}
	}
	o.PromptListChangedHandler = func(ctx context.Context, req *mcp.PromptListChangedRequest) {
		c.listChanged("notifications/prompts/list_changed")
		if prompts != nil {
			prompts(ctx, req)
		}
	}
	o.ResourceListChangedHandler = func(ctx context.Context, req *mcp.ResourceListChangedRequest) {
		c.listChanged("notifications/resources/list_changed")
		if resources != nil {
			resources(ctx, req)
		}
	}
	return &o
}

const closeTimeout = 10 * time.Second

// end closes the session and, with the reason, the bridges. What the program
// does in its callbacks is waited for, but not for long.
func (c *conn) end(reason error) {
	c.mu.Lock()
	if c.gone != nil {
		c.mu.Unlock()
		<-c.done
		return
	}
	c.gone = reason
	close(c.ended)
	bridges := c.bridges
	c.bridges = nil
	for _, t := range c.changed {
		t.Stop()
	}
	c.mu.Unlock()
	var closing sync.WaitGroup
	for b := range bridges {
		closing.Go(func() { b.lost(reason) })
	}
	c.cancel(fmt.Errorf("the server is gone: %w", reason))
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = within(ctx, c.session.Close, c.why.abandon)
	c.endProcess()
	close(c.exited)
	for b := range bridges {
		<-b.done
	}
	close(c.done)
	_ = within(ctx, func() error { closing.Wait(); return nil }, func() {})
}

// endProcess ends a command's process where the SDK left it running.
func (c *conn) endProcess() {
	if c.isCommand {
		c.why.abandon()
	}
}

// awaitProcess waits until the process of a connection that ends has ended. It
// is nothing for other targets, and for no connection.
func (c *conn) awaitProcess(ctx context.Context) error {
	if c == nil || !c.isCommand {
		return nil
	}
	select {
	case <-c.exited:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// listChanged notifies the views, at most once per second per list. A change
// during that second is notified at its end.
func (c *conn) listChanged(method string) {
	c.mu.Lock()
	t := c.changed[method]
	if t == nil {
		t = throttle.New(time.Second, func() { c.each(func(b *Bridge) { b.listChanged(method) }) })
		if c.changed == nil {
			c.changed = make(map[string]*throttle.Throttle)
		}
		c.changed[method] = t
	}
	gone := c.gone != nil
	c.mu.Unlock()
	if !gone {
		t.Call()
	}
}

func (c *conn) add(b *Bridge) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone != nil {
		return c.gone
	}
	c.bridges[b] = struct{}{}
	return nil
}

func (c *conn) remove(b *Bridge) {
	c.mu.Lock()
	delete(c.bridges, b)
	c.mu.Unlock()
}

func (c *conn) each(f func(*Bridge)) {
	c.mu.Lock()
	bridges := make([]*Bridge, 0, len(c.bridges))
	for b := range c.bridges {
		bridges = append(bridges, b)
	}
	c.mu.Unlock()
	for _, b := range bridges {
		f(b)
	}
}

// arguments encodes and completes the arguments of a tool that exists.
func (c *conn) arguments(ctx context.Context, tool string, args any) (json.RawMessage, *Tool, error) {
	raw, err := argsObject(args)
	if err != nil {
		return nil, nil, err
	}
	t, err := c.catalog.lookup(ctx, tool)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, fmt.Errorf("the server has no tool %q", tool)
	}
	return fillDefaults(t.InputSchemaJSON(), raw), t, nil
}

func (c *conn) call(ctx context.Context, tool string, args json.RawMessage, timeout time.Duration, progress func(json.RawMessage)) (json.RawMessage, error) {
	ctx, end := c.within(ctx)
	defer end(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the tool %q took longer than %v", tool, timeout))
	defer cancel()
	x := &exchange{progress: progress, rawOnly: true}
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	if progress != nil {
		x.token = newToken()
		params.Meta = mcp.Meta{"progressToken": x.token}
	}
	raw, err := do(ctx, x, func(ctx context.Context) (*mcp.CallToolResult, error) { return c.session.CallTool(ctx, params) })
	return raw, c.explain(ctx, err)
}

// codeRejected is the SDK's for one request that its transport could not send,
// on a connection that goes on.
const codeRejected = -32005

// explain replaces the error of a request by the reason why the connection is
// gone, if that is why it failed. The end is noticed by another goroutine, soon
// after.
func (c *conn) explain(ctx context.Context, err error) error {
	var rpcErr *jsonrpc.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &rpcErr) && !errors.Is(err, mcp.ErrConnectionClosed) {
		return err
	}
	var u unanswered
	if errors.As(err, &u) && errors.As(u.err, &rpcErr) && rpcErr.Code == codeRejected {
		return err
	}
	select {
	case <-c.ended:
		return fmt.Errorf("the server is gone: %w", c.gone)
	case <-time.After(500 * time.Millisecond):
		return err
	}
}
