// Package rpc asks an MCP server over JSON-RPC and keeps each result as the bytes
// that came, so that rules can judge what the SDK would drop or refuse. A [Conn] is
// a connection to a server in this process ([Memory]), a command ([Start]), a URL
// ([HTTP]) or whatever a transport leads to ([Transport]); [Session] asks through a
// session of the SDK's. A [Client] speaks the protocol over one.
package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Conn takes requests to a server and returns the results as they came. It is
// safe for concurrent use.
type Conn interface {
	// Call sends a request and waits for its result. The error is a
	// *jsonrpc.Error, one of this package's, or the context's.
	Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)
	// Notify sends a notification.
	Notify(ctx context.Context, method string, params map[string]any) error
	// StrayLines returns the lines that came on the wire and are not messages, the
	// first of them only, shortened.
	StrayLines() []string
	// Close ends the connection, and whatever runs at its other end because of it.
	Close()
}

// The errors of a request besides the server's own and the context's.
var (
	// ErrTimeout means that there was no answer in time.
	ErrTimeout = errors.New("no answer in time")
	// ErrSlow means that all requests together took too long.
	ErrSlow = fmt.Errorf("%w: the check gives up on a server this slow", ErrTimeout)
	// ErrFlood means that the server sent more than is read.
	ErrFlood = errors.New("more than the check takes")
	// ErrClosed means that the connection ended.
	ErrClosed = errors.New("the connection ended")

	errLong = fmt.Errorf("%w: a message longer than the limit", ErrFlood)
	errMuch = fmt.Errorf("%w: all messages together are many times as long as one may be", ErrFlood)
)

// A StatusError is an HTTP response that is not an answer.
type StatusError struct {
	Code   int    // such as 401
	Reason string // what the response says, for people
}

// Error returns the reason.
func (e *StatusError) Error() string { return e.Reason }

// EndsSession reports whether an error of a request ends the session: another
// request would fail too.
func EndsSession(err error) bool {
	return errors.Is(err, ErrClosed) || errors.Is(err, ErrFlood) || errors.Is(err, ErrSlow) || errors.Is(err, context.Canceled)
}
