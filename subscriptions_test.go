package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const subscribedApp = "ui://a/view.html"

// subscribable returns a server whose app clients may subscribe to, and the
// calls of its two handlers.
func subscribable(t *testing.T) (*mcp.Server, chan string) {
	calls := make(chan string, 100)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: func(_ context.Context, r *mcp.SubscribeRequest) error {
			calls <- "subscribe " + r.Params.URI
			return nil
		},
		UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error {
			calls <- "unsubscribe " + r.Params.URI
			return nil
		},
	})
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: subscribedApp}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>a"))
	return s, calls
}

func listedURI(t *testing.T, s *mcp.Server) string {
	uri := resourceURIs(t, connectRaw(t, s, "2025-11-25", capsUI))[0]
	require.Regexp(t, `\?v=[0-9a-f]{12}$`, uri)
	return uri
}

// updates returns the URIs of the notifications that a client gets from one
// update of a URI, by asking for something afterwards.
func updates(t *testing.T, s *mcp.Server, c *rawClient, uri string) (uris []string) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: uri}) }()
	// In memory, a write waits for the reader. The response comes after all notifications.
	c.id++
	params := `{}`
	if c.meta != "" {
		params = `{"_meta":` + c.meta + `}`
	}
	sent := make(chan struct{})
	go func() {
		<-done
		m, _ := jsonrpc.DecodeMessage(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":%s}`, c.id, params))
		_ = c.conn.Write(context.Background(), m)
		close(sent)
	}()
	for {
		m, err := c.conn.Read(t.Context())
		require.NoError(t, err)
		switch m := m.(type) {
		case *jsonrpc.Response:
			if m.ID.Raw() == int64(c.id) {
				<-sent
				return uris
			}
		case *jsonrpc.Request:
			if m.Method == "notifications/resources/updated" {
				var p struct{ URI string }
				require.NoError(t, json.Unmarshal(m.Params, &p))
				uris = append(uris, p.URI)
			}
		}
	}
}

func expectCalls(t *testing.T, calls chan string, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-calls:
			assert.Equal(t, w, got)
		case <-time.After(10 * time.Second):
			t.Fatal("no call: ", w)
		}
	}
	assert.Empty(t, calls)
}

// Hosts subscribe to the URI that they got from a list, and authors update the one
// that they registered.
func TestSubscribeToVersionedURIs(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		if version >= "2026-07-28" {
			continue
		}
		s, calls := subscribable(t)
		v1 := listedURI(t, s)
		v2 := subscribedApp + "?v=000000000000"
		c := connectRaw(t, s, version, capsUI)
		ask := func(method, uri string) {
			assert.JSONEq(t, `{}`, c.result("resources/"+method, fmt.Sprintf(`{"uri":%q}`, uri)))
		}
		ask("subscribe", v1)
		expectCalls(t, calls, "subscribe "+subscribedApp)
		assert.Equal(t, []string{v1}, updates(t, s, c, subscribedApp), version)
		assert.Empty(t, updates(t, s, c, "ui://other"))

		// A new version is subscribed to before the old one is left.
		ask("subscribe", v2)
		ask("subscribe", v2)
		ask("subscribe", subscribedApp)
		assert.Equal(t, []string{v1, v2, subscribedApp}, updates(t, s, c, subscribedApp), version)
		ask("unsubscribe", v1)
		ask("unsubscribe", subscribedApp)
		assert.Equal(t, []string{v2}, updates(t, s, c, subscribedApp), version)
		expectCalls(t, calls)
		other := connectRaw(t, s, version, capsUI)
		assert.Empty(t, updates(t, s, other, subscribedApp), "another session")
		ask("unsubscribe", v2)
		expectCalls(t, calls, "unsubscribe "+subscribedApp)
		assert.Empty(t, updates(t, s, c, subscribedApp), version)
		// Reversed: the registered URI, as before.
		ask("subscribe", subscribedApp)
		assert.Equal(t, []string{subscribedApp}, updates(t, s, c, subscribedApp), version)
		ask("subscribe", "file:///x")
		assert.Equal(t, []string{"file:///x"}, updates(t, s, c, "file:///x"), version)
	}
}

// In 2026-07-28 each subscription is a stream of its own, which the SDK's client
// opens for each URI, and does not wait for.
func TestListenToVersionedURIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, calls := subscribable(t)
		v1 := listedURI(t, s)
		v2 := subscribedApp + "?v=000000000000"
		got := make(chan string, 100)
		cs := connectIn(t, s, "", &mcp.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { got <- r.Params.URI },
		})
		require.Equal(t, "2026-07-28", cs.InitializeResult().ProtocolVersion)
		update := func(want ...string) {
			t.Helper()
			require.NoError(t, s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: subscribedApp}))
			synctest.Wait()
			require.Len(t, got, len(want))
			for _, w := range want {
				assert.Equal(t, w, <-got)
			}
		}
		subscribe := func(uri string) {
			require.NoError(t, cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}))
			synctest.Wait()
			expectCalls(t, calls, "subscribe "+subscribedApp)
		}
		unsubscribe := func(uri string) {
			require.NoError(t, cs.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}))
			synctest.Wait()
		}
		subscribe(v1)
		update(v1)
		subscribe(v2)
		update(v1, v2)
		unsubscribe(v1)
		// The SDK ends all subscriptions of the session to the app, so the other is renewed.
		expectCalls(t, calls, "unsubscribe "+subscribedApp, "subscribe "+subscribedApp)
		update(v2)
		unsubscribe(v2)
		expectCalls(t, calls, "unsubscribe "+subscribedApp)
		update()
	})
}

// The acknowledgement of a stream names what was asked for.
func TestListenAcknowledgesVersionedURIs(t *testing.T) {
	s, _ := subscribable(t)
	v1 := listedURI(t, s)
	c := connectRaw(t, s, "2026-07-28", capsUI)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":77,"method":"subscriptions/listen","params":{"_meta":%s,"notifications":{"resourceSubscriptions":[%q,%q,"file:///x"]}}}`, c.meta, v1, subscribedApp))
	m, err := c.conn.Read(t.Context())
	require.NoError(t, err)
	ack := m.(*jsonrpc.Request)
	require.Equal(t, "notifications/subscriptions/acknowledged", ack.Method)
	var p struct{ Notifications json.RawMessage }
	require.NoError(t, json.Unmarshal(ack.Params, &p))
	assert.JSONEq(t, fmt.Sprintf(`{"resourceSubscriptions":[%q,%q,"file:///x"]}`, v1, subscribedApp), string(p.Notifications))
	require.NoError(t, s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "file:///x"}))
}

// A client can subscribe under versions that it made up. Each is notified, so they
// are bounded, and the last ones count.
func TestMadeUpVersionsAreForgotten(t *testing.T) {
	s, calls := subscribable(t)
	c := connectRaw(t, s, "2025-11-25", capsUI)
	for i := range 300 {
		c.result("resources/subscribe", fmt.Sprintf(`{"uri":"%s?v=%012x"}`, subscribedApp, i))
	}
	expectCalls(t, calls, "subscribe "+subscribedApp)
	uris := updates(t, s, c, subscribedApp)
	assert.Len(t, uris, 100)
	assert.Equal(t, fmt.Sprintf("%s?v=%012x", subscribedApp, 299), uris[99])
	for i := range 300 {
		c.result("resources/unsubscribe", fmt.Sprintf(`{"uri":"%s?v=%012x"}`, subscribedApp, i))
	}
	assert.Equal(t, "unsubscribe "+subscribedApp, <-calls)
}
