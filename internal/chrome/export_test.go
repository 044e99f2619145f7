package chrome

import (
	"context"
	"sync/atomic"
)

type Start = startFunc

// Measured is like start, and keeps the length of the longest message of the browser.
func Measured(start Start, longest *atomic.Int64) Start {
	return func(ctx context.Context, path string) (*process, conn, error) {
		p, c, err := start(ctx, path)
		return p, &measuredConn{c, longest}, err
	}
}

type measuredConn struct {
	conn
	longest *atomic.Int64
}

func (c *measuredConn) read() ([]byte, error) {
	msg, err := c.conn.read()
	c.longest.Store(max(c.longest.Load(), int64(len(msg))))
	return msg, err
}

// The two ways to a browser, each of which works on Linux.
var (
	OverPipe   = startOverPipe
	OverPort   = startOverPort
	LaunchOver = launch
)

var RemoveStale = removeStale

// CloseUnused closes the shared browser when nobody uses it, as on Windows, until the
// function is called.
func CloseUnused() (end func()) {
	before := closeUnused
	closeUnused = true
	return func() { closeUnused = before }
}

// ForgetFailure forgets that the shared browser did not start.
func ForgetFailure() { shared.err = nil }
