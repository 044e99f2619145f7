package host

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Connection is a connection to one server. What one server does, or fails to
// do, does not affect another.
//
// A connection that was lost is made again by the next method that needs it, and
// not before. The bridges of its views are closed when it is lost and stay
// closed, since the server may have lost their state: open the views again.
type Connection struct {
	target Target
	opts   ConnectOptions

	ctx     context.Context // ends with Close
	cancel  context.CancelCauseFunc
	dialing lock // one dial at a time
	pings   pings

	mu     sync.Mutex
	now    *session // nil while the connection is lost
	last   *session // the newest, whether it has ended or not
	lost   error    // why
	closed bool

	disconnected bool    // on purpose, and not connected again since
	states       []error // for StateChanged
	telling      bool    // StateChanged is running
}

// Connect connects to a server. Its error names a remedy where one is known. Close
// the Connection when done with it.
func Connect(ctx context.Context, t Target, opts *ConnectOptions) (*Connection, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	t.Header = t.Header.Clone()
	c := &Connection{target: t, dialing: newLock()}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	if opts != nil {
		c.opts = *opts
	}
	c.opts = c.opts.withDefaults()
	if _, err := c.connected(ctx); err != nil {
		c.cancel(err)
		return nil, err
	}
	return c, nil
}

// Target returns the target that the connection was made to.
func (c *Connection) Target() Target { return c.target }

// Session returns the current session of the SDK, nil while the connection is
// lost.
func (c *Connection) Session() *mcp.ClientSession {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil
	}
	return c.now.sdk
}

// Err returns the reason why the connection is lost, nil while it is not.
func (c *Connection) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// ErrConnectionClosed is the error of every method of a connection after
// [Connection.Close], and the reason with which that closes its bridges.
var ErrConnectionClosed = errors.New("the connection to the server is closed")

// connected returns the current session and makes one if there is none.
func (c *Connection) connected(ctx context.Context) (*session, error) {
	if s, err := c.current(); s != nil || err != nil {
		return s, err
	}
	if err := c.dialing.take(ctx, c.ctx); err != nil {
		return nil, err
	}
	s, err := c.current() // another goroutine may have made it meanwhile
	if s == nil && err == nil {
		s, err = c.redial(ctx)
	}
	c.dialing.release()
	c.tell()
	return s, err
}

// current returns the session, nil if there is none or it has ended.
func (c *Connection) current() (*session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrConnectionClosed
	}
	if c.now == nil {
		return nil, nil
	}
	select {
	case <-c.now.ended: // watch has not noticed it yet
		c.lose(c.now)
		return nil, nil
	default:
		return c.now, nil
	}
}

func (c *Connection) redial(ctx context.Context) (*session, error) {
	dialCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.ctx, func() { cancel(ErrConnectionClosed) })
	defer stop()
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	// Two processes of one command can be in each other's way: one holds a lock or
	// a port that the other needs.
	if err := last.awaitProcess(dialCtx); err != nil {
		return nil, err
	}
	s, err := c.dial(dialCtx)
	c.mu.Lock()
	if err != nil {
		if c.disconnected {
			c.states = append(c.states, err)
		}
		c.disconnected = false
		c.lost = err
		c.mu.Unlock()
		return nil, err
	}
	if c.closed {
		c.mu.Unlock()
		s.end(ErrConnectionClosed)
		return nil, ErrConnectionClosed
	}
	c.now, c.last, c.lost, c.disconnected = s, s, nil, false
	c.states = append(c.states, nil)
	c.mu.Unlock()
	go c.watch(s)
	return s, nil
}

// watch waits for the end of a session.
func (c *Connection) watch(s *session) {
	<-s.ended
	c.mu.Lock()
	c.lose(s)
	c.mu.Unlock()
	c.tell()
}

// lose records that s has ended, once. c.mu is held.
func (c *Connection) lose(s *session) {
	if c.now == s {
		c.now, c.lost = nil, s.gone
		c.states = append(c.states, s.gone)
	}
}

// tell calls StateChanged for each change of state, in order, one at a time and
// without the lock, so that it may use the connection.
func (c *Connection) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.telling {
		return
	}
	for len(c.states) > 0 {
		state := c.states[0]
		c.states = c.states[1:]
		if c.opts.StateChanged != nil && !c.closed {
			c.tellOne(state)
		}
	}
}

// tellOne calls StateChanged. c.mu is held before and after, also if the callback
// panics and a caller recovers.
func (c *Connection) tellOne(state error) {
	c.telling = true
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.telling = false
	}()
	c.opts.StateChanged(state)
}

// Restart ends the connection and connects again: a command is started again. If
// that fails, the connection is lost.
func (c *Connection) Restart(ctx context.Context) error {
	c.Disconnect(errors.New("the server is restarted"))
	_, err := c.connected(ctx)
	return err
}

// Disconnect ends the connection until a method next needs it, and closes its
// bridges with the reason; nil means [ErrConnectionClosed]. It returns when the
// process of a command has ended.
func (c *Connection) Disconnect(reason error) {
	if reason == nil {
		reason = ErrConnectionClosed
	}
	c.mu.Lock()
	s, last := c.now, c.last
	c.now = nil
	c.disconnected = true
	c.mu.Unlock()
	if s != nil {
		s.end(reason)
	}
	_ = last.awaitProcess(context.Background()) // that of a lost connection may still be ending
}

// Close ends the connection and closes its bridges. It returns when the process of
// a command has ended, or after 20 s. Further calls wait for that too.
func (c *Connection) Close() error {
	c.mu.Lock()
	s, last := c.now, c.last
	c.closed, c.now = true, nil
	c.mu.Unlock()
	c.cancel(ErrConnectionClosed)
	if s != nil {
		s.end(ErrConnectionClosed)
	}
	if len(c.target.Command) > 0 {
		c.awaitProcesses(last)
	}
	return nil
}

// awaitProcesses waits for the process of a dial in progress, which was cancelled,
// and for that of the last session, which another goroutine may be ending.
func (c *Connection) awaitProcesses(last *session) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*closeTimeout)
	defer cancel()
	if c.dialing.take(ctx) == nil {
		c.dialing.release()
	}
	_ = last.awaitProcess(ctx)
}
