package preview

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpapps-go/mcpapps/host"
)

// A client is the kind of client as which the preview connects to the server.
type client int

const (
	withViews client = iota
	textOnly
)

// The reasons why a turn ends, by the client that takes the next one.
var turnReasons = [2]error{
	withViews: errors.New("the preview runs one process of the command at a time, now for the client with views"),
	textOnly:  errors.New("the preview runs one process of the command at a time, now for the client without views"),
}

// turns holds the connections to the server: one as a client with views, and one as
// a client without, which is made when the page first needs it.
//
// Only one process of a command runs at a time, since a second one may need what the
// first holds, such as a lock or a port. Its two connections take turns, and a new
// turn ends the process of the other. Other targets serve both connections at once.
type turns struct {
	exclusive   bool // the target is a command
	connectText func(context.Context) (*host.Connection, error)
	changed     func()             // called on its own goroutine when the turn has changed
	used        func(changed bool) // called before each use

	mu     sync.Mutex // held while the turn changes, which may take a while
	conns  [2]*host.Connection
	turn   client
	closed bool

	uses    sync.WaitGroup
	usesMu  sync.Mutex
	cancels map[*context.CancelCauseFunc]struct{}
}

// A use of a connection delays a change of the turn until done is called. ctx ends
// when the turn is about to change. After done, conn must not be used for anything
// that could connect.
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
	changes := c.exclusive && c.turn != as
	if changes {
		c.endTurn(turnReasons[as])
		c.turn = as
		go c.changed()
	}
	c.used(changes)
	if c.conns[as] == nil {
		conn, err := c.connectText(ctx)
		if err != nil {
			return use{}, fmt.Errorf("connecting as a client without views: %w", err)
		}
		c.conns[as] = conn
	}
	return c.begin(ctx, c.conns[as]), nil
}

// useInTurn is like use, but does not take the turn from the other client.
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

// endTurn cancels the uses of the connection that has the turn, and ends it. c.mu
// must be held.
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

// current returns the connection that has the turn, and what the page shows about
// it. If both clients are served at once, that is the one with views.
func (c *turns) current() (*host.Connection, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == textOnly && c.conns[textOnly] != nil {
		return c.conns[textOnly], "runs for the client without views; the next view restarts it"
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
