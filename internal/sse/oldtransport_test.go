package sse

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestIsOldTransport shows that a server is recognised by its first event, sent whole
// or in pieces, and that others are not, whatever they answer.
func TestIsOldTransport(t *testing.T) {
	stream := func(pieces ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			for _, p := range pieces {
				fmt.Fprint(w, p)
				_ = http.NewResponseController(w).Flush()
			}
			<-r.Context().Done()
		}
	}
	other := httptest.NewServer(stream("event: endpoint\n"))
	defer other.Close()
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		want bool
	}{
		"old":             {stream("event: endpoint\ndata: /messages?id=1\n\n"), true},
		"in pieces":       {stream(": hello\r\n", "event: end", "point\r\n"), true},
		"without a space": {stream("event:endpoint\n"), true},
		"another event":   {stream("event: message\ndata: {}\n\nevent: endpoint\n"), false},
		"flood":           {stream(": " + strings.Repeat("x", 1<<16)), false},
		"404":             {http.NotFound, false},
		"not an answer of 200": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "event: endpoint\n")
		}, false},
		"a page":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "event: endpoint\n") }, false},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, false},
		"empty": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			hs := httptest.NewServer(c.h)
			defer hs.Close()
			assert.Equal(t, c.want, IsOldTransport(t.Context(), nil, hs.URL, nil))
		})
	}
	t.Run("with the header", func(t *testing.T) {
		hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") == "k" && r.Header.Get("Accept") == "text/event-stream" {
				stream("event: endpoint\n")(w, r)
			}
		}))
		defer hs.Close()
		assert.True(t, IsOldTransport(t.Context(), hs.Client(), hs.URL, http.Header{"x-key": {"k"}}))
	})
	t.Run("one that never speaks", func(t *testing.T) {
		t.Parallel()
		hs := httptest.NewServer(stream(": wait\n"))
		defer hs.Close()
		start := time.Now()
		assert.False(t, IsOldTransport(t.Context(), nil, hs.URL, nil))
		assert.Less(t, time.Since(start), 30*time.Second)
	})
}
