package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/pipe"
)

// noAnswer is returned by a scripted server's function if the server is not to
// respond.
const noAnswer = "\x00"

// scriptedServer responds to each request with the result that f returns. If f
// returns noAnswer it does not respond; if f returns "" it responds as a server
// with one tool, "x", would.
func scriptedServer(f func(conn mcp.Connection, req *jsonrpc.Request) string) Target {
	return Target{Transport: func(context.Context) (mcp.Transport, error) {
		near, far := pipe.New()
		conn, _ := far.Connect(context.Background())
		go func() {
			for {
				msg, err := conn.Read(context.Background())
				if err != nil {
					return
				}
				req, ok := msg.(*jsonrpc.Request)
				if !ok || !req.IsCall() {
					continue
				}
				answer := &jsonrpc.Response{ID: req.ID}
				switch result := f(conn, req); {
				case result == noAnswer:
					continue
				case result != "":
					answer.Result = json.RawMessage(result)
				case req.Method == "initialize":
					answer.Result = json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"scripted","version":"1"}}`)
				case req.Method == "tools/list":
					answer.Result = json.RawMessage(`{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}`)
				case req.Method == "tools/call":
					answer.Result = json.RawMessage(`{"content":[]}`)
				default:
					answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no"}
				}
				if conn.Write(context.Background(), answer) != nil {
					return
				}
			}
		}()
		return near, nil
	}}
}

// onCall returns a scripted server that passes only tools/call to f.
func onCall(f func(conn mcp.Connection, req *jsonrpc.Request) string) Target {
	return scriptedServer(func(conn mcp.Connection, req *jsonrpc.Request) string {
		if req.Method == "tools/call" {
			return f(conn, req)
		}
		return ""
	})
}

func connectTo(t *testing.T, target Target, opts *ConnectOptions) *Connection {
	t.Helper()
	s, err := Connect(t.Context(), target, opts)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// openView returns a ready bridge and a channel of the messages to its view.
func openView(t *testing.T, s *Connection, opts *BridgeOptions) (*Bridge, chan string) {
	t.Helper()
	b, err := s.NewBridge(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { b.Close(t.Context(), nil) }) // that context has ended: nobody waits for the view's teardown
	got := make(chan string, 1000)
	b.Attach(TransportFunc(func(msg json.RawMessage) error { got <- string(msg); return nil }))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":` + fmt.Sprintf(initializeParams, `{}`) + `}`))
	<-got
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	return b, got
}

// waitForDone waits for done to be closed, and fails the test after d.
func waitForDone(t *testing.T, done <-chan struct{}, d time.Duration, what string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatalf("%s: not done within %v\n%s", what, d, goroutineStacks())
	}
}

func TestResultMustBeObject(t *testing.T) {
	t.Parallel()
	var result atomic.Value
	s := connectTo(t, onCall(func(mcp.Connection, *jsonrpc.Request) string { return result.Load().(string) }), nil)
	b, got := openView(t, s, nil)
	call := func() string {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"x"}}`))
		return <-got
	}
	for _, r := range []string{`null`, `5`, `"x"`, `[]`, `[{}]`, `true`} {
		result.Store(r)
		_, err := s.Call(t.Context(), "x", nil)
		assert.EqualError(t, err, "the server's result is "+r+": it must be an object")
		assert.Contains(t, call(), `"error":{"code":-32603,"message":"the server's result is`, r)
	}
	// Any object is forwarded, even if it is not a valid tool result.
	for _, r := range []string{`{}`, `{"content":null}`, `{"content":[null]}`, `{"content":{"a":[]}}`, `{"isError":"yes"}`, `{"__proto__":{"a":1}}`,
		`{"content":[],"content":5}`, `{"x":1e400}`, `{"resultType":5}`, `{"content":[{"type":"text","text":"input_required"}]}`, `{"x":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`} {
		result.Store(r)
		raw, err := s.Call(t.Context(), "x", nil)
		require.NoError(t, err)
		assert.Equal(t, r, string(raw))
		assert.Equal(t, `{"jsonrpc":"2.0","id":0,"result":`+r+`}`, call())
	}
	result.Store("{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}")
	assert.True(t, utf8.ValidString(call()), "JSON is UTF-8")
}

func TestInvalidListsAreRejected(t *testing.T) {
	for answer, want := range map[string]string{
		`{"tools":[],"nextCursor":"a"}`:       `does not end: the page after the cursor "a" has the same cursor`,
		`{"tools":[],"nextCursor":"%d"}`:      "has more than 100 pages",
		`{"tools":[%d],"nextCursor":"%[1]d"}`: "more than 100000 bytes",
		`{"tools":[],"nextCursor":5}`:         "tools/list is malformed",
		`{"tools":"none"}`:                    "tools/list is malformed",
		`7`:                                   "the server's result is 7",
	} {
		n := 0
		s := connectTo(t, scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
			if req.Method != "tools/list" {
				return ""
			}
			n++
			if strings.Contains(answer, "[%d]") {
				return fmt.Sprintf(`{"tools":[{"name":"%s"}],"nextCursor":"%d"}`, strings.Repeat("n", 9000), n)
			}
			if strings.Contains(answer, "%d") {
				return fmt.Sprintf(answer, n)
			}
			return answer
		}), &ConnectOptions{ListBytes: 100_000})
		_, err := s.Tools(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

// Unknown, malformed and unsolicited messages from the server do not affect a
// call.
func TestUnexpectedMessagesAreIgnored(t *testing.T) {
	s := connectTo(t, onCall(func(conn mcp.Connection, req *jsonrpc.Request) string {
		unknown, _ := jsonrpc.MakeID(float64(9999))
		for i := range 100 {
			for _, msg := range []jsonrpc.Message{
				&jsonrpc.Response{ID: unknown, Result: json.RawMessage(`{}`)},
				&jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(fmt.Sprintf(`{"progressToken":"mcpapps-%d","progress":1}`, i))},
				&jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(`null`)},
				&jsonrpc.Request{Method: "notifications/progress"},
				&jsonrpc.Request{Method: "notifications/message", Params: json.RawMessage(`{"level":5}`)},
				&jsonrpc.Request{Method: "notifications/tools/list_changed"},
				&jsonrpc.Request{Method: "notifications/nope", Params: json.RawMessage(`[]`)},
				&jsonrpc.Request{ID: unknown, Method: "sampling/createMessage", Params: json.RawMessage(`null`)},
				&jsonrpc.Request{ID: unknown, Method: "elicitation/create"},
				&jsonrpc.Request{ID: unknown, Method: "ping"},
			} {
				_ = conn.Write(context.Background(), msg)
			}
		}
		_ = conn.Write(context.Background(), &jsonrpc.Response{ID: req.ID, Result: json.RawMessage(`{"content":[]}`)})
		return `{"content":[],"again":true}`
	}), nil)
	for range 3 {
		raw, err := s.Call(t.Context(), "x", nil)
		require.NoError(t, err)
		assert.Equal(t, `{"content":[]}`, string(raw), "the first response counts")
	}
}

func TestServerDiesDuringCalls(t *testing.T) {
	conns := make(chan mcp.Connection, 200)
	s := connectTo(t, onCall(func(conn mcp.Connection, _ *jsonrpc.Request) string { conns <- conn; return noAnswer }), nil)
	b, got := openView(t, s, nil)
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"x"}}`))
	var calls sync.WaitGroup
	for range 100 {
		calls.Go(func() {
			_, err := s.Call(t.Context(), "x", nil)
			assert.ErrorContains(t, err, "the server is gone")
		})
	}
	for range 100 {
		<-conns
	}
	(<-conns).Close()
	calls.Wait()
	for msg := range got {
		if strings.Contains(msg, "ui/resource-teardown") {
			break
		}
	}
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	waitForDone(t, b.Done(), time.Minute, "the close of the view")
}

// Close does not wait for the response to a call.
func TestCloseDuringCall(t *testing.T) {
	s, err := Connect(t.Context(), testCommand(t, "plain"), nil)
	require.NoError(t, err)
	called := make(chan error, 1)
	go func() { _, err := s.Call(context.Background(), "hang", nil); called <- err }()
	listed, err := s.Tools(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, listed)
	start := time.Now()
	require.NoError(t, s.Close())
	assert.Less(t, time.Since(start), closeTimeout)
	assert.ErrorContains(t, <-called, "closed")
}

// The SDK waits for a running elicitation handler before it reports that the
// connection ended. The view of a server that died is closed without that wait, and
// Close takes less than closeTimeout.
func TestUnansweredElicitation(t *testing.T) {
	for _, handlerEnds := range []string{"with the connection", "never"} {
		t.Run("the handler ends "+handlerEnds, func(t *testing.T) {
			asked, never := make(chan struct{}, 1), make(chan struct{})
			defer close(never)
			s, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{Client: &mcp.ClientOptions{
				ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked <- struct{}{}
					if handlerEnds == "never" {
						<-never
					}
					<-ctx.Done()
					return nil, context.Cause(ctx)
				},
			}})
			require.NoError(t, err)
			b, err := s.NewBridge(t.Context(), nil)
			require.NoError(t, err)
			go func() { _, _ = s.Call(context.Background(), "asks", nil) }()
			<-asked
			if handlerEnds == "never" {
				go func() { _, _ = s.Call(context.Background(), "exit", nil) }()
				waitForDone(t, b.Done(), time.Minute, "the view of a server that died")
				return
			}
			start := time.Now()
			require.NoError(t, s.Close())
			assert.Less(t, time.Since(start), closeTimeout)
		})
	}
}

// Lines of text are skipped without limit as long as messages come between them.
func TestTextBetweenMessagesIsSkipped(t *testing.T) {
	s := connectTo(t, testCommand(t, "plain"), nil)
	for range 5 {
		_, err := s.Call(t.Context(), "text", nil)
		require.NoError(t, err)
	}
}

// Target.Header is sent along with a redirect to the same server, but not with one
// to another server.
func TestSameServerRedirectKeepsHeader(t *testing.T) {
	seen := make(chan string, 100)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		http.Error(w, "no", http.StatusNotFound)
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
			http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
			return
		}
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"), "a redirect to the same server")
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	header := http.Header{"Authorization": {"Bearer secret"}}
	_, err := Connect(t.Context(), Target{URL: server.URL + "/mcp", Header: header}, nil)
	require.Error(t, err)
	require.NotEmpty(t, seen)
	assert.Empty(t, <-seen)
}

// A transport error names its cause, and is not reported to the view as an error of
// the server. If the connection stays open, the call does not wait until endNotice
// for it to end.
func TestTransportErrors(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case req.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case req.Method == "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, req.ID)
		case req.Method == "tools/list":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}},{"name":"ends","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":{"type":"object"}}]}}`, req.ID)
		case req.Params.Name == "ends":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, ": nothing\n\n")
		case req.Params.Name == "odd":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":7}`, req.ID)
		case req.Method == "tools/call":
			http.Error(w, "boom", http.StatusInternalServerError)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, req.ID)
		}
	}))
	defer srv.Close()
	s := connectTo(t, Target{URL: srv.URL}, &ConnectOptions{endNotice: time.Hour})
	before := s.Session()
	for tool, want := range map[string]string{"x": "Internal Server Error", "ends": "terminated without response", "odd": "must be an object"} {
		for range 3 {
			_, err := s.Call(t.Context(), tool, nil)
			assert.ErrorContains(t, err, want)
		}
	}
	assert.Same(t, before, s.Session(), "the connection stays open")
	b, got := openView(t, s, nil)
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"x"}}`))
	response := <-got
	assert.Contains(t, response, `"code":-32603`)
	assert.Contains(t, response, "Internal Server Error")
}

// The SDK may notice the end of a connection just before the session ends the
// context of a call.
func TestCallOfEndedSessionNamesTheReason(t *testing.T) {
	gone := errors.New("the server is gone: it crashed")
	s := &session{why: newEndReason(), ended: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(context.Background())
	s.ctx = ctx
	call, end := s.bound(t.Context())
	defer end(nil)
	cancel(gone)
	<-call.Done()
	assert.Equal(t, gone, s.explain(call, io.EOF, time.Now()))
	assert.ErrorContains(t, s.explain(call, &jsonrpc.Error{Message: "an answer"}, time.Now()), "an answer")
}
