package openai_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSettingsWire: both tools and the search of mentions are the same bytes over each
// transport, in the version before 2026-07-28 and from it on. The transcripts guard against
// capabilities that one of the handshakes lacks, and against settings in another order than
// that of the struct.
func TestSettingsWire(t *testing.T) {
	now := defaultPrefs
	s := newPlainServer()
	openai.RegisterSettings(s, newPrefs(&now))
	openai.RegisterMentions(s, nil, findNotes)
	converse := func(t *testing.T, c *rawclient.Client) string {
		var capabilities struct{ Capabilities map[string]any }
		require.NoError(t, json.Unmarshal([]byte(c.Handshake), &capabilities))
		tools, problems := openairules.ReadCapabilities(capabilities.Capabilities)
		assert.Empty(t, problems)
		assert.Equal(t, openairules.Tools{ReadSettings: "settings.read", UpdateSettings: "settings.update", SearchMentions: "search_mentions"}, tools)

		listed := c.Result(t, "tools/list", `{}`)
		var list struct{ Tools []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(listed), &list))
		require.Len(t, list.Tools, 3)
		assert.Empty(t, openairules.MentionsTool(list.Tools[0]))
		assert.Empty(t, openairules.SettingsReadTool(list.Tools[1]))
		assert.Empty(t, openairules.SettingsUpdateTool(list.Tools[2]))

		read := c.Call(t, "settings.read", `{}`)
		var answer struct{ StructuredContent any }
		require.NoError(t, json.Unmarshal([]byte(read), &answer))
		assert.Empty(t, openairules.Settings(answer.StructuredContent))
		assert.Equal(t, []openairules.SettingsButton{{Pointer: "/layout/0/items/1", Tool: "notes.board"}}, openairules.SettingsButtons(answer.StructuredContent))
		return strings.Join([]string{
			c.Handshake, listed, read,
			c.Call(t, "settings.update", `{"set":{"limit":9007199254740993}}`),
			c.Call(t, "settings.update", `{"set":{"limit":0}}`),
			c.Call(t, "settings.update", `{"set":{"LIMIT":1}}`),
			c.Call(t, "settings.update", `{"set":{}}`),
			c.Call(t, "search_mentions", `{"query":"a"}`),
			c.Call(t, "search_mentions", `{"query":"none"}`),
			"",
		}, "\n")
	}
	rawclient.Each(t, s, rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		assert.NoError(t, golden.Compare("testdata/settings-"+c.Version+".jsonl", []byte(converse(t, c))))
	})
}

// TestSettingsUsers: each user over HTTP reads and changes the own settings, at the same time.
func TestSettingsUsers(t *testing.T) {
	var mu sync.Mutex
	saved := map[string]prefs{}
	of := func(req *mcp.CallToolRequest) string { return req.Extra.TokenInfo.UserID }
	set := newPrefs(nil)
	set.Read = func(_ context.Context, req *mcp.CallToolRequest) (prefs, error) {
		mu.Lock()
		defer mu.Unlock()
		if p, ok := saved[of(req)]; ok {
			return p, nil
		}
		return defaultPrefs, nil
	}
	set.Update = func(ctx context.Context, req *mcp.CallToolRequest, changed json.RawMessage) (prefs, error) {
		next, _ := set.Read(ctx, req)
		err := json.Unmarshal(changed, &next)
		mu.Lock()
		defer mu.Unlock()
		saved[of(req)] = next
		return next, err
	}
	s := newPlainServer()
	openai.RegisterSettings(s, set)
	known := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		clear(saved)
		h := known(rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: version == rawclient.Modern}))
		as := func(user string) *rawclient.Client {
			return rawclient.HTTP(t, h, rawclient.Config{Version: version, Header: http.Header{"Authorization": {"Bearer " + user}}})
		}
		users := map[string]string{"ann": `"limit":1`, "bob": `"limit":2`, "eve": `"limit":0`}
		clients := make(map[string]*rawclient.Client)
		for user := range users {
			clients[user] = as(user)
		}
		t.Run(version, func(t *testing.T) {
			for user, c := range clients {
				t.Run(user, func(t *testing.T) {
					t.Parallel()
					if limit := users[user]; user != "eve" {
						assert.Contains(t, c.Call(t, "settings.update", `{"set":{`+limit+`}}`), limit)
					}
					assert.Contains(t, c.Call(t, "settings.read", `{}`), users[user]+`,"zoom"`)
				})
			}
		})
	}
}
