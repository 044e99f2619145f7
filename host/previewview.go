package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// greet tells a new page what there is.
func (p *Preview) greet(t *tab) {
	p.sendServer(t)
	p.sendTools(t)
}

func (p *Preview) sendServer(t *tab) {
	msg := map[string]any{"type": "server", "target": p.server.target.String()}
	if err := p.server.Err(); err != nil {
		msg["error"] = err.Error()
	}
	if session := p.server.Session(); session != nil {
		if res := session.InitializeResult(); res != nil {
			msg["info"] = res.ServerInfo
			msg["protocolVersion"] = res.ProtocolVersion
			msg["instructions"] = res.Instructions
		}
		msg["declaresUI"] = mcpapps.ServerSupportsUI(session)
	}
	t.send(msg)
}

func (p *Preview) sendTools(t *tab) {
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	tools, err := p.server.Tools(ctx)
	if err != nil {
		t.send(map[string]any{"type": "tools", "error": err.Error()})
		return
	}
	type entry struct {
		Name           string          `json:"name"`
		Title          string          `json:"title,omitempty"`
		Description    string          `json:"description,omitempty"`
		InputSchema    json.RawMessage `json:"inputSchema,omitempty"`
		ResourceURI    string          `json:"resourceUri,omitempty"`
		Problem        string          `json:"problem,omitempty"`
		VisibleToModel bool            `json:"visibleToModel"`
		CallableByApp  bool            `json:"callableByApp"`
	}
	list := make([]entry, len(tools))
	for i, tool := range tools {
		title := tool.Title
		if title == "" && tool.Annotations != nil {
			title = tool.Annotations.Title
		}
		list[i] = entry{Name: tool.Name, Title: title, Description: tool.Description, InputSchema: tool.schema(),
			ResourceURI: tool.UI.ResourceURI, VisibleToModel: tool.VisibleToModel, CallableByApp: tool.CallableByApp}
		if tool.UIError != nil {
			list[i].Problem, list[i].ResourceURI = tool.UIError.Error(), ""
		}
	}
	t.send(map[string]any{"type": "tools", "tools": list})
	if p.opts.Findings != nil {
		if session := p.server.Session(); session != nil {
			findings, err := p.opts.Findings(ctx, session)
			msg := map[string]any{"type": "findings", "findings": findings}
			if err != nil {
				msg["error"] = err.Error()
			}
			t.send(msg)
		}
	}
}

func (p *Preview) broadcastTools() {
	for _, t := range p.allTabs() {
		p.sendTools(t)
	}
}

func (p *Preview) stateChanged(err error) {
	if err != nil {
		p.logf("the server is gone: %v", err)
	}
	for _, t := range p.allTabs() {
		p.sendServer(t)
		if err == nil {
			p.sendTools(t)
		}
	}
}

// serverLine passes on what the server's process writes beside its messages.
func (p *Preview) serverLine(line string) {
	for _, t := range p.allTabs() {
		t.send(map[string]any{"type": "stderr", "text": clip([]byte(line)), "time": time.Now().UnixMilli()})
	}
}

// do carries out one command of the page. What takes time goes on after it
// returned, and reports to the page's stream.
func (t *tab) do(raw json.RawMessage) error {
	var c struct {
		Op      string          `json:"op"`
		View    string          `json:"view"`
		Call    string          `json:"call"`
		Tool    string          `json:"tool"`
		Args    json.RawMessage `json:"args"`
		Context Context         `json:"context"`
		Policy  previewPolicy   `json:"policy"`
		Mode    DisplayMode     `json:"mode"`
		Msg     json.RawMessage `json:"msg"`
		Text    string          `json:"text"`
	}
	if err := decodeCommand(raw, &c); err != nil {
		return err
	}
	switch c.Op {
	case "open":
		go t.open(c.Call, c.Tool, c.Args, c.Context, c.Policy)
		return nil
	case "call":
		go t.call(c.Call, c.Tool, c.Args, c.Text == "text-only")
		return nil
	case "restart":
		go func() {
			if err := t.preview.server.Restart(t.preview.ctx); err != nil {
				t.preview.sendServer(t)
			}
		}()
		return nil
	}
	v := t.view(c.View)
	if v == nil {
		return nil // it was closed meanwhile
	}
	switch c.Op {
	case "message":
		v.bridge.Receive(c.Msg)
	case "context":
		return v.bridge.SetContext(c.Context)
	case "mode":
		return v.bridge.SetDisplayMode(c.Mode)
	case "cancel":
		v.bridge.Cancel(nil)
	case "close":
		go v.bridge.Close(context.Background(), errors.New("closed on the preview page"))
	case "lost":
		v.note(LevelError, c.Text)
	case "list-app-tools":
		go v.listAppTools()
	case "call-app-tool":
		go v.callAppTool(c.Call, c.Tool, c.Args)
	default:
		return fmt.Errorf("a command of the page that does not exist: %q", c.Op)
	}
	return nil
}

// call calls a tool without a view.
func (t *tab) call(call, tool string, args json.RawMessage, textOnly bool) {
	server := t.preview.server
	if textOnly {
		var err error
		if server, err = t.preview.textOnly(); err != nil {
			t.send(map[string]any{"type": "result", "call": call, "error": err.Error()})
			return
		}
	}
	result, err := server.Call(t.preview.ctx, tool, args)
	t.sendResult(call, "", result, err)
}

func (t *tab) sendResult(call, view string, result json.RawMessage, err error) {
	msg := map[string]any{"type": "result", "call": call, "view": view}
	if err != nil {
		msg["error"] = err.Error()
	} else {
		msg["result"] = result
	}
	t.send(msg)
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
	b, err := t.preview.server.Open(t.preview.ctx, tool, raw, v.options(c))
	if err != nil {
		t.sendResult(call, "", nil, err)
		return
	}
	v.bridge = b
	t.send(map[string]any{"type": "opening", "call": call, "view": v.id, "tool": tool})
	go func() {
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
		Ready:    func() { v.tab.send(map[string]any{"type": "ready", "view": v.id}); v.listToolsIfAny() },
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
		Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			v.ask("sampling", map[string]any{"params": params})
			return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"This is a preview: no model is connected."},"model":"preview","stopReason":"endTurn"}`), nil
		},
		Log: func(m LogMessage) {
			v.ask("log", map[string]any{"level": m.Level, "logger": m.Logger, "data": m.Data})
		},
		AppToolsChanged: func() { go v.listAppTools() },
	}
}

func (v *previewView) listToolsIfAny() {
	if app, ok := v.bridge.AppInfo(); ok && app.Tools {
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
