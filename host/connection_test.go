package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/plainlog"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// TestMain runs one of the stdio servers that the tests connect to, if
// HOST_TEST_SERVER names its mode.
func TestMain(m *testing.M) {
	if mode := os.Getenv("HOST_TEST_SERVER"); mode != "" {
		serve(mode)
		os.Exit(0)
	}
	testenv.AtOnce(8) // they wait, mostly, for limits of time
	os.Exit(m.Run())
}

func testCommand(t *testing.T, mode string) Target {
	self, err := os.Executable()
	require.NoError(t, err)
	return Target{Command: []string{self}, Env: []string{"HOST_TEST_SERVER=" + mode}}
}

// rawResult has content, members, spacing and numbers that decoding into the SDK's
// types would lose.
const rawResult = `{"content":[{"type":"hologram","x":1},{"type":"text","text":"a","extra":true}], "isError":false,"big":9007199254740993,"f":1.0,"s":"<&>","_meta":{"k":[1,2]}}`

func serve(mode string) {
	switch mode {
	case "mute":
		time.Sleep(time.Hour)
	case "handshake-only":
		handshakeAndSleep()
	case "dies":
		fmt.Fprintln(os.Stderr, "config.toml is missing")
		os.Exit(3)
	case "usage":
		fmt.Println("usage: server [stdio|http]")
		fmt.Println("see --help")
		os.Exit(0)
	case "text":
		for range 1 << 20 {
			fmt.Println("Listening on port 3000")
		}
	case "banner":
		fmt.Println("Welcome to the server v1")
		fmt.Println("[INFO] started")
	case "locks": // holds a lock file while it runs, as a database does
		lock := os.Getenv("HOST_TEST_LOCK")
		f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		f.Close()
		defer os.Remove(lock)
		defer time.Sleep(200 * time.Millisecond)
	case "grandchild":
		child := exec.Command("sleep", "3600")
		child.Stdout = os.Stdout
		if child.Start() == nil {
			fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		respond := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result) }
		if mode == "answers" {
			text, _ := os.ReadFile(os.Getenv("HOST_TEST_ANSWER"))
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", req.ID, text)
			continue
		}
		switch req.Method {
		case "initialize":
			respond(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`)
		case "tools/list":
			respond(`{"tools":[{"name":"raw","inputSchema":{"type":"object"}},{"name":"huge","inputSchema":{"type":"object"}},{"name":"broken","inputSchema":{"type":"object"}},{"name":"exit","inputSchema":{"type":"object"}},{"name":"vanish","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}},{"name":"orphan","inputSchema":{"type":"object"}},{"name":"text","inputSchema":{"type":"object"}},{"name":"asks","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			switch req.Params.Name {
			case "raw":
				respond(rawResult)
			case "huge":
				respond(`{"content":[{"type":"text","text":"` + strings.Repeat("x", 17<<20) + `"}]}`)
			case "broken":
				fmt.Println(`{"jsonrpc":"2.0","id":`)
			case "exit":
				os.Exit(7)
			case "vanish":
				os.Stdout.Close()
			case "orphan":
				child := exec.Command("sleep", "3600")
				child.Stdout = os.Stdout
				_ = child.Start()
				os.Exit(8)
			case "text":
				for range 400 {
					fmt.Println("a line of the log")
				}
				respond(`{"content":[]}`)
			case "asks":
				fmt.Println(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object"}}}`)
			}
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", req.ID)
		}
	}
}

// handshakeAndSleep answers the handshake and no request after it.
func handshakeAndSleep() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(in.Bytes(), &req)
		switch req.Method {
		case "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}}`+"\n", req.ID)
		case "server/discover":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", req.ID)
		case "tools/list":
			fmt.Println("listing tools")
		}
	}
}

func TestStdioResultsAreUnchanged(t *testing.T) {
	var banner []string
	logger := plainlog.New(func(line string) { banner = append(banner, line) })
	for _, mode := range []string{"plain", "banner"} {
		s, err := Connect(t.Context(), testCommand(t, mode), &ConnectOptions{Logger: logger})
		require.NoError(t, err, mode)
		result, err := s.Call(t.Context(), "raw", nil)
		require.NoError(t, err)
		assert.Equal(t, rawResult, string(result))

		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		answers := make(chan string, 1)
		b.Attach(TransportFunc(func(msg json.RawMessage) error { answers <- string(msg); return nil }))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"raw"}}`))
		assert.Equal(t, `{"jsonrpc":"2.0","id":0,"result":`+rawResult+`}`, <-answers)
		require.NoError(t, s.Close())
	}
	const where = "on standard output, where messages belong: "
	assert.Equal(t, []string{where + "Welcome to the server v1", where + "[INFO] started"}, banner)
}

func TestConnectTimeout(t *testing.T) {
	assertPrompt(t, func() {
		_, err := Connect(t.Context(), testCommand(t, "mute"), &ConnectOptions{ConnectTimeout: 500 * time.Millisecond})
		assert.ErrorContains(t, err, "no answer to the handshake within 500ms")
	})
}

// assertPrompt fails if f waits for one of the long limits, such as those of a
// connection or a list.
func assertPrompt(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	assert.Less(t, time.Since(start), 25*time.Second)
}

func TestServerExitsBeforeHandshake(t *testing.T) {
	var stderr bytes.Buffer
	_, err := Connect(t.Context(), testCommand(t, "dies"), &ConnectOptions{Stderr: &stderr})
	assert.ErrorContains(t, err, "the server's process ended: exit status 3")
	assert.Contains(t, stderr.String(), "config.toml is missing")
	_, err = Connect(t.Context(), Target{Command: []string{"/does/not/exist"}}, nil)
	assert.Error(t, err)
	_, err = Connect(t.Context(), testCommand(t, "usage"), nil)
	assert.ErrorContains(t, err, `the server's process ended; in place of messages it wrote "usage: server [stdio|http]"`)
}

func TestServerWritesOnlyText(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), testCommand(t, "text"), nil)
	assert.ErrorContains(t, err, "writes text to its standard output")
}

// A server's failure closes its own connection and that connection's views, and
// the next call starts the server again. Views of other servers are not affected.
func TestServerFailureIsIsolated(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		"huge":   "more than 1048576 bytes",
		"exit":   "exit status 7",
		"orphan": "exit status 8", // although its child process keeps standard output open
	} {
		t.Run(tool, func(t *testing.T) {
			bad, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{MessageBytes: 1 << 20, endNotice: time.Hour})
			require.NoError(t, err)
			defer bad.Close()
			good, err := Connect(t.Context(), testCommand(t, "plain"), nil)
			require.NoError(t, err)
			defer good.Close()
			goodView, err := good.NewBridge(t.Context(), nil)
			require.NoError(t, err)
			view, err := bad.NewBridge(t.Context(), nil)
			require.NoError(t, err)

			_, err = bad.Call(t.Context(), tool, nil)
			require.Error(t, err)
			assert.Contains(t, err.Error(), want)
			select {
			case <-view.Done():
				assert.ErrorContains(t, view.Err(), want)
			case <-time.After(time.Minute):
				t.Fatal("the view of the failed server was not closed")
			}
			assert.NoError(t, goodView.Err())
			_, err = good.Call(t.Context(), "raw", nil)
			assert.NoError(t, err)

			result, err := bad.Call(t.Context(), "raw", nil)
			require.NoError(t, err, "the server is started again")
			assert.Equal(t, rawResult, string(result))
			assert.NotNil(t, bad.Session())
		})
	}
}

func TestCallTimeout(t *testing.T) {
	s, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{CallTimeout: 200 * time.Millisecond})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Call(t.Context(), "hang", nil)
	assert.EqualError(t, err, `the tool "hang" took longer than 200ms`)
	assert.Eventually(t, func() bool { // on a busy machine this call may exceed CallTimeout too
		_, err := s.Call(t.Context(), "raw", nil)
		return err == nil
	}, time.Minute, time.Millisecond)
}

func TestListTimeout(t *testing.T) {
	t.Parallel()
	assertPrompt(t, func() {
		s, err := Connect(t.Context(), testCommand(t, "handshake-only"), &ConnectOptions{ListTimeout: 200 * time.Millisecond})
		require.NoError(t, err)
		_, err = s.Tools(t.Context())
		assert.EqualError(t, err, `tools/list took longer than 200ms; on its standard output the server wrote "listing tools", which is not a message`)
		s.Close()
	})
}

func TestRestart(t *testing.T) {
	var states []string
	var mu sync.Mutex
	s, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{StateChanged: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, fmt.Sprint(err))
	}})
	require.NoError(t, err)
	b, err := s.NewBridge(t.Context(), nil)
	require.NoError(t, err)
	before := s.Session()
	require.NoError(t, s.Restart(t.Context()))
	assert.NotSame(t, before, s.Session())
	<-b.Done()
	assert.ErrorContains(t, b.Err(), "the server is restarted")
	require.NoError(t, s.Close())
	_, err = s.Call(t.Context(), "raw", nil)
	assert.ErrorContains(t, err, "closed")
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, []string{"<nil>", "<nil>"}, states)
}

// Two processes of one command never run at the same time: the first may hold a
// lock that the second needs.
func TestProcessesDoNotOverlap(t *testing.T) {
	t.Parallel()
	lock := filepath.Join(t.TempDir(), "lock")
	target := testCommand(t, "locks")
	target.Env = append(target.Env, "HOST_TEST_LOCK="+lock)
	s, err := Connect(t.Context(), target, nil)
	require.NoError(t, err)
	defer s.Close()
	for range 2 {
		_, err = s.Call(t.Context(), "vanish", nil)
		require.Error(t, err)
		_, err = s.Call(t.Context(), "raw", nil)
		require.NoError(t, err, "the server is started again after a crash")
		require.NoError(t, s.Restart(t.Context()))
		s.Disconnect(errors.New("it is another's turn"))
		assert.NoFileExists(t, lock)
		assert.Nil(t, s.Session())
		_, err = s.Call(t.Context(), "raw", nil)
		require.NoError(t, err, "the next call connects again")
	}
}

// When Close returns, the process has ended, also if another goroutine was ending
// it already.
func TestCloseWaitsForProcess(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Connection){
		"after the connection was lost": func(s *Connection) {
			go s.Call(context.Background(), "vanish", nil)
			for s.Err() == nil {
				time.Sleep(time.Millisecond)
			}
		},
		"during Restart": func(s *Connection) {
			before := s.Session()
			go s.Restart(context.Background())
			for s.Session() == before {
				time.Sleep(time.Millisecond)
			}
		},
		"during Close": func(s *Connection) {
			go s.Close()
			for s.Session() != nil {
				time.Sleep(time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			lock := filepath.Join(t.TempDir(), "lock")
			target := testCommand(t, "locks")
			target.Env = append(target.Env, "HOST_TEST_LOCK="+lock)
			s, err := Connect(t.Context(), target, nil)
			require.NoError(t, err)
			end(s)
			require.NoError(t, s.Close())
			assert.NoFileExists(t, lock)
		})
	}
}

// Close waits for a dial in progress, which ends its process before it returns, but
// not for ever.
func TestCloseWaitsForDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Connection{target: Target{Command: []string{"server"}}, dialing: newLock()}
		c.ctx, c.cancel = context.WithCancelCause(context.Background())
		require.NoError(t, c.dialing.take(t.Context()))
		closed := make(chan struct{})
		go func() {
			c.Close()
			close(closed)
		}()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close did not wait")
		default:
		}
		assert.ErrorIs(t, context.Cause(c.ctx), ErrConnectionClosed, "the dial is cancelled")
		c.dialing.release()
		<-closed

		require.NoError(t, c.dialing.take(t.Context()))
		c.Close() // returns after a time that the bubble skips
	})
}

// A bridge that closed before it was added to its connection is not kept.
func TestAddRejectsClosedBridge(t *testing.T) {
	s, err := connect(t, testServer(), nil).connected(t.Context())
	require.NoError(t, err)
	b, err := newBridge(s.link(), nil)
	require.NoError(t, err)
	b.fail(errors.New("closed early"))
	assert.ErrorIs(t, s.add(b), ErrClosed)
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.Empty(t, s.bridges)
}

func TestDisconnectClosesViews(t *testing.T) {
	states := make(chan string, 10)
	s := connect(t, testServer(), &ConnectOptions{StateChanged: func(err error) { states <- fmt.Sprint(err) }})
	b, err := s.NewBridge(t.Context(), nil)
	require.NoError(t, err)
	s.Disconnect(errors.New("it is another's turn"))
	<-b.Done()
	assert.ErrorContains(t, b.Err(), "it is another's turn")
	_, err = s.Call(t.Context(), "plain", nil)
	require.NoError(t, err)
	s.Disconnect(nil)
	s.Disconnect(nil)
	require.NoError(t, s.Close())
	assert.Equal(t, "<nil>", <-states)
	assert.Equal(t, "<nil>", <-states, "an intended disconnect is not reported as a loss")
	assert.Empty(t, states)
}

// A panic in StateChanged leaves no lock held, since the program may recover from
// it.
func TestStateChangedPanic(t *testing.T) {
	calls := 0
	target := Target{Server: testServer()}
	assert.PanicsWithValue(t, "a mistake", func() {
		_, _ = Connect(t.Context(), target, &ConnectOptions{StateChanged: func(error) { calls++; panic("a mistake") }})
	})
	assert.Equal(t, 1, calls)
	first := true
	s := connect(t, testServer(), &ConnectOptions{StateChanged: func(err error) {
		if err == nil && !first {
			panic("a mistake")
		}
		first = false
	}})
	assert.PanicsWithValue(t, "a mistake", func() { _ = s.Restart(t.Context()) })
	_, err := s.Call(t.Context(), "plain", nil)
	assert.NoError(t, err, "the connection still works")
}

// A malformed message is skipped and logged, as text is. The call that it may have
// answered ends with its context or timeout, and the connection stays open.
func TestMalformedMessageIsSkipped(t *testing.T) {
	lines := make(chan string, 1)
	s, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{Logger: plainlog.New(func(line string) { lines <- line })})
	require.NoError(t, err)
	defer s.Close()
	before := s.Session()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		assert.Equal(t, `on standard output, where messages belong: {"jsonrpc":"2.0","id":`, <-lines)
		cancel(errors.New("had enough"))
	}()
	_, err = s.Call(ctx, "broken", nil)
	assert.EqualError(t, err, "had enough")
	result, err := s.Call(t.Context(), "raw", nil)
	require.NoError(t, err)
	assert.Equal(t, rawResult, string(result))
	assert.Same(t, before, s.Session())
}

// The error of a call that took too long names the malformed message that may be
// its answer, but not one that came before the call.
func TestCallTimeoutNamesMalformedMessage(t *testing.T) {
	t.Parallel()
	s, err := Connect(t.Context(), testCommand(t, "plain"), &ConnectOptions{CallTimeout: 500 * time.Millisecond})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Call(t.Context(), "broken", nil)
	assert.EqualError(t, err, `the tool "broken" took longer than 500ms; on its standard output the server wrote "{\"jsonrpc\":\"2.0\",\"id\":", which is not a message`)
	_, err = s.Call(t.Context(), "hang", nil)
	assert.EqualError(t, err, `the tool "hang" took longer than 500ms`)

	// The request of a view likewise.
	b, got := openView(t, s, &BridgeOptions{Limits: Limits{CallTimeout: 500 * time.Millisecond}})
	for tool, want := range map[string]string{
		"broken": `"tools/call took longer than 500ms; on its standard output the server wrote \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":\", which is not a message"`,
		"hang":   `"tools/call took longer than 500ms"`,
	} {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"` + tool + `"}}`))
		assert.Equal(t, `{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":`+want+`}}`, <-got)
	}
}

// StateChanged reports a server that cannot be restarted, for example because an
// edit broke its source: a program that shows the state needs to know why, and the
// next edit may break it in another way. Calls that fail meanwhile change nothing.
func TestFailedRestartIsReported(t *testing.T) {
	var states []string
	broken := ""
	s, err := Connect(t.Context(), Target{Transport: func(ctx context.Context) (mcp.Transport, error) {
		if broken != "" {
			return nil, errors.New(broken)
		}
		target := testCommand(t, "plain")
		return target.transport(ctx, &ConnectOptions{MessageBytes: 1 << 20})
	}}, &ConnectOptions{StateChanged: func(err error) { states = append(states, fmt.Sprint(err)) }})
	require.NoError(t, err)
	defer s.Close()
	broken = "a syntax error"
	assert.ErrorContains(t, s.Restart(t.Context()), broken)
	_, err = s.Call(t.Context(), "raw", nil)
	assert.ErrorContains(t, err, broken)
	broken = "a type error"
	assert.ErrorContains(t, s.Restart(t.Context()), broken)
	assert.ErrorContains(t, s.Err(), broken)
	broken = ""
	_, err = s.Call(t.Context(), "raw", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"<nil>", "connecting to a transport: a syntax error", "connecting to a transport: a type error", "<nil>"}, states)
}

// rawHTTP serves streamable HTTP without the SDK, with responses as JSON or as
// events. The channel receives "hangs" for each call that hangs, and the reason of
// each cancellation.
func rawHTTP(t *testing.T, events bool, size int) (*httptest.Server, chan string) {
	signals := make(chan string, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "no", http.StatusMethodNotAllowed)
			return
		}
		var req struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name   string
				Reason string
				Meta   struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		switch {
		case req.Method == "notifications/cancelled":
			signals <- req.Params.Reason
			w.WriteHeader(http.StatusAccepted)
			return
		case req.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := ""
		switch req.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"raw","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}},{"name":"huge","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			result = rawResult
			if req.Params.Name == "huge" {
				result = `{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}`
			}
			if req.Params.Name == "hang" {
				signals <- "hangs"
				<-r.Context().Done()
				return
			}
		default:
			http.Error(w, `{"jsonrpc":"2.0","id":`+string(req.ID)+`,"error":{"code":-32601,"message":"no"}}`, http.StatusNotFound)
			return
		}
		response := `{"jsonrpc":"2.0","id":` + string(req.ID) + `,"result":` + result + `}`
		if !events || req.Method != "tools/call" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(response))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			if req.Params.Meta.ProgressToken == nil {
				break
			}
			fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}\n\n", req.Params.Meta.ProgressToken, i)
			w.(http.Flusher).Flush()
		}
		fmt.Fprintf(w, "data: %s\n\n", response)
	}))
	t.Cleanup(srv.Close)
	return srv, signals
}

func TestStreamableHTTP(t *testing.T) {
	t.Parallel()
	for _, events := range []bool{false, true} {
		srv, signals := rawHTTP(t, events, 2<<20)
		s, err := Connect(t.Context(), Target{URL: srv.URL, Header: http.Header{"Authorization": {"x"}}}, &ConnectOptions{MessageBytes: 1 << 20, endNotice: time.Hour})
		require.NoError(t, err)
		result, err := s.Call(t.Context(), "raw", nil)
		require.NoError(t, err)
		assert.Equal(t, rawResult, string(result))

		b, err := s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		answers := make(chan string, 10)
		b.Attach(TransportFunc(func(msg json.RawMessage) error { answers <- string(msg); return nil }))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`))
		<-answers
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"raw","_meta":{"progressToken":7}}}`))
		if events {
			for i := range 3 {
				assert.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d,"progressToken":7}}`, i), <-answers)
			}
		}
		assert.Equal(t, `{"jsonrpc":"2.0","id":0,"result":`+rawResult+`}`, <-answers)

		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			assert.Equal(t, "hangs", <-signals)
			cancel(errors.New("had enough"))
		}()
		_, err = s.Call(ctx, "hang", nil)
		assert.EqualError(t, err, "had enough")
		assert.Equal(t, "had enough", <-signals)

		_, err = s.Call(t.Context(), "huge", nil)
		assert.Error(t, err)
		assert.Contains(t, err.Error(), "more than 1048576 bytes")
		_, err = s.Call(t.Context(), "raw", nil)
		assert.NoError(t, err, "the next call connects again")
		s.Close()
	}
}

func TestStreamableHTTPWithSDKHandler(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		server := testServer()
		srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless}))
		t.Cleanup(srv.Close)
		s, err := Connect(t.Context(), Target{URL: srv.URL}, nil)
		require.NoError(t, err)
		b, err := s.Open(t.Context(), "both", nil, nil)
		require.NoError(t, err)
		app, err := b.WaitApp(t.Context())
		require.NoError(t, err)
		assert.NotEmpty(t, app.HTML)
		result, err := b.WaitResult(t.Context())
		require.NoError(t, err)
		assert.Contains(t, string(result), "9007199254740993")
		s.Close()
	}
}

func TestTextOnly(t *testing.T) {
	server := testServer()
	var got []string
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(interface{ GetMeta() map[string]any }); ok && method == "tools/list" {
				meta, _ := json.Marshal(p.GetMeta())
				got = append(got, string(meta))
			}
			return next(ctx, method, req)
		}
	})
	for _, textOnly := range []bool{true, false} {
		s := connect(t, server, &ConnectOptions{TextOnly: textOnly})
		_, err := s.Tools(t.Context())
		require.NoError(t, err)
	}
	require.Len(t, got, 2)
	assert.NotContains(t, got[0], "modelcontextprotocol/ui")
	assert.Contains(t, got[1], `"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}`)
}

func TestParseTarget(t *testing.T) {
	got, err := ParseTarget([]string{"http://127.0.0.1:1/mcp"})
	require.NoError(t, err)
	assert.Equal(t, "http://127.0.0.1:1/mcp", got.URL)
	got, err = ParseTarget([]string{"go", "run", "."})
	require.NoError(t, err)
	assert.Equal(t, "go run .", got.String())
	for words, want := range map[string]string{
		"":                             "name a server: an http URL, or -- and a command with its arguments",
		"no-such-command-here -x":      `no such command: "no-such-command-here"`,
		"./no/such/file":               `no such command: "./no/such/file"`,
		"http://":                      `the URL "http://" is not an http or https address`,
		"ftp://a/b":                    `the URL "ftp://a/b" is not an http or https address`,
		"localhost:8080":               `no such command: "localhost:8080"; for a URL, name the scheme, as in http://localhost:8080`,
		"127.0.0.1:8080/mcp":           `no such command: "127.0.0.1:8080/mcp"; for a URL, name the scheme, as in http://127.0.0.1:8080/mcp`,
		"example.com/mcp":              `no such command: "example.com/mcp"; for a URL, name the scheme, as in https://example.com/mcp`,
		"http://a http://b":            `"http://b" after the URL "http://a": a URL stands alone, and flags come before it`,
		"http://localhost:1/mcp -open": `"-open" after the URL "http://localhost:1/mcp": a URL stands alone, and flags come before it`,
	} {
		_, err = ParseTarget(strings.Fields(words))
		assert.EqualError(t, err, want, words)
	}
	dir := t.TempDir()
	_, err = ParseTarget([]string{dir})
	assert.ErrorContains(t, err, "is a directory")
	_, err = Connect(t.Context(), Target{}, nil)
	assert.ErrorContains(t, err, "one of Command, URL, Server and Transport, not 0")
}
