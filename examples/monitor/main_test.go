package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// start runs the program with args. It returns the first URL that it prints, its
// output, and a function that interrupts it and returns its error.
func start(t *testing.T, args ...string) (url string, out *outbuf.Buffer, stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	out = &outbuf.Buffer{}
	done := make(chan error, 1)
	go func() { done <- run(ctx, args, out, io.Discard) }()
	require.Eventually(t, func() bool {
		url = regexp.MustCompile(`http://\S+`).FindString(out.String())
		return url != ""
	}, time.Minute, 5*time.Millisecond)
	return url, out, func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(time.Minute):
			return errors.New("it did not stop")
		}
	}
}

func TestHTTP(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
	}{
		{"stateful", nil},
		{"stateless", []string{"-stateless"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, out, stop := start(t, append(test.args, "-addr", "127.0.0.1:0", "-preview=false")...)
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			transport := &http.Transport{}
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}}, nil)
			require.NoError(t, err)

			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_monitor"})
			require.NoError(t, err)
			require.False(t, result.IsError)
			assert.Regexp(t, `^Go process \d+ .*\nHeap: .* in use`, result.Content[0].(*mcp.TextContent).Text)

			result, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sample_metrics", Arguments: map[string]any{"seconds": 5}})
			require.NoError(t, err)
			assert.True(t, result.IsError, "the input schema's bounds are enforced")

			// Stop while a session is open, and its stream if the server has sessions.
			// Close idle connections first: the client may have dialled one and then
			// used another, and http.Server.Shutdown waits 5 s for an unused one.
			transport.CloseIdleConnections()
			require.NoError(t, stop())
			assert.True(t, strings.HasSuffix(out.String(), "monitor: stopped\n"), out.String())
			session.Close()
		})
	}
}

// The README's first command shows the app in a browser, except with -preview=false.
func TestPreview(t *testing.T) {
	_, out, stop := start(t, "-addr", "127.0.0.1:0")
	page := regexp.MustCompile(`See it in a browser: (http://\S+)`)
	require.Eventually(t, func() bool { return page.MatchString(out.String()) }, time.Minute, 5*time.Millisecond)
	res, err := http.Get(page.FindStringSubmatch(out.String())[1])
	require.NoError(t, err)
	defer res.Body.Close()
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	require.NoError(t, stop())

	_, out, stop = start(t, "-addr", "127.0.0.1:0", "-preview=false")
	require.NoError(t, stop())
	assert.NotRegexp(t, page, out.String())
}

// The tool that the view polls returns each sample once, with the same JSON as text
// and as structured content.
func TestSampleMetrics(t *testing.T) {
	session := connect(t)
	sample := func(since int64) SampleOutput {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sample_metrics", Arguments: SampleInput{Since: since}})
		require.NoError(t, err)
		require.False(t, result.IsError)
		data, err := json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		assert.JSONEq(t, string(data), result.Content[0].(*mcp.TextContent).Text)
		var out SampleOutput
		require.NoError(t, json.Unmarshal(data, &out))
		return out
	}
	first := sample(0)
	require.NotEmpty(t, first.Samples)
	assert.Positive(t, first.Process.PID)
	last := first.Samples[len(first.Samples)-1]
	time.Sleep(sampleGap)
	second := sample(last.Seq)
	require.Len(t, second.Samples, 1)
	assert.Equal(t, last.Seq+1, second.Samples[0].Seq)
	assert.Positive(t, second.Samples[0].AllocBytesPerSecond)
}

func TestPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	err = run(t.Context(), []string{"-addr", taken.Addr().String()}, io.Discard, io.Discard)
	require.ErrorContains(t, err, taken.Addr().String())
	assert.ErrorContains(t, err, "name another one with -addr")
}

func TestBadArguments(t *testing.T) {
	require.EqualError(t, run(t.Context(), []string{"8080"}, io.Discard, io.Discard), `unexpected argument "8080"`)
	require.Error(t, run(t.Context(), []string{"-nonsense"}, io.Discard, io.Discard))
}

// A page of another site must not be able to call a server on the user's machine,
// unless its origin is allowed.
func TestCrossOrigin(t *testing.T) {
	url, _, stop := start(t, "-addr", "127.0.0.1:0", "-origin", "https://host.example")
	ask := func(method, origin string) *http.Response {
		req, err := http.NewRequest(method, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Origin", origin)
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		return resp
	}
	resp := ask(http.MethodPost, "https://example.com")
	assert.Equal(t, http.StatusForbidden, resp.StatusCode)
	assert.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
	assert.Empty(t, ask(http.MethodOptions, "https://example.com").Header.Get("Access-Control-Allow-Origin"))

	resp = ask(http.MethodOptions, "https://host.example")
	assert.Equal(t, http.StatusNoContent, resp.StatusCode)
	assert.Equal(t, "https://host.example", resp.Header.Get("Access-Control-Allow-Origin"))
	assert.Contains(t, resp.Header.Get("Access-Control-Allow-Headers"), "Mcp-Session-Id")
	resp = ask(http.MethodPost, "https://host.example")
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, "https://host.example", resp.Header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, "Mcp-Session-Id", resp.Header.Get("Access-Control-Expose-Headers"))
	require.NoError(t, stop())

	err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-origin", "host.example"}, io.Discard, io.Discard)
	assert.ErrorContains(t, err, "-origin: ")
}
