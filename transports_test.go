package mcpapps_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// pipe is a wire of newline-delimited JSON.
type pipe struct {
	w io.Writer
	r *bufio.Reader
}

func (p *pipe) exchange(t *testing.T, _ wireClient, line string) string {
	t.Helper()
	_, err := io.WriteString(p.w, line+"\n")
	require.NoError(t, err)
	if isNotification(line) {
		return ""
	}
	for {
		answer, err := p.r.ReadString('\n')
		require.NoError(t, err)
		if !isNotification(answer) { // else that a list has changed
			return strings.TrimSuffix(answer, "\n")
		}
	}
}

func isNotification(line string) bool { return !strings.Contains(line, `"id":`) }

// dialMemory connects to a server in this process. The SDK's in-memory
// transport is the same connection with its ends out of reach.
func dialMemory(t *testing.T, s *mcp.Server) wire {
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

const childVariable = "MCPAPPS_TEST_STDIO_SERVER"

// TestStdioServer is the child process of TestWireTransports, not a test.
func TestStdioServer(t *testing.T) {
	if os.Getenv(childVariable) == "" {
		t.Skip("the server behind TestWireTransports/stdio")
	}
	if err := newWireServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil && err != io.EOF {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0) // before the test binary writes its verdict to the wire
}

func dialStdio(t *testing.T) wire {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestStdioServer$")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &pipe{in, bufio.NewReader(out)}
}

// streamable is streamable HTTP, by hand.
type streamable struct {
	url     string
	session string
}

func dialStreamable(t *testing.T, s *mcp.Server, opts *mcp.StreamableHTTPOptions) wire {
	t.Helper()
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts))
	t.Cleanup(srv.Close)
	return &streamable{url: srv.URL}
}

func (h *streamable) exchange(t *testing.T, c wireClient, line string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url, strings.NewReader(line))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	setStandardHeaders(t, req.Header, c, line)
	if h.session != "" {
		req.Header.Set("Mcp-Session-Id", h.session)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		h.session = id
	}
	if isNotification(line) {
		assert.Equal(t, http.StatusAccepted, resp.StatusCode)
		return ""
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return readEvent(t, bufio.NewReader(resp.Body), "message")
	}
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return strings.TrimSuffix(string(body), "\n")
}

// setStandardHeaders sets what a client of the version repeats in headers.
func setStandardHeaders(t *testing.T, h http.Header, c wireClient, line string) {
	t.Helper()
	var msg struct {
		Method string
		Params struct{ Name, URI string }
	}
	require.NoError(t, json.Unmarshal([]byte(line), &msg))
	if msg.Method != "initialize" {
		h.Set("Mcp-Protocol-Version", c.version)
	}
	if c.version >= modern {
		h.Set("Mcp-Method", msg.Method)
		if name := msg.Params.Name + msg.Params.URI; name != "" {
			h.Set("Mcp-Name", name)
		}
	}
}

// readEvent returns the data of the next event with the name, and passes over
// others, such as the comments and primers that a server may send.
func readEvent(t *testing.T, r *bufio.Reader, name string) string {
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

// sse is the HTTP+SSE transport of 2024-11-05, by hand.
type sse struct {
	endpoint string
	events   *bufio.Reader
}

func dialSSE(t *testing.T, s *mcp.Server) wire {
	t.Helper()
	srv := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(srv.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
	require.NoError(t, err)
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() }) // before the server closes, which waits for it
	w := &sse{events: bufio.NewReader(resp.Body)}
	base, err := url.Parse(srv.URL)
	require.NoError(t, err)
	endpoint, err := base.Parse(readEvent(t, w.events, "endpoint"))
	require.NoError(t, err)
	w.endpoint = endpoint.String()
	return w
}

func (s *sse) exchange(t *testing.T, _ wireClient, line string) string {
	t.Helper()
	resp, err := http.Post(s.endpoint, "application/json", strings.NewReader(line))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, http.StatusAccepted, resp.StatusCode)
	if isNotification(line) {
		return ""
	}
	return readEvent(t, s.events, "message")
}

// TestWireTransports holds each transport, as far as it negotiates, against
// what is said in memory: the same bytes in every answer.
func TestWireTransports(t *testing.T) {
	shared := newWireServer(nil)
	transports := []struct {
		name  string
		dial  func(t *testing.T) wire
		until string // the newest version that it negotiates
		// silent: an older client's declaration is lost between requests.
		silent bool
	}{
		{"stdio", dialStdio, modern, false},
		{"sse", func(t *testing.T) wire { return dialSSE(t, shared) }, "2025-11-25", false},
		{"stateful", func(t *testing.T) wire { return dialStreamable(t, shared, nil) }, "2025-11-25", false},
		{"stateful JSON", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{JSONResponse: true})
		}, "2025-11-25", false},
		{"stateless", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true})
		}, modern, true},
		{"stateless JSON", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
		}, modern, true},
	}
	for _, c := range wireClients() {
		inMemory := converse(t, dialMemory(t, shared), c)
		unsaid := converse(t, dialMemory(t, shared), wireClient{c.version, false})
		for _, tr := range transports {
			if c.version > tr.until {
				continue
			}
			t.Run(tr.name+"/"+c.String(), func(t *testing.T) {
				got := converse(t, tr.dial(t), c)
				require.Len(t, got, len(inMemory))
				for i, r := range got {
					want := inMemory[i].received
					if tr.silent && c.version < modern {
						want = unsaid[i].received // the full text, since nobody knows
					}
					assert.Equal(t, want, r.received, r.name)
				}
			})
		}
	}
}

// TestWireShaping shows who gets the short list: only those who said that they
// have no UI, and nobody who could not say.
func TestWireShaping(t *testing.T) {
	opts := &mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true}
	shared := newWireServer(opts)
	stateless := func(t *testing.T) wire {
		return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true})
	}
	inMemory := func(t *testing.T) wire { return dialMemory(t, shared) }
	for _, test := range []struct {
		name  string
		dial  func(t *testing.T) wire
		c     wireClient
		short bool
	}{
		{"older, UI", inMemory, wireClient{"2025-06-18", true}, false},
		{"older, text", inMemory, wireClient{"2025-06-18", false}, true},
		{"older, stateless, UI", stateless, wireClient{"2025-06-18", true}, false},
		{"older, stateless, text", stateless, wireClient{"2025-06-18", false}, false},
		{"modern, UI", inMemory, wireClient{modern, true}, false},
		{"modern, text", inMemory, wireClient{modern, false}, true},
		{"modern, stateless, UI", stateless, wireClient{modern, true}, false},
		{"modern, stateless, text", stateless, wireClient{modern, false}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := converse(t, test.dial(t), test.c)[1]
			require.Equal(t, "tools list", list.name)
			assert.Contains(t, list.received, `"cacheScope":"private"`)
			assert.Equal(t, !test.short, strings.Contains(list.received, "refresh_report"))
			assert.Equal(t, !test.short, strings.Contains(list.received, `"ui"`))
			assert.Equal(t, !test.short, strings.Contains(list.received, mcpapps.LegacyResourceURIKey))
			assert.Contains(t, list.received, "example.com/owner", "other vendors' keys stay")
		})
	}
}

// TestWirePerRequest shows that a modern connection answers each request by
// what that request says, whatever the first one said.
func TestWirePerRequest(t *testing.T) {
	w := dialMemory(t, newWireServer(&mcpapps.Options{StripUIForText: true}))
	for i, ui := range []bool{true, false, true, false} {
		c := wireClient{modern, ui}
		got := w.exchange(t, c, c.line(i+1, message{method: "tools/list"}))
		assert.Equal(t, ui, strings.Contains(got, `"resourceUri"`), "request %d", i)
	}
}
