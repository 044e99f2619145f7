// Package rpc sends MCP requests to a server and returns the results as raw JSON, so
// that rules can judge what the SDK would drop or reject. A [Conn] connects to a server
// in this process ([Memory]), a command ([Start]), a URL ([HTTP]) or any transport
// ([Transport]), or uses a session of the SDK ([Session]). A [Client] sends MCP
// requests over a Conn.
package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Conn sends requests to a server and returns the results unchanged. It is safe for
// concurrent use.
type Conn interface {
	// Call sends a request and waits for its result. The error is a
	// *jsonrpc.Error, one of this package's, or the context's.
	Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)
	// Notify sends a notification.
	Notify(ctx context.Context, method string, params map[string]any) error
	// StrayLines returns the first lines of the server's standard output that are not
	// messages, truncated to 1 KiB each.
	StrayLines() []string
	// Close ends the connection and the processes that were started for it.
	Close()
}

// A Forgetful connection opens a new session where the server has forgotten one.
type Forgetful interface {
	// Forgotten returns how many sessions the server has forgotten.
	Forgotten() int
}

// An Ending connection tells when it ends without having been closed.
type Ending interface {
	// Ended is closed when the connection has ended.
	Ended() <-chan struct{}
	// Failure returns why, once it has.
	Failure() error
}

// The errors of a request in addition to the server's own and the context's.
var (
	// ErrTimeout means that there was no answer in time.
	ErrTimeout = errors.New("no answer in time")
	// ErrSlow means that all requests together took too long.
	ErrSlow = fmt.Errorf("%w: all requests together take too long", ErrTimeout)
	// ErrFlood means that the server sent more than is read.
	ErrFlood = errors.New("the server sends more than is read")
	// ErrClosed means that the connection ended.
	ErrClosed = errors.New("the connection ended")

	errLong  = fmt.Errorf("%w: a message is longer than the limit", ErrFlood)
	errDense = fmt.Errorf("%w: a message has more than %d objects and lists", ErrFlood, maxValues)
	errMuch  = fmt.Errorf("%w: all messages together are %d times as long as one may be", ErrFlood, maxResults)
)

// A StatusError is an HTTP response that is not an answer.
type StatusError struct {
	Code   int    // such as 401
	Reason string // what the response says, for people
	// OldTransport is whether the server speaks HTTP+SSE instead.
	OldTransport bool
	// WebPage is whether it answers with a page for browsers, and not as an error.
	WebPage bool
}

// Error returns the reason.
func (e *StatusError) Error() string { return e.Reason }

// EndsSession reports whether an error of a request ends the session: another
// request would fail too.
func EndsSession(err error) bool {
	return errors.Is(err, ErrClosed) || errors.Is(err, ErrFlood) || errors.Is(err, ErrSlow) || errors.Is(err, context.Canceled)
}
