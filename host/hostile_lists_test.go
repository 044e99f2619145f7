package host

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// meanwhile calls a tool of another server of this process until f returns, and
// checks that each call succeeds.
func meanwhile(t *testing.T, f func()) {
	t.Helper()
	other := connectTo(t, scriptedServer(func(mcp.Connection, *jsonrpc.Request) string { return "" }), nil)
	b, got := openView(t, other, nil)
	defer func() {
		ended, end := context.WithCancel(t.Context())
		end()
		b.Close(ended, nil) // without the time that a view has for its teardown
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	for served := 0; ; served++ {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`))
		select {
		case answer := <-got:
			assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, answer)
		case <-time.After(time.Minute):
			t.Error("a view of another server is not served")
		}
		select {
		case <-done:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// cost runs f and returns the processor time and the memory that it took. The tests
// here allow ten times what was measured, and less than a hundredth of what the input
// costs without a bound.
func cost(f func()) (cpu time.Duration, allocated uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cputime.Used()
	f()
	cpu = cputime.Used() - start
	runtime.ReadMemStats(&after)
	return cpu, after.TotalAlloc - before.TotalAlloc
}

// overHTTP returns a server over streamable HTTP that answers each request with the
// result that f returns, "" for an error, as an event stream or as JSON.
func overHTTP(t *testing.T, events bool, f func(method string) string) Target {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&req) != nil {
			http.Error(w, "no", http.StatusMethodNotAllowed)
			return
		}
		if req.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := f(req.Method)
		if req.Method == "initialize" {
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`
		}
		msg := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result)
		if result == "" {
			msg = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, req.ID)
		}
		if events {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", msg)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(msg))
	}))
	t.Cleanup(srv.Close)
	return Target{URL: srv.URL}
}

// transports returns the same server over each kind of transport.
func transports(t *testing.T, f func(method string) string) map[string]Target {
	return map[string]Target{
		"pipe":         scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string { return f(req.Method) }),
		"JSON":         overHTTP(t, false, f),
		"event stream": overHTTP(t, true, f),
	}
}

// A page of a list has a bound for its items, before anything is made of them.
func TestCostListWithManyItems(t *testing.T) {
	testenv.Measure(t)
	page := `{"tools":[` + strings.Repeat(`{},`, 50_000) + `{"name":"x"}]}`
	for name, target := range transports(t, func(method string) string {
		if method == "tools/list" {
			return page
		}
		return ""
	}) {
		s := connectTo(t, target, nil)
		meanwhile(t, func() {
			cpu, allocated := cost(func() {
				_, err := s.Tools(t.Context())
				assert.ErrorContains(t, err, "the server's result has more than 10000 tools", name)
			})
			assert.Less(t, cpu, 5*time.Second, name)
			assert.Less(t, allocated, uint64(300<<20), name)
		})
		if name != "pipe" { // the others have ended the session
			s = connectTo(t, target, nil)
		}
		b, got := openView(t, s, nil)
		meanwhile(t, func() {
			cpu, allocated := cost(func() {
				b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
				assert.Contains(t, <-got, "more than 10000 tools", name)
			})
			assert.Less(t, cpu, 5*time.Second, name)
			assert.Less(t, allocated, uint64(300<<20), name)
		})
		ended, end := context.WithCancel(t.Context())
		end()
		b.Close(ended, nil)
		s.Close()
	}
}

// Icons are part of the list of tools and of what a server says of itself. They are
// bounded with these, and no icon is decoded or fetched.
func TestCostIcons(t *testing.T) {
	testenv.Measure(t)
	icons := `"icons":[` + strings.Repeat(`{"src":"data:image/svg+xml,x","sizes":["any"]},`, 40_000) + `{"src":"https://tracker.example/i.png"}]`
	target := scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		switch req.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1",` + icons + `}}`
		case "tools/list":
			return `{"tools":[{"name":"x","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://x"}},` + icons + `}]}`
		}
		return ""
	})
	meanwhile(t, func() {
		cpu, allocated := cost(func() {
			s := connectTo(t, target, nil)
			tools, err := s.Tools(t.Context())
			if assert.NoError(t, err) && assert.Len(t, tools, 1) {
				assert.Len(t, tools[0].Tool.Icons, 40_001, "the program decides whether it shows them")
			}
		})
		assert.Less(t, cpu, 5*time.Second)
		assert.Less(t, allocated, uint64(500<<20))
		t.Logf("%v, %d MB", cpu, allocated>>20)
	})
}

func TestContentBlocksAreBounded(t *testing.T) {
	block := `{"type":"text","text":""}`
	blocks, err := decodeContent(json.RawMessage("[" + strings.Repeat(block+",", maxContentBlocks-1) + block + "]"))
	require.NoError(t, err)
	assert.Len(t, blocks, maxContentBlocks)
	_, err = decodeContent(json.RawMessage("[" + strings.Repeat(block+",", maxContentBlocks) + block + "]"))
	assert.EqualError(t, err, "content has more than 1000 blocks")
}

func TestListAtTheBoundOfItems(t *testing.T) {
	for items, want := range map[int]string{20: "", 21: "more than 20 tools"} {
		for name, target := range transports(t, func(method string) string {
			if method == "tools/list" {
				return appToolPage(0, items, "")
			}
			return ""
		}) {
			tools, err := connectTo(t, target, &ConnectOptions{ListItems: 20}).Tools(t.Context())
			if want == "" {
				require.NoError(t, err, name)
				assert.Len(t, tools, items)
			} else {
				assert.ErrorContains(t, err, want, name)
			}
		}
	}
}

func TestElementsOfAnArray(t *testing.T) {
	for data, want := range map[string]int{
		``: 0, `{}`: 0, `5`: 0, `[]`: 0, ` [ ] `: 0, `[1]`: 1, `[ 1 , 2 ]`: 2, `[[1,2],{"a":[3,4]},"x,]"]`: 3, `[1,2,3,4,5,6,7]`: 5,
		`[`: 0, `[1`: 1, `[1,`: 1, `["`: 1, `[,,`: 0,
	} {
		assert.Equal(t, want, elements([]byte(data), 4), data)
	}
}

// Long cursors count as bytes of the list.
func TestLongCursorsAreBounded(t *testing.T) {
	pages := 0
	s := connectTo(t, scriptedServer(func(_ mcp.Connection, req *jsonrpc.Request) string {
		if req.Method != "tools/list" {
			return ""
		}
		pages++
		return fmt.Sprintf(`{"tools":[],"nextCursor":"%d%s"}`, pages, strings.Repeat("c", 1<<20))
	}), &ConnectOptions{ListBytes: 4 << 20})
	_, err := s.Tools(t.Context())
	assert.EqualError(t, err, "the server's list of tools has more than 4194304 bytes")
	assert.Equal(t, 4, pages)
}

// The search for the metadata of an app ends with a list that does not, and the app
// is shown without it.
func TestEndlessListOfResources(t *testing.T) {
	for name, c := range map[string]struct {
		page string // %d is the number of the page
		most int32
	}{
		"the same cursor":     {`{"resources":[],"nextCursor":"a"}`, 2},
		"always another page": {`{"resources":[],"nextCursor":"%d"}`, 100},
		"long pages":          {`{"resources":[],"nextCursor":"%d","x":"` + strings.Repeat("x", 300_000) + `"}`, 4},
		"many resources":      {`{"resources":[` + strings.Repeat(`{"uri":"ui://x/other"},`, 9) + `{}],"nextCursor":"%d"}`, 3},
		"a huge page":         {`{"resources":[` + strings.Repeat(`{},`, 100) + `{}],"nextCursor":"%d"}`, 1},
	} {
		for _, transport := range []string{"pipe", "JSON", "event stream"} {
			var pages atomic.Int32
			answer := func(method string) string {
				switch method {
				case "initialize":
					return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`
				case "tools/list":
					return `{"tools":[{"name":"x","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://x/y"}}}]}`
				case "tools/call":
					return `{"content":[]}`
				case "resources/read":
					return `{"contents":[{"uri":"ui://x/y","mimeType":"text/html;profile=mcp-app","text":"<p>"}]}`
				case "resources/list":
					return strings.ReplaceAll(c.page, "%d", fmt.Sprint(pages.Add(1)))
				}
				return ""
			}
			s := connectTo(t, transports(t, answer)[transport], &ConnectOptions{ListBytes: 1 << 20, ListItems: 25})
			b, err := s.Open(t.Context(), "x", nil, nil)
			require.NoError(t, err)
			app, err := b.WaitApp(t.Context())
			require.NoError(t, err, "%s over %s", name, transport)
			assert.Equal(t, "<p>", app.HTML)
			assert.LessOrEqual(t, pages.Load(), c.most, "%s over %s", name, transport)
			s.Close()
		}
	}
}

// The server's own requests are bounded: each waits for the user.
func TestFloodOfElicitations(t *testing.T) {
	const flood = 5000
	var asked, open, most atomic.Int32
	answers := make(chan string, flood)
	end := make(chan struct{})
	s := connectTo(t, onCall(func(conn mcp.Connection, _ *jsonrpc.Request) string {
		go func() {
			for i := range flood {
				id, _ := jsonrpc.MakeID(float64(i))
				_ = conn.Write(context.Background(), &jsonrpc.Request{ID: id, Method: "elicitation/create", Params: json.RawMessage(`{"message":"?","requestedSchema":{"type":"object"}}`)})
			}
		}()
		for range flood - maxServerRequests {
			msg, err := conn.Read(context.Background())
			if err != nil {
				return ""
			}
			if r, ok := msg.(*jsonrpc.Response); ok && r.Error != nil {
				answers <- r.Error.Error()
			}
		}
		return `{"content":[]}`
	}), &ConnectOptions{Client: &mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked.Add(1)
		most.Store(max(most.Load(), open.Add(1)))
		defer open.Add(-1)
		select {
		case <-end:
		case <-ctx.Done():
		}
		return &mcp.ElicitResult{Action: "decline"}, nil
	}}})
	meanwhile(t, func() {
		_, err := s.Call(t.Context(), "x", nil)
		assert.NoError(t, err)
	})
	assert.EqualValues(t, maxServerRequests, asked.Load())
	assert.Len(t, answers, flood-maxServerRequests)
	assert.Contains(t, <-answers, "too many requests at once: 64 are open")
	close(end)
	assert.Eventually(t, func() bool { return open.Load() == 0 }, time.Minute, time.Millisecond)
}

// A flood of notifications and progress reaches one view and delays no other.
func TestFloodOfProgress(t *testing.T) {
	const flood = 5_000
	s := connectTo(t, onCall(func(conn mcp.Connection, req *jsonrpc.Request) string {
		var p struct {
			Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
		_ = json.Unmarshal(req.Params, &p)
		for i := range flood {
			_ = conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(fmt.Sprintf(`{"progress":%d,"progressToken":%s}`, i, p.Meta.ProgressToken))})
			_ = conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/tools/list_changed"})
		}
		return `{"content":[]}`
	}), nil)
	b, err := s.NewBridge(t.Context(), nil)
	require.NoError(t, err)
	var progress, changes atomic.Int32
	answered := make(chan struct{})
	b.Attach(TransportFunc(func(msg json.RawMessage) error {
		switch {
		case strings.Contains(string(msg), "notifications/progress"):
			progress.Add(1)
		case strings.Contains(string(msg), "list_changed"):
			changes.Add(1)
		case strings.Contains(string(msg), `"id":1,"result"`):
			close(answered)
		}
		return nil
	}))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":"i","method":"ui/initialize","params":` + fmt.Sprintf(initializeParams, `{}`) + `}`))
	b.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	start := time.Now()
	meanwhile(t, func() {
		b.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}`))
		<-answered
	})
	assert.EqualValues(t, flood, progress.Load())
	assert.LessOrEqual(t, changes.Load(), int32(time.Since(start)/time.Second)+2)
}

// A view that takes no progress is closed when too much waits for it. The others of
// its server continue.
func TestProgressForABlockedViewIsBounded(t *testing.T) {
	s := connectTo(t, onCall(func(conn mcp.Connection, req *jsonrpc.Request) string {
		var p struct {
			Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
		_ = json.Unmarshal(req.Params, &p)
		if p.Meta.ProgressToken == nil {
			return `{"content":[]}`
		}
		for range 100 {
			_ = conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(fmt.Sprintf(`{"progress":1,"progressToken":%s,"message":"%s"}`, p.Meta.ProgressToken, strings.Repeat("x", 10_000)))})
		}
		return noAnswer
	}), nil)
	blocked, _ := openView(t, s, &BridgeOptions{Limits: Limits{QueueBytes: 100_000}})
	never := make(chan struct{})
	defer close(never)
	blocked.Attach(TransportFunc(func(json.RawMessage) error { <-never; return nil }))
	go blocked.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}`))
	waitForDone(t, blocked.Done(), time.Minute, "the view that takes nothing")
	assert.ErrorContains(t, blocked.Err(), "took nothing until")
	_, err := s.Call(t.Context(), "x", nil)
	assert.NoError(t, err)
}

// What a view sends costs little, and delays no other.
func TestCostHostileViews(t *testing.T) {
	testenv.Measure(t)
	s := connectTo(t, onCall(func(mcp.Connection, *jsonrpc.Request) string { return "" }), nil)
	size := 512 << 10
	if testenv.Full() {
		size = 3 << 20
	}
	for name, msg := range map[string]string{
		"nested arrays":         `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":` + strings.Repeat("[", size) + `}}`,
		"nested objects":        `{"jsonrpc":"2.0","id":1,"method":"ui/update-model-context","params":` + strings.Repeat(`{"a":`, size/5) + `1` + strings.Repeat("}", size/5) + `}`,
		"nested in no message":  strings.Repeat("[", size),
		"a long string":         `{"jsonrpc":"2.0","id":1,"method":"ui/open-link","params":{"url":"` + strings.Repeat("\\u0041", size/6) + `"}}`,
		"a long id":             `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", size) + `","method":"tools/call","params":{"name":"x"}}`,
		"a long method":         `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", size) + `"}`,
		"a long name of a tool": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("n", size) + `"}}`,
		"many members":          `{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{` + many(size/10, `"m%d":1`) + `}}`,
		"the same member":       `{` + strings.Repeat(`"jsonrpc":"2.0",`, size/16) + `"id":1,"method":"ping"}`,
		"many content blocks":   `{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":""},`, size/30) + `{}]}}`,
		"many downloads":        `{"jsonrpc":"2.0","id":1,"method":"ui/download-file","params":{"contents":[` + strings.Repeat(`{"type":"resource_link","uri":"a"},`, size/40) + `{}]}}`,
		"a log message":         `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		"a cancelled request":   `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + strings.Repeat("r", size) + `"}}`,
		"invalid UTF-8":         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + strings.Repeat("\xff", size) + `"}`,
	} {
		b, got := openView(t, s, &BridgeOptions{
			Message:            func(context.Context, *ViewMessage) error { return nil },
			UpdateModelContext: func(context.Context, *ModelContext) error { return nil },
			Download:           func(context.Context, []Download) error { return nil },
			Log:                func(LogMessage) {},
		})
		meanwhile(t, func() {
			cpu, allocated := cost(func() { b.Receive(json.RawMessage(msg)); drain(b, got) })
			assert.Less(t, cpu, 5*time.Second, name)
			assert.Less(t, allocated, uint64(400<<20), name)
		})
		ended, end := context.WithCancel(t.Context())
		end()
		b.Close(ended, nil)
	}
}

// drain waits until the view's requests are answered, or one second.
func drain(b *Bridge, got chan string) {
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		b.mu.Lock()
		open := len(b.incoming)
		b.mu.Unlock()
		if open == 0 {
			return
		}
	}
}

// Messages over the rate cost little each, whatever their kind.
func TestCostFloodOfViewMessages(t *testing.T) {
	testenv.Measure(t)
	s := connectTo(t, onCall(func(mcp.Connection, *jsonrpc.Request) string { return noAnswer }), nil)
	for _, msg := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d}}`,
		`{"jsonrpc":"2.0","id":%d,"result":{}}`,
		`{"jsonrpc":"2.0","method":"unknown/%d"}`,
		`{"jsonrpc":"2.0","id":%d}`,
		`%d`,
	} {
		b, got := openView(t, s, nil)
		go func() {
			for range got {
			}
		}()
		flood := 2000
		if testenv.Full() {
			flood = 10_000
		}
		meanwhile(t, func() {
			cpu, allocated := cost(func() {
				for i := range flood {
					b.Receive(json.RawMessage(fmt.Sprintf(msg, i)))
				}
			})
			assert.Less(t, cpu, 5*time.Second, msg)
			assert.Less(t, allocated/uint64(flood), uint64(20_000), msg)
		})
		ended, end := context.WithCancel(t.Context())
		end()
		b.Close(ended, nil)
		close(got)
	}
}

func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
