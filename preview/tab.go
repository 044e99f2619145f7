package preview

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A tab is one page in a browser. It gets everything over one stream, whatever the
// number of its views, since a browser opens at most six connections to an origin.
// Each tab's stream has an origin of its own, NAME.localhost, so that tabs do not
// share those six either.
type tab struct {
	preview *Preview
	id      string
	session string // as servers are told it, see requestHints

	buffer *buffer

	mu      sync.Mutex
	streams int
	gone    *time.Timer
	views   map[string]*view
	calls   map[string]*context.CancelCauseFunc // that the page made
	last    lastCall
	builds  builds
	closed  bool
}

// tabGrace is how long a stream that was cut may take to come again.
const tabGrace = 15 * time.Second

func (p *Preview) tab(id string) *tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tabs[id]
}

func (p *Preview) allTabs() []*tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	tabs := make([]*tab, 0, len(p.tabs))
	for _, t := range p.tabs {
		tabs = append(tabs, t)
	}
	return tabs
}

// openTab returns the tab with the id that the page chose, and whether it is new.
func (p *Preview) openTab(id string) (*tab, bool, error) {
	const maxTabs = 100
	p.output.mu.Lock() // so that the new tab gets each line once
	defer p.output.mu.Unlock()
	p.asks.mu.Lock() // and each question
	defer p.asks.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.tabs[id]; t != nil {
		return t, false, nil
	}
	if len(p.tabs) >= maxTabs {
		return nil, false, fmt.Errorf("too many open pages: the limit is %d", maxTabs)
	}
	t := &tab{preview: p, id: id, session: rand.Text(), buffer: p.buffers.newBuffer(), views: make(map[string]*view), calls: make(map[string]*context.CancelCauseFunc)}
	p.tabs[id] = t
	for _, line := range p.output.kept {
		t.send(line)
	}
	p.asks.sendTo(t)
	return t, true, nil
}

// send queues an event for the page.
func (t *tab) send(v any) {
	data, err := encode(v)
	if err != nil { // only what a server or a view made up can do that
		t.preview.log.Error("an event for the page could not be encoded", "error", err)
		return
	}
	t.buffer.add(data)
}

// encode encodes an event. It does not escape < > &, so that the page shows JSON as
// the server or view sent it.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

func (p *Preview) serveEvents(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", p.origin)
	h.Set("Vary", "Origin")
	id := r.URL.Query().Get("tab")
	switch {
	case r.Method != http.MethodGet || r.URL.Path != "/events":
		http.Error(w, "not found", http.StatusNotFound)
		return
	case r.Header.Get("Origin") != p.origin || !p.tokenOK(r.URL.Query().Get("token")):
		p.log.Warn("rejected a stream for another origin", "origin", r.Header.Get("Origin"))
		http.Error(w, "the token is not of this run: reload the page", http.StatusForbidden)
		return
	case len(id) < 8 || len(id) > 64:
		http.Error(w, "the tab needs a name of 8 to 64 characters", http.StatusBadRequest)
		return
	}
	t, isNew, err := p.openTab(id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	t.enter()
	defer t.leave()
	h.Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	if isNew {
		go p.sendInitialState(t)
	}
	at, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	beat := time.NewTicker(20 * time.Second)
	defer beat.Stop()
	for {
		_ = flush.SetWriteDeadline(time.Now().Add(time.Minute))
		for _, e := range t.buffer.after(at) {
			if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", e.id, e.data); err != nil {
				return
			}
			at = e.id
		}
		if flush.Flush() != nil {
			return
		}
		select {
		case <-t.buffer.wake:
		case <-beat.C:
			if _, err := fmt.Fprint(w, ": keep-alive\n\n"); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-p.ctx.Done():
			return
		}
	}
}

func (t *tab) enter() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.streams++
	if t.gone != nil {
		t.gone.Stop()
		t.gone = nil
	}
}

// leave closes the tab after tabGrace, unless its stream is opened again.
func (t *tab) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.streams--; t.streams == 0 && !t.closed {
		t.gone = time.AfterFunc(tabGrace, func() {
			t.preview.mu.Lock()
			if t.preview.tabs[t.id] == t {
				delete(t.preview.tabs, t.id)
			}
			t.preview.mu.Unlock()
			t.close()
			t.preview.cancelUnseen()
		})
	}
}

func (t *tab) close() {
	t.mu.Lock()
	t.closed = true
	views := t.views
	t.views = map[string]*view{}
	if t.gone != nil {
		t.gone.Stop()
	}
	calls := slices.Collect(maps.Values(t.calls))
	t.mu.Unlock()
	t.buffer.close()
	for _, v := range views {
		v.closeWithoutTeardown(errPageClosed)
	}
	for _, cancel := range calls {
		(*cancel)(errPageClosed)
	}
}

func (t *tab) view(id string) *view {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.views[id]
}
