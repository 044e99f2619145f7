package host

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// onSession runs f on the current session, and makes one if there is none. If f's
// request was refused because the server lost the session, it runs f once more, on a
// new session: a server over HTTP loses its sessions when it is started again.
func (c *Connection) onSession(ctx context.Context, f func(*session) error) error {
	for again := false; ; again = true {
		s, err := c.connected(ctx)
		if err != nil {
			return err
		}
		if err = f(s); again || !isRefused(err) {
			return err
		}
		select {
		case <-s.ended:
		case <-time.After(s.endNotice): // its connection has failed, and the SDK has not noticed
			s.why.set(err)
			<-s.ended
		case <-ctx.Done():
			return err
		}
	}
}

// pings is what is known of how the server of a connection answers a ping.
type pings struct {
	mu       sync.Mutex
	answered bool // at least once
	refused  int  // times, with 404
	silent   bool
}

// useless reports whether the server does not support ping. Some answer a method that
// they do not know with 404, which means a lost session.
func (p *pings) useless() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.silent || !p.answered && p.refused > 1
}

func (p *pings) note(err error, silent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case isRefused(err):
		p.refused++
	case silent:
		p.silent = true
	default:
		p.answered = true
	}
}

// ping fails if the server lost the session. A view can't be moved to another
// session, so that is found out before it is opened. Only servers over HTTP lose
// sessions without losing the connection.
func (c *Connection) ping(ctx context.Context, s *session) error {
	if s.sdk.ID() == "" || c.pings.useless() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	_, err := do(ctx, &exchange{}, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.sdk.Ping(ctx, &mcp.PingParams{})
	})
	c.pings.note(err, ctx.Err() != nil)
	if isRefused(err) {
		return err
	}
	return nil
}
