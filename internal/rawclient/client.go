// Package rawclient is a client for tests that sends and receives raw JSON, in any
// protocol version and over any transport. What a test sees is what is on the wire.
package rawclient

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Modern is the first protocol version without a handshake: each request has the client's
// capabilities.
const Modern = "2026-07-28"

// Older is the last version with one.
const Older = "2025-11-25"

// A Config is what a client is. The zero value is a client of the version [Older] without
// capabilities.
type Config struct {
	Version      string
	Capabilities string         // JSON
	Meta         map[string]any // of the handshake, and in the version Modern of each request
	User         string         // whose token each HTTP request has; "" for none
	Header       http.Header    // of each HTTP request
	// NoHandshake leaves all messages to the test: see [Client.Line].
	NoHandshake bool
	// Answer returns the result, as JSON, of a request that the server sends. Without it
	// such a request fails the test.
	Answer func(method string, params json.RawMessage) string
}

// A Client is connected to a server. It sends one request at a time.
type Client struct {
	Config
	// Handshake is the result of initialize or server/discover.
	Handshake string

	wire wire
	id   int
}

// A wire carries lines of JSON.
type wire interface {
	// exchange sends a line by c.converse, and returns what that returns.
	exchange(t testing.TB, c *Client, line string) string
}

func open(t testing.TB, w wire, config Config) *Client {
	t.Helper()
	c := &Client{Config: config, wire: w}
	if c.Version == "" {
		c.Version = Older
	}
	if c.Capabilities == "" {
		c.Capabilities = "{}"
	}
	if c.NoHandshake {
		return c
	}
	if c.Version >= Modern {
		c.Handshake = c.Result(t, "server/discover", `{}`)
		return c
	}
	meta, err := json.Marshal(c.Meta)
	require.NoError(t, err)
	c.Handshake = c.Result(t, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"},"_meta":%s}`,
		c.Version, c.Capabilities, strings.Replace(string(meta), "null", "{}", 1)))
	c.Line(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// Line sends a line as it is. It returns the line that answers it, or "" if it is a
// notification.
func (c *Client) Line(t testing.TB, line string) string {
	t.Helper()
	return c.wire.exchange(t, c, line)
}

// Send sends a request and returns the line that answers it. Params are a JSON object, to
// whose _meta what the version requires is added. Without a _meta, they arrive as they are,
// with spaces and escapes.
func (c *Client) Send(t testing.TB, method, params string) string {
	t.Helper()
	if c.Version >= Modern {
		params = c.withMeta(t, params)
	}
	c.id++
	line := c.Line(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a), line)
	require.Equal(t, fmt.Sprint(c.id), string(a.ID), line)
	return line
}

func (c *Client) withMeta(t testing.TB, params string) string {
	t.Helper()
	var p map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(params), &p), params)
	all := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    c.Version,
		"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "raw", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(c.Capabilities),
	}
	maps.Copy(all, c.Meta)
	given, ok := p["_meta"]
	if ok {
		require.NoError(t, json.Unmarshal(given, &all))
	}
	meta, err := json.Marshal(all)
	require.NoError(t, err)
	if !ok {
		members := strings.TrimSuffix(strings.TrimSpace(params), "}")
		if len(p) > 0 {
			members += ","
		}
		return members + `"_meta":` + string(meta) + "}"
	}
	p["_meta"] = meta
	data, err := json.Marshal(p)
	require.NoError(t, err)
	return string(data)
}

type answer struct {
	Method string
	ID     json.RawMessage
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// Result returns the raw result of a request that succeeds.
func (c *Client) Result(t testing.TB, method, params string) string {
	t.Helper()
	line := c.Send(t, method, params)
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a), line)
	require.Empty(t, string(a.Error), "%s %s", method, params)
	return string(a.Result)
}

// Fail returns the raw error of a request that does not succeed.
func (c *Client) Fail(t testing.TB, method, params string) string {
	t.Helper()
	line := c.Send(t, method, params)
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a), line)
	require.NotEmpty(t, string(a.Error), "%s %s gave %s", method, params, line)
	return string(a.Error)
}

// Call returns the raw result of a tool.
func (c *Client) Call(t testing.TB, tool, arguments string) string {
	t.Helper()
	return c.Result(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// converse sends a line. If it is a request, converse returns the line that answers it, and
// answers the requests that arrive before.
func (c *Client) converse(t testing.TB, line string, send func(line string), next func() string) string {
	t.Helper()
	send(line)
	for isRequest(line) {
		received := next()
		if isAnswer(t, received) {
			return received
		}
		c.other(t, received, send)
	}
	return ""
}

// other answers a line that is not the answer to a request of the client. Where that fails
// the test, the server gets an error: it may wait for an answer before it closes.
func (c *Client) other(t testing.TB, line string, send func(line string)) {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a), line)
	if a.Method == "" || a.ID == nil {
		return
	}
	outcome := `"error":{"code":-32601,"message":"not expected by the test"}`
	defer func() { send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, a.ID, outcome)) }()
	if c.Answer == nil {
		require.FailNow(t, "the server sent a request that the test does not expect: "+line)
	}
	outcome = `"result":` + c.Answer(a.Method, a.Params)
}

func isAnswer(t testing.TB, line string) bool {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a), line)
	return a.Method == ""
}

func isRequest(line string) bool {
	return strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`) && strings.Contains(line, `"method":`)
}
