package openai

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzState: no state but a sealed one is opened, whatever it is.
func FuzzState(f *testing.F) {
	forms := NewForms(&FormsOptions{Key: []byte("0123456789abcdef")})
	req := func(arguments, state string) *mcp.CallToolRequest {
		return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "t", Arguments: json.RawMessage(arguments), RequestState: state}}
	}
	sealed, err := forms.seal(f.Context(), req(`{}`, ""), formState{Expires: 1 << 40, Form: "f", Asked: 1, Answers: map[string]given{"f": {Action: "accept"}}})
	require.NoError(f, err)
	f.Add(`{}`, sealed)
	f.Add(``, sealed)
	f.Add(` null `, sealed)
	f.Add(`{"a":1}`, sealed)
	f.Add(`{"a":1e999,"a":[{}]}`, "")
	f.Add(`{`, sealed[:len(sealed)-1])
	f.Add(`[]`, sealed+"A")
	f.Add(`{}`, sealed[:5]+"\n"+sealed[5:])
	f.Add(`{}`, sealed[:len(sealed)-1]+string(sealed[len(sealed)-1]+1)) // other bits without meaning
	f.Add(`{}`, "=_-")
	f.Fuzz(func(t *testing.T, arguments, state string) {
		s, err := forms.open(t.Context(), req(arguments, state))
		same, _ := canonical(json.RawMessage(arguments))
		switch {
		case state == "":
			assert.NoError(t, err)
			assert.Empty(t, s.Form)
		case state == sealed && string(same) == `{}`:
			assert.NoError(t, err)
			assert.Equal(t, "f", s.Form)
		default:
			assert.Error(t, err)
			assert.Equal(t, formState{}, s)
		}
	})
}

// TestCanonical: arguments are the same however they are written, and different ones are not.
func TestCanonical(t *testing.T) {
	for _, same := range [][]string{
		{``, `{}`, ` {} `, `null`},
		{`{"a":1,"b":[2.0]}`, `{ "b": [2], "a": 1.0 }`, `{"a":1e0,"b":[2]}`},
		{`{"a":"é"}`, `{"\u0061":"\u00e9"}`},
		{`{"a":9007199254740993}`},
		{`{"a":9007199254740992}`},
		{`{"a":null}`},
		{`{"a":"1"}`},
		{`[]`},
	} {
		first, err := canonical(json.RawMessage(same[0]))
		require.NoError(t, err)
		for _, arguments := range same {
			got, err := canonical(json.RawMessage(arguments))
			require.NoError(t, err)
			assert.Equal(t, string(first), string(got), arguments)
		}
	}
	seen := make(map[string]bool)
	for _, arguments := range []string{`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":null}`, `[]`, `{"a":9007199254740993}`, `{"a":9007199254740992}`} {
		got, err := canonical(json.RawMessage(arguments))
		require.NoError(t, err)
		assert.False(t, seen[string(got)], arguments)
		seen[string(got)] = true
	}
	_, err := canonical(json.RawMessage(`{`))
	assert.EqualError(t, err, "the arguments of the call are not JSON: unexpected EOF")
}
