package mcpapps_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heard records the notifications that a client gets.
type heard struct {
	mu  sync.Mutex
	got []string
}

func (h *heard) add(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, what)
}

// take returns what has come since the last call, sorted.
func (h *heard) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	got := h.got
	h.got = nil
	slices.Sort(got)
	return got
}

func (h *heard) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { h.add("tools") },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { h.add("resources") },
		ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { h.add(r.Params.URI) },
	}
}

func notifiable(opts *mcpapps.Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	mcpapps.Enable(s, opts)
	return s
}

// connectIn connects a client to a server in memory.
func connectIn(t *testing.T, s *mcp.Server, version string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, opts).Connect(t.Context(), ct, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = cs.Close(); _ = ss.Wait() })
	return cs
}

// Clients of every version hear of a changed document, under the URIs that they know.
func TestNotifyResourcesChanged(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, versioned := range []bool{false, true} {
			t.Run(fmt.Sprint(version, " ", versioned), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := notifiable(&mcpapps.Options{VersionedURIs: versioned})
					register := func(doc string) {
						mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/view.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML(doc))
					}
					mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://a/view.html"}, say("a"))
					register("<p>one")
					mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/other.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>other"))
					var h heard
					cs := connectIn(t, s, version, h.options())
					uri := listedTool(t, cs)
					assert.Equal(t, versioned, strings.Contains(uri, "?v="))
					require.NoError(t, cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}))
					old := "ui://a/view.html?v=000000000000"
					if versioned {
						require.NoError(t, cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: old}))
					}
					synctest.Wait()
					h.take()

					notify := func(uris ...string) []string {
						t.Helper()
						require.NoError(t, mcpapps.NotifyResourcesChanged(t.Context(), s, uris...))
						time.Sleep(time.Second) // in the bubble: the SDK delays what it announces
						synctest.Wait()
						return h.take()
					}
					lists := []string{"resources"}
					if versioned {
						lists = []string{"resources", "tools"}
					}
					updated := slices.Clone(lists)
					if versioned {
						updated = append(updated, old)
					}
					updated = append(updated, uri)
					slices.Sort(updated)
					assert.Equal(t, updated, notify("ui://a/view.html"))
					assert.Equal(t, updated, notify(uri), "by the URI that a list had")
					assert.Equal(t, lists, notify("ui://a/other.html"), "not subscribed to")
					assert.Equal(t, lists, notify())

					// The next list has what is new, and the old URI its document.
					register("<p>two")
					assert.Equal(t, updated, notify("ui://a/view.html"))
					now := listedTool(t, cs)
					assert.Equal(t, versioned, now != uri)
					for _, u := range []string{uri, now} {
						assert.Contains(t, connectRaw(t, s, version, capsUI).result("resources/read", fmt.Sprintf(`{"uri":%q}`, u)), "two", u)
					}
				})
			})
		}
	}
}

// listedTool returns the URI that the only tool names.
func listedTool(t *testing.T, cs *mcp.ClientSession) string {
	t.Helper()
	res, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, res.Tools, 1)
	ui, err := mcpapps.ToolUI(res.Tools[0])
	require.NoError(t, err)
	return ui.ResourceURI
}

func TestNotifyResourcesChangedMistakes(t *testing.T) {
	s := newServer()
	assert.EqualError(t, mcpapps.NotifyResourcesChanged(t.Context(), nil), "mcpapps.NotifyResourcesChanged: the server is nil")
	assert.ErrorContains(t, mcpapps.NotifyResourcesChanged(t.Context(), s, "ui://a/b", "file:///x"), `mcpapps.NotifyResourcesChanged: the URI "file:///x"`)
	assert.NoError(t, mcpapps.NotifyResourcesChanged(t.Context(), s, "ui://a/misspelled"), "as documented")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, mcpapps.NotifyResourcesChanged(ended, s, "ui://a/b"), context.Canceled)
}
