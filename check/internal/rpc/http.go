package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/sse"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// httpConn is a server on streamable HTTP: one POST for each message, answered with
// JSON or with a stream of events that holds the answer.
type httpConn struct {
	endpoint *host.Target
	client   *http.Client
	limit    int
	next     atomic.Int64

	mu      sync.Mutex
	session string
	version string
	hello   map[string]any // the params of initialize

	reopening sync.Mutex
	lost      atomic.Int32
}

// HTTP connects to the URL of a target, with its header and client. No message may
// be longer than maxBytes.
func HTTP(t *host.Target, maxBytes int) Conn {
	client := http.Client{}
	if t.HTTPClient != nil {
		client = *t.HTTPClient
	}
	theirs := client.CheckRedirect
	// Another origin is another server than the named one: it need not be on this
	// machine, and must not get the headers.
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		switch {
		case req.URL.Scheme != via[0].URL.Scheme || !strings.EqualFold(req.URL.Host, via[0].URL.Host):
			return http.ErrUseLastResponse
		case theirs != nil:
			return theirs(req, via)
		case len(via) >= 10:
			return errors.New("the server redirects ten times")
		}
		return nil
	}
	return &httpConn{endpoint: t, client: &client, limit: maxBytes}
}

// Call implements Conn. A request that the server refuses because it has forgotten
// the session is repeated in a new one, as the protocol asks of clients.
func (w *httpConn) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	w.mu.Lock()
	session := w.session
	w.mu.Unlock()
	raw, err := w.call(ctx, method, params)
	var status *StatusError
	if session == "" || method == "initialize" || !errors.As(err, &status) || status.Code != http.StatusNotFound {
		return raw, err
	}
	if w.reopen(ctx, session) != nil {
		return nil, err
	}
	return w.call(ctx, method, params)
}

// reopen opens a session in place of one that the server has forgotten, unless that
// was done.
func (w *httpConn) reopen(ctx context.Context, forgotten string) error {
	w.reopening.Lock()
	defer w.reopening.Unlock()
	w.mu.Lock()
	done, hello := w.session != forgotten, w.hello
	w.mu.Unlock()
	if done {
		return nil
	}
	w.lost.Add(1)
	if _, err := w.call(ctx, "initialize", hello); err != nil {
		return err
	}
	return w.Notify(ctx, "notifications/initialized", map[string]any{})
}

// Forgotten implements Forgetful.
func (w *httpConn) Forgotten() int { return int(w.lost.Load()) }

func (w *httpConn) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	id, err := jsonrpc.MakeID(float64(w.next.Add(1)))
	if err != nil {
		return nil, err
	}
	res, err := w.post(ctx, method, params, &id)
	if err != nil {
		return nil, w.reason(ctx, err)
	}
	defer res.Body.Close()
	answer, err := w.answer(res, id)
	if err != nil {
		return nil, w.reason(ctx, w.ifOldTransport(ctx, method, err))
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	if method == "initialize" {
		var init struct{ ProtocolVersion string }
		_ = json.Unmarshal(answer.Result, &init)
		w.mu.Lock()
		w.session, w.version, w.hello = res.Header.Get("Mcp-Session-Id"), init.ProtocolVersion, params
		w.mu.Unlock()
	}
	return answer.Result, nil
}

// ifOldTransport returns the error of a request, or what is known better of a server
// that does not answer initialize: that it speaks the transport before this one.
func (w *httpConn) ifOldTransport(ctx context.Context, method string, err error) error {
	var status *StatusError
	if method != "initialize" || !errors.As(err, &status) {
		return err
	}
	switch status.Code {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		if sse.IsOldTransport(ctx, w.client, w.endpoint.URL, w.endpoint.Header) {
			return &StatusError{Code: status.Code, Reason: sse.OldTransport, OldTransport: true}
		}
	}
	return err
}

func (w *httpConn) reason(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ErrTimeout
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrFlood):
		return err
	}
	return err
}

func (w *httpConn) post(ctx context.Context, method string, params map[string]any, id *jsonrpc.ID) (*http.Response, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	msg := &jsonrpc.Request{Method: method, Params: raw}
	if id != nil {
		msg.ID = *id
	}
	body, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.endpoint.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	w.addHeader(req)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	w.mu.Lock()
	session, version := w.session, w.version
	w.mu.Unlock()
	if meta, ok := params["_meta"].(map[string]any); ok {
		version, _ = meta["io.modelcontextprotocol/protocolVersion"].(string)
		req.Header.Set("Mcp-Method", method)
		if name, ok := params["name"].(string); ok {
			req.Header.Set("Mcp-Name", name)
		} else if uri, ok := params["uri"].(string); ok {
			req.Header.Set("Mcp-Name", uri)
		}
	}
	if version != "" && method != "initialize" {
		req.Header.Set("Mcp-Protocol-Version", version)
	}
	if session != "" && method != "initialize" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	return w.client.Do(req)
}

// addHeader adds the target's header. A Host in it is the request's, for servers that
// make addresses from it.
func (w *httpConn) addHeader(req *http.Request) {
	for k, v := range w.endpoint.Header {
		req.Header[http.CanonicalHeaderKey(k)] = v
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
}

// answer reads the response to the request with this id.
func (w *httpConn) answer(res *http.Response, id jsonrpc.ID) (*jsonrpc.Response, error) {
	typ, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if typ == "text/event-stream" && res.StatusCode < 300 {
		return w.events(res.Body, id)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, int64(w.limit)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > w.limit {
		return nil, errLong
	}
	if msg, err := jsonrpc.DecodeMessage(body); err == nil {
		if r, ok := msg.(*jsonrpc.Response); ok && (res.StatusCode < 300 || r.Error != nil) {
			return r, nil
		}
	}
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		return nil, &StatusError{Code: res.StatusCode, Reason: fmt.Sprintf("HTTP status %s leads to another server: if %s is meant, name it", res.Status, text.Quote(to))}
	}
	return nil, &StatusError{Code: res.StatusCode, WebPage: typ == "text/html" && res.StatusCode < 300, Reason: fmt.Sprintf("HTTP status %s, with the body %s", res.Status, text.Quote(strings.TrimSpace(string(body))))}
}

// events reads a stream of server-sent events until the answer is there.
func (w *httpConn) events(body io.Reader, id jsonrpc.ID) (*jsonrpc.Response, error) {
	var answer *jsonrpc.Response
	scanner := sse.New(w.limit, func(data []byte) {
		if msg, err := jsonrpc.DecodeMessage(data); err == nil && answer == nil {
			if res, ok := msg.(*jsonrpc.Response); ok && res.ID == id {
				answer = res
			}
		}
	})
	piece := make([]byte, 64<<10)
	for total := 0; answer == nil; {
		n, err := body.Read(piece)
		if total += n; total > maxResults*w.limit {
			return nil, errMuch
		}
		if _, tooLong := scanner.Write(piece[:n]); tooLong != nil {
			return nil, errLong
		}
		if err == io.EOF {
			if scanner.End(); answer == nil {
				return nil, fmt.Errorf("%w: the stream of events ended without the answer", ErrClosed)
			}
		} else if err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// Notify implements Conn.
func (w *httpConn) Notify(ctx context.Context, method string, params map[string]any) error {
	res, err := w.post(ctx, method, params, nil)
	if err != nil {
		return w.reason(ctx, err)
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 1<<16)
	return nil
}

// StrayLines implements Conn.
func (w *httpConn) StrayLines() []string { return nil }

// Close implements Conn: it ends the session, if there is one.
func (w *httpConn) Close() {
	w.mu.Lock()
	session, version := w.session, w.version
	w.session = ""
	w.mu.Unlock()
	if session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.endpoint.URL, nil)
	if err != nil {
		return
	}
	w.addHeader(req)
	req.Header.Set("Mcp-Session-Id", session)
	req.Header.Set("Mcp-Protocol-Version", version)
	if res, err := w.client.Do(req); err == nil {
		res.Body.Close()
	}
}
