package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// forgetful answers requests of sessions that it has forgotten with 404, as the
// specification wants of a server that does not know a session. It forgets all of them
// at the first call of a tool, or at each with always.
type forgetful struct {
	http.Handler
	always bool

	mu        sync.Mutex
	forgot    bool
	seen      map[string]bool
	forgotten map[string]bool
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var message struct{ Method string }
	_ = json.Unmarshal(body, &message)
	if !f.knows(r.Header.Get("Mcp-Session-Id"), message.Method == "tools/call") {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	f.Handler.ServeHTTP(w, r)
}

// knows reports whether a session is not forgotten. Requests without a session are
// not of any.
func (f *forgetful) knows(session string, call bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if session == "" {
		return true
	}
	if f.seen == nil {
		f.seen, f.forgotten = make(map[string]bool), make(map[string]bool)
	}
	f.seen[session] = true
	if call && (f.always || !f.forgot) {
		f.forgot = true
		for s := range f.seen {
			f.forgotten[s] = true
		}
	}
	return !f.forgotten[session]
}
