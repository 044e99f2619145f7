package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tool that changes what a view shows reaches the host of the open view, and through
// it the view, in each era of the protocol, whether URIs have versions or not.
func TestMutationReachesTheOpenView(t *testing.T) {
	const data = "notes://all"
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, versioned := range []bool{false, true} {
			t.Run(fmt.Sprint(version, " ", versioned), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := notifiable(&mcpapps.Options{VersionedURIs: versioned})
					var notes atomic.Int64
					document := func(context.Context, *mcp.ReadResourceRequest) (string, error) {
						return fmt.Sprintf("<!doctype html><p>%d notes", notes.Load()), nil
					}
					mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://notes/view.html"}, Document: mcpapps.HTMLFunc(document)}, say("a"))
					s.AddResource(&mcp.Resource{URI: data, Name: "notes"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
						return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: data, Text: fmt.Sprint(notes.Load())}}}, nil
					})
					mcp.AddTool(s, &mcp.Tool{Name: "add"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
						notes.Add(1)
						if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: data}); err != nil {
							return nil, nil, err
						}
						return nil, nil, mcpapps.NotifyResourcesChanged(ctx, s, "ui://notes/view.html")
					})

					var client heard
					conn, err := host.Connect(t.Context(), host.Target{Server: s}, &host.ConnectOptions{Client: client.options(), ProtocolVersion: version})
					require.NoError(t, err)
					defer conn.Close()
					require.Equal(t, version, conn.Session().InitializeResult().ProtocolVersion)
					bridge, err := conn.Open(t.Context(), "show", nil, nil)
					require.NoError(t, err)
					app, err := bridge.WaitApp(t.Context())
					require.NoError(t, err)
					assert.Equal(t, versioned, strings.Contains(app.URI, "?v="), app.URI)
					for _, uri := range []string{app.URI, data} {
						require.NoError(t, conn.Session().Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}))
					}
					var view heard
					bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error {
						var m struct{ ID, Method string }
						_ = json.Unmarshal(msg, &m)
						if strings.HasPrefix(m.Method, "notifications/") {
							view.add(string(msg))
						}
						return nil
					}))
					bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"notes","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`))
					synctest.Wait()
					bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
					synctest.Wait()
					time.Sleep(2 * time.Second) // in the bubble: past what registering announced
					client.take()
					view.take()

					_, err = conn.Session().CallTool(t.Context(), &mcp.CallToolParams{Name: "add"})
					require.NoError(t, err)
					time.Sleep(2 * time.Second)
					synctest.Wait()
					hears := []string{data, "resources", app.URI}
					views := []string{`{"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{}}`}
					if versioned {
						hears = []string{data, "resources", "tools", app.URI}
						views = append(views, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`)
					}
					assert.Equal(t, hears, client.take())
					assert.Equal(t, views, view.take())

					now, err := conn.ReadApp(t.Context(), app.URI)
					require.NoError(t, err)
					assert.Contains(t, now.HTML, "1 notes", "what is read then")
					tools, err := conn.Tools(t.Context())
					require.NoError(t, err)
					for _, tool := range tools {
						if tool.Tool.Name == "show" {
							assert.Equal(t, versioned, tool.UI.ResourceURI != app.URI, "the next list")
						}
					}
				})
			})
		}
	}
}
