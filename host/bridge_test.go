package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func method(t *testing.T, msg string) string {
	t.Helper()
	var m struct{ Method string }
	require.NoError(t, json.Unmarshal([]byte(msg), &m))
	return m.Method
}

func methods(t *testing.T, msgs []string) []string {
	names := make([]string, len(msgs))
	for i, m := range msgs {
		names[i] = method(t, m)
	}
	return names
}

func TestNoMessagesBeforeInitialized(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Context: HostContext{Theme: ThemeLight}})
		v := newView(t, b)
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 1}))
		require.NoError(t, b.SendToolInput(map[string]int{"n": 12}))
		require.NoError(t, b.SendToolResult(json.RawMessage(`{"content":[]}`)))
		require.NoError(t, b.SetContext(HostContext{Theme: ThemeDark}))
		b.listChanged("notifications/tools/list_changed")
		_, err := b.AppTools(context.Background())
		assert.ErrorIs(t, err, ErrNotReady)
		assert.Empty(t, v.take(), "before ui/initialize")

		v.initialize(`{"tools":{}}`) // asserts that nothing but the response is sent
		require.NoError(t, b.SetContext(HostContext{Theme: ThemeDark, Locale: "nn-NO"}))
		time.Sleep(time.Hour)
		assert.Empty(t, v.take(), "between ui/initialize and ui/notifications/initialized")

		v.sendInitialized()
		assert.Equal(t, []string{
			`{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"locale":"nn-NO"}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"n":12}}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":{"content":[]}}`,
		}, v.take())
		b.Close(t.Context(), nil)
	})
}

func TestCloseBeforeInitializedSendsNoTeardown(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.initialize(`{}`)
		b.Close(t.Context(), nil)
		assert.Empty(t, v.take())
		assert.ErrorIs(t, b.Err(), ErrClosed)
	})
}

func TestInitializeResultAlwaysHasHostContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		r := v.initialize(`{}`)
		assert.JSONEq(t, `{}`, string(r["hostContext"]))
		assert.JSONEq(t, `{}`, string(r["hostCapabilities"]))
		assert.JSONEq(t, `"2026-01-26"`, string(r["protocolVersion"]))
		assert.JSONEq(t, `{"name":"mcpapps","version":"2026-01-26"}`, string(r["hostInfo"]))
		b.Close(t.Context(), nil)
	})
}

func TestToolInputWithoutArguments(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		require.NoError(t, b.SendToolInput(nil))
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{}}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

func TestToolInputOnceBeforeToolResult(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		assert.ErrorIs(t, b.SendToolResult(json.RawMessage(`{"content":[]}`)), ErrNoInput)
		require.NoError(t, b.SendToolInput(json.RawMessage(`{"html":"<b>", "big":9007199254740993}`)))
		assert.ErrorIs(t, b.SendToolInput(nil), ErrInputSent)
		require.NoError(t, b.SendToolResult(json.RawMessage(`{"content":[],"x":"<b>","big":9007199254740993}`)))
		assert.ErrorIs(t, b.SendToolResult(json.RawMessage(`{}`)), ErrOutcomeSent)
		assert.ErrorIs(t, b.SendToolCancelled("late"), ErrOutcomeSent)
		assert.Equal(t, []string{
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"html":"<b>", "big":9007199254740993}}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":{"content":[],"x":"<b>","big":9007199254740993}}`,
		}, v.take(), "the arguments and the result are unchanged")
		b.Close(t.Context(), nil)
	})
}

func TestNoPartialInputAfterToolInput(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 0}))
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 1}))
		v.handshake()
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 2}))
		require.NoError(t, b.SendToolInput(map[string]int{"n": 3}))
		assert.ErrorIs(t, b.SendToolInputPartial(map[string]int{"n": 4}), ErrInputSent)
		assert.Equal(t, []string{
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-input-partial","params":{"arguments":{"n":1}}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-input-partial","params":{"arguments":{"n":2}}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"n":3}}}`,
		}, v.take())
		b.Close(t.Context(), nil)
	})
}

func TestToolInputReplacesQueuedPartial(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 1}))
		require.NoError(t, b.SendToolInput(map[string]int{"n": 2}))
		v.handshake()
		assert.Equal(t, []string{"ui/notifications/tool-input"}, methods(t, v.take()))
		b.Close(t.Context(), nil)
	})
}

func TestToolCancelledHasReason(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		require.NoError(t, b.SendToolInput(nil))
		require.NoError(t, b.SendToolCancelled("the user stopped it"))
		got := v.take()
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-cancelled","params":{"reason":"the user stopped it"}}`, got[len(got)-1])
		b.Close(t.Context(), nil)
	})
}

func TestHostContextChangedHasOnlyChanges(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := HostContext{Theme: ThemeLight, Locale: "en", Extra: map[string]any{"x-vendor": 1}}
		b := mustNewBridge(nil, &BridgeOptions{Context: c})
		v := newView(t, b)
		v.handshake()
		require.NoError(t, b.SetContext(c))
		assert.Empty(t, v.take(), "nothing changed")
		c.Theme = ThemeDark
		require.NoError(t, b.SetContext(c))
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"theme":"dark"}}`, v.takeOne())
		c.Styles = &Styles{Variables: map[string]string{"--color-nope": "red"}}
		assert.ErrorContains(t, b.SetContext(c), `"--color-nope"`)
		assert.Empty(t, v.take())
		b.Close(t.Context(), nil)
	})
}

func TestTeardownRequestTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var closedWith error
		b := mustNewBridge(nil, &BridgeOptions{Closed: func(err error) { closedWith = err }, Limits: Limits{TeardownTimeout: 3 * time.Second}})
		v := newView(t, b)
		v.handshake()
		start := time.Now()
		go b.Close(t.Context(), errors.New("tab closed"))
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"ui/resource-teardown","params":{"reason":"tab closed"}}`, v.takeOne())
		b.Close(t.Context(), errors.New("second")) // waits for the first Close
		assert.Equal(t, 3*time.Second, time.Since(start), "the view never responds")
		synctest.Wait()
		assert.EqualError(t, closedWith, "tab closed")
		assert.EqualError(t, b.Err(), "tab closed")
		v.post(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
		assert.Empty(t, v.take(), "nothing is sent to a closed view")
	})
}

func TestTeardownAcceptsResultOrError(t *testing.T) {
	for _, response := range []string{`"result":{}`, `"error":{"code":-32601,"message":"no handler"}`} {
		inBubble(t, func(t *testing.T) {
			b := mustNewBridge(nil, nil)
			v := newView(t, b)
			v.handshake()
			start := time.Now()
			go b.Close(t.Context(), nil)
			v.take()
			v.post(`{"jsonrpc":"2.0","id":1,%s}`, response)
			<-b.Done()
			assert.Zero(t, time.Since(start))
		})
	}
}

func TestRequestTeardownIsFollowedByTeardown(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var b *Bridge
		b = mustNewBridge(nil, &BridgeOptions{RequestTeardown: func() { b.Close(context.Background(), errors.New("the view asked")) }})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`)
		assert.Equal(t, "ui/resource-teardown", method(t, v.takeOne()))
		v.post(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		assert.EqualError(t, b.Err(), "the view asked")
	})
}

func TestRequestTeardownMayBeIgnored(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`)
		assert.Empty(t, v.take())
		assert.True(t, b.Ready())
		b.Close(t.Context(), nil)
	})
}

func TestUndeclaredDisplayModeIsNotSet(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		calls := 0
		b := mustNewBridge(nil, &BridgeOptions{
			Context:     HostContext{DisplayMode: DisplayInline, AvailableDisplayModes: []DisplayMode{DisplayInline, DisplayFullscreen, DisplayPIP}},
			DisplayMode: func(_ context.Context, m DisplayMode) (DisplayMode, error) { calls++; return m, nil },
		})
		v := newView(t, b)
		v.initialize(`{"availableDisplayModes":["inline","fullscreen"]}`)
		v.sendInitialized()
		v.post(`{"jsonrpc":"2.0","id":7,"method":"ui/request-display-mode","params":{"mode":"pip"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":7,"result":{"mode":"inline"}}`, v.takeOne())
		assert.Zero(t, calls)
		assert.ErrorContains(t, b.SetDisplayMode(DisplayPIP), "not among them")
		assert.Empty(t, v.take())
		require.NoError(t, b.SetDisplayMode(DisplayFullscreen))
		assert.Equal(t, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"displayMode":"fullscreen"}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

// Whatever the DisplayMode callback returns, only a declared mode is set
// and the response has the resulting mode.
func TestCallbackCannotSetUndeclaredDisplayMode(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		all := []DisplayMode{DisplayInline, DisplayFullscreen, DisplayPIP}
		var returned DisplayMode
		var callbackErr error
		b := mustNewBridge(nil, &BridgeOptions{
			Context:     HostContext{AvailableDisplayModes: all},
			DisplayMode: func(context.Context, DisplayMode) (DisplayMode, error) { return returned, callbackErr },
		})
		v := newView(t, b)
		v.initialize(`{"availableDisplayModes":["inline","fullscreen"]}`)
		v.sendInitialized()
		for _, tc := range []struct {
			mode DisplayMode
			err  error
		}{{DisplayPIP, nil}, {"", nil}, {"huge", nil}, {DisplayFullscreen, errors.New("not now")}} {
			returned, callbackErr = tc.mode, tc.err
			v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/request-display-mode","params":{"mode":"fullscreen"}}`)
			assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"mode":"inline"}}`, v.takeOne(), "%q %v", tc.mode, tc.err)
		}
		assert.ErrorContains(t, b.SetContext(HostContext{DisplayMode: DisplayPIP, AvailableDisplayModes: all}), `"pip" is not among them`)
		assert.Empty(t, v.take())
		require.NoError(t, b.SetContext(HostContext{DisplayMode: DisplayFullscreen, AvailableDisplayModes: all}))
		assert.Contains(t, v.takeOne(), `"displayMode":"fullscreen"`)
		b.Close(t.Context(), nil)
	})
}

func TestRequestDisplayModeReturnsResultingMode(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{
			Context: HostContext{AvailableDisplayModes: []DisplayMode{DisplayInline, DisplayFullscreen}},
			DisplayMode: func(_ context.Context, m DisplayMode) (DisplayMode, error) {
				return DisplayPIP, nil // a mode other than the requested one
			},
		})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":"a","method":"ui/request-display-mode","params":{"mode":"fullscreen"}}`)
		got := v.take()
		assert.Contains(t, got, `{"jsonrpc":"2.0","id":"a","result":{"mode":"pip"}}`)
		assert.Contains(t, got, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"displayMode":"pip"}}`)
		v.post(`{"jsonrpc":"2.0","id":"b","method":"ui/request-display-mode","params":{"mode":"pip"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":"b","result":{"mode":"pip"}}`, v.takeOne(), "the host does not offer this mode: a result with the current mode, not an error")
		b.Close(t.Context(), nil)
	})
}

func TestDisplayModeIsUnchangedWithoutCallback(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/request-display-mode","params":{"mode":"fullscreen"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"mode":"inline"}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

// Each malformed message is rejected with an error that names the fault.
func TestMalformedMessagesAreRejected(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		b := mustNewBridge(nil, &BridgeOptions{
			Trace:   rec.trace,
			Message: func(context.Context, *ViewMessage) error { return nil }, OpenLink: func(context.Context, *url.URL) error { return nil },
			UpdateModelContext: func(context.Context, *ModelContext) error { return nil }, Download: func(context.Context, []Download) error { return nil },
		})
		v := newView(t, b)
		v.handshake()
		for _, tc := range []struct{ msg, code, text string }{
			{`{"jsonrpc":"2.0","id":1,"method":"nope"}`, "-32601", `\"nope\"`},
			{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "-32601", "ui/initialize"},
			{`{"jsonrpc":"2.0","id":1,"method":5}`, "-32600", "method"},
			{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600", "jsonrpc"},
			{`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, "-32600", "params must be an object"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"protocolVersion":"2026-01-26","capabilities":{}}}`, "-32602", "appInfo is missing"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"capabilities":{},"protocolVersion":"x"}}`, "-32602", "appCapabilities must be an object, not nothing (capabilities is"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":1},"appCapabilities":{},"protocolVersion":"x"}}`, "-32602", "appInfo must be"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{}}}`, "-32602", "protocolVersion"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{"availableDisplayModes":["big"]},"protocolVersion":"x"}}`, "-32602", `availableDisplayModes[0]`},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{}}`, "-32602", "url is missing"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":5}}`, "-32602", "url must be a string, not number"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"assistant","content":[{"type":"text","text":"x"}]}}`, "-32602", "role"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"x"},{"type":"nope"}]}}`, "-32602", "content[1]"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user"}}`, "-32602", "content"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/update-model-context","params":{"structuredContent":[1]}}`, "-32602", "structuredContent"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/download-file","params":{"contents":[{"type":"text"}]}}`, "-32602", "contents[0]"},
			{`{"jsonrpc":"2.0","id":1,"method":"ui/request-display-mode","params":{"mode":"huge"}}`, "-32602", "mode"},
			{`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`, "-32601", "does not support"},
			{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, "-32601", "server has no"},
		} {
			v.post("%s", tc.msg)
			got := v.takeOne()
			assert.Contains(t, got, `{"jsonrpc":"2.0","id":1,"error":{"code":`+tc.code, tc.msg)
			assert.Contains(t, got, tc.text, tc.msg)
		}
		// These have no id to respond to; each is noted in the trace.
		for _, msg := range []string{`{`, `[]`, `null`, `5`, ``, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/size-change","params":{"width":1}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"width":"1"}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"height":-1}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"height":1e400}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-resource-ready","params":{"html":"x"}}`,
			`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready"}`,
		} {
			before := rec.String()
			v.post("%s", msg)
			assert.Empty(t, v.take(), msg)
			assert.NotEqual(t, before, rec.String(), "not noted in the trace: %s", msg)
		}
		assert.Contains(t, rec.String(), `did you mean "ui/notifications/size-changed"`)
		b.Close(t.Context(), nil)
	})
}

func TestReloadedViewReceivesInputAndResultAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		require.NoError(t, b.SendToolInput(map[string]int{"n": 1}))
		require.NoError(t, b.SendToolResult(json.RawMessage(`{"content":[]}`)))
		want := v.take()
		v.sendInitialized() // a second initialized notification alone sends nothing
		assert.Empty(t, v.take())
		v.initialize(`{}`)
		assert.Empty(t, v.take(), "before the second ui/notifications/initialized")
		v.sendInitialized()
		assert.Equal(t, want, v.take())
		b.Close(t.Context(), nil)
	})
}

func TestReloadedViewMayReuseRequestIDs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		called := make(chan struct{}, 2)
		release := make(chan struct{})
		b := mustNewBridge(nil, &BridgeOptions{OpenLink: func(ctx context.Context, u *url.URL) error {
			called <- struct{}{}
			if u.Host == "one.example" {
				<-ctx.Done()
				return context.Cause(ctx)
			}
			<-release
			return nil
		}})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"https://one.example"}}`)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"https://two.example"}}`)
		assert.Contains(t, v.takeOne(), "open already", "the id is in use by the same document")
		v.handshake()
		v.take()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"https://two.example"}}`)
		close(release)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

func TestCapabilitiesFollowCallbacks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{
			OpenLink:           func(context.Context, *url.URL) error { return nil },
			Message:            func(context.Context, *ViewMessage) error { return nil },
			UpdateModelContext: func(context.Context, *ModelContext) error { return nil },
			Download:           func(context.Context, []Download) error { return nil },
			Sample:             func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
			Log:                func(LogMessage) {},
		})
		v := newView(t, b)
		assert.JSONEq(t, `{"openLinks":{},"downloadFile":{},"logging":{},"sampling":{"tools":{}},
			"message":{"text":{},"image":{},"audio":{},"resource":{},"resourceLink":{}},
			"updateModelContext":{"text":{},"image":{},"audio":{},"resource":{},"resourceLink":{},"structuredContent":{}}}`, string(v.initialize(`{}`)["hostCapabilities"]))
		b.Close(t.Context(), nil)
	})
}

func TestOpenLink(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var opened []string
		b := mustNewBridge(nil, &BridgeOptions{OpenLink: func(_ context.Context, u *url.URL) error {
			if u.Host == "no.example" {
				return errors.New("declined")
			}
			opened = append(opened, u.String())
			return nil
		}})
		v := newView(t, b)
		v.handshake()
		for _, bad := range []string{"javascript:alert(1)", "JavaScript:alert(1)", " javascript:x", "data:text/html,x", "file:///etc/passwd", "/relative", "https:", "http:///x", "vbscript:x", "https://no.example", "ht\ttps://x", "blob:https://x/1", strings.Repeat("https://x/", 1000)} {
			v.post(`{"jsonrpc":"2.0","id":3,"method":"ui/open-link","params":{"url":%q}}`, bad)
			assert.Equal(t, `{"jsonrpc":"2.0","id":3,"result":{"isError":true}}`, v.takeOne(), bad)
		}
		v.post(`{"jsonrpc":"2.0","id":3,"method":"ui/open-link","params":{"url":"HTTPS://x.example/a?b#c"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":3,"result":{}}`, v.takeOne())
		assert.Equal(t, []string{"https://x.example/a?b#c"}, opened)
		b.Close(t.Context(), nil)
	})
}

func TestMessagesAndModelContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var got []string
		reject := false
		b := mustNewBridge(nil, &BridgeOptions{
			Message: func(_ context.Context, m *ViewMessage) error {
				got = append(got, m.Content[0].(*mcp.TextContent).Text)
				if reject {
					return errors.New("declined")
				}
				return nil
			},
			UpdateModelContext: func(_ context.Context, c *ModelContext) error {
				if reject {
					return errors.New("declined")
				}
				return nil
			},
		})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":{"type":"text","text":"object"}}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"array"}]}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.takeOne())
		assert.Equal(t, []string{"object", "array"}, got)

		assert.Nil(t, b.ModelContext())
		v.post(`{"jsonrpc":"2.0","id":2,"method":"ui/update-model-context","params":{"content":[{"type":"text","text":"first"}]}}`)
		v.post(`{"jsonrpc":"2.0","id":3,"method":"ui/update-model-context","params":{"structuredContent":{"n":9007199254740993}}}`)
		assert.Len(t, v.take(), 2)
		assert.Equal(t, `{"n":9007199254740993}`, string(b.ModelContext().StructuredContent), "an update replaces the previous one")
		assert.Empty(t, b.ModelContext().Content)
		reject = true
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"x"}]}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"isError":true}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":4,"method":"ui/update-model-context","params":{}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"declined"}}`, v.takeOne(), "an error, because views treat any result as success")
		assert.NotNil(t, b.ModelContext().StructuredContent)
		b.Close(t.Context(), nil)
	})
}

func TestDownloadNamesAreSafe(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var got []Download
		b := mustNewBridge(nil, &BridgeOptions{Download: func(_ context.Context, files []Download) error { got = files; return nil }})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/download-file","params":{"contents":[
			{"type":"resource","resource":{"uri":"file:///a/report.csv","mimeType":"text/csv","text":"a,b"}},
			{"type":"resource","resource":{"uri":"x:///..%%2f..%%2fetc%%2fpasswd","blob":"AAE="}},
			{"type":"resource_link","uri":"https://x.example/file.bin","name":"..\\..\\NUL.txt"}]}}`, []any{}...)
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":2,"method":"ui/download-file","params":{"contents":[{"type":"resource","resource":{"uri":"x:///..%2f..%2fetc%2fpasswd","blob":"AAE="}},{"type":"resource_link","uri":"https://x.example/file.bin","name":"..\\..\\NUL.txt"},{"type":"resource","resource":{"uri":"file:///a/report.csv","mimeType":"text/csv","text":"a,b"}}]}}`))
		v.take()
		assert.Equal(t, []Download{
			{Name: "passwd", URI: "x:///..%2f..%2fetc%2fpasswd", Data: []byte{0, 1}},
			{Name: "_NUL.txt", URI: "https://x.example/file.bin", Link: true},
			{Name: "report.csv", URI: "file:///a/report.csv", MIMEType: "text/csv", Data: []byte("a,b")},
		}, got)
		b.Close(t.Context(), nil)
	})
	for in, want := range map[string]string{"": "download", "...": "download", "a/b/": "download", ".bashrc": "bashrc", "x:con": "_con", "a\u202egpj.exe": "agpj.exe", "a:b?c": "b"} {
		assert.Equal(t, want, fileName(in), in)
	}
	long := fileName(strings.Repeat("ø", 300) + ".txt")
	assert.LessOrEqual(t, len(long), 200)
	assert.True(t, strings.HasSuffix(long, "ø.txt"), long)
}

func TestSizeChangedIsClamped(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var got []Size
		b := mustNewBridge(nil, &BridgeOptions{SizeChanged: func(s Size) { got = append(got, s) }})
		v := newView(t, b)
		v.handshake()
		for _, p := range []string{`{"width":300.2,"height":27000000}`, `{}`, `{"height":12}`} {
			v.post(`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":%s}`, p)
		}
		assert.Equal(t, []Size{{301, MaxViewSize}, {}, {0, 12}}, got)
		b.Close(t.Context(), nil)
	})
}

func TestRateLimitRejectsAndReportsOncePerSecond(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		b := mustNewBridge(nil, &BridgeOptions{Trace: rec.trace, Limits: Limits{Rate: 10, Burst: 20}})
		v := newView(t, b)
		for i := range 100 {
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)))
		}
		got := v.take()
		require.Len(t, got, 100, "each request gets a response")
		assert.Equal(t, `{"jsonrpc":"2.0","id":19,"result":{}}`, got[19])
		assert.Contains(t, got[20], `"code":-32000`)
		assert.Equal(t, 1, strings.Count(rec.String(), "more than 10 a second"))
		time.Sleep(time.Second)
		for range 11 {
			b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		}
		got = v.take()
		assert.Contains(t, got[9], `"result"`)
		assert.Contains(t, got[10], `"error"`)
		assert.Contains(t, rec.String(), "refused 80 messages")
		b.Close(t.Context(), nil)
	})
}

func TestOversizedMessageIsRejected(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		b := mustNewBridge(nil, &BridgeOptions{Trace: rec.trace})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"%s"}}`, strings.Repeat("x", 16<<20))
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"dropped a message of 16777274 bytes: the limit is 4194304"}}`, v.takeOne())
		assert.Contains(t, rec.String(), "the limit is 4194304")
		v.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

func TestWaitingRequestsAreLimited(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		running := make(chan struct{}, 100)
		release := make(chan struct{})
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{Calls: 2, Waiting: 3}, OpenLink: func(ctx context.Context, _ *url.URL) error {
			running <- struct{}{}
			select {
			case <-release:
			case <-ctx.Done():
			}
			return context.Cause(ctx)
		}})
		v := newView(t, b)
		v.handshake()
		for i := range 6 {
			v.post(`{"jsonrpc":"2.0","id":%d,"method":"ui/open-link","params":{"url":"https://x.example"}}`, i)
		}
		assert.Len(t, running, 2)
		assert.Contains(t, v.takeOne(), `"id":5,"error":{"code":-32000`)
		v.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		close(release)
		got := v.take()
		assert.Len(t, got, 4, "responses to all but the cancelled request: %s", got)
		assert.NotContains(t, strings.Join(got, ""), `"id":3`)
		b.Close(t.Context(), nil)
	})
}

func TestCallbackTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{CallTimeout: time.Minute}, Message: func(ctx context.Context, _ *ViewMessage) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		v := newView(t, b)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"x"}]}}`)
		assert.Empty(t, v.take())
		time.Sleep(time.Minute)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"isError":true}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

func TestSendErrorClosesBridge(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		b.Attach(TransportFunc(func(json.RawMessage) error { return errors.New("frame gone") }))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		<-b.Done()
		assert.ErrorContains(t, b.Err(), "frame gone")
	})
}

func TestBlockedSendClosesBridge(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{QueueBytes: 1000}})
		release := make(chan struct{})
		b.Attach(TransportFunc(func(json.RawMessage) error { <-release; return nil }))
		go b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		time.Sleep(time.Second)
		for range 100 {
			b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		}
		<-b.Done()
		assert.ErrorContains(t, b.Err(), "took nothing")
		close(release)
	})
}

func TestSendMayCallReceive(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		n := 0
		b.Attach(TransportFunc(func(json.RawMessage) error {
			if n++; n < 10 {
				b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
			}
			return nil
		}))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		assert.Equal(t, 10, n)
		b.Close(t.Context(), nil)
	})
}

// Changes to a HostContext that was passed in or returned have no effect before
// SetContext.
func TestHostContextIsCopied(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		given := HostContext{Theme: ThemeDark, AvailableDisplayModes: []DisplayMode{DisplayInline}, ContainerDimensions: &Dimensions{Width: 1},
			DeviceCapabilities: &DeviceCapabilities{}, SafeAreaInsets: &SafeAreaInsets{Top: 1}, Extra: map[string]any{"x": 1},
			Styles: &Styles{Variables: map[string]string{"--color-text-primary": "red"}, CSS: &StylesCSS{Fonts: "a"}}}
		mutate := func(c HostContext) {
			c.AvailableDisplayModes[0] = DisplayPIP
			c.ContainerDimensions.Width, c.DeviceCapabilities.Touch, c.SafeAreaInsets.Top, c.Extra["x"] = 9, true, 9, 9
			c.Styles.Variables["--color-text-primary"], c.Styles.CSS.Fonts = "blue", "b"
		}
		b := mustNewBridge(nil, &BridgeOptions{Context: given})
		want := mustJSON(b.Context())
		mutate(given)
		assert.JSONEq(t, string(want), string(mustJSON(b.Context())))
		mutate(b.Context())
		assert.JSONEq(t, string(want), string(mustJSON(b.Context())))
		assert.Equal(t, 1, b.Context().Extra["x"])

		v := newView(t, b)
		v.handshake()
		v.take()
		c := b.Context()
		c.Theme, c.ContainerDimensions.Width = ThemeLight, 2
		require.NoError(t, b.SetContext(c))
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"theme":"light","containerDimensions":{"width":2}}}`, v.takeOne())
		mutate(c)
		assert.Equal(t, 2, b.Context().ContainerDimensions.Width)
		b.Close(t.Context(), nil)
	})
}

func TestArgsObject(t *testing.T) {
	for _, empty := range []any{nil, json.RawMessage(nil), json.RawMessage{}, json.RawMessage(" null\n"), map[string]any(nil), (*struct{})(nil)} {
		raw, err := argsObject(empty)
		require.NoError(t, err)
		assert.Equal(t, "{}", string(raw), "%#v", empty)
	}
	for _, invalid := range []any{json.RawMessage(" "), json.RawMessage("{"), json.RawMessage("[]"), 7, "x", []int{}} {
		_, err := argsObject(invalid)
		assert.Error(t, err, "%#v", invalid)
	}
}
