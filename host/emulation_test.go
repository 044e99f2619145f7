package host

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/compat"
)

// says returns a fact with one claim.
func says[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: compat.Source{Kind: compat.Probe, By: "a test", Date: "2026-08-19"}}}}
}

// everything returns options with all callbacks.
func everything() *BridgeOptions {
	return &BridgeOptions{
		OpenLink:           func(context.Context, *url.URL) error { return nil },
		Message:            func(context.Context, *ViewMessage) error { return nil },
		UpdateModelContext: func(context.Context, *ModelContext) error { return nil },
		Download:           func(context.Context, []Download) error { return nil },
		DisplayMode:        func(_ context.Context, m DisplayMode) (DisplayMode, error) { return m, nil },
		Context: HostContext{Theme: ThemeDark, Platform: "web", DisplayMode: DisplayInline,
			AvailableDisplayModes: []DisplayMode{DisplayInline, DisplayFullscreen, DisplayPIP},
			ContainerDimensions:   &Dimensions{Width: 900}},
	}
}

// emulating returns the bridge of a view on a host with a profile.
func emulating(t *testing.T, session *mcp.ClientSession, p *compat.Profile, change func(*BridgeOptions)) (*scriptedView, *record) {
	t.Helper()
	r := &record{}
	o := everything()
	o.Trace = r.trace
	o.Emulation = Emulate(p)
	if change != nil {
		change(o)
	}
	return newView(t, mustNewBridge(session, o)), r
}

func TestEmulatedHandshake(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := &compat.Profile{
			ID: "small", Name: "Small host", Version: "3",
			DisplayModes: says([]string{"inline", "fullscreen", "hologram"}), Size: says(compat.Size{Width: 400, MaxHeight: 768}),
			Platform: says("desktop"), ToolInfo: says(false),
			Message: says(compat.No), DownloadFile: says(compat.Unadvertised), UpdateModelContext: says(compat.Refused),
		}
		tool := &mcp.Tool{Name: "x", InputSchema: json.RawMessage(`{"type":"object"}`)}
		v, _ := emulating(t, nil, p, func(o *BridgeOptions) { o.Tool = tool })
		res := v.initialize(`{}`)
		assert.JSONEq(t, `{"name":"small","title":"Small host","version":"3"}`, string(res["hostInfo"]))
		assert.JSONEq(t, `{"theme":"dark","platform":"desktop","displayMode":"inline","availableDisplayModes":["inline","fullscreen"],
			"containerDimensions":{"width":400,"maxHeight":768}}`, string(res["hostContext"]))
		var caps map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(res["hostCapabilities"], &caps))
		assert.Contains(t, caps, "openLinks")
		assert.Contains(t, caps, "updateModelContext")
		assert.NotContains(t, caps, "message")
		assert.NotContains(t, caps, "downloadFile")

		// What the program sets later has the emulated fields, too.
		v.sendInitialized()
		require.NoError(t, v.b.SetContext(HostContext{Theme: ThemeLight, Platform: "web", ContainerDimensions: &Dimensions{Width: 50}}))
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"theme":"light"}}`, v.takeOne())
		// The size is that of the inline mode.
		require.NoError(t, v.b.SetContext(HostContext{DisplayMode: DisplayFullscreen, ContainerDimensions: &Dimensions{Width: 1300}}))
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"displayMode":"fullscreen","containerDimensions":{"width":1300}}}`, v.takeOne())
		// A mode that the host does not have leaves the view in the present one.
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/request-display-mode","params":{"mode":"pip"}}`)
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"mode":"fullscreen"}}`, v.takeOne())
	})
}

func TestEmulatedRequests(t *testing.T) {
	requests := map[string]string{
		"openLink":           `"ui/open-link","params":{"url":"https://example.com"}`,
		"message":            `"ui/message","params":{"role":"user","content":[{"type":"text","text":"hi"}]}`,
		"updateModelContext": `"ui/update-model-context","params":{"content":[]}`,
		"downloadFile":       `"ui/download-file","params":{"contents":[{"type":"resource","resource":{"uri":"file:///a","text":"x"}}]}`,
		"serverTools":        `"tools/call","params":{"name":"both"}`,
		"serverResources":    `"resources/read","params":{"uri":"ui://t/view.html"}`,
	}
	capability := map[string]string{"openLink": "openLinks"}
	with := func(key string, s compat.Support) *compat.Profile {
		p := &compat.Profile{ID: "h", Name: "H"}
		f := says(s)
		for k, field := range map[string]*compat.Fact[compat.Support]{"openLink": &p.OpenLink, "message": &p.Message, "updateModelContext": &p.UpdateModelContext,
			"downloadFile": &p.DownloadFile, "serverTools": &p.ServerTools, "serverResources": &p.ServerResources} {
			if k == key {
				*field = f
			}
		}
		return p
	}
	soft := []string{"openLink", "message", "downloadFile"}
	for key, request := range requests {
		for _, s := range []compat.Support{compat.Yes, compat.No, compat.Refused, compat.Unadvertised, compat.Restricted} {
			t.Run(key+" "+string(s), func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					conn, err := Connect(t.Context(), Target{Server: testServer()}, nil)
					require.NoError(t, err)
					defer conn.Close()
					v, _ := emulating(t, conn.Session(), with(key, s), nil)
					res := v.initialize(`{}`)
					name := capability[key]
					if name == "" {
						name = key
					}
					var caps map[string]json.RawMessage
					require.NoError(t, json.Unmarshal(res["hostCapabilities"], &caps))
					_, advertised := caps[name]
					assert.Equal(t, s != compat.No && s != compat.Unadvertised, advertised, "%s", res["hostCapabilities"])
					v.sendInitialized()
					v.post(`{"jsonrpc":"2.0","id":7,"method":` + request + `}`)
					got := v.takeOne()
					switch {
					case s == compat.No:
						assert.Contains(t, got, `"code":-32601`)
					case s == compat.Refused && slices.Contains(soft, key):
						assert.JSONEq(t, `{"jsonrpc":"2.0","id":7,"result":{"isError":true}}`, got)
					case s == compat.Refused:
						assert.Contains(t, got, fmt.Sprintf(`"code":%d`, CodeDenied))
					default:
						assert.Contains(t, got, `"result":{`)
						assert.NotContains(t, got, "isError\":true")
					}
					v.b.Close(canceled(), nil)
				})
			})
		}
	}
}

// canceled returns a context that has ended.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// An emulation takes nothing away from the bridge's own checks.
func TestEmulationBypassesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		conn, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer conn.Close()
		p := &compat.Profile{ID: "h", Name: "H", ServerTools: says(compat.Unadvertised), ServerResources: says(compat.Yes), OpenLink: says(compat.Yes), Message: says(compat.Yes)}
		v, _ := emulating(t, conn.Session(), p, func(o *BridgeOptions) { o.Message = nil })
		v.handshake()
		for method, code := range map[string]int{
			`"tools/call","params":{"name":"model-only"}`:                                            CodeDenied,
			`"resources/read","params":{"uri":"file:///secret"}`:                                     CodeDenied,
			`"ui/message","params":{"role":"user","content":[{"type":"text","text":"no callback"}]}`: -32601,
		} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":` + method + `}`)
			assert.Contains(t, v.takeOne(), fmt.Sprintf(`"code":%d`, code), method)
		}
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"javascript:alert(1)"}}`)
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"isError":true}}`, v.takeOne())
		v.b.Close(canceled(), nil)
	})
}

func TestEmulatedNotificationsOfTheView(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		asked, changed := 0, 0
		v, r := emulating(t, nil, &compat.Profile{ID: "h", Name: "H", RequestTeardown: says(compat.No), AppTools: says(compat.No)}, func(o *BridgeOptions) {
			o.RequestTeardown = func() { asked++ }
			o.AppToolsChanged = func() { changed++ }
		})
		v.initialize(`{"tools":{"listChanged":true}}`)
		v.sendInitialized()
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`)
		v.post(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Zero(t, asked)
		assert.Zero(t, changed)
		_, err := v.b.AppTools(t.Context())
		assert.ErrorContains(t, err, "tools/list")
		assert.Empty(t, v.take())
		assert.Contains(t, r.String(), "the emulated host ignores ui/notifications/request-teardown")
		v.b.Close(canceled(), nil)
	})
}

func TestHeldNotifications(t *testing.T) {
	never := &compat.Profile{ID: "h", Name: "H", Cancelled: says(false), ContextChanged: says(false), Teardown: says(false), PartialInput: says(false)}
	inBubble(t, func(t *testing.T) {
		v, r := emulating(t, nil, never, nil)
		v.handshake()
		require.NoError(t, v.b.SendToolInputPartial(json.RawMessage(`{"a":1}`)))
		require.NoError(t, v.b.SendToolInput(json.RawMessage(`{"a":12}`)))
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"a":12}}}`, v.takeOne())
		require.NoError(t, v.b.SetContext(HostContext{Theme: ThemeLight}))
		require.NoError(t, v.b.SetContext(HostContext{Theme: ThemeDark}))
		require.NoError(t, v.b.SendToolCancelled("too slow"))
		start := time.Now()
		v.b.Close(t.Context(), nil)
		assert.Empty(t, v.take())
		assert.Zero(t, time.Since(start), "nothing waits for a teardown that is not sent")
		assert.Equal(t, 1, strings.Count(r.String(), "the emulated host does not send ui/notifications/host-context-changed"))
		assert.Contains(t, r.String(), "the emulated host does not send ui/notifications/tool-cancelled")
		assert.Contains(t, r.String(), "the emulated host does not send ui/resource-teardown")
	})
}

func TestEmulatedResult(t *testing.T) {
	const result = `{"content":[{"type":"text","text":"21"}],"structuredContent":{"big":9007199254740993},"_meta":{"id":"a"},"isError":false}`
	const whole, textOnly, empty = result, `{"content":[{"type":"text","text":"21"}],"isError":false}`, `{"content":[]}`
	for _, c := range []struct {
		name             string
		profile          compat.Profile
		first, second    string // results
		input, inputNext bool
	}{
		{"unknown", compat.Profile{}, whole, whole, true, true},
		{"without _meta", compat.Profile{Result: says(compat.ResultWithoutMeta)},
			`{"content":[{"type":"text","text":"21"}],"structuredContent":{"big":9007199254740993},"isError":false}`,
			`{"content":[{"type":"text","text":"21"}],"structuredContent":{"big":9007199254740993},"isError":false}`, true, true},
		{"content only", compat.Profile{Result: says(compat.ResultContentOnly), Reload: says(compat.ReloadWhole)}, textOnly, textOnly, true, true},
		{"an empty one", compat.Profile{Result: says(compat.ResultEmpty)}, empty, empty, true, true},
		{"emptied", compat.Profile{Reload: says(compat.ReloadEmptied)}, whole, empty, true, true},
		{"no result", compat.Profile{Reload: says(compat.ReloadNoResult)}, whole, "", true, true},
		{"nothing", compat.Profile{Reload: says(compat.ReloadNothing)}, whole, "", true, false},
		{"cut", compat.Profile{ResultLimit: says(100)},
			`{"content":[{"type":"text","text":"The result has 121 characters. This host passes on at most 100: the result is in a file."}]}`,
			`{"content":[{"type":"text","text":"The result has 121 characters. This host passes on at most 100: the result is in a file."}]}`, true, true},
		{"not cut", compat.Profile{ResultLimit: says(121)}, whole, whole, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				v, _ := emulating(t, nil, &c.profile, nil)
				require.NoError(t, v.b.SendToolInput(json.RawMessage(`{"n":1}`)))
				require.NoError(t, v.b.SendToolResult(json.RawMessage(result)))
				check := func(input bool, result string) {
					t.Helper()
					v.handshake()
					var want []string
					if input {
						want = append(want, `{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"n":1}}}`)
					}
					if result != "" {
						want = append(want, `{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":`+result+`}`)
					}
					got := v.take()
					require.Len(t, got, len(want), "%q", got)
					for i := range want {
						assert.JSONEq(t, want[i], got[i])
						assert.Equal(t, strings.Contains(want[i], "9007199254740993"), strings.Contains(got[i], "9007199254740993"))
					}
				}
				check(c.input, c.first)
				check(c.inputNext, c.second) // the document loads again
				require.NoError(t, v.b.SetApp(&appclient.App{}))
				check(c.input, c.first) // an edited document counts as the first
				v.b.Close(canceled(), nil)
			})
		})
	}
}

// A document that repeats its handshake before it is initialized is not one that loads
// again.
func TestRepeatedHandshakeIsNoReload(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v, _ := emulating(t, nil, &compat.Profile{Reload: says(compat.ReloadNothing)}, nil)
		require.NoError(t, v.b.SendToolInput(json.RawMessage(`{"n":1}`)))
		require.NoError(t, v.b.SendToolResult(json.RawMessage(`{"content":[]}`)))
		v.initialize(`{}`)
		v.handshake()
		assert.Len(t, v.take(), 2, "input and result")
		v.handshake()
		assert.Empty(t, v.take(), "the chat was opened again")
		v.b.Close(canceled(), nil)
	})
}

// A callback that returns something else than an object causes nothing to be sent.
func TestEmulatedResultThatIsInvalid(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v, r := emulating(t, nil, nil, func(o *BridgeOptions) {
			o.Emulation = &Emulation{
				Input:  func(json.RawMessage, int) json.RawMessage { return json.RawMessage(`[1]`) },
				Result: func(json.RawMessage, int) json.RawMessage { return json.RawMessage(`{"a":`) },
			}
		})
		v.handshake()
		require.NoError(t, v.b.SendToolInput(nil))
		require.NoError(t, v.b.SendToolResult(json.RawMessage(`{}`)))
		assert.Empty(t, v.take())
		assert.Contains(t, r.String(), "ui/notifications/tool-result")
		v.b.Close(canceled(), nil)
	})
}

// The results of the view's own calls are whole.
func TestEmulatedResultOfAViewsCall(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		conn, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer conn.Close()
		p := &compat.Profile{ID: "h", Name: "H", Result: says(compat.ResultContentOnly), ResultLimit: says(10), Reload: says(compat.ReloadNothing)}
		v, _ := emulating(t, conn.Session(), p, nil)
		v.handshake()
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"both"}}`)
		assert.Contains(t, v.takeOne(), `"structuredContent":{"big":9007199254740993`)
		v.b.Close(canceled(), nil)
	})
}

func TestEmulatedPartialInput(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v, _ := emulating(t, nil, &compat.Profile{ID: "h", Name: "H", PartialInput: says(true)}, nil)
		require.NoError(t, v.b.SendToolInput(json.RawMessage(`{"a":1,"b":[2],"text":"grün & blau"}`)))
		v.handshake()
		method := func(name, args string) string {
			return `{"jsonrpc":"2.0","method":"ui/notifications/` + name + `","params":{"arguments":` + args + `}}`
		}
		assert.Equal(t, []string{
			method("tool-input-partial", `{"a":1}`),
			method("tool-input-partial", `{"a":1,"b":[2]}`),
			method("tool-input-partial", `{"a":1,"b":[2],"text":"grün "}`),
			method("tool-input", `{"a":1,"b":[2],"text":"grün & blau"}`),
		}, v.take())
		v.handshake() // again
		assert.Equal(t, []string{method("tool-input", `{"a":1,"b":[2],"text":"grün & blau"}`)}, v.take())
		v.b.Close(canceled(), nil)
	})
}

func TestInputPiecesAreBounded(t *testing.T) {
	var members []string
	for i := range 1000 {
		members = append(members, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	pieces := inputPieces(json.RawMessage(`{"arguments":{` + strings.Join(members, ",") + `}}`))
	assert.LessOrEqual(t, len(pieces), maxPieces)
	assert.Greater(t, len(pieces), 5)
	for _, p := range pieces {
		assert.True(t, json.Valid(p))
	}
	size := 0
	for _, p := range inputPieces(json.RawMessage(`{"arguments":{"a":"` + strings.Repeat("x", 700<<10) + `","b":"` + strings.Repeat("y", 900<<10) + `"}}`)) {
		size += len(p)
	}
	assert.LessOrEqual(t, size, pieceBytes)
	assert.Empty(t, inputPieces(json.RawMessage(`{"arguments":{}}`)))
	assert.Empty(t, inputPieces(json.RawMessage(`{"arguments":{"one":1}}`)))
}

func TestEmulatedDeclaration(t *testing.T) {
	border := true
	declared := mcpapps.ResourceUIMetadata{
		CSP: &mcpapps.CSP{ConnectDomains: []string{"https://c.example"}, ResourceDomains: []string{"https://r.example"},
			FrameDomains: []string{"https://f.example"}, BaseURIDomains: []string{"https://b.example"}},
		Permissions: &mcpapps.Permissions{Camera: true, ClipboardWrite: true}, PrefersBorder: &border,
	}
	before := fmt.Sprintf("%+v %+v", *declared.CSP, *declared.Permissions)
	for name, c := range map[string]struct {
		profile compat.Profile
		sandbox string
		border  bool
	}{
		"unknown": {compat.Profile{}, `{"csp":{"connectDomains":["https://c.example"],"resourceDomains":["https://r.example"],"frameDomains":["https://f.example"],"baseUriDomains":["https://b.example"]},"permissions":{"camera":{},"clipboardWrite":{}}}`, true},
		"none": {compat.Profile{ConnectDomains: says(compat.No), ResourceDomains: says(compat.No), FrameDomains: says(compat.No), BaseURIDomains: says(compat.No), Permissions: says([]string{}), PrefersBorder: says(false)},
			`{"csp":{},"permissions":{}}`, false},
		"a permission": {compat.Profile{PermissionsDenied: says([]string{"camera", "microphone"})},
			`{"csp":{"connectDomains":["https://c.example"],"resourceDomains":["https://r.example"],"frameDomains":["https://f.example"],"baseUriDomains":["https://b.example"]},"permissions":{"clipboardWrite":{}}}`, true},
		"restricted": {compat.Profile{ConnectDomains: says(compat.Restricted), ResourceDomains: says(compat.Restricted), FrameDomains: says(compat.Restricted), BaseURIDomains: says(compat.Restricted),
			Permissions: says([]string{"clipboardWrite", "microphone"})},
			`{"csp":{"connectDomains":["https://c.example"],"resourceDomains":["https://r.example"]},"permissions":{"clipboardWrite":{}}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				v, _ := emulating(t, nil, &c.profile, func(o *BridgeOptions) { o.App = &appclient.App{UI: declared} })
				var caps map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(v.initialize(`{}`)["hostCapabilities"], &caps))
				assert.JSONEq(t, c.sandbox, string(caps["sandbox"]))
				app, err := v.b.WaitApp(t.Context())
				require.NoError(t, err)
				assert.Equal(t, c.border, app.UI.PrefersBorder != nil)
				if name == "none" {
					assert.Equal(t, (&mcpapps.CSP{}).Policy(), app.UI.CSP.Policy())
				}
				require.NoError(t, v.b.SetApp(&appclient.App{UI: declared}))
				again, err := v.b.WaitApp(t.Context())
				require.NoError(t, err)
				assert.Equal(t, app.UI, again.UI)
				v.b.Close(canceled(), nil)
			})
		})
	}
	assert.Equal(t, before, fmt.Sprintf("%+v %+v", *declared.CSP, *declared.Permissions), "the caller's metadata")
}

func TestOpenInEmulatedHosts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		conn, err := Connect(t.Context(), Target{Server: testServer()}, nil)
		require.NoError(t, err)
		defer conn.Close()
		_, err = conn.Open(t.Context(), "both", nil, &BridgeOptions{Emulation: Emulate(&compat.Profile{ID: "h", Name: "H", ShowsApps: says(false)})})
		assert.ErrorIs(t, err, ErrNoApp)

		b, err := conn.Open(t.Context(), "both", nil, &BridgeOptions{Emulation: Emulate(&compat.Profile{ID: "h", Name: "H", DocumentLimit: says(5)})})
		require.NoError(t, err)
		_, err = b.WaitApp(t.Context())
		var tooLarge *appclient.ReadError
		require.ErrorAs(t, err, &tooLarge)
		assert.Equal(t, appclient.ReadTooLarge, tooLarge.Reason)
		b.Close(canceled(), nil)

		b, err = conn.Open(t.Context(), "waits", nil, &BridgeOptions{Emulation: Emulate(&compat.Profile{ID: "h", Name: "H", CallTimeout: says(3)})})
		require.NoError(t, err)
		start := time.Now()
		_, err = b.WaitResult(t.Context())
		assert.ErrorContains(t, err, "took longer than 3s")
		assert.Equal(t, 3*time.Second, time.Since(start))
		b.Close(canceled(), nil)

		// The program has the result as the server sent it.
		b, err = conn.Open(t.Context(), "both", nil, &BridgeOptions{Emulation: Emulate(&compat.Profile{ID: "h", Name: "H", Result: says(compat.ResultContentOnly)})})
		require.NoError(t, err)
		result, err := b.WaitResult(t.Context())
		require.NoError(t, err)
		assert.Contains(t, string(result), "structuredContent")
		b.Close(canceled(), nil)
	})
}

// Each fact of a profile is emulated, unknown, or cannot be shown.
func TestEmulateNamesEachFact(t *testing.T) {
	assert.Nil(t, Emulate(nil))
	when := says(compat.ResultContentOnly)
	when.Claims[0].When = "local servers"
	full := &compat.Profile{ID: "h", Name: "H", Result: when, Engine: says(compat.WebKit), Domain: says(compat.DomainOrigin), ListsKept: says("for each connector"),
		ModelReads: says(compat.ReadsBoth), ConnectDomains: says(compat.Restricted), FrameDomains: says(compat.Restricted)}
	all := compat.Profiles()
	require.NotEmpty(t, all)
	for _, p := range append(slices.Clone(all), full, &compat.Profile{ID: "empty"}) {
		e := Emulate(p)
		var want []string
		for _, row := range p.Rows() {
			want = append(want, row.Key)
		}
		assert.ElementsMatch(t, want, slices.Concat(e.Emulated, e.Unknown, e.NotShown), p.ID)
		b, err := NewBridge(nil, &BridgeOptions{Emulation: e})
		require.NoError(t, err, p.ID)
		b.Close(canceled(), nil)
	}
	e := Emulate(full)
	assert.Equal(t, []string{"result", "frameDomains"}, e.Emulated)
	assert.Equal(t, []string{"engine", "connectDomains", "domain", "listsKept", "modelReads"}, e.NotShown)
	_, err := NewBridge(nil, &BridgeOptions{Emulation: &Emulation{Context: HostContext{Theme: "pink"}}})
	assert.EqualError(t, err, `BridgeOptions.Emulation.Context: theme is "pink": it must be "light" or "dark"`)
}
