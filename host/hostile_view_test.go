package host

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/appclient"
)

// reportsProgress is a server that reports progress, and a changed list, before
// each result.
func reportsProgress(conn mcp.Connection, req *jsonrpc.Request) string {
	var p struct {
		Meta struct {
			ProgressToken string `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(req.Params, &p)
	_ = conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/progress", Params: mustJSON(map[string]any{"progressToken": p.Meta.ProgressToken, "progress": 1})})
	_ = conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/tools/list_changed"})
	return ""
}

// A view that takes nothing holds up itself: not the connection that it shares,
// nor the end of either.
func TestAViewThatTakesNothing(t *testing.T) {
	s, err := Connect(t.Context(), onCall(reportsProgress), nil)
	require.NoError(t, err)
	b, err := s.NewBridge(t.Context(), &BridgeOptions{Limits: Limits{TeardownTimeout: 100 * time.Millisecond}})
	require.NoError(t, err)
	stuck, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	sent := 0
	b.Attach(TransportFunc(func(msg json.RawMessage) error {
		if sent++; strings.Contains(string(msg), "notifications/progress") {
			close(stuck)
			<-release
		}
		return nil
	}))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":` + fmt.Sprintf(initializeParams, `{}`) + `}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
	<-stuck

	other, got := openView(t, s, nil)
	other.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
	for done := false; !done; {
		select {
		case msg := <-got:
			done = strings.Contains(msg, `"id":1,"result"`)
		case <-time.After(time.Minute):
			t.Fatal("another view of the same server has no answer")
		}
	}
	closed := make(chan struct{})
	go func() {
		b.Close(context.Background(), nil)
		s.Close()
		close(closed)
	}()
	soon(t, closed, time.Minute, "Close")
	assert.Equal(t, 2, sent, "nothing after Close")
}

func TestUnaskedAnswersAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		b := bridgeOf(nil, &BridgeOptions{Trace: rec.trace, Limits: Limits{Rate: 10, Burst: 20}})
		v := newView(t, b)
		v.greet(`{"tools":{}}`)
		v.ready()
		for i := range 1000 {
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i)))
		}
		assert.Empty(t, v.take())
		assert.LessOrEqual(t, strings.Count(rec.String(), "\n"), 20)
		// The answer that is waited for counts all the same.
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := b.CallAppTool(t.Context(), "x", nil, nil)
			assert.NoError(t, err)
		}()
		v.take()
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`))
		<-done
		b.Close(t.Context(), nil)
	})
}

func TestAnswersThatAreMalformed(t *testing.T) {
	for answer, want := range map[string]string{
		`"error":"oops"`:                              `the view answered with the error "oops"`,
		`"error":{"code":1.5}`:                        `the view answered with the error {"code":1.5}`,
		`"result":null`:                               `the view's tool "x" returned null, which is not a tool result`,
		`"result":[],"error":null`:                    `the view's tool "x" returned [], which is not a tool result`,
		`"result":{},"error":{"code":1,"message":""}`: ``,
	} {
		inBubble(t, func(t *testing.T) {
			b := bridgeOf(nil, nil)
			v := newView(t, b)
			v.greet(`{"tools":{}}`)
			v.ready()
			errs, start := make(chan error, 1), time.Now()
			go func() { _, err := b.CallAppTool(t.Context(), "x", nil, nil); errs <- err }()
			v.take()
			v.say(`{"jsonrpc":"2.0","id":"1",%s}`, answer)
			v.say(`{"jsonrpc":"2.0","id":1,%s}`, answer)
			v.say(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
			assert.EqualError(t, <-errs, want)
			assert.Zero(t, time.Since(start))
			b.Close(t.Context(), nil)
		})
	}
}

// The result of an app's tool may be larger than other messages, and one that
// is too large is not waited for.
func TestLargeResultsOfAppTools(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := bridgeOf(nil, &BridgeOptions{Limits: Limits{MessageBytes: 1 << 20}})
		v := newView(t, b)
		v.greet(`{"tools":{}}`)
		v.ready()
		for i, size := range []int{2 << 20, 11 << 20} {
			errs, start := make(chan error, 1), time.Now()
			go func() { _, err := b.CallAppTool(t.Context(), "x", nil, nil); errs <- err }()
			v.take()
			v.say(`{"jsonrpc":"2.0","id":%d,"result":{"x":"%s"}}`, i+1, strings.Repeat("x", size))
			if err := <-errs; i == 0 {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, "the limit is 1048576")
			}
			assert.Zero(t, time.Since(start))
		}
		b.Close(t.Context(), nil)
	})
}

func TestAWishToCloseIsToldOnceAtATime(t *testing.T) {
	var asked atomic.Int32
	answer := make(chan struct{})
	b := bridgeOf(nil, &BridgeOptions{RequestTeardown: func() { asked.Add(1); <-answer }})
	before := runtime.NumGoroutine()
	for range 300 {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`))
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before+1)
	close(answer)
	assert.Eventually(t, func() bool {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`))
		return asked.Load() > 1
	}, 5*time.Second, 50*time.Millisecond, "asked again later")
}

func TestBytesOfOpenRequestsAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		block := make(chan struct{})
		b := bridgeOf(nil, &BridgeOptions{Limits: Limits{QueueBytes: 10_000}, OpenLink: func(context.Context, *url.URL) error { <-block; return nil }})
		v := newView(t, b)
		v.shake()
		for i := range 20 {
			v.say(`{"jsonrpc":"2.0","id":%d,"method":"ui/open-link","params":{"url":"https://x.example/%s"}}`, i, strings.Repeat("x", 1000))
		}
		refused := v.take()
		assert.Len(t, refused, 11)
		assert.Contains(t, refused[0], `"code":-32000,"message":"too many requests at once: 10000 bytes are open"`)
		close(block)
		assert.Len(t, v.take(), 9)
		v.say(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"https://x.example/%s"}}`, strings.Repeat("x", 1000))
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.one())
		b.Close(t.Context(), nil)
	})
}

// S077: of several updates the last one reaches the model, so they are taken in
// the view's order, also where one takes its time or is cancelled.
func TestS077ModelContextsKeepTheirOrder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var got []string
		b := bridgeOf(nil, &BridgeOptions{UpdateModelContext: func(ctx context.Context, c *ModelContext) error {
			got = append(got, string(c.StructuredContent)) // no lock: the race detector watches
			time.Sleep(time.Second)
			return ctx.Err()
		}})
		v := newView(t, b)
		v.shake()
		for i := range 30 {
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ui/update-model-context","params":{"structuredContent":{"n":%d}}}`, i, i)))
		}
		synctest.Wait() // the first one runs
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`))
		time.Sleep(time.Minute)
		assert.Len(t, v.take(), 28)
		require.Len(t, got, 29)
		for i, n := 0, 0; i < len(got); i, n = i+1, n+1 {
			if n == 5 {
				n++
			}
			assert.Equal(t, fmt.Sprintf(`{"n":%d}`, n), got[i])
		}
		assert.Equal(t, `{"n":29}`, string(b.ModelContext().StructuredContent))
		b.Close(t.Context(), nil)
	})
}

// A browser reads names to the letter, and so must the bridge: what a sandbox
// proxy lets pass as no method is none.
func TestNamesCountToTheLetter(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := bridgeOf(nil, &BridgeOptions{App: &appclient.App{HTML: "x"}, OpenLink: func(context.Context, *url.URL) error { return nil }})
		v := newView(t, b)
		v.say(`{"jsonrpc":"2.0","Method":"ui/notifications/sandbox-proxy-ready"}`)
		v.say(`{"jsonrpc":"2.0","ID":1,"method":"PING"}`)
		assert.Empty(t, v.take())
		v.say(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"URL":"https://x.example"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"ui/open-link: url is spelled \"URL\" here"}}`, v.one())
		v.say(`{"jsonrpc":"2.0","id":1,"\u006dethod":"no","method":"ping"}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.one())
		b.Close(t.Context(), nil)
	})
}

// Whatever a view writes as an id comes back as it was, and what is none is
// refused.
func TestIDs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := bridgeOf(nil, nil)
		v := newView(t, b)
		v.shake()
		for _, id := range []string{`0`, `-1`, `1.5`, `1e400`, `""`, `"a\u0000\"b"`, `"__proto__"`, `99999999999999999999`, `"` + strings.Repeat("x", 10000) + `"`} {
			v.say(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			assert.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`, v.one())
		}
		for _, id := range []string{`null`, `true`, `{}`, `[1]`, `{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`} {
			v.say(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			assert.Empty(t, v.take())
		}
		v.say("%s", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
		v.say(`{"jsonrpc":"2.0","id":1,"method":"ping","params":%s}`, strings.Repeat("[", 100000)+strings.Repeat("]", 100000))
		assert.Empty(t, v.take(), "no batches, and nothing deeper than encoding/json goes")
		v.say(`{"jsonrpc":"2.0","id":1,"method":"%s"}`, strings.Repeat(`\u0000`, 10000))
		assert.Less(t, len(v.one()), 600, "errors quote no more than they need to")
		b.Close(t.Context(), nil)
	})
}
