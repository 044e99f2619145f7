package host

import (
	"bytes"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/internal/sse"
)

// httpTap sees the messages of streamable HTTP. The exchange is in the request's
// context, and the answer in the response's body. The SDK's transport itself must
// not be wrapped, since it would lose its version header and the GET stream.
type httpTap struct {
	next  http.RoundTripper
	limit int // bytes of one message
}

func (t httpTap) RoundTrip(req *http.Request) (*http.Response, error) {
	// A request that was cancelled before it began must not reach the network,
	// whatever the program's HTTP client does with it: see session.usableAfter.
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	x := exchangeOf(req.Context())
	if x != nil && req.Method == http.MethodPost {
		x.tap()
		var err error
		if req, err = withCancelReason(req, x); err != nil {
			return nil, err
		}
	}
	resp, err := t.next.RoundTrip(req)
	if err == nil && x != nil && req.Method == http.MethodPost {
		x.posted(resp.StatusCode, req.Header.Get("Mcp-Session-Id"))
	}
	if err != nil || resp.Body == nil {
		return resp, err
	}
	body := &tappedBody{ReadCloser: resp.Body, x: x, limit: t.limit}
	if mt, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); mt == "text/event-stream" {
		body.events = sse.New(t.limit, body.message)
	}
	resp.Body = body
	return resp, nil
}

// withCancelReason rewrites the body of a notifications/cancelled.
func withCancelReason(req *http.Request, x *exchange) (*http.Request, error) {
	if req.Body == nil || x.reason() == "" {
		return req, nil
	}
	data, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return nil, err
	}
	if msg, err := jsonrpc.DecodeMessage(data); err == nil {
		if r, ok := msg.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
			r.Params = withReason(r.Params, x.reason())
			if data, err = jsonrpc.EncodeMessage(r); err != nil {
				return nil, err
			}
		}
	}
	req = req.Clone(req.Context())
	req.Body = io.NopCloser(bytes.NewReader(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	req.ContentLength = int64(len(data))
	return req, nil
}

// A tappedBody bounds each message of a response body and passes it to the
// exchange.
type tappedBody struct {
	io.ReadCloser
	x      *exchange // nil: only the bound applies
	limit  int
	events *sse.Scanner // nil: the body is one JSON message
	held   []byte
	read   int

	rejected error // why the SDK must not see the end of the message
}

func (b *tappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.events != nil {
		if _, tooLong := b.events.Write(p[:n]); tooLong != nil {
			return 0, b.tooLarge()
		}
		if err == io.EOF {
			b.events.End()
		}
		if b.rejected != nil {
			return 0, b.rejected
		}
		return n, err
	}
	if b.read += n; b.read > b.limit {
		return 0, b.tooLarge()
	}
	if b.x != nil {
		b.held = append(b.held, p[:n]...)
		if err == io.EOF {
			b.message(b.held)
			b.held = nil
			if b.rejected != nil {
				return 0, b.rejected
			}
		}
	}
	return n, err
}

// tooLarge fails the request with the reason: the SDK reports an event stream that
// ends early as a request without a response.
func (b *tappedBody) tooLarge() error {
	err := errTooLarge{b.limit}
	if b.x != nil {
		b.x.answered(nil, err)
	}
	return err
}

func (b *tappedBody) message(data []byte) {
	if b.x == nil {
		return
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return // the SDK reports it
	}
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		if b.rejected = b.x.rejected(msg.Result); b.rejected != nil {
			b.x.answered(nil, b.rejected)
			return
		}
		b.x.answered(msg.Result, msg.Error)
	case *jsonrpc.Request:
		if msg.Method == "notifications/progress" && b.x.progress != nil && b.x.token != "" && progressToken(msg.Params) == b.x.token {
			b.x.progress(msg.Params)
		}
	}
}
