package rawclient

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// A Transport connects clients to servers, in one protocol version.
type Transport struct {
	Version string
	HTTP    bool // it carries users
	dial    func(t testing.TB, s *mcp.Server, config Config) *Client
}

// Dial connects a client, whose version is that of the transport.
func (tr Transport) Dial(t testing.TB, s *mcp.Server, config Config) *Client {
	t.Helper()
	config.Version = tr.Version
	return tr.dial(t, s, config)
}

// EachTransport runs a test for each transport, in the versions [Older] and [Modern] where the
// transport negotiates them.
func EachTransport(t *testing.T, test func(t *testing.T, tr Transport)) {
	t.Helper()
	streamable := func(opts mcp.StreamableHTTPOptions) func(testing.TB, *mcp.Server, Config) *Client {
		return func(t testing.TB, s *mcp.Server, config Config) *Client {
			return HTTP(t, Streamable(s, &opts), config)
		}
	}
	for _, tr := range []struct {
		name string
		last string
		http bool
		dial func(t testing.TB, s *mcp.Server, config Config) *Client
	}{
		{"memory", Modern, false, Memory},
		{"stdio", Modern, false, Stdio},
		{"sse", Older, true, SSE},
		{"stateful", Older, true, streamable(mcp.StreamableHTTPOptions{})},
		{"stateless", Modern, true, streamable(mcp.StreamableHTTPOptions{Stateless: true})},
		{"json stateless", Modern, true, streamable(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})},
	} {
		for _, version := range []string{Older, Modern} {
			if version <= tr.last {
				t.Run(tr.name+"/"+version, func(t *testing.T) { test(t, Transport{version, tr.http, tr.dial}) })
			}
		}
	}
}

// Each runs a test with a client on each transport.
func Each(t *testing.T, s *mcp.Server, config Config, test func(t *testing.T, c *Client)) {
	t.Helper()
	EachTransport(t, func(t *testing.T, tr Transport) { test(t, tr.Dial(t, s, config)) })
}

// Memory connects by the SDK's transport within a process. It hands over messages and not
// bytes, so they are encoded once more: HTML is escaped in them.
func Memory(t testing.TB, s *mcp.Server, config Config) *Client {
	t.Helper()
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	t.Cleanup(func() { ss.Close() })
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return open(t, memory{conn}, config)
}

type memory struct{ conn mcp.Connection }

func (m memory) exchange(t testing.TB, c *Client, line string) string {
	t.Helper()
	return c.converse(t, line, func(line string) {
		msg, err := jsonrpc.DecodeMessage([]byte(line))
		require.NoError(t, err)
		require.NoError(t, m.conn.Write(context.Background(), msg))
	}, func() string {
		msg, err := m.conn.Read(t.Context())
		require.NoError(t, err)
		data, err := jsonrpc.EncodeMessage(msg)
		require.NoError(t, err)
		return string(data)
	})
}

// Stdio connects by pipes that carry what standard input and output carry.
func Stdio(t testing.TB, s *mcp.Server, config Config) *Client {
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
	return Pipe(t, toServer, fromServer, config)
}

// Pipe connects to a server that reads what is written to w, and writes what is read from r.
func Pipe(t testing.TB, w io.Writer, r io.Reader, config Config) *Client {
	t.Helper()
	return open(t, &pipe{w, bufio.NewReader(r)}, config)
}

type pipe struct {
	w io.Writer
	r *bufio.Reader
}

func (p *pipe) exchange(t testing.TB, c *Client, line string) string {
	t.Helper()
	return c.converse(t, line, func(line string) {
		_, err := io.WriteString(p.w, line+"\n")
		require.NoError(t, err)
	}, func() string {
		line, err := p.r.ReadString('\n')
		require.NoError(t, err)
		return strings.TrimSuffix(line, "\n")
	})
}

// Streamable returns the handler of a server for [HTTP].
func Streamable(s *mcp.Server, opts *mcp.StreamableHTTPOptions) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts)
}

// HTTP connects by streamable HTTP. The handler may wrap that of [Streamable].
func HTTP(t testing.TB, h http.Handler, config Config) *Client {
	t.Helper()
	return open(t, &streamable{url: serve(t, h, config)}, config)
}

// WithUsers returns a handler whose requests have a bearer token: the name of its user.
func WithUsers(h http.Handler) http.Handler {
	return auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(h)
}

// serve returns the URL of a handler for one client.
func serve(t testing.TB, h http.Handler, config Config) string {
	if config.User != "" {
		h = WithUsers(h)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

type streamable struct{ url, session string }

func (h *streamable) exchange(t testing.TB, c *Client, line string) string {
	t.Helper()
	var resp *http.Response // to the line, not to an answer of the client
	var body *bufio.Reader
	defer func() {
		if resp != nil {
			resp.Body.Close()
		}
	}()
	return c.converse(t, line, func(line string) {
		r := c.do(t, http.MethodPost, h.url, line, h.session)
		if id := r.Header.Get("Mcp-Session-Id"); id != "" {
			h.session = id
		}
		if isRequest(line) {
			resp, body = r, bufio.NewReader(r.Body)
			return
		}
		r.Body.Close()
		require.Equal(t, http.StatusAccepted, r.StatusCode)
	}, func() string {
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			return readEvent(t, body, "message")
		}
		data, err := io.ReadAll(body)
		require.NoError(t, err)
		return strings.TrimSuffix(string(data), "\n")
	})
}

// do sends a line over HTTP; "" is an empty body.
func (c *Client) do(t testing.TB, method, url, line, session string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(line))
	require.NoError(t, err)
	maps.Copy(req.Header, c.Header)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.User != "" {
		req.Header.Set("Authorization", "Bearer "+c.User)
	}
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	if line != "" {
		c.repeat(t, req.Header, line)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	return resp
}

// repeat sets the headers in which a client repeats parts of a line.
func (c *Client) repeat(t testing.TB, h http.Header, line string) {
	t.Helper()
	var msg struct {
		Method string
		Params struct{ Name, URI string }
	}
	require.NoError(t, json.Unmarshal([]byte(line), &msg))
	if msg.Method != "initialize" {
		h.Set("Mcp-Protocol-Version", c.Version)
	}
	if c.Version >= Modern {
		h.Set("Mcp-Method", msg.Method)
		if name := msg.Params.Name + msg.Params.URI; name != "" {
			h.Set("Mcp-Name", name)
		}
	}
}

// SSE connects by the HTTP+SSE transport of 2024-11-05.
func SSE(t testing.TB, s *mcp.Server, config Config) *Client {
	t.Helper()
	address := serve(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil), config)
	resp := (&Client{Config: config}).do(t, http.MethodGet, address, "", "")
	t.Cleanup(func() { resp.Body.Close() }) // before the server closes, which waits for it
	w := &sse{events: bufio.NewReader(resp.Body)}
	base, err := url.Parse(address)
	require.NoError(t, err)
	endpoint, err := base.Parse(readEvent(t, w.events, "endpoint"))
	require.NoError(t, err)
	w.endpoint = endpoint.String()
	return open(t, w, config)
}

type sse struct {
	endpoint string
	events   *bufio.Reader
}

func (s *sse) exchange(t testing.TB, c *Client, line string) string {
	t.Helper()
	return c.converse(t, line, func(line string) {
		resp := c.do(t, http.MethodPost, s.endpoint, line, "")
		resp.Body.Close()
		require.Equal(t, http.StatusAccepted, resp.StatusCode)
	}, func() string { return readEvent(t, s.events, "message") })
}

// readEvent returns the data of the next event with the name.
func readEvent(t testing.TB, r *bufio.Reader, name string) string {
	t.Helper()
	var event, data string
	for {
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
			if event == name && data != "" {
				return data
			}
			event, data = "", ""
		case strings.HasPrefix(line, "event:"):
			event = strings.TrimSpace(line[len("event:"):])
		case strings.HasPrefix(line, "data:"):
			data += strings.TrimPrefix(line[len("data:"):], " ")
		}
	}
}
