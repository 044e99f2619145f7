package viewform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A store is a Store of a test, which can fail.
type store struct {
	mu   sync.Mutex
	docs map[viewstate.Key]viewstate.Record
	fail func(method string, value []byte) error // may be nil
}

func newStore() *store { return &store{docs: make(map[viewstate.Key]viewstate.Record)} }

func (s *store) failing(ctx context.Context, method string, value []byte) error {
	if err := ctx.Err(); err != nil || s.fail == nil {
		return err
	}
	return s.fail(method, value)
}

func (s *store) Get(ctx context.Context, key viewstate.Key) (viewstate.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.docs[key]
	if err := s.failing(ctx, "get", nil); err != nil {
		return viewstate.Record{}, err
	}
	if !ok {
		return r, viewstate.ErrNotFound
	}
	return r, nil
}

func (s *store) Put(ctx context.Context, key viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failing(ctx, "put", value); err != nil {
		return viewstate.Record{}, err
	}
	if r := s.docs[key]; r.Version != version {
		return r, viewstate.ErrConflict
	}
	r := viewstate.Record{Value: bytes.Clone(value), Version: version + 1}
	s.docs[key] = r
	return r, nil
}

func (s *store) Delete(_ context.Context, key viewstate.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.docs, key)
	return nil
}

func (s *store) Expire(context.Context, time.Time) error { return nil }

// clear removes all documents, as when they have expired.
func (s *store) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.docs)
}

// replace puts a value in the place of each document.
func (s *store) replace(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, r := range s.docs {
		s.docs[key] = viewstate.Record{Value: []byte(value), Version: r.Version + 1}
	}
}

type removal struct {
	IDs    []int  `json:"ids"`
	Reason string `json:"reason,omitempty"`
}

type removed struct {
	Count int `json:"count"`
}

// orders records what was removed.
type orders struct {
	mu   sync.Mutex
	done []removal
}

func (o *orders) remove(_ context.Context, _ *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done = append(o.done, in)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Removed %d orders.", len(in.IDs))}}}, removed{len(in.IDs)}, nil
}

func (o *orders) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.done)
}

func view() mcpapps.View {
	return mcpapps.View{Resource: mcp.Resource{URI: "ui://orders/remove.html"}, Document: mcpapps.HTML("<p>form")}
}

// newServer returns a server with the tool remove, and the store, which it makes if f has no store.
func newServer(f viewform.Form[removal, removed]) (*mcp.Server, *store) {
	st := newStore()
	if f.Store == nil {
		f.Store = st
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "1"}, nil)
	destructive := true
	viewform.Register(s, &mcp.Tool{Name: "remove", Title: "Remove orders", Description: "Remove orders", Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive}}, view(), f)
	return s, st
}

const (
	modern  = rawclient.Modern
	older   = "2025-06-18"
	ui      = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	none    = `{}`
	unsaid  = "" // the context says that support is unknown
	byView  = `"mcpapps/caller":"app"`
	removes = `{"ids":[1,2]}`
)

// A client calls the tools of forms.
type client struct {
	*rawclient.Client
	t *testing.T
}

// dial connects to a server in this process.
func dial(t *testing.T, s *mcp.Server, version, caps string) *client {
	t.Helper()
	return &client{rawclient.Memory(t, s, rawclient.Config{Version: version, Capabilities: declared(s, caps)}), t}
}

// declared returns capabilities for a client; a middleware says unknown for unsaid.
func declared(s *mcp.Server, caps string) string {
	if caps != unsaid {
		return caps
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(mcpapps.WithClientSupport(ctx, mcpapps.SupportUnknown), method, req)
		}
	})
	return none
}

// dialHTTP connects to a handler as a user, "" for none.
func dialHTTP(t *testing.T, h http.Handler, user, version, caps string) *client {
	t.Helper()
	return &client{rawclient.HTTP(t, h, rawclient.Config{Version: version, Capabilities: caps, User: user}), t}
}

func streamable(s *mcp.Server, stateless bool) http.Handler {
	return rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: stateless})
}

// call calls a tool and returns the raw result, or error. Meta are members of its _meta.
func (c *client) call(tool, arguments string, meta ...string) string {
	c.t.Helper()
	params := fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)
	if len(meta) > 0 {
		params = fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{%s}}`, tool, arguments, strings.Join(meta, ","))
	}
	raw := c.Send(c.t, "tools/call", params)
	var answer struct{ Result, Error json.RawMessage }
	require.NoError(c.t, json.Unmarshal([]byte(raw), &answer), raw)
	return string(answer.Result) + string(answer.Error)
}

// A result is a decoded result.
type result struct {
	Meta    map[string]any `json:"_meta"`
	Content []struct{ Type, Text string }
	Value   json.RawMessage `json:"structuredContent"`
	IsError bool            `json:"isError"`
}

func decode(t *testing.T, raw string) result {
	t.Helper()
	var r result
	require.NoError(t, json.Unmarshal([]byte(raw), &r), raw)
	require.NotEmpty(t, r.Content, raw)
	return r
}

// open opens a form and returns its key.
func (c *client) open() string {
	c.t.Helper()
	return keyOf(c.t, c.call("remove", removes))
}

// keyOf returns the key in a result, which is in _meta and in a line of its own.
func keyOf(t *testing.T, raw string) string {
	t.Helper()
	r := decode(t, raw)
	require.False(t, r.IsError, raw)
	form, _ := r.Meta["mcpapps/data"].(map[string]any)["form"].(map[string]any)
	key, _ := form["key"].(string)
	require.NotEmpty(t, key, raw)
	assert.Equal(t, map[string]any{"key": key, "tool": "remove_submit"}, form)
	assert.Equal(t, `{"$view":"`+key+`"}`, r.Content[len(r.Content)-1].Text)
	return key
}

// submit submits values and returns the answer; without values it asks for the state.
func (c *client) submit(key, values string) string {
	c.t.Helper()
	raw := c.call("remove_submit", submission(key, values), byView)
	r := decode(c.t, raw)
	assert.False(c.t, r.IsError, raw)
	assert.Len(c.t, r.Content, 1)
	assert.Nil(c.t, r.Value)
	return r.Content[0].Text
}

func submission(key, values string) string {
	if values == "" {
		return fmt.Sprintf(`{"confirm":%q}`, key)
	}
	return fmt.Sprintf(`{"confirm":%q,"values":%s}`, key, values)
}

func confirming(key string) string {
	return fmt.Sprintf(`{"ids":[1,2],"confirm":%q}`, key)
}
