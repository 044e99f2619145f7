package host

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

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
	b = append(b, method...) // a constant of this package: nothing to escape
	b = append(b, '"')
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// mustJSON encodes values of this package's own types, which can't fail. It does not
// escape < > &, so that raw JSON in them keeps its bytes, except for white space
// between tokens.
func mustJSON(v any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// clip shortens JSON from the wire for an error.
func clip(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	return short(string(raw))
}

// short shortens a string from the wire for an error.
func short(s string) string { return text.Shorten(s, 80) }
