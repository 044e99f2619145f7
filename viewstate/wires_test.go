package viewstate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// The last protocol version with a handshake, and the first without.
const (
	older  = "2025-11-25"
	modern = "2026-07-28"
)

// A wire carries lines between a client and a server unchanged.
type wire interface {
	// exchange sends a line and returns the one that answers it, or "" for a notification.
	exchange(t *testing.T, line string) string
}

// A transport connects a client to a server. The token of the client is the name of its
// user, or "" for none.
type transport struct {
	name     string
	versions []string
	http     bool // it carries tokens
	dial     func(t *testing.T, s *mcp.Server, version, token string) wire
}

var transports = []transport{
	{"in process", []string{older, modern}, false, dialMemory},
	{"sse", []string{older}, true, dialSSE},
	{"stateful", []string{older}, true, func(t *testing.T, s *mcp.Server, version, token string) wire {
		return dialStreamable(t, s, version, token, &mcp.StreamableHTTPOptions{})
	}},
	{"stateless", []string{older, modern}, true, func(t *testing.T, s *mcp.Server, version, token string) wire {
		return dialStreamable(t, s, version, token, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	}},
}

// eachTransport runs a test over each transport in the versions that it negotiates.
func eachTransport(t *testing.T, test func(t *testing.T, tr transport, version string)) {
	for _, tr := range transports {
		for _, version := range tr.versions {
			t.Run(tr.name+"/"+version, func(t *testing.T) { test(t, tr, version) })
		}
	}
}

// A client sends requests and gets the raw JSON of the results.
type client struct {
	t       *testing.T
	wire    wire
	version string
	id      int
}

// connect makes a client, with the handshake of its version.
func (tr transport) connect(t *testing.T, s *mcp.Server, version, token string) *client {
	t.Helper()
	c := &client{t: t, wire: tr.dial(t, s, version, token), version: version}
	if version < modern {
		c.request("initialize", fmt.Sprintf(`"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"c","version":"1"}`, version))
		c.wire.exchange(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

// request sends a request, whose params have no braces, and returns the result.
func (c *client) request(method, params string) string {
	c.t.Helper()
	if c.version >= modern {
		params = strings.TrimPrefix(params+fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`, c.version), ",")
	}
	c.id++
	line := c.wire.exchange(c.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.id, method, params))
	var msg struct {
		ID     int
		Result json.RawMessage
	}
	require.NoError(c.t, json.Unmarshal([]byte(line), &msg), line)
	require.NotEmpty(c.t, msg.Result, line)
	require.Equal(c.t, c.id, msg.ID)
	return string(msg.Result)
}

// call calls a tool and returns its text, after "error: " if it failed. The result has
// one text and nothing structured.
func (c *client) call(tool, arguments string) string {
	c.t.Helper()
	raw := c.request("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
	var res struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	require.NoError(c.t, json.Unmarshal([]byte(raw), &res))
	require.Len(c.t, res.Content, 1, raw)
	require.Equal(c.t, "text", res.Content[0].Type)
	require.NotContains(c.t, raw, `"structuredContent"`)
	if res.IsError {
		return "error: " + res.Content[0].Text
	}
	return res.Content[0].Text
}

func (c *client) state(arguments string) string {
	c.t.Helper()
	return c.call("view_state", arguments)
}

type pipe struct {
	w io.Writer
	r *bufio.Reader
}

func (p *pipe) exchange(t *testing.T, line string) string {
	t.Helper()
	_, err := io.WriteString(p.w, line+"\n")
	require.NoError(t, err)
	if !strings.Contains(line, `"id":`) {
		return ""
	}
	answer, err := p.r.ReadString('\n')
	require.NoError(t, err)
	return answer
}

func dialMemory(t *testing.T, s *mcp.Server, _, _ string) wire {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ss, err := s.Connect(t.Context(), &mcp.IOTransport{Reader: fromClient, Writer: toClient}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		ss.Close()
	})
	return &pipe{toServer, bufio.NewReader(fromServer)}
}

// authenticated lets clients without a token in too, as nobody's.
func authenticated(h http.Handler) http.Handler {
	known := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			h.ServeHTTP(w, r)
			return
		}
		known.ServeHTTP(w, r)
	})
}

// An httpWire is a client over HTTP. With events it is HTTP+SSE, whose answers arrive
// there.
type httpWire struct {
	url, version, token, session string
	events                       *bufio.Reader
}

func dialStreamable(t *testing.T, s *mcp.Server, version, token string, o *mcp.StreamableHTTPOptions) wire {
	t.Helper()
	web := httptest.NewServer(authenticated(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o)))
	t.Cleanup(web.Close)
	return &httpWire{url: web.URL, version: version, token: token}
}

func dialSSE(t *testing.T, s *mcp.Server, version, token string) wire {
	t.Helper()
	web := httptest.NewServer(authenticated(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)))
	t.Cleanup(web.Close)
	w := &httpWire{url: web.URL, version: version, token: token}
	res := w.send(t, http.MethodGet, "")
	t.Cleanup(func() { res.Body.Close() }) // before the server closes, which waits for it
	w.events = bufio.NewReader(res.Body)
	base, err := url.Parse(web.URL)
	require.NoError(t, err)
	endpoint, err := base.Parse(data(t, w.events))
	require.NoError(t, err)
	w.url = endpoint.String()
	return w
}

func (w *httpWire) send(t *testing.T, method, line string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, w.url, strings.NewReader(line))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", w.version)
	if w.token != "" {
		req.Header.Set("Authorization", "Bearer "+w.token)
	}
	if w.session != "" {
		req.Header.Set("Mcp-Session-Id", w.session)
	}
	if w.version >= modern && line != "" {
		var msg struct {
			Method string
			Params struct{ Name string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &msg))
		req.Header.Set("Mcp-Method", msg.Method)
		if msg.Params.Name != "" {
			req.Header.Set("Mcp-Name", msg.Params.Name)
		}
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	return res
}

func (w *httpWire) exchange(t *testing.T, line string) string {
	t.Helper()
	res := w.send(t, http.MethodPost, line)
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	switch {
	case !strings.Contains(line, `"id":`):
		return ""
	case w.events != nil:
		return data(t, w.events)
	case strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream"):
		return data(t, bufio.NewReader(res.Body))
	}
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(body)
}

// data returns the data of the next event that has some.
func data(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		if data := strings.TrimSpace(strings.TrimPrefix(line, "data:")); data != "" && data != strings.TrimSpace(line) {
			return data
		}
	}
}
