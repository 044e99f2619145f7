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

// dialMemory connects to a server in this process. The SDK's in-memory transport is
// the same, but does not give access to its ends.
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

// TestMain is also the server of TestWireTransports/stdio, which runs this program
// again as a child process.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := newWireServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil && err != io.EOF {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}

func dialStdio(t *testing.T) wire {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
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

// setStandardHeaders sets the headers in which a client of the version repeats
// parts of a message.
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
