package host

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tap wraps a connection between the SDK and the wire, and sees each message. The
// SDK reads in one goroutine, so the tap sees messages in the wire's order.
type tap struct {
	mcp.Connection
	exchanges
}

// exchanges are the open requests of a connection.
type exchanges struct {
	mu      sync.Mutex
	byID    map[jsonrpc.ID]*exchange
	byToken map[string]*exchange
}

// tapTransport wraps any transport but that of streamable HTTP, which loses its
// headers when it is wrapped.
type tapTransport struct{ mcp.Transport }

func (t tapTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &tap{Connection: c}, nil
}

func (t *tap) Write(ctx context.Context, msg jsonrpc.Message) error {
	x := exchangeOf(ctx)
	req, ok := msg.(*jsonrpc.Request)
	if x == nil || !ok {
		return t.Connection.Write(ctx, msg)
	}
	if req.IsCall() {
		x.tap()
		t.sent(req.ID, x)
	} else if req.Method == "notifications/cancelled" {
		req.Params = withReason(req.Params, x.reason())
		t.forget(x)
	}
	return t.Connection.Write(ctx, msg)
}

func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := t.Connection.Read(ctx)
	if err == nil {
		msg = t.received(msg)
	}
	return msg, err
}

// Abandon ends the connection at once.
func (t *tap) Abandon() { abandon(t.Connection) }

func (e *exchanges) sent(id jsonrpc.ID, x *exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID, e.byToken = make(map[jsonrpc.ID]*exchange), make(map[string]*exchange)
	}
	e.byID[id] = x
	if x.token != "" {
		e.byToken[x.token] = x
	}
}

func (e *exchanges) forget(x *exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, y := range e.byID {
		if x == y {
			delete(e.byID, id)
		}
	}
	delete(e.byToken, x.token)
}

// received passes msg to the exchange that it belongs to, and returns the message
// for the SDK.
func (e *exchanges) received(msg jsonrpc.Message) jsonrpc.Message {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		e.mu.Lock()
		x := e.byID[msg.ID]
		if x != nil {
			delete(e.byID, msg.ID)
			delete(e.byToken, x.token)
		}
		e.mu.Unlock()
		if x != nil {
			if err := x.rejected(msg.Result); err != nil {
				x.answered(nil, err)
				return &jsonrpc.Response{ID: msg.ID, Error: errTaken}
			}
			x.answered(msg.Result, msg.Error)
			if msg.Error == nil && x.take(msg.Result) {
				return &jsonrpc.Response{ID: msg.ID, Error: errTaken}
			}
		}
	case *jsonrpc.Request:
		if msg.Method != "notifications/progress" {
			return msg
		}
		e.mu.Lock()
		x := e.byToken[progressToken(msg.Params)]
		e.mu.Unlock()
		if x != nil && x.progress != nil {
			x.progress(msg.Params)
		}
	}
	return msg
}

func progressToken(params json.RawMessage) string {
	var p struct {
		ProgressToken any `json:"progressToken"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	s, _ := p.ProgressToken.(string)
	return s
}

// withReason puts the reason into the parameters of notifications/cancelled, in
// which the SDK writes "context canceled".
func withReason(params json.RawMessage, reason string) json.RawMessage {
	var m map[string]json.RawMessage
	if reason == "" || json.Unmarshal(params, &m) != nil || m == nil {
		return params
	}
	m["reason"] = mustJSON(reason)
	return mustJSON(m)
}

// errTooLarge is the error of a message over the limit of a response.
type errTooLarge struct{ limit int }

func (e errTooLarge) Error() string {
	return fmt.Sprintf("the server sent a message of more than %d bytes", e.limit)
}
