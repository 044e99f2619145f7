// Package connecthint says what most likely keeps a client from connecting to a URL,
// and what to do about it.
package connecthint

import (
	"net/http"
	"strings"
)

// NotMCP is for a server that answers with something else than MCP, WebPage for one
// that answers with a page for browsers.
const (
	NotMCP  = "the server does not answer in MCP: its endpoint may have another path, often /mcp"
	WebPage = "the server answers with a web page: its MCP endpoint may have another path, often /mcp, or want an authorization"
)

// ForNetwork returns the remedy for an error of a request that got no response, or "".
// The errors of the system and of Go have no common types, and the SDK's none, so it
// looks at their text, which the tests of this package and of package host pin.
func ForNetwork(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "HTTP response to HTTPS client"), strings.Contains(text, "not look like a TLS handshake"):
		return "begin the URL with http://"
	case strings.Contains(text, "refused"):
		return "nothing listens there: is the server running?"
	case strings.Contains(text, "no such host"):
		return "is the host's name written correctly?"
	default:
		return ""
	}
}

// ForStatus returns the remedy for a response with an HTTP status, or "".
func ForStatus(code int) string {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "the server wants an authorization: give it as an HTTP header"
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return "there is no MCP endpoint: many servers have theirs at /mcp"
	default:
		return ""
	}
}
