package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withServer runs f with a fake clock, a connection to a new test server and one
// bridge of that connection.
func withServer(t *testing.T, opts *BridgeOptions, f func(t *testing.T, s *Connection, b *Bridge, v *scriptedView)) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		b, err := s.NewBridge(t.Context(), opts)
		require.NoError(t, err)
		v := newView(t, b)
		f(t, s, b, v)
		require.NoError(t, s.Close())
		<-b.Done()
	})
}

func TestModelToolsExcludeAppOnlyTools(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer s.Close()
		tools, err := s.ModelTools(t.Context())
		require.NoError(t, err)
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		assert.NotContains(t, names, "app-only")
		assert.NotContains(t, names, "nobody")
		assert.Subset(t, names, []string{"both", "plain", "model-only"})
	})
}

func TestViewCallsOnlyAppVisibleTools(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for _, name := range []string{"both", "plain", "app-only"} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q}}`, name)
			assert.Contains(t, v.takeOne(), `"content":[{"type":"text","text":"`+name)
		}
		for _, name := range []string{"model-only", "nobody"} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q}}`, name)
			assert.Contains(t, v.takeOne(), `"error":{"code":-32000,"message":"tools/call: the tool \"`+name)
		}
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"unknown"}}`)
		assert.Contains(t, v.takeOne(), `"error":{"code":-32602,"message":"tools/call: the view's server has no tool`)
	})
}

func TestVisibilityOnCallerSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		near, far := mcp.NewInMemoryTransports()
		_, err := testServer().Connect(t.Context(), far, nil)
		require.NoError(t, err)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), near, nil)
		require.NoError(t, err)
		defer session.Close()
		b := mustNewBridge(session, nil)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"model-only"}}`)
		assert.Contains(t, v.takeOne(), `"code":-32000`)
		v.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"app-only","_meta":{"progressToken":0}}}`)
		assert.Contains(t, v.takeOne(), `"id":2,"result":{`)
		b.Close(t.Context(), nil)
	})
}

func TestViewCallsOnlyItsOwnServer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		other := mcp.NewServer(&mcp.Implementation{Name: "other", Version: "1"}, nil)
		other.AddTool(&mcp.Tool{Name: "other-tool", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			t.Error("reached another server")
			return &mcp.CallToolResult{}, nil
		})
		a, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer a.Close()
		o, err := Connect(t.Context(), Target{Server: other}, nil)
		require.NoError(t, err)
		defer o.Close()
		b, err := a.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other-tool"}}`)
		assert.Contains(t, v.takeOne(), "has no tool")
	})
}

func TestUnknownMethodsAreNotForwarded(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for _, m := range []string{"completion/complete", "logging/setLevel", "resources/subscribe", "prompts/get", "server/discover", "initialize", "ui/unknown", "roots/list"} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{}}`, m)
			assert.Contains(t, v.takeOne(), `"code":-32601`, m)
		}
	})
}

func TestResourcesReadIsLimitedToUIScheme(t *testing.T) {
	opts := &BridgeOptions{}
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for _, uri := range []string{"file:///secret", "http://x", "UI://t/view.html", "", "../ui://t"} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri)
			assert.Contains(t, v.takeOne(), `"code":-32000`, uri)
		}
		v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://t/view.html"}}`)
		assert.Contains(t, v.takeOne(), `"text":"\u003c!doctype html\u003e`, "the server's escapes are kept")
		v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}`)
		assert.Contains(t, v.takeOne(), `"code":-32602,"message":"resources/read: uri is missing"`)
	})
	opts.AllowRead = func(uri string) bool { return uri == "file:///secret" }
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///secret"}}`)
		assert.Contains(t, v.takeOne(), `"text":"secret"`)
	})
}

func TestForwardedLists(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		caps := string(v.initialize(`{}`)["hostCapabilities"])
		assert.JSONEq(t, `{"serverTools":{"listChanged":true},"serverResources":{"listChanged":true}}`, caps)
		v.sendInitialized()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
		got := v.takeOne()
		assert.Contains(t, got, `"name":"app-only"`)
		assert.Contains(t, got, `"name":"plain"`)
		assert.NotContains(t, got, `"name":"model-only"`)
		assert.NotContains(t, got, `"name":"nobody"`)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
		assert.Contains(t, v.takeOne(), `"uri":"ui://t/view.html"`)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`)
		assert.Contains(t, v.takeOne(), `"resourceTemplates":[]`)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
		assert.Contains(t, v.takeOne(), `"code":-32601`, "the server has no prompts")
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}`)
		assert.Contains(t, v.takeOne(), `"code":-32602,"message":"tools/list: cursor must be a string`)
	})
}

func TestForwardedResultsAreUnchanged(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"both","arguments":{"z":1.50, "a":"<&>","n":9007199254740993}}}`)
		assert.Contains(t, v.takeOne(), `"structuredContent":{"big":9007199254740993,"args":{"z":1.50,"a":"\u003c\u0026\u003e","n":9007199254740993}}`, "the server's escapes are kept")
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fails"}}`)
		assert.Contains(t, v.takeOne(), `"error":{"code":0,"message":"no luck"}`, "the server's error is unchanged")
	})
}

func TestProgressKeepsTokenAndOrder(t *testing.T) {
	for _, token := range []string{`0`, `"a"`, `"mcpapps-1"`} {
		withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
			v.handshake()
			v.post(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"counts","_meta":{"progressToken":%s}}}`, token)
			got := v.take()
			require.Len(t, got, 4)
			for i, p := range []string{"1", "2", "3"} {
				assert.Equal(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":`+p+`,"progressToken":`+token+`}}`, got[i])
			}
			assert.Contains(t, got[3], `"id":4,"result"`)
		})
	}
}

func TestForwardedMeta(t *testing.T) {
	opts := &BridgeOptions{Forward: func(ctx context.Context, f *Forwarded, next func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
		f.Meta["span"] = f.Method + " " + f.Name
		return next(ctx)
	}}
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"meta","_meta":{"traceparent":"00-1-2-01","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/protocolVersion":"forged","dev.mcp/x":1,"vendor/x":2}}}`)
		var got struct {
			Result struct{ Content []struct{ Text string } }
		}
		require.NoError(t, json.Unmarshal([]byte(v.takeOne()), &got))
		meta := got.Result.Content[0].Text
		assert.Contains(t, meta, `"traceparent":"00-1-2-01"`)
		assert.Contains(t, meta, `"span":"tools/call meta"`)
		assert.Contains(t, meta, `"vendor/x":2`)
		assert.NotContains(t, meta, "forged")
		assert.NotContains(t, meta, "sampling")
		assert.NotContains(t, meta, "dev.mcp/x")
	})
}

func TestCancellationIsForwardedWithReason(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		reasons := make(chan string, 1)
		server := testServer()
		server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if p, ok := req.GetParams().(*mcp.CancelledParams); ok {
					reasons <- p.Reason
				}
				return next(ctx, method, req)
			}
		})
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"waits"}}`)
		v.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","reason":"changed my mind"}}`)
		assert.Equal(t, "changed my mind", <-reasons)
		assert.Empty(t, v.take(), "a cancelled request gets no response")
	})
}

func TestAllowCallRejectsCall(t *testing.T) {
	opts := &BridgeOptions{AllowCall: func(_ context.Context, tool *mcp.Tool, args json.RawMessage) error {
		return errors.New("not " + tool.Name + " with " + string(args))
	}}
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"both","arguments":{"n":1}}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not both with {\"n\":1}"}}`, v.takeOne())
	})
}

// A request that waits for the user's consent does not delay requests that need no
// consent, and a view that has too many such requests gets an error.
func TestBlockedAllowCall(t *testing.T) {
	consent := make(chan struct{})
	var asked atomic.Int32
	opts := &BridgeOptions{
		Limits: Limits{Calls: 2, Waiting: 3},
		AllowCall: func(ctx context.Context, tool *mcp.Tool, _ json.RawMessage) error {
			if tool.Name != "both" {
				return nil
			}
			asked.Add(1)
			select {
			case <-consent:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}
	inBubble(t, func(t *testing.T) {
		consent = make(chan struct{})
		s := connect(t, testServer(), nil)
		defer s.Close()
		b, err := s.NewBridge(t.Context(), opts)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		call := func(id int, tool string) {
			v.post(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
		}
		for id := range 5 {
			call(id, "both")
		}
		assert.EqualValues(t, 2, asked.Load(), "the limit of simultaneous calls")
		assert.Empty(t, v.take())
		v.post(`{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":"ui://t/view.html"}}`)
		assert.Contains(t, v.takeOne(), `"id":10,"result"`, "overtakes the calls that wait for consent")
		v.post(`{"jsonrpc":"2.0","id":11,"method":"tools/list"}`)
		assert.Contains(t, v.takeOne(), `"id":11,"result"`)
		call(12, "both")
		assert.Contains(t, v.takeOne(), `"id":12,"error":{"code":-32000,"message":"too many requests at once: 2 run and 3 wait"`)
		v.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		call(13, "both")
		assert.Empty(t, v.take(), "the cancelled call made room for this one")
		v.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
		assert.EqualValues(t, 3, asked.Load(), "the next waiting call asks for consent")
		close(consent)
		got := strings.Join(v.take(), "\n")
		for _, id := range []int{1, 2, 4, 13} {
			assert.Contains(t, got, fmt.Sprintf(`"id":%d,"result"`, id))
		}
		assert.NotContains(t, got, `"id":0,`)
		assert.NotContains(t, got, `"id":3,`)
		b.mu.Lock()
		assert.Zero(t, b.serverPool.running+b.programPool.running+b.held)
		assert.Empty(t, append(b.serverPool.waiting, b.programPool.waiting...))
		b.mu.Unlock()
	})
}

func TestListChangedIsForwarded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		server := testServer()
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late"}}`)
		v.take()
		server.AddTool(&mcp.Tool{Name: "late", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
		time.Sleep(time.Second)
		assert.Equal(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late"}}`)
		assert.Contains(t, v.takeOne(), `"result"`)
	})
}

// A server that sends many list changes causes at most one notification to the
// view per second.
func TestListChangedIsRateLimited(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		conns := make(chan mcp.Connection, 1)
		s, err := Connect(t.Context(), Target{Transport: func(context.Context) (mcp.Transport, error) {
			near, conn := rawServer(`[]`)
			conns <- conn
			return near, nil
		}}, nil)
		require.NoError(t, err)
		conn := <-conns
		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		for range 1000 {
			require.NoError(t, conn.Write(t.Context(), &jsonrpc.Request{Method: "notifications/tools/list_changed", Params: json.RawMessage(`{}`)}))
		}
		assert.Len(t, v.take(), 1)
		time.Sleep(time.Second)
		assert.Len(t, v.take(), 1, "one more after the last change")
		time.Sleep(time.Minute)
		assert.Empty(t, v.take())
		require.NoError(t, s.Close())
	})
}

func TestOpen(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.Open(t.Context(), "both", map[string]any{"n": 1, "deep": map[string]any{}}, nil)
		require.NoError(t, err)
		app, err := b.WaitApp(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "<!doctype html><title>v</title>", app.HTML)
		assert.Equal(t, "listed", app.UI.Domain, "the list entry's metadata applies because the content item has none")
		result, err := b.WaitResult(t.Context())
		require.NoError(t, err)
		v := newView(t, b)
		ctx := string(v.initialize(`{}`)["hostContext"])
		assert.Contains(t, ctx, `{"toolInfo":{"tool":{`)
		assert.Contains(t, ctx, `"default":"<C>"`, "the tool is unchanged")
		v.sendInitialized()
		got := v.take()
		require.Len(t, got, 2)
		const args = `{"deep":{"on":true},"n":1,"unit":"<C>"}`
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":`+args+`}}`, got[0], "the arguments include the schema's defaults")
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":`+string(result)+`}`, got[1], "the result is unchanged")
		assert.Contains(t, string(result), `"args":{"deep":{"on":true},"n":1,"unit":`, "the call's arguments include the defaults too")
	})
}

func TestAppIsReadByURI(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		server := testServer()
		server.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app", Meta: ui(map[string]any{"domain": "listed"})},
			appHandler("<!doctype html>", map[string]any{"prefersBorder": false}))
		var read, listed []string
		server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				switch p := req.GetParams().(type) {
				case *mcp.ReadResourceParams:
					read = append(read, p.URI)
				case *mcp.ListResourcesParams:
					listed = append(listed, method)
				}
				return next(ctx, method, req)
			}
		})
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.Open(t.Context(), "both", nil, nil)
		require.NoError(t, err)
		app, err := b.WaitApp(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"ui://t/view.html"}, read)
		assert.Empty(t, listed, "the app is read without listing resources")
		require.NotNil(t, app.UI.PrefersBorder)
		assert.Empty(t, app.UI.Domain, "the content item's metadata replaces the list entry's entirely")
	})
}

// The content item's metadata, if present, replaces the list entry's
// entirely.
func TestContentMetadataReplacesListMetadata(t *testing.T) {
	for _, tc := range []struct {
		name    string
		content map[string]any
		domain  string
	}{
		{"list entry if content has none", nil, "listed"},
		{"content", map[string]any{"domain": "read"}, "read"},
		{"content with fewer fields", map[string]any{"prefersBorder": true}, ""},
		{"empty content metadata", map[string]any{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := testServer()
			server.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app", Meta: ui(map[string]any{"domain": "listed"})},
				appHandler("<!doctype html>", tc.content))
			b, err := connect(t, server, nil).Open(t.Context(), "both", nil, nil)
			require.NoError(t, err)
			app, err := b.WaitApp(t.Context())
			require.NoError(t, err)
			assert.Equal(t, tc.domain, app.UI.Domain)
		})
	}
}

func TestToolResultIsUnchanged(t *testing.T) {
	t.Parallel()
	s, err := Connect(t.Context(), testCommand(t, "plain"), nil)
	require.NoError(t, err)
	defer s.Close()
	b, got := openView(t, s, nil)
	result, err := s.Call(t.Context(), "raw", nil)
	require.NoError(t, err)
	require.NoError(t, b.SendToolInput(nil))
	require.NoError(t, b.SendToolResult(result))
	<-got
	assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":`+rawResult+`}`, <-got)
}

// Tool-cancelled is sent whatever ends the call, including the close of its
// view or its server.
func TestClosingViewOrServerCancelsCall(t *testing.T) {
	for _, closed := range []string{"the view", "the server"} {
		inBubble(t, func(t *testing.T) {
			s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
			require.NoError(t, err)
			b, err := s.Open(t.Context(), "waits", nil, nil)
			require.NoError(t, err)
			v := newView(t, b)
			v.handshake()
			assert.Equal(t, "ui/notifications/tool-input", method(t, v.takeOne()))
			if closed == "the view" {
				go b.Close(t.Context(), errors.New("the tab was closed"))
			} else {
				go s.Close()
			}
			got := v.take()
			require.Equal(t, []string{"ui/notifications/tool-cancelled", "ui/resource-teardown"}, methods(t, got), closed)
			assert.Contains(t, got[0], map[string]string{"the view": `"reason":"the tab was closed"`, "the server": `server is gone: `}[closed])
			<-b.Done()
			s.Close()
		})
	}
}

// A view rejects the whole handshake if a schema of toolInfo's tool does not have
// the type object.
func TestToolInfoOmitsToolThatViewsReject(t *testing.T) {
	for tool, ok := range map[string]bool{
		`"inputSchema":{"type":"object"}`:                                  true,
		`"inputSchema":{"type":"object"},"outputSchema":{"type":"object"}`: true,
		`"inputSchema":{"type":"object"},"outputSchema":{"type":"array"}`:  false,
		`"inputSchema":{"type":"object"},"outputSchema":{"anyOf":[]}`:      false,
		`"inputSchema":{}`:                  false,
		`"inputSchema":{"type":["object"]}`: false,
		`"inputSchema":true`:                false,
		`"inputSchema":null`:                false,
		`"title":"no schema"`:               false,
	} {
		var decoded mcp.Tool
		raw := json.RawMessage(`{"name":"x",` + tool + `}`)
		require.NoError(t, json.Unmarshal(raw, &decoded), tool)
		assert.Equal(t, ok, toolInfo(&decoded, raw) != nil, tool)
	}
}

// WaitResult returns after the result was queued for the view, so that a caller may
// close the view immediately.
func TestResultIsQueuedBeforeWaitResultReturns(t *testing.T) {
	s := connect(t, testServer(), nil)
	for range 100 {
		b, err := s.Open(t.Context(), "both", nil, nil)
		require.NoError(t, err)
		_, err = b.WaitResult(t.Context())
		require.NoError(t, err)
		b.mu.Lock()
		require.NotNil(t, b.delivery.outcome)
		require.False(t, b.delivery.cancelled)
		b.mu.Unlock()
		b.Close(t.Context(), nil)
	}
}

// Close with an ended context sends no teardown request: the caller knows that the
// view cannot respond.
func TestCloseWithEndedContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		b.Close(ctx, errors.New("its process died"))
		assert.Empty(t, v.take())
		assert.EqualError(t, b.Err(), "its process died")
	})
}

func TestOpenErrors(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer s.Close()
		_, err = s.Open(t.Context(), "plain", nil, nil)
		assert.ErrorIs(t, err, ErrNoApp)
		_, err = s.Open(t.Context(), "unknown", nil, nil)
		assert.ErrorContains(t, err, `no tool "unknown"`)
		_, err = s.Open(t.Context(), "both", []int{1}, nil)
		assert.ErrorContains(t, err, "must be a JSON object")
		b, err := s.Open(t.Context(), "missing-view", nil, nil)
		require.NoError(t, err)
		_, err = b.WaitApp(t.Context())
		assert.ErrorContains(t, err, "ui://t/none.html")
		_, err = b.WaitResult(t.Context())
		assert.NoError(t, err, "the tool's result does not need the view")
	})
}

func TestOpeningCallIsCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.Open(t.Context(), "waits", nil, nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		v.take()
		b.Cancel(errors.New("the user pressed stop"))
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-cancelled","params":{"reason":"the user pressed stop"}}`, v.takeOne())
		_, err = b.WaitResult(t.Context())
		assert.EqualError(t, err, "the user pressed stop")

		b, err = s.Open(t.Context(), "waits", nil, &BridgeOptions{Limits: Limits{CallTimeout: time.Minute}})
		require.NoError(t, err)
		v = newView(t, b)
		v.handshake()
		v.take()
		time.Sleep(time.Minute)
		assert.Contains(t, v.takeOne(), `tool-cancelled","params":{"reason":"the tool \"waits\" took longer than 1m0s"}`)
	})
}

func TestAppToolsFollowViewLifetime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var changed atomic.Int32
		b := mustNewBridge(nil, &BridgeOptions{AppToolsChanged: func() { changed.Add(1) }})
		v := newView(t, b)
		v.handshake()
		_, err := b.AppTools(t.Context())
		assert.ErrorIs(t, err, ErrNoAppTools, "not declared")
		assert.Empty(t, v.take())

		v.initialize(`{"tools":{"listChanged":true}}`)
		v.sendInitialized()
		done := make(chan struct{})
		go func() {
			defer close(done)
			tools, err := b.AppTools(t.Context())
			if assert.NoError(t, err) && assert.Len(t, tools, 1) {
				assert.Equal(t, "paint", tools[0].Name)
			}
			var progress []string
			result, err := b.CallAppTool(t.Context(), "paint", map[string]string{"c": "red"}, func(p json.RawMessage) { progress = append(progress, string(p)) })
			assert.NoError(t, err)
			assert.Equal(t, `{"content":[]}`, string(result))
			assert.Equal(t, []string{`{"progressToken":2,"progress":1}`}, progress)
		}()
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"paint","inputSchema":{"type":"object"}}]}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"paint","arguments":{"c":"red"},"_meta":{"progressToken":2}}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`)
		v.post(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
		<-done

		for range 50 {
			v.post(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
		assert.EqualValues(t, 1, changed.Load())
		time.Sleep(time.Second)
		synctest.Wait()
		assert.EqualValues(t, 2, changed.Load(), "at most once per second, and once after the last change")

		_, err = b.CallAppTool(t.Context(), "paint", nil, nil)
		assert.ErrorContains(t, err, "did not answer within 30s")
		assert.Contains(t, strings.Join(v.take(), ""), `"method":"notifications/cancelled","params":{"reason":"the view did not answer within 30s","requestId":3}`)

		pending := make(chan error)
		go func() { _, err := b.CallAppTool(t.Context(), "paint", nil, nil); pending <- err }()
		synctest.Wait()
		b.Close(t.Context(), nil)
		assert.ErrorIs(t, <-pending, ErrClosed)
	})
}

func TestCallAppToolAfterCloseFails(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.initialize(`{"tools":{}}`)
		v.sendInitialized()
		go b.Close(t.Context(), nil)
		v.take()
		_, err := b.CallAppTool(t.Context(), "paint", nil, nil)
		assert.ErrorIs(t, err, ErrClosed, "during Close")
		<-b.Done()
		_, err = b.CallAppTool(t.Context(), "paint", nil, nil)
		assert.ErrorIs(t, err, ErrClosed)
		_, err = b.AppTools(t.Context())
		assert.ErrorIs(t, err, ErrClosed)
		assert.Empty(t, v.take())
	})
}

// A view's tools end with it; the next view of the same server does not have
// them.
func TestAppToolsEndWithView(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.initialize(`{"tools":{}}`)
		v.sendInitialized()
		b.Close(t.Context(), nil)
		again, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		newView(t, again).handshake()
		_, err = again.AppTools(t.Context())
		assert.ErrorIs(t, err, ErrNoAppTools)
	})
}

func TestSandboxReceivesDocumentOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.Open(t.Context(), "both", nil, &BridgeOptions{Trace: rec.trace})
		require.NoError(t, err)
		v := newView(t, b)
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}`)
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"ui/notifications/sandbox-resource-ready","params":{"html":"<!doctype html><title>v</title>","sandbox":"allow-scripts allow-same-origin allow-forms"}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}`)
		assert.Empty(t, v.take(), "a second notification, which the view forged")
		assert.Contains(t, rec.String(), "the sandbox has its document")
	})
}

// An elicitation during a view's call goes to the program's ElicitationHandler.
func TestElicitationUsesClientHandler(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		inBubble(t, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "asks", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if req.Params.InputResponses == nil {
					return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "Sure?", RequestedSchema: map[string]any{"type": "object"}}}}, nil
				}
				answer := req.Params.InputResponses["q"].(*mcp.ElicitResult)
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the user chose to " + answer.Action}}}, nil
			})
			s, err := Connect(t.Context(), Target{Server: server}, &ConnectOptions{ProtocolVersion: version, Client: &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					assert.Equal(t, "Sure?", req.Params.Message)
					return &mcp.ElicitResult{Action: "decline"}, nil
				},
			}})
			require.NoError(t, err)
			defer s.Close()
			b, err := s.NewBridge(t.Context(), nil)
			require.NoError(t, err)
			v := newView(t, b)
			v.handshake()
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"asks"}}`)
			assert.Contains(t, v.takeOne(), "the user chose to decline", version)
		})
	}
}
