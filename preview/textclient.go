package host

import "sync"

// A textClient is a second connection, for the client without views, made when
// the page first asks for it.
type textClient struct {
	connect func() (*Server, error)

	mu     sync.Mutex
	server *Server
	closed bool
}

func (c *textClient) get() (*Server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errServerClosed
	}
	if c.server != nil {
		return c.server, nil
	}
	server, err := c.connect()
	c.server = server
	return server, err
}

func (c *textClient) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.server != nil {
		c.server.Close()
	}
}
