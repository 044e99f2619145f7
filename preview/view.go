package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A view is one view on the page.
type view struct {
	preview   *Preview
	tab       *tab
	name      string // in NAME.localhost
	tool      string
	args      json.RawMessage // of the call that opened it
	page      string          // the name of the page, see ViewURL
	mode      policyMode
	host      string                                     // whose ID it is shown as, "" for the preview's own
	emulation *host.Emulation                            // of that host
	declared  atomic.Pointer[mcpapps.ResourceUIMetadata] // also what that host ignores; nil without it
	bridge    *host.Bridge
	first     *view              // of which this is the twin
	missing   *ratelimit.Limiter // of notes about files that do not exist
	hints     hints
	began     int64              // how often documents had been read again before this one
	entries   *ratelimit.Limiter // of the console
	console   bool               // the page wants to know what the document writes to the console
	entry     entry              // from which it was opened

	ended error // why it was closed; tab.mu guards it

	mu  sync.Mutex
	uri string         // of its document, "" before that was read
	app *appclient.App // nil until there is a document
	at  places         // in that document

	modelContext modelContext
}

// An openCommand is the page's command to open the view of a tool.
type openCommand struct {
	Call    string           `json:"call"`
	Page    string           `json:"page"`
	Tool    string           `json:"tool"`
	Args    json.RawMessage  `json:"args"`
	Context host.HostContext `json:"context"`
	Policy  policyMode       `json:"policy"`
	Console bool             `json:"console"` // of a page that people look at
	Host    string           `json:"host"`    // the ID of the host to emulate
	Entry   *entryCommand    `json:"entry"`   // nil: as by the model
}

// newView returns a view without a bridge.
func (t *tab) newView(c openCommand) *view {
	v := &view{
		preview: t.preview, tab: t, name: randomName(), tool: c.Tool, args: c.Args, page: c.Page, mode: c.Policy, host: c.Host,
		console: c.Console, entries: newEntries(), missing: ratelimit.New(20, 100),
		began: t.preview.rereads.Load(),
	}
	v.hints.view, v.hints.patience = v, t.preview.patience
	return v
}

// open opens a tool's view on the page.
func (t *tab) open(c openCommand) {
	if c.Policy != policyLoose {
		c.Policy = policyStrict
	}
	v := t.newView(c)
	var args any
	if len(c.Args) > 0 {
		args = c.Args
	}
	ctx, done := t.callContext(c.Call)
	var b *host.Bridge
	var use use
	profile, err := t.preview.profile(c.Host)
	if err == nil {
		v.emulate(profile)
		err = v.enter(c, profile)
	}
	if err == nil {
		use, err = t.preview.turns.use(ctx, withViews)
	}
	if err == nil {
		b, err = use.conn.Open(host.WithCallMeta(use.ctx, v.callMeta(c.Context)), c.Tool, args, v.options(c.Context))
		use.done()
	}
	if err != nil {
		v.leaveEntry()
		done()
		t.preview.emit(Event{Kind: EventFailed, Page: c.Page, Tool: c.Tool, Err: err})
		t.sendResult(c.Call, "", nil, err)
		return
	}
	v.bridge = b
	t.send(map[string]any{"type": "opening", "call": c.Call, "view": v.name, "tool": c.Tool})
	go func() {
		defer done()
		result, err := b.WaitResult(t.preview.ctx)
		v.emit(Event{Kind: EventResult, Result: result, Err: err})
		t.sendResult(c.Call, v.name, result, err)
	}()
	app, err := b.WaitApp(t.preview.ctx)
	if problem := bundleError(err); problem != nil && v.console {
		v.awaitDocument(problem, err)
		return
	}
	if err != nil {
		v.fail(fmt.Errorf("the view can't be read: %w", err))
		return
	}
	t.preview.documents.add(app)
	v.appear(app)
}

// appear shows a view whose document was read on the page.
func (v *view) appear(app *appclient.App) {
	v.setDocument(app)
	if err := v.register(); err != nil {
		v.fail(fmt.Errorf("the view was closed: %w", err))
		return
	}
	v.show(app)
	go v.preview.subscribe(app.URI)
	v.catchUp()
}

// catchUp reads the documents again if that was done while this view was not known yet.
func (v *view) catchUp() {
	if v.preview.rereads.Load() != v.began {
		go v.preview.reread("the document changed")
	}
}

// setDocument keeps what the document is.
func (v *view) setDocument(app *appclient.App) {
	at := newPlaces(app, v.origin()+"/view", v.preview.script)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.uri, v.app, v.at = app.URI, app, at
}

// places returns what finds positions in the document.
func (v *view) places() places {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.at
}

// awaitDocument covers the page with the problem for which the document can't be made.
// The view is shown once it can.
func (v *view) awaitDocument(problem *devenv.BuildError, err error) {
	var failed *appclient.ReadError
	if errors.As(err, &failed) {
		v.mu.Lock()
		v.uri = failed.URI
		v.mu.Unlock()
	}
	for _, other := range v.tab.waitingViews() {
		go other.closeWithoutTeardown(errors.New("another view was opened"))
	}
	v.emit(Event{Kind: EventFailed, Err: fmt.Errorf("the view can't be read: %w", err)})
	if err := v.register(); err != nil {
		v.fail(fmt.Errorf("the view was closed: %w", err))
		return
	}
	v.tab.buildFailed(v.name, problem)
	v.catchUp()
}

// waitingViews returns the views without a document.
func (t *tab) waitingViews() (waiting []*view) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range t.views {
		v.mu.Lock()
		if v.app == nil {
			waiting = append(waiting, v)
		}
		v.mu.Unlock()
	}
	return waiting
}

// show makes the page load the view's frame.
func (v *view) show(app *appclient.App) {
	v.bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error { return nil })) // the trace sends the messages to the page
	for _, dropped := range app.UI.CSP.Dropped() {
		v.note(host.LevelError, host.NoteMetadata, "left out of the policy: "+dropped.Error())
	}
	if app.MetadataErr != nil {
		v.note(host.LevelError, host.NoteMetadata, "invalid _meta of the resource: "+app.MetadataErr.Error())
	}
	v.emit(Event{Kind: EventOpened})
	v.hints.opened()
	v.tab.send(v.documentEvent(app))
}

// documentEvent returns what the page needs to load the document.
func (v *view) documentEvent(app *appclient.App) map[string]any {
	event := map[string]any{
		"type": "view", "view": v.name, "src": v.origin() + "/", "origin": v.origin(),
		"allow": app.UI.Permissions.Allow(), "sandbox": host.SandboxAttribute,
		"border": app.UI.PrefersBorder, "uri": app.URI, "bytes": len(app.HTML), "policy": v.mode,
		"csp": v.mode.policy(app.UI.CSP), "declared": app.UI,
	}
	if v.first != nil {
		event["twin"] = v.first.name
	}
	return event
}

// reload makes the page load the document again, as when a chat is opened again.
func (v *view) reload() {
	v.mu.Lock()
	app := v.app
	v.mu.Unlock()
	if app == nil {
		return
	}
	v.hints.opened()
	if err := v.bridge.SetContext(v.context(v.bridge.Context())); err != nil {
		return // it was closed in the meantime
	}
	event := v.documentEvent(app)
	event["type"], event["reason"] = "reload", "opened again"
	v.tab.send(event)
}

// fail ends a view that the page does not show yet.
func (v *view) fail(err error) {
	v.emit(Event{Kind: EventFailed, Err: err})
	v.tab.send(map[string]any{"type": "failed", "view": v.name, "text": err.Error()})
	v.closeWithoutTeardown(err)
}

var errPageClosed = errors.New("the page was closed")

// register makes the view reachable. It fails if the view or its tab was closed in the
// meantime, as when the server ended.
func (v *view) register() error {
	v.tab.mu.Lock()
	defer v.tab.mu.Unlock()
	switch {
	case v.tab.closed:
		return errPageClosed
	case v.ended != nil:
		return v.ended
	}
	v.tab.views[v.name] = v
	v.preview.mu.Lock()
	defer v.preview.mu.Unlock()
	v.preview.views[v.name] = v
	return nil
}

func (v *view) origin() string {
	return fmt.Sprintf("http://%s.localhost:%d", v.name, v.preview.sandboxPort)
}

// closed is called when the bridge has closed.
func (v *view) closed(reason error) {
	v.tab.mu.Lock()
	v.ended = reason
	delete(v.tab.views, v.name)
	v.preview.mu.Lock()
	delete(v.preview.views, v.name)
	v.preview.mu.Unlock()
	v.tab.mu.Unlock()
	v.hints.close()
	v.leaveEntry()
	v.tab.buildWorks(v.name)
	v.emit(Event{Kind: EventClosed, Err: reason})
	v.tab.send(map[string]any{"type": "closed", "view": v.name, "text": reason.Error(), "restart": errors.Is(reason, errRestart)})
}

// closeWithoutTeardown closes a view that can't be asked to clean up.
func (v *view) closeWithoutTeardown(reason error) {
	ended, end := context.WithCancel(context.Background())
	end()
	v.bridge.Close(ended, reason)
}

func (v *view) note(level host.Level, kind host.NoteKind, text string) {
	v.trace(host.TraceEntry{Time: time.Now(), Direction: host.Note, Level: level, Kind: kind, Text: text})
}

// trace sends every entry to the page, which passes the messages to the view on to
// its frame. Large messages from the view are sent back shortened, since the page
// has them already.
func (v *view) trace(e host.TraceEntry) {
	v.emit(Event{Kind: EventTrace, Entry: e})
	switch e.Direction {
	case host.FromView:
		v.hints.received(e.Message)
	case host.ToView:
		v.hints.sent(e.Message)
	}
	msg := map[string]any{"type": "entry", "view": v.name, "time": e.Time.UnixMilli(), "dir": e.Direction}
	if e.Text != "" {
		msg["text"] = e.Text
	}
	if e.Level != host.LevelInfo {
		msg["level"] = e.Level
	}
	switch {
	case e.Message == nil:
	case e.Direction == host.FromView && len(e.Message) > 100<<10 || !json.Valid(e.Message):
		msg["text"] = text.Shorten(string(e.Message), 80)
	default:
		msg["msg"] = e.Message
	}
	v.tab.send(msg)
}

// showAction shows what a host would ask its user to allow. The preview allows it.
func (v *view) showAction(kind string, fields map[string]any) {
	fields["type"], fields["view"], fields["kind"] = "action", v.name, kind
	fields["time"] = time.Now().UnixMilli()
	v.tab.send(fields)
}

// options returns the options of a view's bridge. They support everything that a
// view can ask for, so that its author can try all of it.
func (v *view) options(c host.HostContext) *host.BridgeOptions {
	return &host.BridgeOptions{
		HostInfo:  &mcp.Implementation{Name: "mcpapps preview", Version: mcpapps.SpecVersion},
		Context:   v.context(c),
		Emulation: v.emulation,
		Trace:     v.trace,
		Closed:    v.closed,
		Ready:     v.ready,
		// As other hosts do. There is one server here, and it is the author's own.
		AllowRead:    func(string) bool { return true },
		Forward:      v.forward,
		Answer:       v.answerer(),
		Experimental: v.experimental(),
		SizeChanged: func(s host.Size) {
			v.emit(Event{Kind: EventSized, Size: s})
			v.hints.resized(s)
			v.tab.send(map[string]any{"type": "size", "view": v.name, "width": s.Width, "height": s.Height})
		},
		RequestTeardown: func() { v.bridge.Close(context.Background(), errors.New("the view asked to be closed")) },
		OpenLink: func(_ context.Context, link *url.URL) error {
			v.showAction("link", map[string]any{"url": link.String()})
			return nil
		},
		Message: func(_ context.Context, m *host.ViewMessage) error {
			return v.message(m)
		},
		UpdateModelContext: func(_ context.Context, m *host.ModelContext) error {
			v.updateContext(m)
			return nil
		},
		Download: func(_ context.Context, files []host.Download) error {
			list := make([]map[string]any, len(files))
			for i, f := range files {
				list[i] = map[string]any{"name": f.Name, "mimeType": f.MIMEType, "uri": f.URI, "link": f.Link, "data": f.Data}
			}
			v.showAction("download", map[string]any{"files": list})
			return nil
		},
		DisplayMode: func(_ context.Context, mode host.DisplayMode) (host.DisplayMode, error) {
			v.tab.send(map[string]any{"type": "mode", "view": v.name, "mode": mode})
			return mode, nil
		},
		Sample: v.sample,
		Log: func(m host.LogMessage) {
			v.showAction("log", map[string]any{"level": m.Level, "logger": m.Logger, "data": m.Data})
		},
		AppToolsChanged: func() { go v.listAppTools() },
	}
}

// ready tells the page that the view is initialized, and lists the view's tools if
// it has any.
func (v *view) ready() {
	v.emit(Event{Kind: EventInitialized})
	v.hints.initialized()
	app, _ := v.bridge.AppInfo()
	v.tab.send(map[string]any{"type": "ready", "view": v.name, "modes": app.AvailableDisplayModes})
	if app.Tools {
		go v.listAppTools()
	}
}

func (v *view) listAppTools() {
	tools, err := v.bridge.AppTools(v.preview.ctx)
	msg := map[string]any{"type": "app-tools", "view": v.name, "tools": tools}
	if err != nil {
		msg["error"] = err.Error()
	}
	v.tab.send(msg)
}

func (v *view) callAppTool(call, tool string, args json.RawMessage) {
	result, err := v.bridge.CallAppTool(v.preview.ctx, tool, args, nil)
	v.tab.sendResult(call, v.name, result, err)
}
