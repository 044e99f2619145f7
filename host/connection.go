package host

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Server is a connection to one server that is made again after it was lost.
// What one server does, or fails to do, touches no other.
//
// The connection is made again when something is next asked of it, not before.
// The bridges of the views that it had are closed then and are not coming back,
// since the server may have forgotten what they knew: open them again.
type Server struct {
	target Target
	opts   Options

	ctx     context.Context // ends with Close
	cancel  context.CancelCauseFunc
	dialing lock // one dial at a time

	mu     sync.Mutex
	conn   *conn
	last   *conn // the newest, whether it has ended or not
	lost   error
	closed bool

	disconnected bool    // on purpose, and StateChanged was not called since
	states       []error // for StateChanged
	telling      bool    // StateChanged runs
}

// Connect connects to a server. Its error says what to do about it where that
// can be known. Close the Server when done with it.
func Connect(ctx context.Context, t Target, opts *Options) (*Server, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	t.Header = t.Header.Clone()
	s := &Server{target: t, dialing: newLock()}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	if opts != nil {
		s.opts = *opts
	}
	s.opts = s.opts.withDefaults()
	if _, err := s.connection(ctx); err != nil {
		s.cancel(err)
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

// ErrConnectionClosed is the error of everything that is asked of a server after
// [Server.Close], and the reason why its bridges closed then.
var ErrConnectionClosed = errors.New("the server's connection is closed")

// connection returns the present connection and makes one if there is none.
func (s *Server) connection(ctx context.Context) (*conn, error) {
	if c, err := s.present(); c != nil || err != nil {
		return c, err
	}
	if err := s.dialing.take(ctx, s.ctx); err != nil {
		return nil, err
	}
	c, err := s.present() // somebody else made it meanwhile
	if c == nil && err == nil {
		c, err = s.redial(ctx)
	}
	s.dialing.release()
	s.tell()
	return c, err
}

// present returns the connection if there is one that has not ended.
func (s *Server) present() (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrConnectionClosed
	}
	if s.conn == nil {
		return nil, nil
	}
	select {
	case <-s.conn.ended: // and being cleaned up
		s.lose(s.conn)
		return nil, nil
	default:
		return s.conn, nil
	}
}

func (s *Server) redial(ctx context.Context) (*conn, error) {
	dialCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(s.ctx, func() { cancel(ErrConnectionClosed) })
	defer stop()
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	// Two processes of one command can be in each other's way: one holds a lock or
	// a port that the other needs.
	if err := last.awaitProcess(dialCtx); err != nil {
		return nil, err
	}
	c, err := s.dial(dialCtx)
	s.mu.Lock()
	if err != nil {
		if s.disconnected {
			s.states = append(s.states, err)
		}
		s.disconnected = false
		s.lost = err
		s.mu.Unlock()
		return nil, err
	}
	if s.closed {
		s.mu.Unlock()
		c.end(ErrConnectionClosed)
		return nil, ErrConnectionClosed
	}
	s.conn, s.last, s.lost, s.disconnected = c, c, nil, false
	s.states = append(s.states, nil)
	s.mu.Unlock()
	go s.watch(c)
	return c, nil
}

// watch takes note of the end of a connection.
func (s *Server) watch(c *conn) {
	<-c.ended
	s.mu.Lock()
	s.lose(c)
	s.mu.Unlock()
	s.tell()
}

// lose takes note that c has ended, once. s.mu is held.
func (s *Server) lose(c *conn) {
	if s.conn == c {
		s.conn, s.lost = nil, c.gone
		s.states = append(s.states, c.gone)
	}
}

// tell calls StateChanged for each change of state, in order, one at a time and
// without the lock, so that it may use the server.
func (s *Server) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.telling {
		return
	}
	for len(s.states) > 0 {
		state := s.states[0]
		s.states = s.states[1:]
		if s.opts.StateChanged != nil && !s.closed {
			s.tellOne(state)
		}
	}
}

// tellOne calls StateChanged. s.mu is held before and after, also where the
// callback panics and somebody recovers.
func (s *Server) tellOne(state error) {
	s.telling = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.telling = false
	}()
	s.opts.StateChanged(state)
}

// Restart ends the connection and makes it anew: a command is started again. If
// that fails the connection is lost.
func (s *Server) Restart(ctx context.Context) error {
	s.Disconnect(errors.New("the server is restarted"))
	_, err := s.connection(ctx)
	return err
}

// Disconnect ends the connection until something is next asked of the server,
// and closes its bridges with the reason; nil is [ErrConnectionClosed]. It returns
// when a command's process has ended.
func (s *Server) Disconnect(reason error) {
	if reason == nil {
		reason = ErrConnectionClosed
	}
	s.mu.Lock()
	c, last := s.conn, s.last
	s.conn = nil
	s.disconnected = s.disconnected || c != nil
	s.mu.Unlock()
	if c != nil {
		c.end(reason)
	}
	_ = last.awaitProcess(context.Background()) // one that was lost may still be ending
}

// Close ends the connection and closes its bridges.
func (s *Server) Close() error {
	s.mu.Lock()
	c := s.conn
	s.closed, s.conn = true, nil
	s.mu.Unlock()
	s.cancel(ErrConnectionClosed)
	if c != nil {
		c.end(ErrConnectionClosed)
	}
	return nil
}

// Tools returns the server's tools, from the list that is kept until the server
// says that it changed. The tools are shared: don't change them.
func (s *Server) Tools(ctx context.Context) ([]*Tool, error) {
	c, err := s.connection(ctx)
	if err != nil {
		return nil, err
	}
	tools, err := c.catalog.list(ctx)
	return slices.Clone(tools), err
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
// sent it. Arguments are anything that encodes to a JSON object, nil and an empty
// [json.RawMessage] being {}; the schema's defaults are filled in.
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
