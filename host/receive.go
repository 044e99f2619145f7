package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Receive takes one message from the view. No message makes it panic. It never
// waits for the server or a person; it waits for the transport when it answers at
// once, and for the callbacks without a context. A message that is not JSON-RPC
// 2.0 is dropped and noted in [BridgeOptions.Trace]; if it has an id, it is
// answered with an error. The bridge keeps msg: do not change it.
//
// Call it from one goroutine, or otherwise in the order of the messages.
func (b *Bridge) Receive(msg json.RawMessage) {
	if len(msg) > b.opts.Limits.MessageBytes && !b.isLargeAnswer(msg) {
		b.refuseLarge(msg)
		return
	}
	b.trace(FromView, msg)
	if !utf8.Valid(msg) {
		msg = bytes.ToValidUTF8(msg, []byte("\uFFFD"))
	}
	m, err := parseMessage(msg)
	if !b.allow(m) {
		return
	}
	if err != nil {
		if m.id != nil && !m.isResponse {
			b.refuse(m, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()})
		}
		level := LevelError
		if errors.Is(err, errForeign) { // of a library in the view; the reference host ignores them too
			level = LevelInfo
		}
		b.note(level, NoteInvalid, err.Error())
		return
	}
	switch {
	case m.isResponse:
		b.receiveResponse(m)
	case m.id == nil:
		b.receiveNotification(m)
	default:
		b.receiveRequest(m)
	}
}

// isLargeAnswer reports whether a message over the limit is an answer that the
// bridge waits for: the result of a tool of the view may be larger than messages.
func (b *Bridge) isLargeAnswer(msg json.RawMessage) bool {
	if len(msg) > maxAppToolResult+1<<10 {
		return false
	}
	e, ok := splitMessage(msg)
	if !ok || e.method != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls[string(e.id)] != nil
}

// refuseLarge drops a message that is too large. It answers a request with an
// error, and fails the request that an answer belongs to.
func (b *Bridge) refuseLarge(msg json.RawMessage) {
	e, _ := splitMessage(msg)
	m := message{id: e.id, isResponse: e.method == nil}
	if !validID(m.id) {
		m.id = nil
	}
	if !b.allow(m) {
		return
	}
	rpcErr := denied("dropped a message of %d bytes: the limit is %d", len(msg), b.opts.Limits.MessageBytes)
	switch {
	case m.id == nil:
	case m.isResponse:
		m.err = rpcErr
		b.receiveResponse(m)
	default:
		b.refuse(m, rpcErr)
	}
	b.note(LevelError, NoteLimit, rpcErr.Message)
}
