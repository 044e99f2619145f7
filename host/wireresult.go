package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An exchange is one request to a server and its answer, as seen at the wire. It is
// in the request's context; the taps (tap.go, taphttp.go) fill it in. On a session
// made elsewhere there is no tap: it stays empty, and the result that the SDK
// decoded is used instead.
type exchange struct {
	token    string // the progress token, "" for none
	progress func(params json.RawMessage)
	reason   func() string // why it was cancelled
	rawOnly  bool          // the result that the SDK decodes is not needed
	most     int           // elements of an array in the result, a list's items; 0: any number

	mu      sync.Mutex
	posts   int  // HTTP requests that carried it
	refused bool // the server did not know the session, so it did not begin
	tapped  bool // a tap saw the request
	taken   bool // the SDK was not given the result
	result  json.RawMessage
	err     error
	seen    bool
}

func (x *exchange) tap() {
	x.mu.Lock()
	x.tapped = true
	x.mu.Unlock()
}

// posted notes the answer to an HTTP request. To the first, which is the request
// itself, 404 means that the server does not know the session that it names: the
// server did nothing. Later ones carry the client's input or a cancellation.
func (x *exchange) posted(status int, session string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.posts++
	x.refused = x.posts == 1 && status == http.StatusNotFound && session != ""
}

// refused is the failure of a request that the server refused because it lost the
// session. It can be repeated on a new one.
type refused struct{ error }

func (e refused) Unwrap() error { return e.error }

func isRefused(err error) bool {
	var r refused
	return errors.As(err, &r)
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// answered records the response. The SDK sends a request again with the input that
// the server asked for, so it may be answered again: the last answer counts.
func (x *exchange) answered(result json.RawMessage, err error) {
	if errors.Is(err, errTaken) { // by a tap nearer to the wire
		return
	}
	x.mu.Lock()
	x.result, x.err, x.seen = result, err, true
	x.mu.Unlock()
}

// rejected returns an error for a result that the SDK must not see: it takes 30 kB and
// 60 µs for each tool of a list, and a message has room for five million.
func (x *exchange) rejected(result json.RawMessage) error {
	if x.most == 0 {
		return nil
	}
	var err error
	members(result, func(name, value []byte) {
		if elements(value, x.most) > x.most {
			err = fmt.Errorf("the server's result has more than %d %s", x.most, short(string(name)))
		}
	})
	return err
}

// errTaken is passed to the SDK in place of a result that it need not decode.
var errTaken = errors.New("the result was taken at the wire")

// take reports whether the SDK need not see a result. Decoding the result is most
// of the cost of a call on this side. The SDK handles requests for the client's
// input, so it sees these.
func (x *exchange) take(result json.RawMessage) bool {
	if !x.rawOnly || bytes.Contains(result, []byte("input_required")) {
		return false
	}
	x.mu.Lock()
	x.taken = true
	x.mu.Unlock()
	return true
}

var lastToken atomic.Int64

// newToken returns a progress token that is unique in this process.
func newToken() string { return "mcpapps-" + strconv.FormatInt(lastToken.Add(1), 10) }

// do runs send, an SDK call on a session, and returns the result as the server
// sent it: byte for byte if a tap saw it. It returns a result that the SDK could
// not decode, too.
func do[R any](ctx context.Context, x *exchange, send func(context.Context) (R, error)) (json.RawMessage, error) {
	x.reason = func() string {
		if err := context.Cause(ctx); err != nil {
			return err.Error()
		}
		return ""
	}
	res, err := send(context.WithValue(ctx, exchangeKey{}, x))
	x.mu.Lock()
	raw, wireErr, seen, tapped, taken, lost := x.result, x.err, x.seen, x.tapped, x.taken, x.refused
	x.mu.Unlock()
	switch {
	case err != nil && lost:
		return nil, refused{err}
	case err != nil && ctx.Err() != nil && !taken:
		return nil, context.Cause(ctx)
	case seen && wireErr != nil:
		return nil, wireErr
	case seen && raw != nil && (err == nil || taken || !isInputRequest(raw)):
		if !isObject(raw) {
			return nil, fmt.Errorf("the server's result is %s: it must be an object", clip(raw))
		}
		return raw, nil
	case err != nil:
		var rpcErr *jsonrpc.Error
		if errors.As(err, &rpcErr) && !errors.Is(err, mcp.ErrConnectionClosed) && !tapped {
			return nil, rpcErr
		}
		return nil, unanswered{err}
	}
	return json.Marshal(res)
}

// unanswered is the failure of a request that the server did not answer. Some of
// these have the type of a server's error in the SDK. It has no Unwrap, so that
// they are not taken for one.
type unanswered struct{ err error }

func (e unanswered) Error() string { return e.err.Error() }

func (e unanswered) Is(target error) bool { return errors.Is(e.err, target) }

// isInputRequest reports whether a result asks the client for input, as it may since
// protocol version 2026-07-28, instead of being the result of the call.
func isInputRequest(raw json.RawMessage) bool {
	var r struct {
		ResultType string `json:"resultType"`
	}
	return json.Unmarshal(raw, &r) == nil && r.ResultType == "input_required"
}
