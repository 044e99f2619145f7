package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

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

// An envelope holds the members of a JSON-RPC message as they are written, nil for
// one that is absent. Names are case-sensitive, as they are in a browser: a proxy
// must not see another method in a message than the bridge does.
type envelope struct{ version, id, method, params, result, err json.RawMessage }

// splitMessage finds the members of a message. Of members of the same name the last
// one counts, as it does in a browser. It never panics. For invalid JSON the
// result is unspecified.
func splitMessage(data []byte) (e envelope, ok bool) {
	ok = members(data, func(name, value []byte) {
		switch string(name) {
		case "jsonrpc":
			e.version = value
		case "id":
			e.id = value
		case "method":
			e.method = value
		case "params":
			e.params = value
		case "result":
			e.result = value
		case "error":
			e.err = value
		}
	})
	return e, ok
}

// members calls f with each member of the object in data, and reports whether data
// is an object. It never panics.
func members(data []byte, f func(name, value []byte)) bool {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '{' {
		return false
	}
	i = skipSpace(data, i+1)
	for i < len(data) && data[i] == '"' {
		end := skipString(data, i)
		key := data[i:end]
		if i = skipSpace(data, end); i >= len(data) || data[i] != ':' {
			return false
		}
		i = skipSpace(data, i+1)
		end = skipValue(data, i)
		if end == i {
			return false
		}
		if name, ok := unquote(key); ok {
			f(name, data[i:end])
		}
		if i = skipSpace(data, end); i < len(data) && data[i] == ',' {
			i = skipSpace(data, i+1)
		}
	}
	return i < len(data) && data[i] == '}'
}

// elements counts the elements of the array in data, and stops above most. It never
// panics.
func elements(data []byte, most int) (n int) {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '[' {
		return 0
	}
	for i = skipSpace(data, i+1); i < len(data) && data[i] != ']' && n <= most; n++ {
		end := skipValue(data, i)
		if end == i {
			return n
		}
		if i = skipSpace(data, end); i < len(data) && data[i] == ',' {
			i = skipSpace(data, i+1)
		}
	}
	return n
}

func unquote(key []byte) ([]byte, bool) {
	if bytes.IndexByte(key, '\\') < 0 {
		return bytes.Trim(key, `"`), true
	}
	var s string
	err := json.Unmarshal(key, &s)
	return []byte(s), err == nil
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i.
func skipString(data []byte, i int) int {
	for i++; i < len(data); {
		end := bytes.IndexByte(data[i:], '"')
		if end < 0 {
			break
		}
		end += i
		for i <= end {
			escape := bytes.IndexByte(data[i:end], '\\')
			if escape < 0 {
				return end + 1
			}
			i += escape + 2 // beyond end if it escapes the quote
		}
	}
	return len(data)
}

// skipValue returns the index after the value that begins at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i = skipString(data, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth == 0 {
					i++
				}
				return i
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

var (
	errNotRPC  = errors.New("not a JSON-RPC 2.0 message")
	errForeign = fmt.Errorf("%w: it has none of the members of one", errNotRPC) // which may be meant for somebody else
)

// parseMessage reads one message. If it returns an error and a message with an id,
// the view must get an answer.
func parseMessage(data []byte) (message, error) {
	if !json.Valid(data) {
		var v json.RawMessage
		return message{}, fmt.Errorf("%w: %w", errNotRPC, json.Unmarshal(data, &v))
	}
	e, ok := splitMessage(data)
	if !ok {
		return message{}, fmt.Errorf("%w: not an object but %s", errNotRPC, clip(bytes.TrimSpace(data)))
	}
	if e.version == nil && e.id == nil && e.method == nil && e.result == nil && e.err == nil {
		return message{}, errForeign
	}
	m := message{params: e.params, result: e.result}
	switch {
	case validID(e.id):
		m.id = e.id
	case e.id != nil:
		return m, fmt.Errorf("%w: its id must be a string or a number, not %s", errNotRPC, clip(e.id))
	}
	m.isResponse = e.method == nil && m.id != nil && (e.result != nil || e.err != nil)
	if string(e.version) != `"2.0"` {
		return m, fmt.Errorf("%w: its jsonrpc must be \"2.0\", not %s", errNotRPC, clip(e.version))
	}
	if e.method == nil {
		if !m.isResponse {
			m.id = nil
			return m, fmt.Errorf("%w: it has neither a method nor a result or error with an id", errNotRPC)
		}
		m.err = decodeError(e.err)
		return m, nil
	}
	if json.Unmarshal(e.method, &m.method) != nil || e.method[0] != '"' {
		return m, fmt.Errorf("%w: its method must be a string, not %s", errNotRPC, clip(e.method))
	}
	if len(e.params) > 0 && e.params[0] != '{' {
		if string(e.params) != "null" {
			return m, fmt.Errorf("%w: its params must be an object, not %s", errNotRPC, clip(e.params))
		}
		m.params = nil
	}
	return m, nil
}

func validID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9')
}

// decodeError reads the error of an answer. It accepts a malformed one, so that the
// request fails and nobody waits for another answer.
func decodeError(raw json.RawMessage) *jsonrpc.Error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var e jsonrpc.Error
	if raw[0] != '{' || json.Unmarshal(raw, &e) != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the view answered with the error " + clip(raw)}
	}
	return &e
}
