package host

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// A wrong URL often leads to an HTTP server that is not an MCP server. The error
// says how to correct the URL or the authorization.
func TestConnectErrorHints(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/401":
			w.WriteHeader(http.StatusUnauthorized)
		case "/403":
			http.Error(w, "no", http.StatusForbidden)
		case "/405":
			http.Error(w, "no", http.StatusMethodNotAllowed)
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"hello":1}`))
		case "/sse", "/sse400":
			if r.Method == http.MethodPost {
				w.WriteHeader(map[string]int{"/sse": 404, "/sse400": 400}[r.URL.Path])
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("event: endpoint\ndata: /messages?id=1\n\n"))
		case "/login":
			http.Redirect(w, r, "/page", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	// For a response that is not MCP, the SDK reports either the response or only
	// that the connection ended.
	for url, want := range map[string]string{
		srv.URL + "/401":      "; the server wants an authorization: give it as an HTTP header",
		srv.URL + "/403":      "; the server wants an authorization: give it as an HTTP header",
		srv.URL + "/":         "; there is no MCP endpoint: many servers have theirs at /mcp",
		srv.URL + "/405":      "; there is no MCP endpoint: many servers have theirs at /mcp",
		srv.URL + "/page":     "path, often /mcp",
		srv.URL + "/login":    "path, often /mcp",
		srv.URL + "/json":     "path, often /mcp",
		srv.URL + "/sse":      "; the server speaks HTTP+SSE",
		srv.URL + "/sse400":   "; the server speaks HTTP+SSE",
		testenv.NobodyListens: "; nothing listens there: is the server running?",
		strings.Replace(srv.URL, "http:", "https:", 1): "; begin the URL with http://",
	} {
		_, err := Connect(t.Context(), Target{URL: url}, nil)
		require.Error(t, err, url)
		assert.Contains(t, err.Error(), want, url)
		assert.Contains(t, err.Error(), "connecting to "+url+": ")
	}
}
