package toolinput

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type query struct {
	Name  string `json:"name"`
	Limit int64  `json:"limit,omitempty"`
}

func TestDecode(t *testing.T) {
	declared, err := jsonschema.For[query](nil)
	require.NoError(t, err)
	declared.Properties["limit"].Default = json.RawMessage(`20`)
	q, err := For[query](declared)
	require.NoError(t, err)

	in, taken, canonical, err := q.Decode(json.RawMessage(`{"view_cursor":"abc","name":"a"}`), "view_cursor")
	require.NoError(t, err)
	assert.Equal(t, query{"a", 20}, in)
	assert.Equal(t, map[string]json.RawMessage{"view_cursor": json.RawMessage(`"abc"`)}, taken)
	assert.JSONEq(t, `{"name":"a","limit":20}`, string(canonical))

	_, _, same, err := q.Decode(json.RawMessage(` {"limit": 20, "name": "a"}`))
	require.NoError(t, err)
	assert.Equal(t, string(canonical), string(same))

	for arguments, want := range map[string]string{
		``:                               `"name"`,
		`{}`:                             `"name"`,
		`[]`:                             "not an object",
		`{"name":1}`:                     "name",
		`{"name":"a","view_cursor":"c"}`: "view_cursor", // not taken
		`{"name":"a","limit":1.5}`:       "limit",
	} {
		_, _, _, err := q.Decode(json.RawMessage(arguments))
		assert.ErrorContains(t, err, want, arguments)
	}
}

// TestCase: what the schema takes for an unknown member does not get around its bounds.
func TestCase(t *testing.T) {
	q, err := For[query](map[string]any{"type": "object", "properties": map[string]any{"limit": map[string]any{"type": "integer", "maximum": 100}}})
	require.NoError(t, err)
	in, _, _, err := q.Decode(json.RawMessage(`{"LIMIT":1000000,"Name":"a"}`))
	require.NoError(t, err)
	assert.Zero(t, in)
}

func TestSchema(t *testing.T) {
	q, err := For[query](nil)
	require.NoError(t, err)
	more := map[string]*jsonschema.Schema{"view_cursor": {Type: "string"}}
	s, err := q.Schema(more)
	require.NoError(t, err)
	data, err := json.Marshal(s)
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"object","additionalProperties":false,"required":["name"],"properties":{
		"name":{"type":"string"},"limit":{"type":"integer"},"view_cursor":{"type":"string"}}}`, string(data))

	_, err = q.Schema(map[string]*jsonschema.Schema{"name": {Type: "string"}})
	assert.EqualError(t, err, `the input has a property "name", which this library adds: give yours another name`)
	_, err = For[[]string](nil)
	assert.ErrorContains(t, err, "use a struct or a map")
	_, err = For[any](nil)
	assert.NoError(t, err)
	p, err := For[*query](nil)
	require.NoError(t, err)
	in, _, _, err := p.Decode(json.RawMessage(`{"name":"a"}`))
	require.NoError(t, err)
	assert.Equal(t, &query{Name: "a"}, in)
	_, err = For[query](map[string]any{"type": "object"})
	assert.NoError(t, err)
}
