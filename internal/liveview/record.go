package liveview

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// An Exchange is a request of the view to its host, and the answer.
type Exchange struct {
	Method string
	Params json.RawMessage
	// Answered is false until there is an answer: a Result, or the Code and Message
	// of an error.
	Answered bool
	Result   json.RawMessage
	Code     int
	Message  string
}

// A record keeps the view's requests with their answers, in the order of the requests.
type record struct {
	exchanges []*Exchange
	open      map[string]*Exchange // by id
	delivered bool                 // the tool's result, or that there is none
}

// maxExchanges bounds the record of a view that asks without end.
const maxExchanges = 10000

func (r *record) add(e host.TraceEntry) {
	var m struct {
		ID             json.RawMessage
		Method         string
		Params, Result json.RawMessage
		Error          *struct {
			Code    int
			Message string
		}
	}
	if e.Direction == host.Note || json.Unmarshal(e.Message, &m) != nil {
		return
	}
	if len(m.ID) == 0 {
		r.delivered = r.delivered || e.Direction == host.ToView && (m.Method == "ui/notifications/tool-result" || m.Method == "ui/notifications/tool-cancelled")
		return
	}
	id := string(m.ID)
	switch {
	case e.Direction == host.FromView && m.Method != "":
		if len(r.exchanges) == maxExchanges {
			return
		}
		x := &Exchange{Method: m.Method, Params: m.Params}
		r.exchanges = append(r.exchanges, x)
		if r.open == nil {
			r.open = make(map[string]*Exchange)
		}
		r.open[id] = x
	case e.Direction == host.ToView && m.Method == "" && r.open[id] != nil:
		x := r.open[id]
		delete(r.open, id)
		x.Answered, x.Result = true, m.Result
		if m.Error != nil {
			x.Code, x.Message = m.Error.Code, m.Error.Message
		}
	}
}

// Exchanges returns the view's requests so far. It is empty unless [Request.Record] is
// set.
func (v *View) Exchanges() []Exchange {
	v.mu.Lock()
	defer v.mu.Unlock()
	list := make([]Exchange, len(v.record.exchanges))
	for i, x := range v.record.exchanges {
		list[i] = *x
	}
	return slices.Clip(list)
}

// Delivered reports whether the outcome of the call that opened the view was sent to
// the view. It is false unless [Request.Record] is set.
func (v *View) Delivered() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.record.delivered
}

// Page returns the page that shows the view alone.
func (v *View) Page() *chrome.Page { return v.page }

// Document returns the view's document. It fails while there is none.
func (v *View) Document() (*chrome.Document, error) { return v.page.Document(viewPath) }

// Bridge returns the host's end of the view, nil if it is closed.
func (v *View) Bridge() *host.Bridge { return v.viewer.preview.Bridge(v.name) }

// Ping waits until the view has what was sent to it so far, and until what it has sent so
// far has come. A view without a runtime may answer no pings; it is waited for once.
func (v *View) Ping(ctx context.Context) {
	b := v.Bridge()
	if b == nil || v.mute.Load() {
		return
	}
	timeout := 300 * time.Millisecond
	if v.records { // where it matters more what has come than how long it takes
		timeout = 3 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if errors.Is(b.Ping(ctx), context.DeadlineExceeded) {
		v.mute.Store(true)
	}
}
