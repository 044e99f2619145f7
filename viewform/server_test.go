package viewform_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

// newServer returns a server with the tool remove, and its store if f has none.
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
	modern  = "2026-07-28"
	older   = "2025-06-18"
	ui      = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	none    = `{}`
	unsaid  = "" // the context says that support is unknown
	byView  = `"mcpapps/caller":"app"`
	removes = `{"ids":[1,2]}`
)

// A client sends raw messages. Its methods may be called concurrently only if its
// connection is HTTP.
type client struct {
	t        *testing.T
	version  string
	caps     string
	exchange func(id int, method, params string) string // the raw result, or error
	ids      int
}

// dial connects to a server in this process.
func dial(t *testing.T, s *mcp.Server, version, caps string) *client {
	t.Helper()
	caps = declared(s, caps)
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	t.Cleanup(func() { ss.Close() })
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	send := func(msg string) {
		m, err := jsonrpc.DecodeMessage([]byte(msg))
		require.NoError(t, err)
		require.NoError(t, conn.Write(t.Context(), m))
	}
	c := &client{t: t, version: version, caps: caps}
	c.exchange = func(id int, method, params string) string {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
		for {
			m, err := conn.Read(t.Context())
			require.NoError(t, err)
			if r, ok := m.(*jsonrpc.Response); ok {
				if r.Error != nil {
					return r.Error.Error()
				}
				return string(r.Result)
			}
		}
	}
	if version < modern {
		c.initialize()
		send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
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

func (c *client) initialize() {
	c.ids++
	c.exchange(c.ids, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}`, c.version, c.caps))
}

// dialHTTP connects to a handler as a user, "" for none.
func dialHTTP(t *testing.T, url, user, version, caps string) *client {
	t.Helper()
	c := &client{t: t, version: version, caps: caps}
	session := ""
	c.exchange = func(id int, method, params string) string {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
		req, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if user != "" {
			req.Header.Set("Authorization", "Bearer "+user)
		}
		if method != "initialize" {
			req.Header.Set("Mcp-Protocol-Version", version)
		}
		if version >= modern {
			var p struct{ Name string }
			require.NoError(t, json.Unmarshal([]byte(params), &p))
			req.Header.Set("Mcp-Method", method)
			req.Header.Set("Mcp-Name", p.Name)
		}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		if id := res.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		data, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
			for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
				if d, ok := strings.CutPrefix(lines.Text(), "data: "); ok && d != "" {
					data = []byte(d)
				}
			}
		}
		var answer struct{ Result, Error json.RawMessage }
		require.NoError(t, json.Unmarshal(data, &answer), "%s", data)
		return string(answer.Result) + string(answer.Error)
	}
	if version < modern {
		c.initialize()
	}
	return c
}

// serve returns the URL of a server behind bearer tokens that are names of users;
// without users it asks for none.
func serve(t *testing.T, s *mcp.Server, stateless, users bool) string {
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
	if users {
		h = auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
		}, nil)(h)
	}
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	return web.URL
}

// call calls a tool and returns the raw result. Meta are members of its _meta.
func (c *client) call(tool, arguments string, meta ...string) string {
	c.t.Helper()
	if c.version >= modern {
		meta = append(meta, fmt.Sprintf(`"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s`, c.version, c.caps))
	}
	c.ids++
	return c.exchange(c.ids, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{%s}}`, tool, arguments, strings.Join(meta, ",")))
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
