package host

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/connecthint"
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
	hint := connecthint.ForNetwork(err)
	switch {
	case hint != "":
	case status(http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusBadRequest) && t.isOldTransport():
		hint = sse.OldTransport
	case status(http.StatusUnauthorized, http.StatusForbidden):
		hint = connecthint.ForStatus(http.StatusUnauthorized)
	case status(http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented):
		hint = connecthint.ForStatus(http.StatusNotFound)
	case strings.Contains(text, `content type "text/html"`):
		hint = connecthint.WebPage
	case strings.Contains(text, "failed to decode response"), strings.HasSuffix(text, "client is closing: EOF"):
		hint = connecthint.NotMCP
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
