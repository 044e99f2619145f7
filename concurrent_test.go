package mcpapps_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// TestConcurrent is for the race detector. Clients with and without UI, of old and
// new protocol versions, list, read and call while tools, apps and templates are
// added and removed. Each sees the results for its kind of client. They do it twice, and
// four times in ci/full.
func TestConcurrent(t *testing.T) {
	rounds := 2
	if testenv.Full() {
		rounds = 4
	}
	for _, opts := range []*mcpapps.Options{
		{},
		{StripUIForText: true, OmitAppToolsForText: true, OmitLegacyURI: true, PlainReadResults: true},
	} {
		t.Run(fmt.Sprintf("%+v", *opts), func(t *testing.T) {
			s := newWireServer(opts)
			done := make(chan struct{})
			var changing, asking sync.WaitGroup
			for i := range 2 {
				changing.Go(func() {
					for n := 0; ; n++ {
						select {
						case <-done:
							return
						default:
						}
						k := 2*(n%5) + i
						addOurs(s, k, true)
						mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: fmt.Sprintf("ui://cost/%d/{id}", k)},
							fmt.Sprintf("ui://cost/%d", k), mcpapps.ResourceUIMetadata{}, wireTemplate)
						s.RemoveTools(costTool(k).Name)
						s.RemoveResources(costURI(k))
					}
				})
			}
			for _, c := range []wireClient{{"2025-06-18", true}, {"2025-06-18", false}, {modern, true}, {modern, false}} {
				shaped := !c.ui && opts.StripUIForText
				wires := []wire{dialMemory(t, s), dialMemory(t, s)}
				if c.version >= modern {
					wires = append(wires, dialStreamable(t, s, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
				}
				for _, w := range wires {
					asking.Go(func() {
						for range rounds {
							for _, r := range converse(t, w, c) {
								switch r.name {
								case "tools list":
									assert.Equal(t, !shaped, strings.Contains(r.received, `"ui":{`), c.String())
									assert.Equal(t, !shaped, strings.Contains(r.received, `"refresh_report"`), c.String())
									assert.Equal(t, !shaped && !opts.OmitLegacyURI, strings.Contains(r.received, mcpapps.LegacyResourceURIKey), c.String())
								case "call":
									assert.Equal(t, c.ui, strings.Contains(r.received, "Shown."), c.String())
								case "read text":
									assert.Contains(t, r.received, `"connectDomains":["https://api.example.com"]`)
								}
							}
							if c.version < modern { // a session shakes hands once
								w = dialMemory(t, s)
							}
						}
					})
				}
			}
			asking.Wait()
			close(done)
			changing.Wait()
			require.Contains(t, strings.Join(listAll(t, s), ""), "show_report")
		})
	}
}
