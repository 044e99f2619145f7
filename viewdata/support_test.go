package viewdata

import (
	"bufio"
	"cmp"
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
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28" // without a handshake: each request has the client's capabilities
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

// A client sends lines of JSON, and gets the raw JSON of the answers.
type client struct {
	t        testing.TB
	version  string
	apps     bool // it declares that it shows views
	id       int
	exchange func(c *client, method, line string) string
}

// request returns the raw JSON of the response; params are the members of an object.
func (c *client) request(method, params string) string {
	c.t.Helper()
	c.id++
	if c.version >= modern {
		params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + c.version + `","io.modelcontextprotocol/clientInfo":{"name":"c","version":"0"},"io.modelcontextprotocol/clientCapabilities":` + c.capabilities() + `}`
	}
	params = strings.TrimPrefix(params, ",")
	return c.exchange(c, method, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.id, method, params))
}

func (c *client) capabilities() string {
	if c.apps {
		return `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	}
	return `{}`
}

func (c *client) notify(method string) {
	c.t.Helper()
	c.exchange(c, method, fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, method))
}

func (c *client) open() *client {
	c.t.Helper()
	if c.version < modern {
		c.request("initialize", `"protocolVersion":"`+c.version+`","clientInfo":{"name":"c","version":"0"},"capabilities":`+c.capabilities())
		c.notify("notifications/initialized")
	}
	return c
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
	var msg struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	raw := c.request("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
	require.NoError(c.t, json.Unmarshal([]byte(raw), &msg), raw)
	require.Nil(c.t, msg.Error, raw)
	var res result
	require.NoError(c.t, json.Unmarshal(msg.Result, &res), raw)
	require.NoError(c.t, json.Unmarshal(msg.Result, &res.members), raw)
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
	return overPipe(t, s, version, false)
}

// showing connects a client that shows views.
func showing(t testing.TB, s *mcp.Server, version string) *client {
	t.Helper()
	return overPipe(t, s, version, true)
}

func overPipe(t testing.TB, s *mcp.Server, version string, apps bool) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ss, err := s.Connect(context.Background(), &mcp.IOTransport{Reader: fromClient, Writer: toClient}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		ss.Close()
	})
	r := bufio.NewReader(fromServer)
	c := &client{t: t, version: version, apps: apps, exchange: func(c *client, _, line string) string {
		_, err := io.WriteString(toServer, line+"\n")
		require.NoError(c.t, err)
		for strings.Contains(line, `"id":`) {
			answer, err := r.ReadString('\n')
			require.NoError(c.t, err)
			if strings.Contains(answer, `"id":`) {
				return strings.TrimSuffix(answer, "\n")
			}
		}
		return ""
	}}
	return c.open()
}

// serveHTTP serves over streamable HTTP. The token of a request is the name of its
// user; requests without one have no user.
func serveHTTP(t testing.TB, s *mcp.Server, stateless bool) string {
	h := http.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true}))
	withUser := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(h)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			withUser.ServeHTTP(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

func overHTTP(t testing.TB, url, user, version string) *client {
	t.Helper()
	session := ""
	c := &client{t: t, version: version, exchange: func(c *client, method, line string) string {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(line))
		require.NoError(c.t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if user != "" {
			req.Header.Set("Authorization", "Bearer "+user)
		}
		if method != "initialize" {
			req.Header.Set("Mcp-Protocol-Version", c.version)
		}
		if c.version >= modern {
			var msg struct{ Params struct{ Name string } }
			require.NoError(c.t, json.Unmarshal([]byte(line), &msg))
			req.Header.Set("Mcp-Method", method)
			req.Header.Set("Mcp-Name", msg.Params.Name)
		}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(c.t, err)
		defer resp.Body.Close()
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		body, err := io.ReadAll(resp.Body)
		require.NoError(c.t, err)
		return strings.TrimSpace(string(body))
	}}
	return c.open()
}

// overSSE connects over the HTTP+SSE transport of 2024-11-05.
func overSSE(t testing.TB, s *mcp.Server, user string) *mcp.ClientSession {
	t.Helper()
	h := http.Handler(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil))
	if user != "" {
		h = auth.RequireBearerToken(func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour)}, nil
		}, nil)(h)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+user)
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, nil).Connect(t.Context(), &mcp.SSEClientTransport{Endpoint: web.URL}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	return cs
}

// eachWire runs a test in memory and over HTTP, with and without sessions, in both eras
// of the protocol.
func eachWire(t *testing.T, user string, s func() *mcp.Server, test func(t *testing.T, c *client)) {
	for _, version := range []string{legacy, modern} {
		t.Run("memory "+version, func(t *testing.T) { test(t, inMemory(t, s(), version)) })
		for _, stateless := range []bool{false, true} {
			if version >= modern && !stateless {
				continue // the SDK has sessions for older versions only
			}
			t.Run(fmt.Sprintf("http stateless %v %s", stateless, version), func(t *testing.T) {
				test(t, overHTTP(t, serveHTTP(t, s(), stateless), user, version))
			})
		}
	}
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
