package host

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A pool bounds how many requests of a view run at once; the others wait for
// their turn. A bridge has one for requests that are at the server and one for
// requests that are in a callback of the program, so that a person who takes
// time to answer a question does not delay requests that ask no question.
// Bridge.mu guards it.
type pool struct {
	running int
	waiting []*ticket
}

// A ticket is a request that waits for its turn.
type ticket struct{ begin func() }

// tooMany returns the error for a further request if the pool is full, else nil.
func (p *pool) tooMany(l *Limits) *jsonrpc.Error {
	if p.running < l.Calls || len(p.waiting) < l.Waiting {
		return nil
	}
	return denied("too many requests at once: %d run and %d wait", l.Calls, l.Waiting)
}

// enter begins t, now or when its turn comes.
func (p *pool) enter(l *Limits, t *ticket) {
	if p.running >= l.Calls {
		p.waiting = append(p.waiting, t)
		return
	}
	p.running++
	t.begin()
}

// leave gives the place of a request that ended to the next.
func (p *pool) leave() {
	if len(p.waiting) == 0 {
		p.running--
		return
	}
	next := p.waiting[0]
	p.waiting = p.waiting[1:]
	next.begin()
}

// withdraw removes t if it still waits, and reports whether it did.
func (p *pool) withdraw(t *ticket) bool {
	i := slices.Index(p.waiting, t)
	if i < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	return true
}

// inProgram runs a callback of the program for a request that then goes to the
// server. Meanwhile the request occupies no place of those at the server.
func (b *Bridge) inProgram(ctx context.Context, in *incoming, callback func() error) error {
	if err := b.move(ctx, in, &b.programPool); err != nil {
		return err
	}
	if err := callback(); err != nil {
		return err
	}
	return b.move(ctx, in, &b.serverPool)
}

// move releases a request's place in its pool and waits for one in another. If it
// fails, the request has no place.
func (b *Bridge) move(ctx context.Context, in *incoming, to *pool) error {
	turn := make(chan struct{})
	t := &ticket{begin: func() { close(turn) }}
	b.mu.Lock()
	in.pool.leave()
	in.pool = nil
	if err := to.tooMany(&b.opts.Limits); err != nil {
		b.mu.Unlock()
		return err
	}
	to.enter(&b.opts.Limits, t)
	b.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
		b.mu.Lock()
		waited := to.withdraw(t)
		b.mu.Unlock()
		if waited {
			return context.Cause(ctx)
		}
	}
	b.mu.Lock()
	in.pool = to
	b.mu.Unlock()
	return nil
}
