package preview

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpapps-go/mcpapps/host"
)

// A client is what the server is connected to as.
type client int

const (
	withViews client = iota
	textOnly
)

// The reasons why a turn ends.
var turnReasons = [2]error{
	withViews: errors.New("the command runs once at a time, and now for the client with views"),
	textOnly:  errors.New("the command runs once at a time, and now for the client without views"),
}

// turns are the connections to the server: one as a client with views, and one
// as a client without, made when the page first asks for it.
//
// A command runs once at a time, since a second process of it may need what the
// first holds, such as a lock or a port: its two connections take turns, and a
// new turn ends the process of the other. The other kinds of target serve both
// connections at once.
type turns struct {
	exclusive   bool // the target is a command
	connectText func(context.Context) (*host.Connection, error)
	changed     func() // is called on a goroutine when the turn has changed

	mu     sync.Mutex // held while the turn changes, which may take a while
	conns  [2]*host.Connection
	turn   client
	closed bool

	uses    sync.WaitGroup
	usesMu  sync.Mutex
	cancels map[*context.CancelCauseFunc]struct{}
}

// A use of a connection keeps the turn from changing until done is called. ctx
// ends when the turn is to change. Once done, nothing may be asked of conn that
// could make a connection.
type use struct {
	conn *host.Connection
	ctx  context.Context
	done func()
}

// use takes the client's turn and returns its connection.
func (c *turns) use(ctx context.Context, as client) (use, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return use{}, host.ErrConnectionClosed
	}
	if c.exclusive && c.turn != as {
		c.endTurn(turnReasons[as])
		c.turn = as
		go c.changed()
	}
	if c.conns[as] == nil {
		conn, err := c.connectText(ctx)
		if err != nil {
			return use{}, fmt.Errorf("connecting as a client without views: %w", err)
		}
		c.conns[as] = conn
	}
	return c.begin(ctx, c.conns[as]), nil
}

// useInTurn is use, but does not take the turn from the other client.
func (c *turns) useInTurn(ctx context.Context, as client) (u use, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.conns[as] == nil || c.exclusive && c.turn != as {
		return use{}, false
	}
	return c.begin(ctx, c.conns[as]), true
}

func (c *turns) begin(ctx context.Context, conn *host.Connection) use {
	ctx, cancel := context.WithCancelCause(ctx)
	c.uses.Add(1)
	c.usesMu.Lock()
	if c.cancels == nil {
		c.cancels = make(map[*context.CancelCauseFunc]struct{})
	}
	c.cancels[&cancel] = struct{}{}
	c.usesMu.Unlock()
	return use{conn, ctx, sync.OnceFunc(func() {
		c.usesMu.Lock()
		delete(c.cancels, &cancel)
		c.usesMu.Unlock()
		c.uses.Done()
	})}
}

// endTurn cancels the uses of the connection whose turn it is, and ends it. c.mu
// is held.
func (c *turns) endTurn(reason error) {
	c.usesMu.Lock()
	for cancel := range c.cancels {
		(*cancel)(reason)
	}
	c.usesMu.Unlock()
	c.uses.Wait()
	if conn := c.conns[c.turn]; conn != nil {
		conn.Disconnect(reason)
	}
}

// now returns the connection whose turn it is, which is the one with views where
// both are served at once, and what the page says of that.
func (c *turns) now() (*host.Connection, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == textOnly && c.conns[textOnly] != nil {
		return c.conns[textOnly], "runs for the client without views; it is started again for a view"
	}
	return c.conns[withViews], ""
}

// close ends both connections.
func (c *turns) close() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, conn := range c.conns {
		if conn != nil {
			err = errors.Join(err, conn.Close())
		}
	}
	return err
}
