package host

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/sse"
)

// withHint adds the most likely remedy to the error of connecting to the URL. The SDK
// has no types for these errors, so it looks at their text, which a test pins.
func (t *Target) withHint(err error) error {
	text := err.Error()
	status := func(codes ...int) bool {
		for _, c := range codes {
			if strings.HasSuffix(text, ": "+http.StatusText(c)) {
				return true
			}
		}
		return false
	}
	hint := ""
	switch {
	case strings.Contains(text, "HTTP response to HTTPS client"), strings.Contains(text, "not look like a TLS handshake"):
		hint = "begin the URL with http://"
	case strings.Contains(text, "refused"):
		hint = "nothing listens there: is the server running?"
	case status(http.StatusUnauthorized, http.StatusForbidden):
		hint = "the server wants an authorization: give it as an HTTP header"
	case status(http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusBadRequest) && t.isOldTransport():
		hint = sse.OldTransport
	case status(http.StatusNotFound, http.StatusMethodNotAllowed):
		hint = "there is no MCP endpoint: many servers have theirs at /mcp"
	case strings.Contains(text, `content type "text/html"`):
		hint = "the server answers with a web page: its MCP endpoint may have another path, often /mcp, or want an authorization"
	case strings.Contains(text, "failed to decode response"), strings.HasSuffix(text, "client is closing: EOF"):
		hint = "the server does not answer in MCP: its endpoint may have another path, often /mcp"
	default:
		return err
	}
	return hinted{err, hint}
}

// isOldTransport asks the server whether it speaks HTTP+SSE.
func (t *Target) isOldTransport() bool {
	return sse.IsOldTransport(context.Background(), t.HTTPClient, t.URL, t.Header)
}

type hinted struct {
	error
	hint string
}

func (h hinted) Error() string { return h.error.Error() + "; " + h.hint }
func (h hinted) Unwrap() error { return h.error }
