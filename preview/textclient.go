package preview

import (
	"sync"

	"github.com/mcpapps-go/mcpapps/host"
)

// A textClient is a second connection, for the client without views, made when
// the page first asks for it.
type textClient struct {
	connect func() (*host.Server, error)

	mu     sync.Mutex
	conn   *host.Server
	closed bool
}

func (c *textClient) get() (*host.Server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, host.ErrConnectionClosed
	}
	if c.conn != nil {
		return c.conn, nil
	}
	conn, err := c.connect()
	c.conn = conn
	return conn, err
}

func (c *textClient) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.conn != nil {
		c.conn.Close()
	}
}
