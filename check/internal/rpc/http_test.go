package rpc

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/host"
)

// TestIsLoopback shows which URLs are this machine's: what is called unasked depends
// on it.
func TestIsLoopback(t *testing.T) {
	for raw, want := range map[string]bool{
		"http://localhost:8080/mcp":     true,
		"http://127.0.0.1/mcp":          true,
		"http://127.9.9.9:1/":           true,
		"http://[::1]:8080/":            true,
		"http://notlocalhost/":          false,
		"http://app.localhost/":         false,
		"http://localhost.example.com/": false,
		"http://192.168.0.1/":           false,
		"http://127.0.0.1.example.com/": false,
		"http://0.0.0.0/":               false,
		"http://%zz/":                   false,
		"":                              false,
	} {
		assert.Equal(t, want, IsLoopback(raw), raw)
	}
}

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

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }
