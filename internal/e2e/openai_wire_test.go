package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// TestEverythingOnTheWire: over each transport and in both eras, the handshake and the lists
// of a server with everything declared are those of the server without it, plus keys that
// begin with "openai/", two capabilities and the added tools.
func TestEverythingOnTheWire(t *testing.T) {
	plain := make(map[string]any)
	places := make(map[string]bool)
	for _, declared := range []bool{false, true} {
		config := rawclient.Config{Capabilities: `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`}
		rawclient.Each(t, newNotes(declared), config, func(t *testing.T, c *rawclient.Client) {
			answers := map[string]string{"handshake": c.Handshake}
			for _, method := range []string{"tools/list", "resources/list", "resources/templates/list"} {
				answers[method] = c.Result(t, method, `{}`)
			}
			answers["read"] = c.Result(t, "resources/read", `{"uri":"`+notesURI+`"}`)
			for name, answer := range answers {
				var got any
				require.NoError(t, json.Unmarshal([]byte(answer), &got))
				at := make(map[string]bool)
				withoutOpenAI(got, name, at)
				key := c.Version + name
				if !declared {
					assert.Empty(t, at)
					plain[key] = got
					continue
				}
				assert.Equal(t, plain[key], got, name)
				maps.Copy(places, at)
			}
		})
	}
	assert.Equal(t, []string{
		"handshake.capabilities.experimental", "handshake.capabilities.extensions", "read.contents[]._meta",
		"resources/list.resources[]._meta", "tools/list.tools", "tools/list.tools[]._meta",
	}, slices.Sorted(maps.Keys(places)))
}
