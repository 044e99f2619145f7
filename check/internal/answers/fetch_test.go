package answers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// server is a connection to a function.
type server func(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)

func (s server) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	return s(ctx, method, params)
}
func (s server) Notify(context.Context, string, map[string]any) error { return nil }
func (s server) StrayLines() []string                                 { return nil }
func (s server) Close()                                               {}

const tool = `{"name":"show","inputSchema":{"type":"object"}}`

func fetch(t *testing.T, s server, maxBytes, maxEntries int) *Record {
	t.Helper()
	c := &rpc.Client{Conn: s, Version: rpc.MainVersion, Timeout: time.Minute, MaxBytes: maxBytes}
	return Fetch(t.Context(), c, &rpc.Hello{}, Results, maxEntries, &unasked.Policy{})
}

// answer returns a server with a list of tools, by cursors.
func answer(list func(cursor string) string) server {
	return func(_ context.Context, method string, params map[string]any) (json.RawMessage, error) {
		if method != "tools/list" {
			return json.RawMessage("{}"), nil
		}
		cursor, _ := params["cursor"].(string)
		return json.RawMessage(list(cursor)), nil
	}
}

// TestBounds shows that a list, and all that a server answers, is bounded in
// entries, pages, bytes and time.
func TestBounds(t *testing.T) {
	failure := func(r *Record) Failure {
		require.Len(t, r.Failures, 1)
		return r.Failures[0]
	}
	r := fetch(t, answer(func(string) string {
		return `{"tools":[` + strings.Repeat(tool+",", 30) + tool + `]}`
	}), 1<<20, 20)
	assert.Equal(t, ListEndless, failure(r).Kind)
	assert.Len(t, r.Tools, 20)

	r = fetch(t, answer(func(cursor string) string {
		return fmt.Sprintf(`{"tools":[],"nextCursor":"%s%s"}`, cursor, "x")
	}), 1<<20, 20)
	assert.Equal(t, ListEndless, failure(r).Kind)

	r = fetch(t, answer(func(string) string { return `{"tools":[],"nextCursor":"x"}` }), 1<<20, 20)
	assert.Equal(t, "/nextCursor", failure(r).Pointer)
	assert.False(t, r.Ended)

	n := 0
	r = fetch(t, answer(func(string) string {
		n++
		return fmt.Sprintf(`{"tools":[],"nextCursor":"%d%s"}`, n, strings.Repeat("x", 900))
	}), 1000, 20)
	assert.Equal(t, Flooded, failure(r).Kind)
	assert.True(t, r.Ended)
	assert.Less(t, n, 20)

	synctest.Test(t, func(t *testing.T) {
		start, n := time.Now(), 0
		r := fetch(t, answer(func(string) string {
			n++
			time.Sleep(50 * time.Second)
			return fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n)
		}), 1<<20, 20)
		assert.Equal(t, TimedOut, failure(r).Kind)
		assert.True(t, r.Ended)
		assert.Less(t, time.Since(start), 62*time.Minute)
	})
}

// TestGivesUp shows that a server which hangs is asked three times and no more.
func TestGivesUp(t *testing.T) {
	var tools []string
	for i := range 10 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%[1]d","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://a/%[1]d"}}}`, i))
	}
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		r := fetch(t, func(ctx context.Context, method string, _ map[string]any) (json.RawMessage, error) {
			switch method {
			case "tools/list":
				return json.RawMessage(`{"tools":[` + strings.Join(tools, ",") + `]}`), nil
			case "resources/read":
				reads++
				<-ctx.Done()
				return nil, rpc.ErrTimeout
			}
			return json.RawMessage(`{"resources":[]}`), nil
		}, 1<<20, 20)
		assert.Equal(t, 3, reads)
		assert.True(t, r.Ended)
	})
}
