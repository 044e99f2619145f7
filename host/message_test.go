package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplitMessage(t *testing.T) {
	for msg, want := range map[string]envelope{
		`{}`: {},
		" {\t\"id\" :\n1 , \"method\":\"a\\\"b\" } ":                                 {id: json.RawMessage(`1`), method: json.RawMessage(`"a\"b"`)},
		`{"x":{"id":2,"y":["}",{"method":"no"}]},"id":"\\","params":{"id":3}}`:       {id: json.RawMessage(`"\\"`), params: json.RawMessage(`{"id":3}`)},
		`{"id":1,"id":2,"ID":3,"Method":"no","\u006dethod":"yes","result":[],"":""}`: {id: json.RawMessage(`2`), method: json.RawMessage(`"yes"`), result: json.RawMessage(`[]`)},
		`{"error":null,"jsonrpc":"2.0","id":-1.5e3}`:                                 {err: json.RawMessage(`null`), version: json.RawMessage(`"2.0"`), id: json.RawMessage(`-1.5e3`)},
	} {
		require.True(t, json.Valid([]byte(msg)), msg)
		got, ok := splitMessage([]byte(msg))
		assert.True(t, ok, msg)
		assert.Equal(t, want, got, msg)
	}
	for _, msg := range []string{``, `[]`, `5`, `"{}"`, `{`, `{"id"`, `{"id":`, `{"id":1`, `{"id":"`, `{"id":"\`, `{"id":[`, `{"id":]`, `{"id":}`, `{,}`} {
		_, ok := splitMessage([]byte(msg))
		assert.False(t, ok, msg)
	}
	// With time quadratic in the length, these would not finish.
	for _, s := range []string{`\n`, `\"`, `\\`} {
		e, ok := splitMessage([]byte(`{"params":"` + strings.Repeat(s, 1<<20) + `","id":7}`))
		assert.True(t, ok)
		assert.Equal(t, `7`, string(e.id))
	}
}

// FuzzSplitMessage compares the members with those of a map that encoding/json
// decodes: unlike a struct's, its names are case-sensitive.
func FuzzSplitMessage(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":0,"method":"x","params":{}}`, `{"id":"\"","result":[{}],"error":5}`, ` { } `, `{"\u0069d":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		e, ok := splitMessage(msg)
		var want map[string]json.RawMessage
		if json.Unmarshal(msg, &want) != nil || want == nil {
			return
		}
		if !ok {
			t.Fatalf("rejected the object %q", msg)
		}
		for name, got := range map[string]json.RawMessage{"jsonrpc": e.version, "id": e.id, "method": e.method, "params": e.params, "result": e.result, "error": e.err} {
			if string(got) != string(want[name]) {
				t.Errorf("%q: %s is %q, want %q", msg, name, got, want[name])
			}
		}
	})
}
