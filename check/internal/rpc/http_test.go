package rpc

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// TestRedirectToAnotherScheme shows that a redirect to the same host over another
// scheme is one to another server: it would get the header in clear text.
func TestRedirectToAnotherScheme(t *testing.T) {
	var asked []string
	client := &http.Client{Transport: roundTrip(func(req *http.Request) *http.Response {
		asked = append(asked, req.URL.String())
		return &http.Response{StatusCode: 307, Status: "307 Temporary Redirect", Header: http.Header{"Location": {"http://example.com/mcp"}},
			Body: io.NopCloser(strings.NewReader("")), Request: req}
	})}
	c := HTTP(&host.Target{URL: "https://example.com/mcp", HTTPClient: client}, 1000)
	_, err := c.Call(t.Context(), "ping", map[string]any{})
	assert.ErrorContains(t, err, "leads to another server")
	assert.Equal(t, []string{"https://example.com/mcp"}, asked)
}

// TestOneNewSession shows that requests which lose a session at the same time share the
// new one.
func TestOneNewSession(t *testing.T) {
	var opened atomic.Int32
	var lost sync.WaitGroup
	lost.Add(2)
	hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var message struct{ Method string }
		_ = json.NewDecoder(r.Body).Decode(&message)
		switch {
		case message.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", fmt.Sprint(opened.Add(1)))
		case r.Header.Get("Mcp-Session-Id") == "1" && message.Method == "ping":
			lost.Done()
			lost.Wait()
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream") // whose answers may have any of these ids
		for id := range 10 {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n", id)
		}
	}))
	defer hs.Close()
	c := HTTP(&host.Target{URL: hs.URL}, 1<<20)
	_, err := c.Call(t.Context(), "initialize", map[string]any{})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			_, err := c.Call(t.Context(), "ping", map[string]any{})
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.EqualValues(t, 2, opened.Load())
	assert.Equal(t, 1, c.(Forgetful).Forgotten())
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }
