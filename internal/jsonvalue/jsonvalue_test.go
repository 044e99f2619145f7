package jsonvalue

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObject(t *testing.T) {
	shared := map[string]any{"a": 1}
	m, err := Object(shared)
	require.NoError(t, err)
	m["b"] = 2
	assert.Contains(t, shared, "b", "a map is not copied")

	m, err = Object(struct {
		A []int `json:"a"`
	}{[]int{1}})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"a": []any{1.0}}, m)

	m, err = Object(map[string]any(nil))
	assert.NoError(t, err)
	assert.Nil(t, m)
	for value, message := range map[any]string{
		nil: "must be an object, not null", "x": `must be an object, not "x"`, true: "must be an object, not true",
	} {
		_, err := Object(value)
		assert.EqualError(t, err, message)
	}
	_, err = Object(make(chan int))
	assert.ErrorContains(t, err, "can't be encoded as JSON")
}

func TestStrings(t *testing.T) {
	list := []string{"a"}
	got, err := Strings(list)
	require.NoError(t, err)
	got[0] = "changed"
	assert.Equal(t, []string{"a"}, list)
	for _, null := range []any{nil, []any(nil), json.RawMessage("null"), (*int)(nil)} {
		got, err := Strings(null)
		assert.NoError(t, err)
		assert.Nil(t, got)
	}
	got, err = Strings([]any{})
	require.NoError(t, err)
	assert.Equal(t, []string{}, got)
	_, err = Strings([]any{"a", 1})
	assert.EqualError(t, err, "must be an array of strings, but its entry 1 is 1")
	_, err = Strings("a")
	assert.EqualError(t, err, `must be an array of strings, not "a"`)
}

func TestCloneSharesNothing(t *testing.T) {
	type named struct{ L []string }
	v := map[string]any{
		"map": map[string]any{"k": []any{1.5}}, "list": []any{[]any{"x"}}, "words": []string{"w"},
		"raw": json.RawMessage(`{"a":1}`), "struct": &named{[]string{"s"}}, "nil": map[string]any(nil),
	}
	before, err := json.Marshal(v)
	require.NoError(t, err)
	c := Clone(v).(map[string]any)
	c["map"].(map[string]any)["k"].([]any)[0] = "changed"
	c["list"].([]any)[0].([]any)[0] = "changed"
	c["words"].([]string)[0] = "changed"
	c["raw"].(json.RawMessage)[1] = 'x'
	c["struct"].(map[string]any)["L"].([]any)[0] = "changed"
	after, err := json.Marshal(v)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

func TestDecodeKeepsDigits(t *testing.T) {
	v, err := Decode([]byte(`[1,12345678901234567890,1e999,9007199254740992,9007199254740993]`))
	require.NoError(t, err)
	assert.Equal(t, []any{1.0, json.Number("12345678901234567890"), json.Number("1e999"), 9007199254740992.0, json.Number("9007199254740993")}, v)
	_, err = Decode([]byte(`{} {}`))
	assert.Error(t, err)
}

func TestIsNull(t *testing.T) {
	for _, v := range []any{nil, map[string]any(nil), []any(nil), (*int)(nil), json.RawMessage(nil), json.RawMessage(" null ")} {
		assert.True(t, IsNull(v), "%T", v)
	}
	for _, v := range []any{map[string]any{}, []any{}, 0, "", false, json.RawMessage("{}")} {
		assert.False(t, IsNull(v), "%T", v)
	}
}
