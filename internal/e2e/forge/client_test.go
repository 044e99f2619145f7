package forge

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// modern is the first protocol version in which each request has the client's
// capabilities.
const modern = "2026-07-28"

// A client is a kind of client.
type client struct{ name, capabilities, userAgent string }

const declaresUI = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

var clients = []client{
	{"ui", declaresUI, "chat/1"},
	{"nothing", `{}`, "chat/1"},
	{"no-types", `{"extensions":{"io.modelcontextprotocol/ui":{}}}`, "chat/1"},
	{"terminal", declaresUI, "terminal/1"},
}

// line returns the JSON of a request in a protocol version.
func (c client) line(version string, id int, method, params string) string {
	const info = `{"name":"client","version":"0"}`
	switch {
	case method == "initialize":
		params = fmt.Sprintf(`"protocolVersion":%q,"clientInfo":%s,"capabilities":%s`, version, info, c.capabilities)
	case version >= modern:
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":%s,"io.modelcontextprotocol/clientCapabilities":%s}`,
			version, info, c.capabilities)
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, id, method, params)
}

// A message is a request to send.
type message struct{ name, method, params, target string }

func call(name, tool, args string) message {
	return message{name, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, args), tool}
}

func read(name, uri string) message {
	return message{name, "resources/read", fmt.Sprintf(`"uri":%q`, uri), uri}
}

func handshake(version string) message {
	if version >= modern {
		return message{"handshake", "server/discover", "", ""}
	}
	return message{"handshake", "initialize", "", ""}
}

// post sends a message as one HTTP request and returns the body of the response.
func post(t testing.TB, h http.Handler, c client, version string, header http.Header, id int, m message) string {
	req := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/", strings.NewReader(c.line(version, id, m.method, m.params)))
	for k := range header {
		req.Header.Set(k, header.Get(k))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("User-Agent", c.userAgent)
	if m.method != "initialize" {
		req.Header.Set("Mcp-Protocol-Version", version)
	}
	if version >= modern {
		req.Header.Set("Mcp-Method", m.method)
		req.Header.Set("Mcp-Name", m.target)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	require.NotEmpty(t, w.Body.String(), "%s: %d", m.name, w.Code)
	return strings.TrimSpace(w.Body.String())
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
