package check_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

// sessions puts sessions before a server of answers, and forgets one at the first
// request of a method, or at each.
type sessions struct {
	next   answers
	forget string
	always bool

	mu       sync.Mutex
	opened   int
	current  string
	did      bool
	requests []*http.Request // in order
	methods  []string
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var message struct{ Method string }
	_ = json.Unmarshal(body, &message)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.methods = append(s.requests, r), append(s.methods, message.Method)
	session := r.Header.Get("Mcp-Session-Id")
	switch {
	case message.Method == "server/discover":
		w.WriteHeader(http.StatusBadRequest)
		return
	case message.Method == "initialize":
		if session != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.opened++
		s.current = fmt.Sprint("session-", s.opened)
		w.Header().Set("Mcp-Session-Id", s.current)
	case message.Method == s.forget && (s.always || !s.did):
		s.did, s.current = true, ""
	}
	if message.Method != "initialize" && session != s.current {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	s.next.ServeHTTP(w, r)
}

// TestForgottenSession shows that a server which forgets a session, at any point, is
// checked to the end in another one, and that this is a finding.
func TestForgottenSession(t *testing.T) {
	for _, method := range []string{"ping", "tools/list", "resources/list", "resources/read", "tools/call"} {
		s := &sessions{next: plainAnswers, forget: method}
		r, err := overHTTP(t, s, host.Target{}, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"server-session"}, codes(r), method)
		assert.Contains(t, r.Findings[0].Message, "1 time ")
		assert.Empty(t, r.Unchecked)
		assert.Equal(t, 1, r.Apps)
	}

	s := &sessions{next: plainAnswers, forget: "tools/list", always: true}
	r, err := overHTTP(t, s, host.Target{}, nil)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"server-session", "server-list-failed"}, codes(r), "it is asked again once for each request")
	list := 0
	for _, m := range s.methods {
		if m == "tools/list" {
			list++
		}
	}
	assert.Equal(t, 4, list, "twice by each of the two clients, with and without the extension")

	r, err = overHTTP(t, &sessions{next: plainAnswers, forget: "tools/call", always: true}, host.Target{}, nil)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"result-failed", "server-session"}, codes(r))
	for _, f := range r.Findings {
		assert.NotContains(t, f.Remedy, "give arguments", "they are not at fault")
	}

	r, err = overHTTP(t, &sessions{next: plainAnswers}, host.Target{}, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	r, err = overHTTP(t, plainAnswers.with("tools/list", status(404)), host.Target{}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"server-list-failed"}, codes(r), "without a session, 404 says nothing about one")
}

// TestHTTPHeaders shows what the check's own client sends in the headers of each
// request, and that it ends the session that it opened.
func TestHTTPHeaders(t *testing.T) {
	s := &sessions{next: plainAnswers}
	hs := httptest.NewServer(s)
	defer hs.Close()
	_, err := check.Target(t.Context(), host.Target{URL: hs.URL, Header: http.Header{"x-key": {"k"}, "Host": {"app.example.com"}}}, nil)
	require.NoError(t, err)
	ended := make(map[string]bool)
	for i, r := range s.requests {
		assert.Equal(t, "k", r.Header.Get("X-Key"))
		assert.Equal(t, "app.example.com", r.Host)
		switch s.methods[i] {
		case "server/discover":
			assert.Equal(t, "2026-07-28", r.Header.Get("Mcp-Protocol-Version"))
			assert.Equal(t, "server/discover", r.Header.Get("Mcp-Method"))
			assert.Empty(t, r.Header.Get("Mcp-Session-Id"))
			continue
		case "initialize":
			assert.Empty(t, r.Header.Get("Mcp-Protocol-Version"))
			assert.Empty(t, r.Header.Get("Mcp-Session-Id"))
			continue
		case "":
			assert.Equal(t, http.MethodDelete, r.Method)
			ended[r.Header.Get("Mcp-Session-Id")] = true
		}
		assert.Equal(t, "2025-11-25", r.Header.Get("Mcp-Protocol-Version"), s.methods[i])
		assert.Regexp(t, "^session-[12]$", r.Header.Get("Mcp-Session-Id"))
		assert.Empty(t, r.Header.Get("Mcp-Method"), "is of newer versions")
		assert.Empty(t, r.Header.Get("Mcp-Name"), "is of newer versions")
	}
	assert.Equal(t, map[string]bool{"session-1": true, "session-2": true}, ended)
}

// TestHTTPHeadersNewest shows the headers that version 2026-07-28 asks for.
func TestHTTPHeadersNewest(t *testing.T) {
	var mu sync.Mutex
	var named []string
	h := plainAnswers.with("server/discover", `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}}}`)
	_, err := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") == "2026-07-28" {
			mu.Lock()
			named = append(named, r.Method+" "+r.Header.Get("Mcp-Method")+" "+r.Header.Get("Mcp-Name")+r.Header.Get("Mcp-Session-Id"))
			mu.Unlock()
		}
		h.ServeHTTP(w, r)
	}), host.Target{}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"POST server/discover ", "POST tools/list ", "POST resources/list ", "POST resources/read ui://h/v"}, named, "and no session to end")
}

// TestOldTransport shows that a server on HTTP+SSE is told so, whatever status it
// answers a POST with, and that another one is not.
func TestOldTransport(t *testing.T) {
	for _, code := range []int{400, 404, 405} {
		_, err := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				w.WriteHeader(code)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: endpoint\ndata: /messages?id=1\n\n")
		}), host.Target{}, nil)
		assert.EqualError(t, err, "initialize: the server speaks HTTP+SSE, the transport of MCP 2024-11-05, which Streamable HTTP replaced: serve that, as all SDKs can")
		var unreachable *check.UnreachableError
		require.ErrorAs(t, err, &unreachable)
		assert.Equal(t, code, unreachable.HTTPStatus)
		_, err = overHTTP(t, http.HandlerFunc(status(code)), host.Target{}, nil)
		assert.ErrorContains(t, err, fmt.Sprint("HTTP status ", code))
	}
}
