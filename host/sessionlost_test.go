package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A forgetful server over HTTP has one session at a time, and answers 404 to requests
// of any other.
type forgetful struct {
	*httptest.Server
	mu       sync.Mutex
	session  int
	log      []string                // the methods of the requests that it served
	executed int                     // tool calls
	fail     func(method string) int // the status of an answer without a result; 0: none
}

func newForgetful(t *testing.T) *forgetful {
	f := &forgetful{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *forgetful) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session++
	f.log = nil
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	var req struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&req)
	f.mu.Lock()
	defer f.mu.Unlock()
	if req.Method == "initialize" {
		f.session++
		w.Header().Set("Mcp-Session-Id", fmt.Sprint(f.session))
	} else if r.Header.Get("Mcp-Session-Id") != fmt.Sprint(f.session) {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	if req.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	f.log = append(f.log, req.Method)
	if req.Method == "tools/call" {
		f.executed++
	}
	if f.fail != nil {
		if status := f.fail(req.Method); status != 0 {
			http.Error(w, "failed", status)
			return
		}
	}
	result := map[string]string{
		"initialize":     `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"f","version":"1"}}`,
		"ping":           `{}`,
		"tools/list":     `{"tools":[{"name":"x","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://f/view"}}}]}`,
		"tools/call":     `{"content":[]}`,
		"resources/read": `{"contents":[{"uri":"ui://f/view","mimeType":"text/html;profile=mcp-app","text":"<p>","_meta":{"ui":{}}}]}`,
	}[req.Method]
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result)
}

// A request that the server refused since it lost the session is made once more, on a
// new one.
func TestRequestOfALostSessionIsRepeatedOnce(t *testing.T) {
	f := newForgetful(t)
	s := connectTo(t, Target{URL: f.URL}, nil)
	_, err := s.Call(t.Context(), "x", nil)
	require.NoError(t, err)
	f.forget()
	_, err = s.Call(t.Context(), "x", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"initialize", "tools/list", "tools/call"}, f.log)
	assert.Equal(t, 2, f.executed)

	f.forget()
	b, err := s.Open(t.Context(), "x", nil, nil)
	require.NoError(t, err)
	_, err = b.WaitResult(t.Context())
	require.NoError(t, err)
	_, err = b.WaitApp(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, f.executed)

	f.forget()
	s.current()
	old := s.Session()
	assert.NotNil(t, old)
	s.now.catalog.invalidate()
	_, err = s.Tools(t.Context())
	require.NoError(t, err)
	assert.NotSame(t, old, s.Session())
	waitForDone(t, b.Done(), pingTimeout*30, "the view of the lost session")

	// A server that forgets each session at once is not asked for ever.
	f.fail = func(method string) int {
		if method == "tools/list" {
			f.session++
			return http.StatusNotFound
		}
		return 0
	}
	f.forget()
	_, err = s.Call(t.Context(), "x", nil)
	assert.ErrorContains(t, err, "session not found")
	assert.Equal(t, []string{"initialize", "tools/list"}, f.log)
	assert.Equal(t, 3, f.executed)
}

// What the server may have executed is not repeated.
func TestRequestThatMayHaveRunIsNotRepeated(t *testing.T) {
	for _, status := range []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusBadRequest} {
		f := newForgetful(t)
		s := connectTo(t, Target{URL: f.URL}, nil)
		_, err := s.Tools(t.Context())
		require.NoError(t, err)
		f.fail = func(string) int { return status }
		_, err = s.Call(t.Context(), "x", nil)
		assert.Error(t, err)
		assert.Equal(t, 1, f.executed, status)
	}
}

// A server that answers ping with 404, as some do for unknown methods, keeps its
// sessions from the third view on.
func TestServerWithoutPing(t *testing.T) {
	f := newForgetful(t)
	f.fail = func(method string) int {
		if method == "ping" {
			return http.StatusNotFound
		}
		return 0
	}
	s := connectTo(t, Target{URL: f.URL}, nil)
	for i := range 4 {
		b, err := s.Open(t.Context(), "x", nil, nil)
		require.NoError(t, err)
		_, err = b.WaitResult(t.Context())
		require.NoError(t, err)
		assert.Equal(t, min(i+2, 3), f.session)
	}
	assert.Equal(t, 4, f.executed)
}

// 404 means a lost session only in answer to a request that named one, and not in
// answer to a later message of the same exchange, such as a cancellation.
func TestWhatIsRefused(t *testing.T) {
	for _, c := range []struct {
		answers []int
		session string
		want    bool
	}{
		{[]int{404}, "s", true}, {[]int{404}, "", false}, {[]int{500}, "s", false}, {[]int{400}, "s", false},
		{[]int{200, 404}, "s", false}, {[]int{404, 200}, "s", false},
	} {
		x := &exchange{}
		for _, status := range c.answers {
			x.posted(status, c.session)
		}
		assert.Equal(t, c.want, x.refused, "%v", c)
	}
}

// TestRefusedAsTheSessionEnds: the end of a session cancels its requests, perhaps
// before the SDK returns that the server refused one of them. The error says why the
// session ended, and the request can still be repeated.
func TestRefusedAsTheSessionEnds(t *testing.T) {
	s := &session{why: newEndReason()}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	ctx, end := s.bound(context.Background())
	defer end(nil)
	s.cancel(errors.New("the server is gone: session not found"))
	<-ctx.Done()
	err := s.explain(ctx, refused{context.Canceled}, time.Now())
	assert.EqualError(t, err, "the server is gone: session not found")
	assert.True(t, isRefused(err))
}
