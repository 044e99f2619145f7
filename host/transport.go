package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A Transport carries a bridge's messages to the view: through a web page's
// postMessage, a webview's script call, a channel in a test.
//
// The other direction is [Bridge.Receive], which the owner of the transport
// calls with each message that the view posted.
type Transport interface {
	// Send delivers one JSON-RPC message. What a server sent is in it as it was
	// written, with line breaks between its values perhaps: what carries lines,
	// such as server-sent events, compacts it first. Calls come one at a time
	// and in order. Send may keep msg, must not change it, and should not wait for
	// the view: what it holds up is this bridge alone, until
	// [Limits.QueueBytes] is reached and the bridge closes. An error closes
	// the bridge.
	Send(msg json.RawMessage) error
}

// TransportFunc is a function as a [Transport].
type TransportFunc func(msg json.RawMessage) error

// Send calls f.
func (f TransportFunc) Send(msg json.RawMessage) error { return f(msg) }

// CodeDenied is the JSON-RPC error code of what the host's policy refuses: a
// tool that views may not call, a limit that was reached, a model context that
// the program declined. It is the implementation-defined code that the MCP Apps
// specification names for denials.
const CodeDenied = -32000

// A message is one JSON-RPC message from a view, with ids as the view wrote
// them: 0 and "" are ids like any other.
type message struct {
	id     json.RawMessage // nil: none
	method string
	params json.RawMessage
	result json.RawMessage
	err    *jsonrpc.Error

	isResponse bool
}

type wireMessage struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *jsonrpc.Error  `json:"error"`
}

var errNotRPC = errors.New("not a JSON-RPC 2.0 message")

// parseMessage reads one message. Where it returns an error beside a message
// with an id, the view is owed an answer.
func parseMessage(data []byte) (message, error) {
	var w wireMessage
	if err := json.Unmarshal(data, &w); err != nil {
		return message{id: salvageID(data)}, fmt.Errorf("%w: %w", errNotRPC, err)
	}
	m := message{params: w.Params, result: w.Result, err: w.Error}
	if len(w.ID) > 0 {
		if w.ID[0] != '"' && w.ID[0] != '-' && (w.ID[0] < '0' || w.ID[0] > '9') {
			return m, fmt.Errorf("%w: its id must be a string or a number, not %s", errNotRPC, clip(w.ID))
		}
		m.id = w.ID
	}
	if string(w.Version) != `"2.0"` {
		return m, fmt.Errorf("%w: its jsonrpc must be \"2.0\", not %s", errNotRPC, clip(w.Version))
	}
	if w.Method == nil {
		if m.id == nil || (w.Result == nil && w.Error == nil) {
			return m, fmt.Errorf("%w: it has neither a method nor a result or error with an id", errNotRPC)
		}
		m.isResponse = true
		return m, nil
	}
	m.method = *w.Method
	if t := bytes.TrimLeft(w.Params, " \t\r\n"); len(t) > 0 && t[0] != '{' {
		if string(t) != "null" {
			return m, fmt.Errorf("%w: its params must be an object, not %s", errNotRPC, clip(w.Params))
		}
		m.params = nil
	}
	return m, nil
}

// salvageID finds the id of a JSON object whose other members have the wrong
// types.
func salvageID(data []byte) json.RawMessage {
	var w struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
	}
	if json.Unmarshal(data, &w) != nil || w.Method == nil || len(w.ID) == 0 || w.ID[0] == 'n' {
		return nil
	}
	return w.ID
}

func encodeResult(id json.RawMessage, result json.RawMessage) json.RawMessage {
	b := make([]byte, 0, len(id)+len(result)+34)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return append(b, '}')
}

func encodeError(id json.RawMessage, e *jsonrpc.Error) json.RawMessage {
	text, err := json.Marshal(e)
	if err != nil { // only Data that is not JSON can do that
		text, _ = json.Marshal(&jsonrpc.Error{Code: e.Code, Message: e.Message})
	}
	b := make([]byte, 0, len(id)+len(text)+34)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"error":`...)
	b = append(b, text...)
	return append(b, '}')
}

// encodeCall encodes a request, or a notification where id is nil.
func encodeCall(id json.RawMessage, method string, params json.RawMessage) json.RawMessage {
	b := make([]byte, 0, len(id)+len(method)+len(params)+50)
	b = append(b, `{"jsonrpc":"2.0",`...)
	if id != nil {
		b = append(b, `"id":`...)
		b = append(b, id...)
		b = append(b, ',')
	}
	b = append(b, `"method":"`...)
	b = append(b, method...) // our own constants: nothing to escape
	b = append(b, '"')
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// mustJSON encodes values of this package's own types, which can't fail. It
// leaves < > & as they are, so that raw JSON in them keeps its bytes, but for
// space between its tokens.
func mustJSON(v any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// clip keeps a value from the wire readable inside a message.
func clip(raw []byte) string {
	const most = 80
	if len(raw) == 0 {
		return "nothing"
	}
	if len(raw) <= most {
		return string(raw)
	}
	return fmt.Sprintf("%s… (%d bytes)", bytes.ToValidUTF8(raw[:most], nil), len(raw))
}

func invalidParams(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func denied(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: CodeDenied, Message: fmt.Sprintf(format, args...)}
}
