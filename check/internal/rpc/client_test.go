package rpc

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// result is a connection on which all results are the same.
type result string

func (r result) Call(context.Context, string, map[string]any) (json.RawMessage, error) {
	return json.RawMessage(r), nil
}
func (r result) Notify(context.Context, string, map[string]any) error { return nil }
func (r result) StrayLines() []string                                 { return nil }
func (r result) Close()                                               {}

// TestResultBounds shows the bounds of what a server answers: of one result's bytes, of
// its objects and lists, which take more memory than they have bytes, and of all
// results together.
func TestResultBounds(t *testing.T) {
	call := func(r string, maxBytes int) error {
		c := &Client{Conn: result(r), Version: MainVersion, Timeout: time.Minute, MaxBytes: maxBytes}
		_, err := c.Call(t.Context(), "tools/list", map[string]any{})
		return err
	}
	require.NoError(t, call(`{"a":"12"}`, 10))
	assert.ErrorIs(t, call(`{"a":"123"}`, 10), ErrFlood)

	lists := func(n int) string { return "[" + strings.Repeat("[],", n-2) + "{}]" }
	require.NoError(t, call(lists(maxValues), 1<<30))
	assert.ErrorIs(t, call(lists(maxValues+1), 1<<30), ErrFlood)
	assert.ErrorContains(t, call(lists(maxValues+1), 1<<30), "more than 500000 objects and lists")
	require.NoError(t, call(`["`+strings.Repeat(`{[\\`, maxValues)+`", "\"`+strings.Repeat(`[`, maxValues)+`"]`, 1<<30), "brackets in strings do not count")

	c := &Client{Conn: result(`"1234567890"`), Version: MainVersion, Timeout: time.Minute, MaxBytes: 12}
	for range 8 {
		_, err := c.Call(t.Context(), "ping", map[string]any{})
		require.NoError(t, err)
	}
	_, err := c.Call(t.Context(), "ping", map[string]any{})
	assert.ErrorIs(t, err, ErrFlood)
}
