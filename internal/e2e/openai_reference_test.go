package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// TestEverythingInTheReference: the published client and AppBridge read the lists of a server
// with everything declared, and its view sends, receives and shows what that of a server
// without it does.
func TestEverythingInTheReference(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Browser)
	type opened struct {
		Server   map[string]any
		Shown    struct{ Text string }
		Log      []any
		Size     any
		Ping     any
		Teardown any
		Errors   []string
	}
	report := func(declared bool) (seen opened, read schemaReport, places map[string]bool) {
		s := newNotes(declared)
		web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
		t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
		var list struct{ Tools []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(rawclient.Memory(t, s, rawclient.Config{}).Result(t, "tools/list", `{}`)), &list))
		board := list.Tools[slices.IndexFunc(list.Tools, func(tool map[string]any) bool { return tool["name"] == "notes.board" })]

		Drive(t, "schema.mjs", object{"url": web.URL, "tools": object{}}, &read)
		Drive(t, "open.mjs", object{
			"url":  web.URL,
			"open": object{"tool": "notes.board", "width": 480, "hostContext": object{"toolInfo": object{"id": 1, "tool": board}}},
			"wait": []string{"#shown", "done"}, "texts": object{"text": "#shown"},
		}, &seen)
		places = make(map[string]bool)
		withoutOpenAI(seen.Server, "server", places)
		seen.Server["modelTools"] = slices.DeleteFunc(seen.Server["modelTools"].([]any), func(name any) bool { return slices.Contains(added, name.(string)) })
		withoutOpenAI(seen.Log, "log", places)
		return seen, read, places
	}
	plain, plainRead, none := report(false)
	declared, declaredRead, places := report(true)

	assert.Empty(t, none)
	assert.Equal(t, []string{
		"log[].result.contents[]._meta", "log[].result.hostContext.toolInfo.tool._meta",
		"server.capabilities.experimental", "server.capabilities.extensions", "server.tools", "server.tools[]._meta",
	}, slices.Sorted(maps.Keys(places)))
	assert.Equal(t, plain, declared)
	assert.Empty(t, plain.Errors)
	for _, line := range []string{`tool notes.board Notes`, `result {"_meta":{"example.com/n":2}`, `call {"content":[{"type":"text","text":"added"}]`, `read [["ui://notes/board.html"`} {
		assert.Contains(t, plain.Shown.Text, line)
	}

	assert.Equal(t, plainRead.Resources, declaredRead.Resources)
	assert.Equal(t, plainRead.Capability, declaredRead.Capability)
	for _, name := range added {
		require.Contains(t, declaredRead.Tools, name)
		delete(declaredRead.Tools, name)
	}
	require.Len(t, declaredRead.Tools, len(plainRead.Tools))
	for name, tool := range declaredRead.Tools {
		assert.Equal(t, plainRead.Tools[name].Parsed, tool.Parsed, name)
		assert.Equal(t, plainRead.Tools[name].URI, tool.URI, name)
	}
}
