package host

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// A previewView is one view on the page.
type previewView struct {
	preview     *Preview
	tab         *tab
	id          string // its name in NAME.localhost
	reportToken string
	mode        previewPolicy
	bridge      *Bridge
	app         *mcpapps.App
	reports     reports
}

// open opens a tool's view on the page.
func (t *tab) open(call, tool string, args json.RawMessage, c Context, mode previewPolicy) {
	if mode != policyLoose {
		mode = policyStrict
	}
	v := &previewView{preview: t.preview, tab: t, id: randomName(), reportToken: randomName(), mode: mode}
	var raw any
	if len(args) > 0 {
		raw = args
	}
	ctx, done := t.callContext(call)
	b, err := t.preview.server.Open(ctx, tool, raw, v.options(c))
	if err != nil {
		done()
		t.sendResult(call, "", nil, err)
		return
	}
	v.bridge = b
	t.send(map[string]any{"type": "opening", "call": call, "view": v.id, "tool": tool})
	go func() {
		defer done()
		result, err := b.Result(t.preview.ctx)
		t.sendResult(call, v.id, result, err)
	}()
	app, err := b.App(t.preview.ctx)
	if err != nil {
		t.send(map[string]any{"type": "failed", "view": v.id, "text": "The view can't be read: " + err.Error()})
		b.fail(err)
		return
	}
	v.app = app
	t.mu.Lock()
	closed := t.closed
	if !closed {
		t.views[v.id] = v
	}
	t.mu.Unlock()
	if closed {
		b.fail(errors.New("the page was closed"))
		return
	}
	t.preview.mu.Lock()
	t.preview.views[v.id] = v
	t.preview.mu.Unlock()
	b.Attach(TransportFunc(func(msg json.RawMessage) error { return nil })) // the trace carries the messages
	for _, dropped := range app.UI.CSP.Dropped() {
		v.note(LevelError, "left out of the policy: "+dropped.Error())
	}
	if app.MetadataErr != nil {
		v.note(LevelError, "the resource's _meta: "+app.MetadataErr.Error())
	}
	t.send(map[string]any{
		"type": "view", "view": v.id, "src": v.origin() + "/", "origin": v.origin(),
		"allow": app.UI.Permissions.Allow(), "sandbox": SandboxAttribute,
		"border": app.UI.PrefersBorder, "uri": app.URI, "bytes": len(app.HTML), "policy": v.mode,
		"csp": shownPolicy(v), "declared": app.UI,
	})
}

func shownPolicy(v *previewView) string {
	if v.mode == policyLoose {
		return loosen(v.app.UI.CSP)
	}
	return v.app.UI.CSP.Policy()
}

func (v *previewView) close(reason error) {
	v.preview.mu.Lock()
	delete(v.preview.views, v.id)
	v.preview.mu.Unlock()
	v.tab.mu.Lock()
	delete(v.tab.views, v.id)
	v.tab.mu.Unlock()
	v.tab.send(map[string]any{"type": "closed", "view": v.id, "text": reason.Error()})
}

func (v *previewView) note(level Level, text string) {
	v.trace(Entry{Time: time.Now(), Direction: Note, Text: text, Level: level})
}

// trace sends every entry to the page; the messages to the view go on to its
// frame from there. What comes from the view goes back shortened: the page has
// it.
func (v *previewView) trace(e Entry) {
	msg := map[string]any{"type": "entry", "view": v.id, "time": e.Time.UnixMilli(), "dir": e.Direction}
	if e.Text != "" {
		msg["text"] = e.Text
	}
	if e.Level != LevelInfo {
		msg["level"] = e.Level
	}
	switch {
	case e.Message == nil:
	case e.Direction == FromView && len(e.Message) > 100<<10 || !json.Valid(e.Message):
		msg["text"] = clip(e.Message)
	default:
		msg["msg"] = e.Message
	}
	v.tab.send(msg)
}

// ask tells the page of something that a host would ask the user about. The
// preview agrees, and shows it.
func (v *previewView) ask(kind string, fields map[string]any) {
	fields["type"], fields["view"], fields["kind"] = "action", v.id, kind
	fields["time"] = time.Now().UnixMilli()
	v.tab.send(fields)
}

// options are the callbacks of a view: all that the surface has, so that an
// author sees each work.
func (v *previewView) options(c Context) *ViewOptions {
	return &ViewOptions{
		HostInfo: &mcp.Implementation{Name: "mcpapps preview", Version: mcpapps.SpecVersion},
		Context:  c,
		Trace:    v.trace,
		Closed:   v.close,
		Ready:    v.ready,
		SizeChanged: func(s Size) {
			v.tab.send(map[string]any{"type": "size", "view": v.id, "width": s.Width, "height": s.Height})
		},
		RequestTeardown: func() { v.bridge.Close(context.Background(), errors.New("the view asked to be closed")) },
		OpenLink: func(_ context.Context, link *url.URL) error {
			v.ask("link", map[string]any{"url": link.String()})
			return nil
		},
		Message: func(_ context.Context, m *ViewMessage) error {
			v.ask("message", map[string]any{"content": m.Raw})
			return nil
		},
		UpdateModelContext: func(_ context.Context, m *ModelContext) error {
			v.ask("context", map[string]any{"params": m.Raw})
			return nil
		},
		Download: func(_ context.Context, files []Download) error {
			list := make([]map[string]any, len(files))
			for i, f := range files {
				list[i] = map[string]any{"name": f.Name, "mimeType": f.MIMEType, "uri": f.URI, "link": f.Link, "data": f.Data}
			}
			v.ask("download", map[string]any{"files": list})
			return nil
		},
		DisplayMode: func(_ context.Context, mode DisplayMode) (DisplayMode, error) {
			v.tab.send(map[string]any{"type": "mode", "view": v.id, "mode": mode})
			return mode, nil
		},
		Sample: v.sample,
		Log: func(m LogMessage) {
			v.ask("log", map[string]any{"level": m.Level, "logger": m.Logger, "data": m.Data})
		},
		AppToolsChanged: func() { go v.listAppTools() },
	}
}

// ready tells the page of a view that is there, and lists its tools if it has
// any.
func (v *previewView) ready() {
	app, _ := v.bridge.AppInfo()
	v.tab.send(map[string]any{"type": "ready", "view": v.id, "modes": app.AvailableDisplayModes})
	if app.Tools {
		go v.listAppTools()
	}
}

func (v *previewView) listAppTools() {
	tools, err := v.bridge.AppTools(v.preview.ctx)
	msg := map[string]any{"type": "app-tools", "view": v.id, "tools": tools}
	if err != nil {
		msg["error"] = err.Error()
	}
	v.tab.send(msg)
}

func (v *previewView) callAppTool(call, tool string, args json.RawMessage) {
	result, err := v.bridge.CallAppTool(v.preview.ctx, tool, args, nil)
	v.tab.sendResult(call, v.id, result, err)
}
