package main

import (
	"context"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An upstream is the connection to one backend for clients of one kind. What it keeps
// of the backend's answers (package host keeps the list of tools, the SDK what has a
// time to live) is therefore never served to clients of the other kind.
type upstream struct {
	name    string
	target  host.Target
	options host.ConnectOptions
	changed func() // the backend's lists may have changed

	backoff  func(failures int) time.Duration
	patience time.Duration // with a list; then the one before is used

	mu        sync.Mutex
	conn      *host.Connection // nil before the first success
	attempt   chan struct{}    // closed when the current attempt to connect has ended; nil without one
	since     time.Time        // of the connection
	failures  int              // in a row
	down      error            // why the backend is not connected, nil while it is
	again     time.Time        // when it is made again
	closed    bool
	tools     []*host.Tool // the newest lists
	resources []*mcp.Resource
	templates []*mcp.ResourceTemplate
}

func newUpstream(name string, target host.Target, textOnly bool, changed func()) *upstream {
	u := &upstream{name: name, target: target, changed: changed, backoff: backoff, patience: 5 * time.Second}
	u.options = host.ConnectOptions{
		ClientInfo: &mcp.Implementation{Name: "gateway", Version: "1.0.0"},
		// What the client of the gateway declares is declared to the backend.
		TextOnly:      textOnly,
		KeepDocuments: true,
		Client: &mcp.ClientOptions{
			ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { changed() },
			ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed() },
		},
		StateChanged: u.stateChanged,
	}
	return u
}

// backoff is the pause before a backend that failed so often in a row is connected to
// again: 0.5 s, doubled each time, at most 30 s.
func backoff(failures int) time.Duration {
	return min(500*time.Millisecond<<min(failures-1, 10), 30*time.Second)
}

// connection returns the connection, and connects first where that is needed. After a failure
// it returns an error instead until the pause has passed.
func (u *upstream) connection(ctx context.Context) (*host.Connection, error) {
	for {
		u.mu.Lock()
		wait := time.Until(u.again)
		switch {
		case u.closed:
			defer u.mu.Unlock()
			return nil, fmt.Errorf("backend %q: the gateway ends", u.name)
		case u.down == nil && u.conn != nil:
			defer u.mu.Unlock()
			return u.conn, nil
		case u.down != nil && wait > 0:
			defer u.mu.Unlock()
			return nil, fmt.Errorf("backend %q (%s) is down: %w; the gateway connects to it again within %v, then try again",
				u.name, u.target, u.down, wait.Truncate(time.Second)+time.Second)
		case u.attempt == nil:
			u.attempt = make(chan struct{})
			go u.dial(u.conn)
		}
		attempt := u.attempt
		u.mu.Unlock()
		select {
		case <-attempt:
		case <-ctx.Done():
			return nil, fmt.Errorf("backend %q (%s) does not answer: %w", u.name, u.target, context.Cause(ctx))
		}
	}
}

// dial connects, at first or again. Whoever asked for it may no longer wait.
func (u *upstream) dial(conn *host.Connection) {
	var err error
	if conn == nil {
		conn, err = host.Connect(context.Background(), u.target, &u.options)
	} else if _, err = conn.Tools(context.Background()); conn.Err() == nil {
		err = nil // a host.Connection connects when it is used; the list itself may fail
	}
	if err != nil {
		u.lost(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.conn = conn; u.closed && conn != nil {
		go conn.Close()
	}
	close(u.attempt)
	u.attempt = nil
}

// stateChanged is told by package host that the connection was made or lost.
func (u *upstream) stateChanged(err error) {
	if err != nil {
		u.lost(err)
		return
	}
	u.mu.Lock()
	u.down, u.since = nil, time.Now()
	u.mu.Unlock()
	log.Printf("backend %q: connected", u.name)
	u.changed()
}

// lost notes a failure, and connects again after a pause, whether a client asks for
// it or not: clients learn of new lists then.
func (u *upstream) lost(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return
	}
	if u.down == nil && time.Since(u.since) > time.Minute {
		u.failures = 0
	}
	u.failures++
	pause := u.backoff(u.failures)
	u.down, u.again = err, time.Now().Add(pause)
	log.Printf("backend %q: %v; connecting again in %v", u.name, err, pause)
	time.AfterFunc(pause, func() { _, _ = u.connection(context.Background()) })
}

func (u *upstream) close() {
	u.mu.Lock()
	conn := u.conn
	u.closed = true
	u.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// hello returns what the backend says of itself, nil while it is down.
func (u *upstream) hello() *mcp.InitializeResult {
	u.mu.Lock()
	conn := u.conn
	u.mu.Unlock()
	if conn != nil {
		if s := conn.Session(); s != nil {
			return s.InitializeResult()
		}
	}
	return nil
}
