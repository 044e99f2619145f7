package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// Options say how [Connect] connects. A nil pointer and zero fields mean the
// defaults.
type Options struct {
	// ClientInfo names the program to the server. Default: this package.
	ClientInfo *mcp.Implementation
	// Client configures the SDK's client: capabilities, and the handlers for
	// what a server asks of it, such as ElicitationHandler and
	// CreateMessageHandler. It is copied; the MCP Apps capability is added.
	Client *mcp.ClientOptions
	// TextOnly connects without the MCP Apps capability, to see what a client
	// gets that can't show views.
	TextOnly bool
	// ProtocolVersion asks for a version of MCP; "" for the newest.
	ProtocolVersion string

	// MessageBytes bounds one message of the server; a larger one ends the
	// connection. Default 16 MiB.
	MessageBytes int
	// DocumentBytes bounds the HTML of an app. Default 8 MiB.
	DocumentBytes int64
	// ConnectTimeout bounds the start of a server and the handshake. Default 30 s.
	ConnectTimeout time.Duration
	// CallTimeout bounds a tool call that [Server.Call] makes. Default 5 min:
	// room for long polls, and for servers that ask the user something.
	CallTimeout time.Duration
	// ListTimeout, ListPages and ListItems bound the list of tools. Defaults
	// 30 s, 100 and 10,000.
	ListTimeout time.Duration
	ListPages   int
	ListItems   int

	// Stderr gets the standard error of a command; nil drops it.
	Stderr io.Writer
	// Stdout gets, with a line end each, the lines on the standard output of a
	// command that are no messages, shortened; nil drops them.
	Stdout io.Writer
	// StateChanged is told when the connection is made (nil) and lost (why).
	StateChanged func(error)
}

func (o Options) withDefaults() Options {
	if o.ClientInfo == nil {
		o.ClientInfo = &mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}
	}
	if o.MessageBytes <= 0 {
		o.MessageBytes = 16 << 20
	}
	if o.DocumentBytes <= 0 {
		o.DocumentBytes = 8 << 20
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = 30 * time.Second
	}
	if o.CallTimeout <= 0 {
		o.CallTimeout = 5 * time.Minute
	}
	return o
}

func (o *Options) stray(line string) {
	if o.Stdout != nil {
		fmt.Fprintln(o.Stdout, line)
	}
}

// A Server is a connection to one server that is made again after it was lost.
// What one server does, or fails to do, touches no other.
//
// The connection is made again when something is next asked of it, not before.
// The bridges of the views that it had are closed then and are not coming back,
// since the server may have forgotten what they knew: open them again.
type Server struct {
	target Target
	opts   Options

	dialing sync.Mutex // one dial at a time
	mu      sync.Mutex
	conn    *conn
	lost    error
	closed  bool
}

// A conn is one connection of a Server.
type conn struct {
	session *mcp.ClientSession
	catalog *catalog
	done    chan struct{}

	ended chan struct{} // closed before done, when gone is set

	mu      sync.Mutex
	bridges map[*Bridge]struct{}
	gone    error
}

// Connect connects to a server. Its error says what to do about it where that
// can be known. Close the Server when done with it.
func Connect(ctx context.Context, t Target, opts *Options) (*Server, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	s := &Server{target: t}
	if opts != nil {
		s.opts = *opts
	}
	s.opts = s.opts.withDefaults()
	if _, err := s.connection(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Target returns where the server is.
func (s *Server) Target() Target { return s.target }

// Session returns the present session, nil while the connection is lost.
func (s *Server) Session() *mcp.ClientSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	return s.conn.session
}

// Err returns why the connection is lost, nil while it is not.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// connection returns the present connection and makes one if there is none.
func (s *Server) connection(ctx context.Context) (*conn, error) {
	s.dialing.Lock()
	defer s.dialing.Unlock()
	s.mu.Lock()
	c, closed := s.conn, s.closed
	s.mu.Unlock()
	if closed {
		return nil, errServerClosed
	}
	if c != nil {
		select {
		case <-c.ended: // and being cleaned up
		default:
			return c, nil
		}
	}
	c, err := s.dial(ctx)
	s.mu.Lock()
	if err != nil {
		s.lost = err
		s.mu.Unlock()
		return nil, err
	}
	if s.closed {
		s.mu.Unlock()
		c.end(errServerClosed)
		return nil, errServerClosed
	}
	s.conn, s.lost = c, nil
	s.mu.Unlock()
	go s.watch(c)
	s.tell(nil)
	return c, nil
}

var errServerClosed = errors.New("the server's connection is closed")

func (s *Server) tell(err error) {
	if s.opts.StateChanged != nil {
		s.opts.StateChanged(err)
	}
}

func (s *Server) dial(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.ConnectTimeout,
		fmt.Errorf("no answer to the handshake within %v", s.opts.ConnectTimeout))
	defer cancel()
	c := &conn{done: make(chan struct{}), ended: make(chan struct{}), bridges: make(map[*Bridge]struct{})}
	c.catalog = newCatalog(nil, listBounds{pages: s.opts.ListPages, items: s.opts.ListItems, timeout: s.opts.ListTimeout})
	transport, err := s.target.transport(ctx, &s.opts)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", s.target, err)
	}
	var why endReason
	client := mcp.NewClient(s.opts.ClientInfo, s.clientOptions(c))
	var session *mcp.ClientSession
	// The SDK waits for a mute peer longer than the context allows.
	err = within(ctx, func() (err error) {
		session, err = client.Connect(ctx, endTransport{transport, &why}, &mcp.ClientSessionOptions{ProtocolVersion: s.opts.ProtocolVersion})
		if err == nil && ctx.Err() != nil {
			session.Close()
			err = context.Cause(ctx)
		}
		return err
	}, func() { why.abandon() })
	if err != nil {
		if w := why.get(); w != nil && ctx.Err() == nil {
			err = w
		}
		return nil, fmt.Errorf("connecting to %s: %w", s.target, err)
	}
	c.session, c.catalog.session = session, session
	if caps := session.InitializeResult().Capabilities; caps != nil && caps.Tools != nil && caps.Tools.ListChanged {
		c.catalog.max = 0
	}
	go func() {
		err := session.Wait()
		if w := why.get(); w != nil {
			err = w
		}
		if err == nil {
			err = errors.New("the server ended the connection")
		}
		c.end(err)
	}()
	return c, nil
}

// clientOptions adds the extension and the listeners for changed lists.
func (s *Server) clientOptions(c *conn) *mcp.ClientOptions {
	var o mcp.ClientOptions
	if s.opts.Client != nil {
		o = *s.opts.Client
	}
	if !s.opts.TextOnly {
		mcpapps.EnableClient(&o)
	}
	tools, prompts, resources := o.ToolListChangedHandler, o.PromptListChangedHandler, o.ResourceListChangedHandler
	o.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		c.catalog.invalidate()
		c.each(func(b *Bridge) { b.listChanged("notifications/tools/list_changed") })
		if tools != nil {
			tools(ctx, req)
		}
	}
	o.PromptListChangedHandler = func(ctx context.Context, req *mcp.PromptListChangedRequest) {
		c.each(func(b *Bridge) { b.listChanged("notifications/prompts/list_changed") })
		if prompts != nil {
			prompts(ctx, req)
		}
	}
	o.ResourceListChangedHandler = func(ctx context.Context, req *mcp.ResourceListChangedRequest) {
		c.each(func(b *Bridge) { b.listChanged("notifications/resources/list_changed") })
		if resources != nil {
			resources(ctx, req)
		}
	}
	return &o
}

// watch takes note of the end of a connection.
func (s *Server) watch(c *conn) {
	<-c.ended
	s.mu.Lock()
	mine := s.conn == c
	if mine {
		s.conn, s.lost = nil, c.gone
	}
	closed := s.closed
	s.mu.Unlock()
	if mine && !closed {
		s.tell(c.gone)
	}
}

// Restart ends the connection and makes it anew: a command is started again.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	c := s.conn
	s.conn = nil
	s.mu.Unlock()
	if c != nil {
		c.end(errors.New("the server is restarted"))
	}
	_, err := s.connection(ctx)
	return err
}

// Close ends the connection and closes its bridges.
func (s *Server) Close() error {
	s.mu.Lock()
	c := s.conn
	s.closed, s.conn = true, nil
	s.mu.Unlock()
	if c != nil {
		c.end(errServerClosed)
	}
	return nil
}

// end closes the session and, with the reason, the bridges.
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
	c.mu.Unlock()
	var closing sync.WaitGroup
	for b := range bridges {
		closing.Go(func() { b.lost(reason) })
	}
	_ = c.session.Close()
	closing.Wait()
	close(c.done)
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

// Tools returns the server's tools, from the list that is kept until the server
// says that it changed.
func (s *Server) Tools(ctx context.Context) ([]*Tool, error) {
	c, err := s.connection(ctx)
	if err != nil {
		return nil, err
	}
	return c.catalog.list(ctx)
}

// ModelTools returns the tools that the model may see, for the agent's tool
// list: the others are for views alone (MCP Apps, Visibility).
func (s *Server) ModelTools(ctx context.Context) ([]*mcp.Tool, error) {
	all, err := s.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var tools []*mcp.Tool
	for _, t := range all {
		if t.VisibleToModel {
			tools = append(tools, t.Tool)
		}
	}
	return tools, nil
}

// Call calls a tool for the model and returns the CallToolResult as the server
// sent it. Arguments are anything that encodes to a JSON object; the schema's
// defaults are filled in.
func (s *Server) Call(ctx context.Context, tool string, args any) (json.RawMessage, error) {
	c, err := s.connection(ctx)
	if err != nil {
		return nil, err
	}
	raw, _, err := c.arguments(ctx, tool, args)
	if err != nil {
		return nil, err
	}
	return c.call(ctx, tool, raw, s.opts.CallTimeout, nil)
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
	return fillDefaults(t.schema(), raw), t, nil
}

func (c *conn) call(ctx context.Context, tool string, args json.RawMessage, timeout time.Duration, progress func(json.RawMessage)) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the tool %q took longer than %v", tool, timeout))
	defer cancel()
	x := &exchange{progress: progress}
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	if progress != nil {
		x.token = newToken()
		params.Meta = mcp.Meta{"progressToken": x.token}
	}
	raw, err := do(ctx, x, func(ctx context.Context) (*mcp.CallToolResult, error) { return c.session.CallTool(ctx, params) })
	return raw, c.explain(ctx, err)
}

// explain replaces the error of a request by the reason why the connection is
// gone, if that is why it failed. The end is noticed by another goroutine, soon
// after.
func (c *conn) explain(ctx context.Context, err error) error {
	var rpcErr *jsonrpc.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &rpcErr) && !errors.Is(err, mcp.ErrConnectionClosed) {
		return err
	}
	select {
	case <-c.ended:
		return fmt.Errorf("the server is gone: %w", c.gone)
	case <-time.After(500 * time.Millisecond):
		return err
	}
}
