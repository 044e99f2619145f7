package host

import (
	"context"
	"encoding/json"
	"errors"
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

	dialing sync.Mutex // one dial at a time
	mu      sync.Mutex
	conn    *conn
	lost    error
	closed  bool
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

// Restart ends the connection and makes it anew: a command is started again. If
// that fails the connection is lost.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	c := s.conn
	s.conn = nil
	s.mu.Unlock()
	if c != nil {
		c.end(errors.New("the server is restarted"))
	}
	_, err := s.connection(ctx)
	if err != nil && c != nil && !errors.Is(err, errServerClosed) {
		s.tell(err)
	}
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
