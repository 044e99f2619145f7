package forge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

var users = []string{"ada", "grace", "edsger"}

// TestRequestsAreApart: many requests of several users, kinds of clients, versions
// and settings at once. Each gets what it gets alone, and no other user's name.
func TestRequestsAreApart(t *testing.T) {
	before := registryJSON(t)
	type request struct {
		want string
		user string
		send func() string
	}
	var requests []request
	for _, s := range settings() {
		h := Handler(s.config)
		for _, c := range clients {
			for _, version := range []string{"2025-11-25", modern} {
				for _, user := range users {
					header := s.header.Clone()
					header.Set("Forge-User", user)
					for i, m := range append([]message{handshake(version)}, s.asks...) {
						requests = append(requests, request{
							want: post(t, Handler(s.config), c, version, header, i+1, m),
							user: user,
							send: func() string { return post(t, h, c, version, header, i+1, m) },
						})
					}
				}
			}
		}
	}
	each := 100 // requests for each goroutine
	if testenv.Full() {
		each = 20 * len(requests)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range each {
				r := requests[rand.IntN(len(requests))]
				got := r.send()
				assert.Equal(t, r.want, got)
				for _, other := range users {
					if other != r.user {
						assert.NotContains(t, got, other)
					}
				}
			}
		})
	}
	wg.Wait()
	assert.Equal(t, before, registryJSON(t), "a request changed the registry")
}

// TestOneLongServer: in 2026-07-28 clients of several kinds may share one
// connection, for example behind a gateway. Each gets its own lists and texts.
func TestOneLongServer(t *testing.T) {
	pipe := rawclient.Stdio(t, NewServer(Config{}, Request{User: "ada"}), rawclient.Config{NoHandshake: true})
	want := map[string]string{}
	for round := range 5 {
		for _, i := range rand.Perm(len(clients)) {
			c := clients[i]
			for _, m := range []message{tools, call("profile", "get_me", `{}`), call("form", "create_issue", `{"title":"Typo"}`)} {
				got := pipe.Line(t, c.line(modern, 1, m.method, m.params))
				key := c.name + "/" + m.name
				if round == 0 {
					want[key] = got
				}
				assert.Equal(t, want[key], got, "%s, round %d", key, round)
			}
		}
	}
	for _, c := range clients {
		// The server does not know the program at the end of its standard input.
		sees := c.capabilities == declaresUI
		assert.Equal(t, sees, strings.Contains(want[c.name+"/tools"], "ui://"), c.name)
		assert.Equal(t, sees, strings.Contains(want[c.name+"/tools"], "submit_issue"), c.name)
		assert.Equal(t, sees, strings.Contains(want[c.name+"/form"], "awaiting_user"), c.name)
	}
}

// TestEveryListedViewIsReadable: whatever a request asks for, a URI that a tool
// names can be read by every later request of the same deployment.
func TestEveryListedViewIsReadable(t *testing.T) {
	for _, s := range settings() {
		h := Handler(s.config)
		for _, c := range clients {
			for _, version := range mcp.SupportedProtocolVersions() {
				var list struct {
					Result struct {
						Tools []struct {
							Name string
							Meta struct {
								UI *struct {
									ResourceURI string
									Visibility  []string
								}
							} `json:"_meta"`
						}
					}
				}
				answer := post(t, h, c, version, s.header, 1, tools)
				require.NoError(t, json.Unmarshal([]byte(answer), &list))
				require.NotEmpty(t, list.Result.Tools)
				for _, tool := range list.Result.Tools {
					name := fmt.Sprintf("%s %s %s %s", s.name, c.name, version, tool.Name)
					if tool.Meta.UI == nil {
						assert.NotContains(t, []string{"submit_issue", "merge_pull"}, tool.Name, "%s: app-only, and offered to the model", name)
						continue
					}
					other := s.header.Clone()
					other.Set("Forge-Toolsets", "users")
					assert.Contains(t, post(t, h, clients[0], version, other, 2, read("view", tool.Meta.UI.ResourceURI)), "doctype", name)
				}
			}
		}
	}
}

// registryJSON returns the declarations of the registry.
func registryJSON(t *testing.T) string {
	t.Helper()
	var all []any
	for i := range registry {
		all = append(all, &registry[i].Tool, registry[i].UI)
	}
	data, err := json.Marshal(all)
	require.NoError(t, err)
	return string(data)
}
