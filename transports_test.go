package mcpapps_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// TestWireTransports: every answer has the same bytes over each transport, in the
// versions that it negotiates, as in memory.
func TestWireTransports(t *testing.T) {
	shared := newWireServer(nil)
	transports := []struct {
		name  string
		dial  func(t *testing.T) wire
		until string // the newest version that it negotiates
		// silent: an older client's declaration is lost between requests.
		silent bool
	}{
		{"stdio", dialStdio, modern, false},
		{"sse", func(t *testing.T) wire { return dialSSE(t, shared) }, "2025-11-25", false},
		{"stateful", func(t *testing.T) wire { return dialStreamable(t, shared, nil) }, "2025-11-25", false},
		{"stateful JSON", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{JSONResponse: true})
		}, "2025-11-25", false},
		{"stateless", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true})
		}, modern, true},
		{"stateless JSON", func(t *testing.T) wire {
			return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
		}, modern, true},
	}
	for _, c := range wireClients() {
		inMemory := converse(t, dialMemory(t, shared), c)
		unsaid := converse(t, dialMemory(t, shared), wireClient{c.version, false})
		for _, tr := range transports {
			if c.version > tr.until {
				continue
			}
			t.Run(tr.name+"/"+c.String(), func(t *testing.T) {
				got := converse(t, tr.dial(t), c)
				require.Len(t, got, len(inMemory))
				for i, r := range got {
					want := inMemory[i].received
					if tr.silent && c.version < modern {
						want = unsaid[i].received // the full text, since nobody knows
					}
					assert.Equal(t, want, r.received, r.name)
				}
			})
		}
	}
}

// TestWireShaping: only clients that declare no UI get the short list, not those
// whose capabilities are unknown.
func TestWireShaping(t *testing.T) {
	opts := &mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true}
	shared := newWireServer(opts)
	stateless := func(t *testing.T) wire {
		return dialStreamable(t, shared, &mcp.StreamableHTTPOptions{Stateless: true})
	}
	inMemory := func(t *testing.T) wire { return dialMemory(t, shared) }
	for _, test := range []struct {
		name  string
		dial  func(t *testing.T) wire
		c     wireClient
		short bool
	}{
		{"older, UI", inMemory, wireClient{"2025-06-18", true}, false},
		{"older, text", inMemory, wireClient{"2025-06-18", false}, true},
		{"older, stateless, UI", stateless, wireClient{"2025-06-18", true}, false},
		{"older, stateless, text", stateless, wireClient{"2025-06-18", false}, false},
		{"modern, UI", inMemory, wireClient{modern, true}, false},
		{"modern, text", inMemory, wireClient{modern, false}, true},
		{"modern, stateless, UI", stateless, wireClient{modern, true}, false},
		{"modern, stateless, text", stateless, wireClient{modern, false}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := converse(t, test.dial(t), test.c)[1]
			require.Equal(t, "tools list", list.name)
			assert.Contains(t, list.received, `"cacheScope":"private"`)
			assert.Equal(t, !test.short, strings.Contains(list.received, "refresh_report"))
			assert.Equal(t, !test.short, strings.Contains(list.received, `"ui"`))
			assert.Equal(t, !test.short, strings.Contains(list.received, mcpapps.LegacyResourceURIKey))
			assert.Contains(t, list.received, "example.com/owner", "other vendors' keys stay")
		})
	}
}

// TestWirePerRequest: on a connection of the newest version, each request is
// answered by its own capabilities, whatever the first one declared.
func TestWirePerRequest(t *testing.T) {
	w := dialMemory(t, newWireServer(&mcpapps.Options{StripUIForText: true}))
	for i, ui := range []bool{true, false, true, false} {
		c := wireClient{modern, ui}
		got := w.exchange(t, c, c.line(i+1, message{method: "tools/list"}))
		assert.Equal(t, ui, strings.Contains(got, `"resourceUri"`), "request %d", i)
	}
}
