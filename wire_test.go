package mcpapps_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
)

// modern is the first protocol version without a handshake: each request has the
// client's capabilities.
const modern = "2026-07-28"

// A wireClient is a protocol version, and whether the client declares apps.
type wireClient struct {
	version string
	ui      bool
}

func (c wireClient) String() string {
	if c.ui {
		return c.version + "-ui"
	}
	return c.version + "-text"
}

func wireClients() (all []wireClient) {
	for _, v := range mcp.SupportedProtocolVersions() {
		all = append(all, wireClient{v, true}, wireClient{v, false})
	}
	return all
}

func (c wireClient) capabilities() string {
	if c.ui {
		return `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	}
	return `{"experimental":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}},"roots":{}}` // not under extensions
}

const clientInfo = `{"name":"client","version":"0"}`

// A message is one line that a client sends.
type message struct {
	name   string // of the exchange in the transcript
	method string
	params string // the members of params, without braces
}

// exchanges are the requests of every client, after the handshake.
var exchanges = []message{
	{"tools list", "tools/list", ``},
	{"resources list", "resources/list", ``},
	{"templates list", "resources/templates/list", ``},
	{"read text", "resources/read", `"uri":"ui://report/view.html"`},
	{"read blob", "resources/read", `"uri":"ui://report/blob.html"`},
	{"read template", "resources/read", `"uri":"ui://reports/7/view"`},
	{"read shell", "resources/read", `"uri":"ui://reports/view"`},
	{"read not an app", "resources/read", `"uri":"file:///notes.txt"`},
	{"read missing", "resources/read", `"uri":"ui://report/view.html?v=2"`},
	{"call", "tools/call", `"name":"show_report","arguments":{"city":"Oslo"}`},
	{"call app-only", "tools/call", `"name":"refresh_report","arguments":{"city":"Oslo"}`},
	{"call raw", "tools/call", `"name":"raw_report","arguments":{}`},
	{"call not an app", "tools/call", `"name":"add","arguments":{"N":1}`},
}

// line returns the JSON of a message. In older versions a request may lack params,
// which reach middleware as a typed nil.
func (c wireClient) line(id int, m message) string {
	params := m.params
	switch {
	case m.method == "initialize":
		params = fmt.Sprintf(`"protocolVersion":%q,"clientInfo":%s,"capabilities":%s`, c.version, clientInfo, c.capabilities())
	case c.version >= modern:
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":%s,"io.modelcontextprotocol/clientCapabilities":%s}`,
			c.version, clientInfo, c.capabilities())
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	if params != "" {
		params = `,"params":{` + params + `}`
	}
	if id == 0 {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q%s}`, m.method, params)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q%s}`, id, m.method, params)
}

// A wire carries lines between a client and a server unchanged.
type wire interface {
	// exchange sends a line and returns the line that answers it, or "" if the
	// line is a notification.
	exchange(t *testing.T, c wireClient, line string) string
}

// A record is one exchange over a wire.
type record struct{ name, sent, received string }

// converse performs the handshake of the client's version and all exchanges.
func converse(t *testing.T, w wire, c wireClient) []record {
	t.Helper()
	var log []record
	id := 0
	send := func(m message) {
		id++
		sent := c.line(id, m)
		log = append(log, record{m.name, sent, w.exchange(t, c, sent)})
	}
	if c.version >= modern {
		send(message{"discover", "server/discover", ``})
	} else {
		send(message{"initialize", "initialize", ``})
		w.exchange(t, c, c.line(0, message{method: "notifications/initialized"}))
	}
	for _, m := range exchanges {
		send(m)
	}
	return log
}

// TestWire compares the exchanges in memory with the transcripts.
func TestWire(t *testing.T) {
	for _, c := range wireClients() {
		t.Run(c.String(), func(t *testing.T) {
			log := converse(t, dialMemory(t, newWireServer(nil)), c)
			file := filepath.Join("testdata", "wire", c.String()+".txtar")
			var ar txtar.Archive
			if data, err := os.ReadFile(file); err == nil {
				ar.Comment = txtar.Parse(data).Comment // the prose is written by hand
			}
			for _, r := range log {
				var data bytes.Buffer
				fmt.Fprintf(&data, "> %s\n< %s\n", r.sent, r.received)
				ar.Files = append(ar.Files, txtar.File{Name: r.name, Data: data.Bytes()})
			}
			assert.Greater(t, len(bytes.TrimSpace(ar.Comment)), 80, "the transcript has no header that says what it guards against")
			assert.NoError(t, golden.Compare(file, txtar.Format(&ar)))
		})
	}
}

// TestWireSameUI: a list entry and its content item have the same _meta.ui, in the
// same bytes, without null.
func TestWireSameUI(t *testing.T) {
	for _, plain := range []bool{false, true} {
		for _, c := range wireClients() {
			t.Run(fmt.Sprintf("%s/plain=%t", c, plain), func(t *testing.T) {
				w := dialMemory(t, newWireServer(&mcpapps.Options{PlainReadResults: plain}))
				listed := make(map[string]string)
				contents := make(map[string]string)
				for _, r := range converse(t, w, c) {
					assert.NotContains(t, r.received, "null", r.name)
					var msg struct {
						Result struct {
							Resources []uiEntry
							Templates []uiEntry `json:"resourceTemplates"`
							Contents  []uiEntry
						}
					}
					require.NoError(t, json.Unmarshal([]byte(r.received), &msg))
					for _, e := range append(msg.Result.Resources, msg.Result.Templates...) {
						listed[e.URI+e.URITemplate] = string(e.Meta.UI)
					}
					for _, e := range msg.Result.Contents {
						contents[e.URI] = string(e.Meta.UI)
					}
				}
				contents["ui://reports/{id}/view"] = contents["ui://reports/7/view"]
				delete(contents, "ui://reports/7/view")
				assert.Len(t, listed, 5)
				assert.Equal(t, listed, contents)
				assert.JSONEq(t, `{"csp":{"connectDomains":["https://api.example.com"],"frameDomains":[]},"permissions":{"clipboardWrite":{}},"prefersBorder":false}`,
					listed["ui://report/view.html"])
				assert.JSONEq(t, `{"csp":{},"domain":"report.example.com"}`, listed["ui://report/blob.html"])
				assert.Empty(t, listed["file:///notes.txt"], "metadata is on apps only")
			})
		}
	}
}

type uiEntry struct {
	URI         string
	URITemplate string
	Meta        struct {
		UI json.RawMessage `json:"ui"`
	} `json:"_meta"`
}
