package preview

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// newTab returns a tab without a stream.
func newTab(p *Preview, id string) *tab {
	if p.tabs == nil {
		p.tabs = map[string]*tab{}
	}
	t, _, err := p.openTab(id)
	if err != nil {
		panic(err)
	}
	return t
}

// A page whose stream was cut has 15 s to come back. Then its views, calls and
// questions end.
func TestPageThatDoesNotComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Preview{buffers: buffers{most: allBuffers}}
		p.ctx, p.cancel = context.WithCancel(t.Context())
		tab := newTab(p, "a")
		ctx, done := tab.callContext("1")
		defer done()
		answered := make(chan string, 1)
		go func() {
			a, _ := p.ask(p.ctx, nil, "elicitation", map[string]any{}, func(askAnswer) error { return nil })
			answered <- a.Action
		}()
		tab.enter()
		synctest.Wait()
		tab.leave()
		time.Sleep(tabGrace - time.Second)
		tab.enter() // it comes back
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.NoError(t, ctx.Err())
		tab.leave()
		time.Sleep(tabGrace + time.Millisecond)
		synctest.Wait()
		assert.Equal(t, errPageClosed, context.Cause(ctx))
		assert.Empty(t, p.tabs)
		assert.Equal(t, "cancel", <-answered)
		assert.Empty(t, p.buffers.open)
	})
}

// The end of a call leaves a later call with its id as it is.
func TestCallWithTheIDOfAnEarlierOne(t *testing.T) {
	p := &Preview{buffers: buffers{most: allBuffers}}
	p.ctx, p.cancel = context.WithCancel(t.Context())
	tab := newTab(p, "a")
	_, earlier := tab.callContext("1")
	ctx, later := tab.callContext("1")
	defer later()
	earlier()
	tab.cancelCall("1")
	assert.EqualError(t, context.Cause(ctx), "cancelled by the user")
}

// A stream that was cut goes on after the last event that the page has.
func TestStreamContinues(t *testing.T) {
	p := startPage(t, testServer())
	p.waitType("tools")
	events := func(id, last string) (ids []string) {
		tab, _, err := p.run.openTab(id)
		require.NoError(t, err)
		for _, e := range []string{"one", "two", "the last"} {
			tab.send(map[string]any{"type": "x", "text": e})
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/events?tab=%s&token=%s", p.run.pagePort, id, p.token), nil)
		require.NoError(t, err)
		req.Host = id + ".localhost:" + p.port()
		req.Header.Set("Origin", p.run.origin)
		if last != "" {
			req.Header.Set("Last-Event-ID", last)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				ids = append(ids, id)
			}
			if strings.Contains(lines.Text(), `"the last"`) {
				return ids
			}
		}
		return ids
	}
	assert.Equal(t, []string{"1", "2", "3"}, events("tab-5678", ""))
	assert.Equal(t, []string{"3"}, events("tab-9012", "2"))
}

// A page's events have a bound, whatever the other pages leave.
func TestTabBufferBound(t *testing.T) {
	all := buffers{most: 10 * tabBuffer}
	b := all.newBuffer()
	part := make([]byte, tabBuffer/4)
	for range 9 {
		b.add(part)
	}
	events := b.after(0)
	require.Len(t, events, 4)
	assert.EqualValues(t, 9, events[3].id)
	assert.Equal(t, tabBuffer, all.bytes)
}

// What a view sends comes back to the page's record, but shortened if it is large,
// since the page has it.
func TestLargeMessagesOfAViewAreShortened(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	id := str(p.waitType("view")["view"])
	for _, size := range []int{90 << 10, 110 << 10} {
		p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":{"jsonrpc":"2.0","method":"x","params":{"a":%q}}}]`, id, strings.Repeat("x", size)))
		e := p.wait("entry", func(e map[string]json.RawMessage) bool { return str(e["dir"]) == "from-view" })
		if size < 100<<10 {
			assert.Greater(t, len(e["msg"]), size)
		} else {
			assert.Empty(t, e["msg"])
			assert.Contains(t, str(e["text"]), `{"jsonrpc":"2.0","method":"x"`)
			assert.Less(t, len(str(e["text"])), 200)
		}
	}
}

// A view's question is asked on its own page and answered there alone. A server's is
// asked on all.
func TestWhoAnswers(t *testing.T) {
	p := &Preview{buffers: buffers{most: allBuffers}}
	p.ctx, p.cancel = context.WithCancel(t.Context())
	defer p.cancel()
	one, two := newTab(p, "one"), newTab(p, "two")
	asked := func(t *tab) (ids []string) {
		for _, e := range t.buffer.after(0) {
			var event struct{ Type, Ask string }
			if json.Unmarshal(e.data, &event) == nil && event.Type == "ask" {
				ids = append(ids, event.Ask)
			}
		}
		return ids
	}
	ask := func(to *tab) <-chan askAnswer {
		answer := make(chan askAnswer, 1)
		go func() {
			a, _ := p.ask(p.ctx, to, "x", map[string]any{}, func(askAnswer) error { return nil })
			answer <- a
		}()
		return answer
	}
	own := ask(one)
	require.Eventually(t, func() bool { return len(asked(one)) == 1 }, time.Minute, time.Millisecond)
	id := asked(one)[0]
	assert.Empty(t, asked(two))
	assert.NoError(t, two.answer(id, askAnswer{Action: "accept", Text: "from another page"}))
	assert.NoError(t, one.answer(id, askAnswer{Action: "accept", Text: "from its own"}))
	assert.Equal(t, "from its own", (<-own).Text)

	ask(one)
	shared := ask(nil)
	require.Eventually(t, func() bool { return len(asked(one)) == 3 && len(asked(two)) == 1 }, time.Minute, time.Millisecond)
	three := newTab(p, "three")
	assert.Equal(t, asked(two), asked(three), "a page that is opened later gets the server's question, and not that of the view")
	assert.NoError(t, three.answer(asked(two)[0], askAnswer{Action: "decline"}))
	assert.Equal(t, "decline", (<-shared).Action)

	for range 19 {
		ask(nil)
	}
	require.Eventually(t, func() bool { return len(asked(two)) == 20 }, time.Minute, time.Millisecond)
	_, err := p.ask(p.ctx, nil, "x", map[string]any{}, func(askAnswer) error { return nil })
	assert.EqualError(t, err, "too many open questions: the limit is 20")
}

// The page itself can't be framed, and its files are of no use to other sites.
func TestHeadersOfThePage(t *testing.T) {
	p := startPage(t, testServer())
	for _, path := range []string{"/", "/app.js", "/style.css", "/nothing"} {
		resp, _ := p.get("localhost:"+p.port(), p.run.pagePort, path)
		h := resp.Header
		assert.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'", path)
		assert.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
		assert.Equal(t, []string{"same-origin", "same-origin", "nosniff", "no-referrer", "no-store"},
			[]string{h.Get("Cross-Origin-Resource-Policy"), h.Get("Cross-Origin-Opener-Policy"), h.Get("X-Content-Type-Options"), h.Get("Referrer-Policy"), h.Get("Cache-Control")}, path)
		if path == "/" {
			assert.Contains(t, h.Get("Content-Security-Policy"), "script-src 'self';")
			assert.Contains(t, h.Get("Content-Security-Policy"), fmt.Sprintf("frame-src http://*.localhost:%d;", p.run.sandboxPort))
		}
	}
}

// The files that a browser requests on its own do not count as missing.
func TestMissingFiles(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	origin := strings.TrimPrefix(str(p.waitType("view")["origin"]), "http://")
	for _, path := range []string{"/favicon.ico", "/missing.css"} {
		resp, _ := p.get(origin, p.run.sandboxPort, path)
		assert.Equal(t, http.StatusNotFound, resp.StatusCode)
	}
	note := p.wait("note", func(e map[string]json.RawMessage) bool { return strings.Contains(str(e["text"]), "not found") })
	assert.Contains(t, str(note["text"]), "GET /missing.css")
}

// The list of tools has what the page needs, within bounds.
func TestListedTools(t *testing.T) {
	s := testServer()
	add := func(tool *mcp.Tool) {
		s.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("unused")
		})
	}
	add(&mcp.Tool{Name: "broken", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "http://t/x", "visibility": []string{"model"}})})
	add(&mcp.Tool{Name: "half", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "ui://t/view.html", "visibility": 5})})
	add(&mcp.Tool{Name: "large", Description: strings.Repeat("d", 1<<20), InputSchema: json.RawMessage(`{"type":"object","description":"` + strings.Repeat("x", maxSchema) + `"}`)})
	add(&mcp.Tool{Name: "filled", Title: "", Annotations: &mcp.ToolAnnotations{Title: "From the annotations"}, InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer","default":5},"b":{"type":"integer","default":"5"}}}`)})
	p := startPageFor(t, host.Target{Server: s}, nil)
	var tools []map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(p.waitType("tools")["tools"], &tools))
	byName := map[string]map[string]json.RawMessage{}
	for _, tool := range tools {
		byName[str(tool["name"])] = tool
	}
	broken := byName["broken"]
	assert.Contains(t, str(broken["problem"]), "http://t/x")
	assert.NotContains(t, broken, "resourceUri", "it opens no view")
	assert.Equal(t, []string{"true", "false"}, []string{string(broken["forModel"]), string(broken["forApps"])})
	assert.NotEmpty(t, str(byName["half"]["problem"]))
	assert.NotContains(t, byName["half"], "resourceUri", "nor does one with another mistake")
	large := byName["large"]
	assert.NotContains(t, large, "inputSchema")
	assert.Contains(t, str(large["schemaProblem"]), "a form can be made from at most 262144")
	assert.Less(t, len(large["description"]), 11<<10)
	filled := byName["filled"]
	assert.JSONEq(t, `{"a":5}`, string(filled["defaults"]))
	assert.Equal(t, "From the annotations", str(filled["title"]))
	assert.Equal(t, "ui://t/view.html", str(byName["both"]["resourceUri"]))
}

// A view reads what its server serves outside ui:// too.
func TestReadsOutsideUI(t *testing.T) {
	s := testServer()
	s.AddResource(&mcp.Resource{URI: "videos://1", Name: "video"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "a video"}}}, nil
	})
	p := startPage(t, s)
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	id := str(p.waitType("view")["view"])
	send := func(msg string) { p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, id, msg)) }
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"videos://1"}}`)
	assert.Contains(t, string(p.waitSent(`"id":1`)), `"text":"a video"`)
}

// After a restart the page gets the tools again: they may be others.
func TestToolsAfterARestart(t *testing.T) {
	p := startPage(t, testServer())
	p.waitType("tools")
	require.NoError(t, p.run.Restart(t.Context()))
	p.waitType("tools")
}

// A call without a view that its user cancels says so.
func TestCancelledCall(t *testing.T) {
	began := make(chan struct{})
	s := testServer()
	s.AddTool(&mcp.Tool{Name: "long", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	p := startPage(t, s)
	p.do(`[{"op":"call","call":"1","tool":"long"}]`)
	<-began
	p.do(`[{"op":"cancel","call":"1"}]`)
	assert.Equal(t, "cancelled by the user", str(p.waitType("result")["error"]))
}

// What of a view's metadata has no effect is on its record.
func TestMetadataWithoutEffect(t *testing.T) {
	for want, meta := range map[string]map[string]any{
		"left out of the policy: ":        {"csp": map[string]any{"connectDomains": []string{"https://a.example; script-src *"}}},
		"invalid _meta of the resource: ": {"csp": 5},
	} {
		s := testServer()
		s.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"}, appHandler("<!doctype html>", meta))
		p := startPage(t, s)
		p.do(`[{"op":"open","call":"1","tool":"both"}]`)
		note := p.wait(want, func(e map[string]json.RawMessage) bool { return strings.HasPrefix(str(e["text"]), want) })
		assert.Equal(t, "error", str(note["level"]))
	}
}

// The page learns what a view says of a border: with one, without one, or nothing,
// which leaves it to the page.
func TestBorder(t *testing.T) {
	for want, meta := range map[string]map[string]any{
		"true":  {"prefersBorder": true},
		"false": {"prefersBorder": false},
		"null":  {},
	} {
		s := testServer()
		s.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"}, appHandler("<!doctype html>", meta))
		p := startPage(t, s)
		p.do(`[{"op":"open","call":"1","tool":"both"}]`)
		assert.Equal(t, want, string(p.wait("the document", func(e map[string]json.RawMessage) bool { return e["border"] != nil })["border"]))
	}
}
