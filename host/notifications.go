package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

func (b *Bridge) receiveNotification(m message) {
	if b.emulation.misses(m.method) {
		b.note(LevelInfo, NoteEmulated, "the emulated host ignores "+short(m.method))
		return
	}
	switch m.method {
	case "ui/notifications/initialized":
		b.initialized()
	case "ui/notifications/size-changed":
		b.sizeChanged(m.params)
	case "ui/notifications/request-teardown":
		b.requestTeardown()
	case "notifications/message":
		b.logMessage(m.params)
	case "notifications/cancelled":
		b.cancelIncoming(m.params)
	case "notifications/progress":
		b.appProgress(m.params)
	case "notifications/tools/list_changed":
		if b.appTools != nil {
			b.appTools.Call()
		}
	case "ui/notifications/sandbox-proxy-ready":
		b.sandboxReady()
	case "ui/notifications/sandbox-view-lost": // from the proxy of SandboxHandler
		b.note(LevelError, NoteViewLost, "the view went to another page, or was stopped on the way there: its frame does not show the view any more")
	default:
		if strings.HasPrefix(m.method, "ui/notifications/sandbox-") {
			b.note(LevelError, NoteUnknown, fmt.Sprintf("ignored %s: it is between the host and its sandbox", short(m.method)))
			return
		}
		b.note(LevelWarning, NoteUnknown, fmt.Sprintf("ignored an unknown notification: %q%s", short(m.method), didYouMean(m.method)))
	}
}

// didYouMean names the notification that a similar unknown one was meant to be.
func didYouMean(method string) string {
	for _, known := range []string{"ui/notifications/initialized", "ui/notifications/size-changed", "ui/notifications/request-teardown"} {
		last := known[strings.LastIndexByte(known, '/')+1:]
		got := method[strings.LastIndexByte(method, '/')+1:]
		if got != "" && (strings.HasPrefix(last, got) || strings.HasPrefix(got, last)) {
			return fmt.Sprintf("; did you mean %q?", known)
		}
	}
	return ""
}

func (b *Bridge) sizeChanged(params json.RawMessage) {
	var p struct {
		Width  *float64 `json:"width"`
		Height *float64 `json:"height"`
	}
	if err := unmarshalParams(params, &p); err != nil {
		b.note(LevelError, NoteInvalid, "ui/notifications/size-changed: "+err.Error())
		return
	}
	var s Size
	for _, side := range []struct {
		name string
		from *float64
		to   *int
	}{{"width", p.Width, &s.Width}, {"height", p.Height, &s.Height}} {
		switch v := side.from; {
		case v == nil:
		case *v < 0:
			b.note(LevelError, NoteInvalid, fmt.Sprintf("ui/notifications/size-changed: %s is negative", side.name))
			return
		case *v > MaxViewSize:
			b.note(LevelWarning, NoteLimit, fmt.Sprintf("ui/notifications/size-changed: %s %.0f is reduced to %d", side.name, *v, MaxViewSize))
			*side.to = MaxViewSize
		default:
			*side.to = int(math.Ceil(*v))
		}
	}
	if b.opts.SizeChanged != nil {
		b.opts.SizeChanged(s)
	}
}

func (b *Bridge) logMessage(params json.RawMessage) {
	var p struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	if err := unmarshalParams(params, &p); err != nil {
		b.note(LevelError, NoteInvalid, "notifications/message: "+err.Error())
		return
	}
	if b.opts.Log != nil {
		b.opts.Log(LogMessage{Level: p.Level, Logger: p.Logger, Data: p.Data})
	}
}

// cancelIncoming cancels a request of the view, at the server too, with the view's
// reason.
func (b *Bridge) cancelIncoming(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}
	if err := unmarshalParams(params, &p); err != nil || p.RequestID == nil {
		b.note(LevelError, NoteInvalid, "notifications/cancelled without a requestId")
		return
	}
	if p.Reason == "" {
		p.Reason = "cancelled by the view"
	}
	b.mu.Lock()
	in := b.incoming[string(p.RequestID)]
	waited := in != nil && in.pool != nil && in.pool.withdraw(in.ticket)
	if waited {
		in.pool = nil
	}
	b.mu.Unlock()
	if in == nil {
		return
	}
	in.cancel(errors.New(p.Reason))
	if waited {
		b.finished(in, nil, nil)
	}
}

func (b *Bridge) appProgress(params json.RawMessage) {
	var p struct {
		ProgressToken json.RawMessage `json:"progressToken"`
	}
	if err := unmarshalParams(params, &p); err != nil {
		b.note(LevelError, NoteInvalid, "notifications/progress: "+err.Error())
		return
	}
	b.mu.Lock()
	out := b.calls[string(p.ProgressToken)]
	b.mu.Unlock()
	if out != nil && out.progress != nil {
		out.progress(params)
	}
}

// sandboxReady sends the document to the sandbox proxy, once for each document and
// when it is read. A proxy that says again that it is ready, or a view that pretends
// to be the proxy, gets nothing.
func (b *Bridge) sandboxReady() {
	b.mu.Lock()
	again := b.documents == 0
	b.proxyAsked = true
	if !again {
		b.documents--
		b.proxyWaits = true
		b.giveDocument()
	}
	none := b.opts.App == nil && b.opening == nil
	b.unlock()
	switch {
	case again:
		b.note(LevelError, NoteOrder, "ignored ui/notifications/sandbox-proxy-ready: the sandbox has its document")
	case none:
		b.note(LevelError, NoteDocument, "ui/notifications/sandbox-proxy-ready, but the bridge has no document: set BridgeOptions.App")
	}
}

// giveDocument posts the document if it is read and the proxy waits for it. b.mu is
// held.
func (b *Bridge) giveDocument() {
	app := b.opts.App
	if app == nil || !b.proxyWaits {
		return
	}
	b.proxyWaits = false
	params := map[string]any{"html": app.HTML, "sandbox": SandboxAttribute}
	for k, v := range sandboxCapability(app.UI) {
		params[k] = v
	}
	b.post(encodeCall(nil, "ui/notifications/sandbox-resource-ready", mustJSON(params)))
}
