package appclient_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a server declares is what a client reads, in each protocol version and over
// each transport of the SDK.
func TestBothEnds(t *testing.T) {
	no := false
	ui := mcpapps.ResourceUIMetadata{
		CSP:           &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}, FrameDomains: []string{}},
		Permissions:   &mcpapps.Permissions{ClipboardWrite: true},
		PrefersBorder: &no,
		Extra:         map[string]any{"later": []any{1.0}},
	}
	newAppServer := func() *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
			Resource: mcp.Resource{URI: "ui://s/view.html"}, UI: ui, Document: mcpapps.HTML("<p>Grüße</p>"),
		}, say("shown"))
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "refresh"}, mcpapps.AppOnly("ui://s/view.html"), say("refreshed"))
		mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://s/decks/{name}", Name: "deck"}, "ui://s/decks", ui,
			mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
				return fmt.Sprintf("<p>%v</p>", vars["name"]), nil
			}))
		mcp.AddTool(s, &mcp.Tool{Name: "plain"}, say("plain"))
		return s
	}
	web := func(h http.Handler) func(*testing.T) mcp.Transport {
		return func(t *testing.T) mcp.Transport {
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			return &mcp.StreamableClientTransport{Endpoint: server.URL}
		}
	}
	get := func(s *mcp.Server) func(*http.Request) *mcp.Server {
		return func(*http.Request) *mcp.Server { return s }
	}
	transports := map[string]func(*testing.T) mcp.Transport{
		"in memory": func(t *testing.T) mcp.Transport {
			ct, st := mcp.NewInMemoryTransports()
			_, err := newAppServer().Connect(t.Context(), st, nil)
			require.NoError(t, err)
			return ct
		},
		"stateful":  web(mcp.NewStreamableHTTPHandler(get(newAppServer()), nil)),
		"stateless": web(mcp.NewStreamableHTTPHandler(get(newAppServer()), &mcp.StreamableHTTPOptions{Stateless: true})),
		"sse": func(t *testing.T) mcp.Transport {
			server := httptest.NewServer(mcp.NewSSEHandler(get(newAppServer()), nil))
			t.Cleanup(server.CloseClientConnections)
			return &mcp.SSEClientTransport{Endpoint: server.URL}
		},
	}
	for name, transport := range transports {
		for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
			t.Run(name+" "+version, func(t *testing.T) {
				opts := &mcp.ClientOptions{}
				appclient.EnableClient(opts)
				cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, opts).Connect(t.Context(), transport(t), &mcp.ClientSessionOptions{ProtocolVersion: version})
				require.NoError(t, err)
				defer cs.Close()
				assert.True(t, appclient.ServerSupportsUI(cs))

				tools, err := appclient.ListToolsForModel(t.Context(), cs, nil)
				require.NoError(t, err)
				require.Len(t, tools, 2)
				m, err := mcpapps.ToolUI(tools[1])
				require.NoError(t, err)
				assert.Equal(t, mcpapps.ToolUIMetadata{ResourceURI: "ui://s/view.html", Visibility: []mcpapps.Visibility{"model", "app"}}, m)

				for uri, html := range map[string]string{
					"ui://s/view.html": "<p>Grüße</p>", "ui://s/decks": "<p></p>", "ui://s/decks/q3": "<p>q3</p>",
				} {
					app, err := appclient.ReadApp(t.Context(), cs, uri, nil)
					require.NoError(t, err, uri)
					assert.Equal(t, html, app.HTML)
					assert.Equal(t, ui, app.UI)
				}
				_, err = appclient.ReadApp(t.Context(), cs, "ui://s/missing", nil)
				var re *appclient.ReadError
				require.ErrorAs(t, err, &re)
				assert.Equal(t, appclient.ReadNotFound, re.Reason)
			})
		}
	}
}

// A server that sends an endless answer byte by byte is stopped by the timeout.
func TestReadAppFromATrickle(t *testing.T) {
	done := make(chan struct{})
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, &mcp.StreamableHTTPOptions{Stateless: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != "resources/read" {
			inner.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		for {
			select {
			case <-done:
				return
			case <-r.Context().Done():
				return
			case <-time.After(10 * time.Millisecond):
				_, _ = io.WriteString(w, " ")
				w.(http.Flusher).Flush()
			}
		}
	}))
	t.Cleanup(web.Close)
	t.Cleanup(func() { close(done) })
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	start := time.Now()
	_, err = appclient.ReadApp(t.Context(), cs, "ui://s/view.html", &appclient.ReadOptions{Timeout: 200 * time.Millisecond})
	var re *appclient.ReadError
	require.ErrorAs(t, err, &re)
	assert.Equal(t, appclient.ReadTimeout, re.Reason, "%v", err)
	assert.Less(t, time.Since(start), 20*time.Second)
}
