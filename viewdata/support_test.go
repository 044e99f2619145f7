package viewdata

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

const (
	legacy = rawclient.Older
	modern = rawclient.Modern
)

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
}

var testView = mcpapps.View{
	Resource: mcp.Resource{URI: "ui://test/view.html"},
	Document: mcpapps.HTML("<!doctype html><title>Test</title>"),
}

func readTool(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
}

// A client calls tools, and gets the raw JSON of the answers.
type client struct {
	*rawclient.Client
	t testing.TB
}

// result is the result of a call, as the tests need it.
type result struct {
	Content []struct{ Type, Text string }
	Meta    struct {
		Data json.RawMessage `json:"mcpapps/data"`
	} `json:"_meta"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool
	members    map[string]json.RawMessage
}

func (c *client) call(tool, arguments string) result {
	c.t.Helper()
	raw := c.Call(c.t, tool, arguments)
	var res result
	require.NoError(c.t, json.Unmarshal([]byte(raw), &res), raw)
	require.NoError(c.t, json.Unmarshal([]byte(raw), &res.members), raw)
	return res
}

// ask calls a tool of the library, and returns its text. Such a result has one text
// block and nothing else.
func (c *client) ask(tool, arguments string) string {
	c.t.Helper()
	res := c.call(tool, arguments)
	require.Len(c.t, res.Content, 1)
	require.Equal(c.t, "text", res.Content[0].Type)
	require.NotContains(c.t, res.members, "structuredContent")
	require.Empty(c.t, res.Meta.Data)
	require.False(c.t, res.IsError, res.Content[0].Text)
	return res.Content[0].Text
}

// fail returns the text of a call that fails.
func (c *client) fail(tool, arguments string) string {
	c.t.Helper()
	res := c.call(tool, arguments)
	require.True(c.t, res.IsError)
	require.NotContains(c.t, res.members, "structuredContent")
	require.Empty(c.t, res.Meta.Data)
	require.Len(c.t, res.Content, 1)
	return res.Content[0].Text
}

// inMemory connects over a pipe in this process, as standard input and output do.
func inMemory(t testing.TB, s *mcp.Server, version string) *client {
	t.Helper()
	return &client{rawclient.Stdio(t, s, rawclient.Config{Version: version}), t}
}

// showing connects a client that shows views.
func showing(t testing.TB, s *mcp.Server, version string) *client {
	t.Helper()
	return &client{rawclient.Stdio(t, s, rawclient.Config{Version: version, Capabilities: `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`}), t}
}

// overHTTP connects by streamable HTTP, without a user if that is "".
func overHTTP(t testing.TB, h http.Handler, user, version string) *client {
	t.Helper()
	return &client{rawclient.HTTP(t, h, rawclient.Config{Version: version, User: user}), t}
}

func streamable(s *mcp.Server, stateless bool) http.Handler {
	return rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
}

// eachWire runs a test over each transport, with a user where it carries one.
func eachWire(t *testing.T, user string, s func() *mcp.Server, test func(t *testing.T, c *client)) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		test(t, &client{tr.Dial(t, s(), rawclient.Config{User: user}), t})
	})
}

// memoryStore is a store without bounds.
type memoryStore struct {
	mu   sync.Mutex
	docs map[viewstate.Key]viewstate.Record
	fail error
}

func newStore() *memoryStore {
	return &memoryStore{docs: make(map[viewstate.Key]viewstate.Record)}
}

func (m *memoryStore) lock() (unlock func()) {
	m.mu.Lock()
	return m.mu.Unlock
}

func (m *memoryStore) Get(_ context.Context, k viewstate.Key) (viewstate.Record, error) {
	defer m.lock()()
	r, ok := m.docs[k]
	if m.fail != nil {
		return r, m.fail
	}
	if !ok {
		return r, viewstate.ErrNotFound
	}
	return r, nil
}

func (m *memoryStore) Put(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
	defer m.lock()()
	if err := cmp.Or(m.fail, ctx.Err()); err != nil {
		return viewstate.Record{}, err
	}
	if m.docs[k].Version != version {
		return m.docs[k], viewstate.ErrConflict
	}
	m.docs[k] = viewstate.Record{Value: append([]byte(nil), value...), Version: version + 1}
	return m.docs[k], nil
}

func (m *memoryStore) Delete(_ context.Context, k viewstate.Key) error {
	defer m.lock()()
	delete(m.docs, k)
	return nil
}

func (m *memoryStore) Expire(context.Context, time.Time) error { return nil }
