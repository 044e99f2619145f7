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

// sendProgress sends a progress notification and a list change before the result.
// It is a function for onCall.
func sendProgress(conn mcp.Connection, req *jsonrpc.Request) string {
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

// A view whose transport blocks delays neither the other views of its connection
// nor the close of the bridge and the connection.
func TestBlockedViewDoesNotBlockConnection(t *testing.T) {
	t.Parallel()
	s, err := Connect(t.Context(), onCall(sendProgress), nil)
	require.NoError(t, err)
	b, err := s.NewBridge(t.Context(), &BridgeOptions{Limits: Limits{TeardownTimeout: 100 * time.Millisecond}})
	require.NoError(t, err)
	blocked, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	sent := 0
	b.Attach(TransportFunc(func(msg json.RawMessage) error {
		if sent++; strings.Contains(string(msg), "notifications/progress") {
			close(blocked)
			<-release
		}
		return nil
	}))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":` + fmt.Sprintf(initializeParams, `{}`) + `}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
	<-blocked

	other, got := openView(t, s, nil)
	other.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
	for done := false; !done; {
		select {
		case msg := <-got:
			done = strings.Contains(msg, `"id":1,"result"`)
		case <-time.After(time.Minute):
			t.Fatal("another view of the same server got no response")
		}
	}
	closed := make(chan struct{})
	go func() {
		b.Close(context.Background(), nil)
		s.Close()
		close(closed)
	}()
	waitForDone(t, closed, time.Minute, "Close")
	assert.Equal(t, 2, sent, "nothing is sent after Close")
}

func TestUnsolicitedResponsesAreRateLimited(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var rec record
		b := mustNewBridge(nil, &BridgeOptions{Trace: rec.trace, Limits: Limits{Rate: 10, Burst: 20}})
		v := newView(t, b)
		v.initialize(`{"tools":{}}`)
		v.sendInitialized()
		for i := range 1000 {
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i)))
		}
		assert.Empty(t, v.take())
		assert.LessOrEqual(t, strings.Count(rec.String(), "\n"), 20)
		// The response to a pending request is accepted despite the limit.
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

func TestMalformedResponses(t *testing.T) {
	for response, want := range map[string]string{
		`"error":"oops"`:                              `the view answered with the error "oops"`,
		`"error":{"code":1.5}`:                        `the view answered with the error {"code":1.5}`,
		`"result":null`:                               `the view's tool "x" returned null, which is not a tool result`,
		`"result":[],"error":null`:                    `the view's tool "x" returned [], which is not a tool result`,
		`"result":{},"error":{"code":1,"message":""}`: ``,
	} {
		inBubble(t, func(t *testing.T) {
			b := mustNewBridge(nil, nil)
			v := newView(t, b)
			v.initialize(`{"tools":{}}`)
			v.sendInitialized()
			errs, start := make(chan error, 1), time.Now()
			go func() { _, err := b.CallAppTool(t.Context(), "x", nil, nil); errs <- err }()
			v.take()
			v.post(`{"jsonrpc":"2.0","id":"1",%s}`, response)
			v.post(`{"jsonrpc":"2.0","id":1,%s}`, response)
			v.post(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
			assert.EqualError(t, <-errs, want)
			assert.Zero(t, time.Since(start))
			b.Close(t.Context(), nil)
		})
	}
}

// The result of an app tool may exceed Limits.MessageBytes, and the call fails at
// once if the result is too large.
func TestLargeAppToolResults(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{MessageBytes: 1 << 20}})
		v := newView(t, b)
		v.initialize(`{"tools":{}}`)
		v.sendInitialized()
		for i, size := range []int{2 << 20, 11 << 20} {
			errs, start := make(chan error, 1), time.Now()
			go func() { _, err := b.CallAppTool(t.Context(), "x", nil, nil); errs <- err }()
			v.take()
			v.post(`{"jsonrpc":"2.0","id":%d,"result":{"x":"%s"}}`, i+1, strings.Repeat("x", size))
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

func TestRequestTeardownCallbackDoesNotOverlap(t *testing.T) {
	var calls atomic.Int32
	release := make(chan struct{})
	b := mustNewBridge(nil, &BridgeOptions{RequestTeardown: func() { calls.Add(1); <-release }})
	before := runtime.NumGoroutine()
	for range 300 {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`))
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before+1)
	close(release)
	assert.Eventually(t, func() bool {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/request-teardown"}`))
		return calls.Load() > 1
	}, 5*time.Second, 50*time.Millisecond, "RequestTeardown is called again after it returned")
}

func TestPendingRequestBytesAreLimited(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		block := make(chan struct{})
		b := mustNewBridge(nil, &BridgeOptions{Limits: Limits{QueueBytes: 10_000}, OpenLink: func(context.Context, *url.URL) error { <-block; return nil }})
		v := newView(t, b)
		v.handshake()
		for i := range 20 {
			v.post(`{"jsonrpc":"2.0","id":%d,"method":"ui/open-link","params":{"url":"https://x.example/%s"}}`, i, strings.Repeat("x", 1000))
		}
		rejected := v.take()
		assert.Len(t, rejected, 11)
		assert.Contains(t, rejected[0], `"code":-32000,"message":"too many requests at once: 10000 bytes are open"`)
		close(block)
		assert.Len(t, v.take(), 9)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"https://x.example/%s"}}`, strings.Repeat("x", 1000))
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

// The last of several updates reaches the model. They are therefore processed
// in the view's order, even if one is slow or cancelled.
func TestModelContextUpdatesKeepOrder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var got []string
		b := mustNewBridge(nil, &BridgeOptions{UpdateModelContext: func(ctx context.Context, c *ModelContext) error {
			got = append(got, string(c.StructuredContent)) // no lock, so that -race reports calls that overlap
			time.Sleep(time.Second)
			return ctx.Err()
		}})
		v := newView(t, b)
		v.handshake()
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

// Member names are case-sensitive in the bridge as in a browser: a message that has
// no method for the sandbox proxy must have none for the bridge.
func TestMemberNamesAreCaseSensitive(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{App: &appclient.App{HTML: "x"}, OpenLink: func(context.Context, *url.URL) error { return nil }})
		v := newView(t, b)
		v.post(`{"jsonrpc":"2.0","Method":"ui/notifications/sandbox-proxy-ready"}`)
		v.post(`{"jsonrpc":"2.0","ID":1,"method":"PING"}`)
		assert.Empty(t, v.take())
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"URL":"https://x.example"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"ui/open-link: url is spelled \"URL\" here"}}`, v.takeOne())
		v.post(`{"jsonrpc":"2.0","id":1,"\u006dethod":"no","method":"ping"}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, v.takeOne())
		b.Close(t.Context(), nil)
	})
}

// The response has the view's id byte for byte. A request with an invalid id gets
// no response.
func TestRequestIDs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, nil)
		v := newView(t, b)
		v.handshake()
		for _, id := range []string{`0`, `-1`, `1.5`, `1e400`, `""`, `"a\u0000\"b"`, `"__proto__"`, `99999999999999999999`, `"` + strings.Repeat("x", 10000) + `"`} {
			v.post(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			assert.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`, v.takeOne())
		}
		for _, id := range []string{`null`, `true`, `{}`, `[1]`, `{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`} {
			v.post(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			assert.Empty(t, v.take())
		}
		v.post("%s", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
		v.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":%s}`, strings.Repeat("[", 100000)+strings.Repeat("]", 100000))
		assert.Empty(t, v.take(), "no response to a batch, or to a value that is nested too deep for encoding/json")
		v.post(`{"jsonrpc":"2.0","id":1,"method":"%s"}`, strings.Repeat(`\u0000`, 10000))
		assert.Less(t, len(v.takeOne()), 600, "the error quotes a truncated method")
		b.Close(t.Context(), nil)
	})
}
