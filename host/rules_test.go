package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
)

// What a program gives between the two messages of the handshake waits, too.
func TestInputGivenDuringHandshakeWaits(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.initialize(`{}`)
		require.NoError(t, b.SendToolInputPartial(map[string]int{"n": 1}))
		assert.Empty(t, v.take())
		require.NoError(t, b.SendToolInput(map[string]int{"n": 12}))
		assert.Empty(t, v.take())
		require.NoError(t, b.SendToolResult(json.RawMessage(`{"content":[]}`)))
		assert.Empty(t, v.take())
		v.sendInitialized()
		assert.Equal(t, []string{"ui/notifications/tool-input", "ui/notifications/tool-result"}, methods(t, v.take()))
		b.Close(t.Context(), nil)
	})
}

// Closing a view ends its call at the server, and the requests that it made itself.
func TestClosingViewCancelsItsCallsAtServer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		server := testServer()
		var running atomic.Int32
		server.AddTool(&mcp.Tool{Name: "runs", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "ui://t/view.html"})}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		b, err := s.Open(t.Context(), "runs", nil, nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		v.take()
		assert.EqualValues(t, 1, running.Load())
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runs"}}`)
		assert.EqualValues(t, 2, running.Load())
		ended, end := context.WithCancel(t.Context())
		end()
		b.Close(ended, nil)
		v.take()
		assert.Zero(t, running.Load())
		require.NoError(t, s.Close())
	})
}

// A view may no longer call a tool once the server announced a list in which the tool
// is not for apps.
func TestToolThatIsNoLongerForAppsIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		server := testServer()
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		v.handshake()
		const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"both"}}`
		v.post(call)
		assert.Contains(t, v.takeOne(), `"result"`)
		server.AddTool(&mcp.Tool{Name: "both", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"visibility": []string{"model"}})}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			t.Error("the tool is called")
			return nil, errors.New("called")
		})
		time.Sleep(time.Second)
		v.take()
		v.post(call)
		assert.Contains(t, v.takeOne(), `"code":-32000,"message":"tools/call: the tool \"both\" is not for apps`)
	})
}

// Progress reaches the view only while the request that it belongs to is open.
func TestProgressEndsWithItsRequest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		ctx, cancel := context.WithCancelCause(t.Context())
		in := &incoming{message: message{id: json.RawMessage(`1`)}, ctx: ctx, cancel: cancel}
		report := func() []string {
			b.progress(in, json.RawMessage(`"token"`), json.RawMessage(`{"progressToken":"mcpapps-1","progress":1}`))
			return v.take()
		}
		assert.Empty(t, report(), "before it, and after it")
		b.incoming = map[string]*incoming{"1": {message: in.message, ctx: ctx}}
		assert.Empty(t, report(), "another request has its id")
		b.incoming["1"] = in
		assert.Equal(t, []string{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"token"}}`}, report())
		v.initialize(`{}`)
		assert.Empty(t, report(), "the document loads again")
		v.sendInitialized()
		cancel(nil)
		assert.Empty(t, report(), "the view cancelled it")
		delete(b.incoming, "1")
		b.Close(t.Context(), nil)
	})
}

// The server's progress for a call that it has answered does not reach the view.
func TestLateProgressIsDropped(t *testing.T) {
	answered := make(chan mcp.Connection, 1)
	var token json.RawMessage
	s := connectTo(t, onCall(func(conn mcp.Connection, req *jsonrpc.Request) string {
		var p struct {
			Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
		_ = json.Unmarshal(req.Params, &p)
		token = p.Meta.ProgressToken
		progress := &jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(`{"progress":1,"progressToken":` + string(token) + `}`)}
		_ = conn.Write(context.Background(), progress)
		_ = conn.Write(context.Background(), &jsonrpc.Response{ID: req.ID, Result: json.RawMessage(`{"content":[]}`)})
		_ = conn.Write(context.Background(), progress)
		answered <- conn
		return noAnswer
	}), nil)
	b, got := openView(t, s, nil)
	for range 20 {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
		<-answered
		assert.Equal(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":1}}`, <-got)
		assert.Contains(t, <-got, `"result"`)
	}
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":8,"method":"ping"}`))
	assert.Contains(t, <-got, `"id":8`, "nothing in between")
}

func TestMalformedToolCallsAreRefused(t *testing.T) {
	withServer(t, nil, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for params, want := range map[string]string{
			``:                              "name is missing",
			`,"params":null`:                "name is missing",
			`,"params":{}`:                  "name is missing",
			`,"params":{"name":null}`:       "name is missing",
			`,"params":{"name":5}`:          "name must be a string, not number",
			`,"params":{"Name":"both"}`:     `name is spelled \"Name\" here`,
			`,"params":{"name":"nonesuch"}`: `the view's server has no tool \"nonesuch\"`,
			`,"params":{"name":""}`:         `the view's server has no tool \"\"`,
			`,"params":{"name":"both","arguments":[]}`:  "arguments must be an object, not []",
			`,"params":{"name":"both","arguments":"x"}`: `arguments must be an object, not \"x\"`,
			`,"params":{"name":"both","arguments":0}`:   "arguments must be an object, not 0",
			`,"params":{"name":"both","_meta":5}`:       "_meta must be an object, not number",
		} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call"` + params + `}`)
			got := v.takeOne()
			assert.Contains(t, got, `"code":-32602`, params)
			assert.Contains(t, got, want, params)
		}
		for _, args := range []string{``, `,"arguments":null`, `,"arguments":{}`} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"both"` + args + `}}`)
			assert.Contains(t, v.takeOne(), `"args":{}`)
		}
		for params, want := range map[string]string{`{}`: "uri is missing", `{"uri":5}`: "uri must be a string, not number"} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":` + params + `}`)
			assert.Contains(t, v.takeOne(), `"code":-32602,"message":"resources/read: `+want)
		}
		v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}`)
		assert.Contains(t, v.takeOne(), `"code":-32602,"message":"tools/list: cursor must be a string, not number"`)
	})
}

// The view is told only the keys of the specification: it may reject others.
func TestSandboxCapabilityHasNoUnknownKeys(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		app := &appclient.App{HTML: "<p>", UI: mcpapps.ResourceUIMetadata{
			CSP:         &mcpapps.CSP{ConnectDomains: []string{"https://a.example"}, Extra: map[string]any{"workerDomains": []any{"x"}}},
			Permissions: &mcpapps.Permissions{Camera: true, Extra: map[string]any{"usb": map[string]any{}}},
		}}
		b := mustNewBridge(nil, &BridgeOptions{App: app})
		v := newView(t, b)
		const want = `{"csp":{"connectDomains":["https://a.example"]},"permissions":{"camera":{}}}`
		v.post(`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}`)
		var ready struct{ Params map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(v.takeOne()), &ready))
		assert.JSONEq(t, `{"connectDomains":["https://a.example"]}`, string(ready.Params["csp"]))
		assert.JSONEq(t, `{"camera":{}}`, string(ready.Params["permissions"]))
		var caps map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(v.initialize(`{}`)["hostCapabilities"], &caps))
		assert.JSONEq(t, want, string(caps["sandbox"]))
		assert.NotNil(t, app.UI.CSP.Extra, "the program's own value keeps them")
		assert.NotNil(t, app.UI.Permissions.Extra)
		b.Close(t.Context(), nil)
	})
}

// appToolsOf asks a view for its tools, and answers each request with the page that
// page returns for its cursor.
func appToolsOf(t *testing.T, page func(cursor string) string) ([]*mcp.Tool, int, error) {
	t.Helper()
	b := mustNewBridge(nil, nil)
	defer b.Close(t.Context(), nil)
	asked := 0
	b.Attach(TransportFunc(func(msg json.RawMessage) error {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Cursor string }
		}
		_ = json.Unmarshal(msg, &m)
		if m.Method == "tools/list" {
			asked++
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, page(m.Params.Cursor))))
		}
		return nil
	}))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":` + fmt.Sprintf(initializeParams, `{"tools":{}}`) + `}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	ended, end := context.WithCancel(t.Context())
	defer end()
	tools, err := b.AppTools(ended)
	end()
	b.Close(ended, nil)
	return tools, asked, err
}

func appToolPage(from, n int, next string) string {
	tools := make([]string, n)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, from+i)
	}
	return fmt.Sprintf(`{"tools":[%s],"nextCursor":%q}`, strings.Join(tools, ","), next)
}

func TestAppToolsPagesAndBounds(t *testing.T) {
	tools, asked, err := appToolsOf(t, func(cursor string) string {
		if cursor == "" {
			return appToolPage(0, 30, "second")
		}
		assert.Equal(t, "second", cursor)
		return appToolPage(30, 20, "")
	})
	require.NoError(t, err)
	assert.Len(t, tools, MaxAppTools)
	assert.Equal(t, "t49", tools[49].Name)
	assert.Equal(t, 2, asked)

	_, asked, err = appToolsOf(t, func(string) string { return appToolPage(0, MaxAppTools+1, "") })
	assert.EqualError(t, err, "the view offers more than 50 tools")
	assert.Equal(t, 1, asked)
	_, asked, err = appToolsOf(t, func(string) string { return appToolPage(0, 30, "more") })
	assert.EqualError(t, err, "the view offers more than 50 tools")
	assert.Equal(t, 2, asked)
	_, asked, err = appToolsOf(t, func(string) string { return appToolPage(0, 0, "more") })
	assert.EqualError(t, err, "the view's tools/list has more than 50 pages")
	assert.Equal(t, MaxAppTools, asked)

	// Entries without a name are left out, and count for nothing.
	tools, _, err = appToolsOf(t, func(string) string {
		return `{"tools":[null,{"name":""},{"name":"a","inputSchema":{"type":"object"}}` + strings.Repeat(`,null`, 100) + `]}`
	})
	require.NoError(t, err)
	assert.Len(t, tools, 1)
	_, _, err = appToolsOf(t, func(string) string { return `{"tools":5}` })
	assert.ErrorContains(t, err, "the view's tools/list: ")
}

func TestAppToolResultBounds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.initialize(`{"tools":{}}`)
		v.sendInitialized()
		call := func(id int, result string) (json.RawMessage, error) {
			type answer struct {
				raw json.RawMessage
				err error
			}
			answers := make(chan answer, 1)
			go func() { raw, err := b.CallAppTool(t.Context(), "x", nil, nil); answers <- answer{raw, err} }()
			v.take()
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)))
			a := <-answers
			return a.raw, a.err
		}
		object := func(size int) string { return `{"x":"` + strings.Repeat("x", size-8) + `"}` }
		raw, err := call(1, object(maxAppToolResult))
		require.NoError(t, err)
		assert.Len(t, raw, maxAppToolResult)
		_, err = call(2, object(maxAppToolResult+1))
		assert.EqualError(t, err, `the view's tool "x" returned 10485761 bytes: at most 10485760 are accepted`)
		for i, bad := range []string{`5`, `"x"`, `[]`, `null`, `true`} {
			_, err = call(3+i, bad)
			assert.ErrorContains(t, err, "which is not a tool result", bad)
		}
		b.Close(t.Context(), nil)
	})
}

// The list of a server has a bound for its items, over all pages.
func TestListItemsAreBounded(t *testing.T) {
	pages := 0
	target := scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		if req.Method != "tools/list" {
			return ""
		}
		pages++
		return appToolPage(pages*10, 10, fmt.Sprint("c", pages))
	})
	_, err := connectTo(t, target, &ConnectOptions{ListItems: 25}).Tools(t.Context())
	assert.EqualError(t, err, "the server lists more than 25 tools")
	assert.Equal(t, 3, pages)
	// Calls and views of this server fail with the reason, and those of others work.
	s := connectTo(t, target, &ConnectOptions{ListItems: 25})
	_, err = s.Call(t.Context(), "t10", nil)
	assert.EqualError(t, err, "listing the server's tools: the server lists more than 25 tools")
	_, err = connectTo(t, scriptedServer(func(mcp.Connection, *jsonrpc.Request) string { return "" }), nil).Call(t.Context(), "x", nil)
	assert.NoError(t, err)
}

// A tool whose _meta.ui can't be read opens no view.
func TestOpenWithUnreadableMetadata(t *testing.T) {
	called := false
	s := connectTo(t, scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		switch req.Method {
		case "tools/list":
			return `{"tools":[{"name":"x","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"https://x.example/"}}},{"name":"y","inputSchema":{"type":"object"},"_meta":{"ui":5}}]}`
		case "tools/call":
			called = true
		}
		return ""
	}), nil)
	for _, tool := range []string{"x", "y"} {
		_, err := s.Open(t.Context(), tool, nil, nil)
		assert.ErrorIs(t, err, ErrNoApp)
		assert.ErrorContains(t, err, `the tool has no app to open: "`+tool+`": `)
	}
	assert.False(t, called)
	_, err := s.Call(t.Context(), "x", nil)
	assert.NoError(t, err, "it is a text-only tool")
}

func TestCheckLink(t *testing.T) {
	for _, link := range []string{"https://x.example", "http://127.0.0.1:8080/a?b#c", "HTTPS://X.example"} {
		_, err := CheckLink(link)
		assert.NoError(t, err, link)
	}
	for link, want := range map[string]string{
		"ftp://x.example/a":                       "is not http or https",
		"vscode://x.example/install":              "is not http or https",
		"ws://x.example":                          "is not http or https",
		"javascript://x.example/%0aalert(1)":      "is not http or https",
		"//x.example/a":                           "is not http or https",
		"httpss://x.example":                      "is not http or https",
		"https:///a":                              "names no host",
		"https:x.example":                         "names no host",
		"https://:80/":                            "names no host",
		"https://x.example/%zz":                   "is not a URL",
		"https://x/" + strings.Repeat("a", 8<<10): "at most 8192 are allowed",
	} {
		u, err := CheckLink(link)
		assert.ErrorContains(t, err, want, link)
		assert.Nil(t, u)
	}
	_, err := CheckLink("https://x/" + strings.Repeat("a", 8<<10-10))
	assert.NoError(t, err, "at the limit")
}

// What file systems reserve does not get into a file's name.
func TestDownloadNamesHaveNoReservedCharacters(t *testing.T) {
	for in, want := range map[string]string{
		`x:///a*b"c<d>e|f`:  "a_b_c_d_e_f",
		`x:///a%3Ab%3Fc`:    "a_b_c",
		`x:///a%5Cb`:        "b",
		"x:///a%00b%0Ac":    "abc",
		"x:///a%E2%80%AEb":  "ab",
		"x:///name.%20.%20": "name",
		"x:///%20.x":        "x",
		"COM1":              "_COM1",
		"lpt9.txt":          "_lpt9.txt",
		"aux.tar.gz":        "_aux.tar.gz",
		"COM10":             "COM10",
	} {
		assert.Equal(t, want, fileName(in), in)
	}
	for _, size := range []int{199, 200, 201} {
		assert.Len(t, fileName(strings.Repeat("a", size)), min(size, 200))
	}
	assert.Len(t, fileName("a."+strings.Repeat("b", 300)), 200, "a long extension is cut, too")
}

// countingLists returns a server that has the tools that names returns, and the
// number of times that it listed them.
func countingLists(names func() []string) (Target, *int) {
	lists := 0
	return scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		if req.Method != "tools/list" {
			return ""
		}
		lists++
		var tools []string
		for _, name := range names() {
			tools = append(tools, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
		}
		return `{"tools":[` + strings.Join(tools, ",") + `]}`
	}), &lists
}

// A tool that the server added without a word is found, with one more list a second
// at most.
func TestUnannouncedToolIsFound(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		names := []string{"a"}
		target, lists := countingLists(func() []string { return names })
		s, err := Connect(t.Context(), target, nil)
		require.NoError(t, err)
		defer s.Close()
		for range 10 {
			_, err = s.Call(t.Context(), "b", nil)
			assert.EqualError(t, err, `the server has no tool "b"`)
		}
		assert.Equal(t, 1, *lists)
		names = []string{"a", "b"}
		time.Sleep(time.Second)
		_, err = s.Call(t.Context(), "b", nil)
		assert.NoError(t, err)
		_, err = s.Call(t.Context(), "a", nil)
		assert.NoError(t, err)
		assert.Equal(t, 2, *lists)
	})
}

// A change costs one list, and one that is announced while the list is fetched
// another.
func TestAnnouncedChangeCostsOneList(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var s *Connection
		during := false
		target, lists := countingLists(func() []string {
			if during {
				during = false
				s.now.catalog.invalidate()
			}
			return []string{"a"}
		})
		s, err := Connect(t.Context(), target, nil)
		require.NoError(t, err)
		defer s.Close()
		list := func(times int) int {
			*lists = 0
			for range times {
				_, err := s.Tools(t.Context())
				require.NoError(t, err)
			}
			return *lists
		}
		assert.Equal(t, 1, list(3))
		assert.Zero(t, list(3))
		s.now.catalog.invalidate()
		assert.Equal(t, 1, list(3))
		s.now.catalog.invalidate()
		during = true
		assert.Equal(t, 2, list(3))
	})
}

// The list from before an announced change decides about nothing while the next one is
// fetched.
func TestListWhileTheNextIsFetched(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		names, slow := []string{"a"}, false
		target, lists := countingLists(func() []string {
			if slow {
				time.Sleep(time.Second)
			}
			return names
		})
		s, err := Connect(t.Context(), target, nil)
		require.NoError(t, err)
		defer s.Close()
		tools, err := s.Tools(t.Context())
		require.NoError(t, err)
		require.Len(t, tools, 1)
		names, slow = []string{"a", "b"}, true
		s.now.catalog.invalidate()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				tools, err := s.Tools(t.Context())
				assert.NoError(t, err)
				assert.Len(t, tools, 2)
			})
			synctest.Wait()
		}
		all.Wait()
		assert.Equal(t, 2, *lists)
	})
}

// A document that loaded again ends the earlier document's request of the same id, at
// the server too.
func TestReusedIDEndsTheEarlierRequest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		server := testServer()
		var started, running atomic.Int32
		server.AddTool(&mcp.Tool{Name: "runs", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			started.Add(1)
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		s, err := Connect(t.Context(), Target{Server: server}, nil)
		require.NoError(t, err)
		defer s.Close()
		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		v := newView(t, b)
		const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runs"}}`
		v.handshake()
		v.post(call)
		v.handshake()
		v.post(call)
		assert.EqualValues(t, 2, started.Load())
		assert.EqualValues(t, 1, running.Load())
		assert.Empty(t, v.take(), "neither is answered yet")
	})
}

// Only an initialized notification that comes before ui/initialize is out of order: a
// second one is ignored without a note.
func TestRepeatedInitializedIsIgnored(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		ready := 0
		b := mustNewBridge(nil, &BridgeOptions{Trace: rec.trace, Ready: func() { ready++ }})
		v := newView(t, b)
		v.handshake()
		v.sendInitialized()
		assert.Empty(t, rec.String())
		assert.Equal(t, 1, ready)
		b.Close(t.Context(), nil)
	})
}
