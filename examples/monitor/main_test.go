package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/examples/internal/exampletest"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const firstURL = `(http://\S+)`

func TestHTTP(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
	}{
		{"stateful", nil},
		{"stateless", []string{"-stateless"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, out, stop := exampletest.Start(t, run, firstURL, append(test.args, "-addr", "127.0.0.1:0", "-preview=false")...)
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			transport := &http.Transport{}
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}}, nil)
			require.NoError(t, err)

			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_monitor"})
			require.NoError(t, err)
			require.False(t, result.IsError)
			assert.Regexp(t, `^Go process \d+ .*\nHeap: .* in use`, result.Content[0].(*mcp.TextContent).Text)

			var one, another struct{ Data ShowData }
			call(t, session, "show_monitor_data", nil, &one)
			call(t, session, "show_monitor_data", nil, &another)
			assert.NotEqual(t, one.Data.State, another.Data.State, "clients without a user share no state")

			result, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_monitor_data", Arguments: map[string]any{"seconds": 5}})
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
	_, out, stop := exampletest.Start(t, run, firstURL, "-addr", "127.0.0.1:0")
	page := regexp.MustCompile(`See it in a browser: (http://\S+)`)
	require.Eventually(t, func() bool { return page.MatchString(out.String()) }, time.Minute, 5*time.Millisecond)
	res, err := http.Get(page.FindStringSubmatch(out.String())[1])
	require.NoError(t, err)
	defer res.Body.Close()
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	require.NoError(t, stop())

	_, out, stop = exampletest.Start(t, run, firstURL, "-addr", "127.0.0.1:0", "-preview=false")
	require.NoError(t, stop())
	assert.NotRegexp(t, page, out.String())
}

// call calls a tool that only the view calls. Such a tool answers with JSON as text.
func call(t *testing.T, session *mcp.ClientSession, tool string, args, answer any) {
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	require.False(t, result.IsError, "%v", result.Content)
	assert.Nil(t, result.StructuredContent)
	require.Len(t, result.Content, 1)
	require.NoError(t, json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), answer))
}

// The tool that the view polls returns the newest samples, and costs little while the view
// knows them all.
func TestSampleMetrics(t *testing.T) {
	clock := &testClock{}
	session := connect(t, clock.sampler())
	var first, same struct {
		Version string
		Value   *Live
	}
	for range 2 * liveSamples {
		clock.advance(time.Second)
	}
	call(t, session, "sample_metrics", nil, &first)
	require.NotNil(t, first.Value)
	assert.Positive(t, first.Value.Started)
	require.Len(t, first.Value.Samples, liveSamples)
	assert.EqualValues(t, 2*liveSamples+1, first.Value.Samples[liveSamples-1].Seq, "the newest")

	call(t, session, "sample_metrics", map[string]any{"view_version": first.Version}, &same)
	assert.Empty(t, same.Version, "the view has the newest value")
	assert.Nil(t, same.Value)
}

// The samples of the window, and the id of the view's state, are not read by the model.
// They travel with the result while they are small; the view gets a longer window from
// the twin.
func TestShowMonitor(t *testing.T) {
	for seconds, inline := range map[int]bool{60: true, 600: false} {
		clock := &testClock{}
		clock.heap, clock.allocated = 1<<30, 1<<40
		session := connect(t, clock.sampler())
		for range 599 {
			clock.allocated += 1 << 20
			clock.advance(time.Second)
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_monitor", Arguments: ShowInput{Seconds: seconds}})
		require.NoError(t, err)
		out, err := json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		assert.Less(t, len(out), 1000)
		assert.NotContains(t, string(out), `"samples":[`)
		assert.NotContains(t, string(out), `"state"`)
		meta, err := json.Marshal(result.Meta[metakey.ViewData])
		require.NoError(t, err)
		var got, twin struct{ Data ShowData }
		if inline {
			require.NoError(t, json.Unmarshal(meta, &got))
		} else {
			assert.JSONEq(t, `{"tool":"show_monitor_data"}`, string(meta))
		}
		call(t, session, "show_monitor_data", ShowInput{Seconds: seconds}, &twin)
		if inline {
			assert.Equal(t, got, twin)
		}
		assert.Len(t, twin.Data.Samples, min(seconds+1, 600))
		assert.NotEmpty(t, twin.Data.State)
	}
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
	url, _, stop := exampletest.Start(t, run, firstURL, "-addr", "127.0.0.1:0", "-origin", "https://host.example")
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
