package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// sendInitialState sends a new page the hosts, the server, the open questions and the
// tools.
func (p *Preview) sendInitialState(t *tab) {
	p.sendHosts(t)
	p.sendServer(t)
	p.sendFailure(t)
	p.sendTools(t)
}

func (p *Preview) sendServer(t *tab) {
	conn, turn := p.turns.current()
	msg := map[string]any{"type": "server", "target": p.target, "turn": turn}
	if err := conn.Err(); err != nil {
		msg["error"] = err.Error()
	}
	if session := conn.Session(); session != nil {
		if res := session.InitializeResult(); res != nil {
			msg["info"] = res.ServerInfo
			msg["protocolVersion"] = res.ProtocolVersion
			msg["instructions"] = res.Instructions
		}
		msg["declaresUI"] = appclient.ServerSupportsUI(session)
	}
	t.send(msg)
}

func (p *Preview) broadcastServer() {
	for _, t := range p.allTabs() {
		p.sendServer(t)
	}
}

// sendTools sends the tools as the client with views gets them. While it is the
// other client's turn, it sends the previous list.
func (p *Preview) sendTools(t *tab) {
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	use, ok := p.turns.useInTurn(ctx, withViews)
	if !ok {
		if msg := p.listed.Load(); msg != nil {
			t.send(*msg)
		}
		return
	}
	tools, err := use.conn.Tools(use.ctx)
	session := use.conn.Session()
	use.done()
	if err != nil {
		t.send(map[string]any{"type": "tools", "error": err.Error()})
		return
	}
	msg := toolsEvent(tools, p.onThisMachine())
	p.listed.Store(&msg)
	t.send(msg)
	if session != nil && p.opts.Findings != nil {
		findings, err := p.opts.Findings(ctx, session)
		msg := map[string]any{"type": "findings", "findings": findings}
		if err != nil {
			msg["error"] = err.Error()
		}
		t.send(msg)
	}
}

func toolsEvent(tools []*host.Tool, onThisMachine bool) map[string]any {
	type entry struct {
		Name        string `json:"name"`
		Title       string `json:"title,omitempty"`
		Description string `json:"description,omitempty"`
		form
		ResourceURI string `json:"resourceUri,omitempty"`
		Problem     string `json:"problem,omitempty"`
		ForModel    bool   `json:"forModel"`
		ForApps     bool   `json:"forApps"`
		Unasked     bool   `json:"unasked,omitempty"` // the page may repeat a call
		entrypoints
	}
	repeats := repeatable(tools, onThisMachine)
	list, forms := make([]entry, len(tools)), toolForms(tools)
	for i, tool := range tools {
		def := tool.Tool
		title := def.Title
		if title == "" && def.Annotations != nil {
			title = def.Annotations.Title
		}
		list[i] = entry{Name: def.Name, Title: title, Description: text.Shorten(def.Description, 10<<10), form: forms[i], ResourceURI: tool.UI.ResourceURI,
			ForModel: mcpapps.VisibleTo(def, mcpapps.VisibilityModel), ForApps: mcpapps.VisibleTo(def, mcpapps.VisibilityApp),
			Unasked: repeats[def.Name], entrypoints: entrypointsOf(def)}
		if tool.UIError != nil {
			list[i].Problem, list[i].ResourceURI = tool.UIError.Error(), ""
		}
	}
	return map[string]any{"type": "tools", "tools": list}
}

func (p *Preview) broadcastTools() {
	for _, t := range p.allTabs() {
		p.sendTools(t)
	}
}

// followStates shows the states of the connection, in their order.
func (p *Preview) followStates() {
	for {
		select {
		case err := <-p.states:
			p.stateChanged(err)
		case <-p.ctx.Done():
			return
		}
	}
}

func (p *Preview) stateChanged(err error) {
	if err != nil {
		p.log.Error("the connection to the server was lost", "error", err)
		p.serverEnded(err)
	}
	for _, t := range p.allTabs() {
		p.sendServer(t)
		if err == nil {
			go p.sendTools(t)
		} else {
			p.sendFailure(t)
		}
	}
	if err == nil {
		p.serverRuns()
	}
}

// do executes one command of the page. A command that takes time continues after
// do returns, and reports to the page's stream.
func (t *tab) do(raw json.RawMessage) error {
	var c struct {
		openCommand
		Op      string            `json:"op"`
		View    string            `json:"view"`
		Mode    host.DisplayMode  `json:"mode"`
		Msg     json.RawMessage   `json:"msg"`
		Text    string            `json:"text"`
		Ask     string            `json:"ask"`
		Answer  askAnswer         `json:"answer"`
		Notice  notice            `json:"notice"`
		Entries []json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("decoding a command of the page: %w", err)
	}
	switch c.Op {
	case "open":
		if c.Console {
			t.called(lastCall{c.Tool, withViews})
		}
		go t.open(c.openCommand)
		return nil
	case "failed":
		t.preview.emit(Event{Kind: EventFailed, Page: c.Page, Err: errors.New(c.Text)})
		return nil
	case "call":
		as := withViews
		if c.Text == "text-only" {
			as = textOnly
		}
		t.called(lastCall{c.Tool, as})
		go t.call(c.openCommand, as)
		return nil
	case "cancel":
		t.cancelCall(c.Call)
		return nil
	case "answer":
		return t.answer(c.Ask, c.Answer)
	case "host":
		return t.sendHost(c.Host)
	case "restart":
		go func() {
			if err := t.preview.Restart(t.preview.ctx); err != nil {
				t.preview.sendServer(t)
			}
		}()
		return nil
	}
	v := t.view(c.View)
	if v == nil {
		return nil // it was closed in the meantime
	}
	switch c.Op {
	case "message":
		v.bridge.Receive(c.Msg)
	case "context":
		return v.bridge.SetContext(v.context(c.Context))
	case "link":
		return v.follow(c.Text)
	case "remove-context":
		return v.removeContext(c.Text)
	case "twin":
		go v.openTwin(c.Context)
	case "mode":
		return v.bridge.SetDisplayMode(c.Mode)
	case "close":
		go v.bridge.Close(context.Background(), errors.New("closed on the preview page"))
	case "notice":
		return v.notice(c.Notice)
	case "console":
		v.consolePosted(c.Entries)
	case "reload":
		v.reload()
	case "list-app-tools":
		go v.listAppTools()
	case "call-app-tool":
		go v.callAppTool(c.Call, c.Tool, c.Args)
	default:
		return fmt.Errorf("unknown command %q from the page", c.Op)
	}
	return nil
}

// call calls a tool without a view.
func (t *tab) call(c openCommand, as client) {
	ctx, done := t.callContext(c.Call)
	defer done()
	profile, err := t.preview.profile(c.Host)
	var use use
	if err == nil {
		use, err = t.preview.turns.use(ctx, as)
	}
	var result json.RawMessage
	if err == nil {
		defer use.done()
		ctx = use.ctx
		result, err = use.conn.Call(host.WithCallMeta(ctx, t.requestHints(profile, c.Context)), c.Tool, c.Args)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	t.sendResult(c.Call, "", result, err)
}

// callContext returns the context of a call from the page. done releases it.
func (t *tab) callContext(call string) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(t.preview.ctx)
	t.mu.Lock()
	t.calls[call] = &cancel
	t.mu.Unlock()
	return ctx, func() {
		t.mu.Lock()
		if t.calls[call] == &cancel { // a later call may have the same id
			delete(t.calls, call)
		}
		t.mu.Unlock()
		cancel(nil)
	}
}

func (t *tab) cancelCall(call string) {
	t.mu.Lock()
	cancel := t.calls[call]
	t.mu.Unlock()
	if cancel != nil {
		(*cancel)(errors.New("cancelled by the user"))
	}
}

func (t *tab) sendResult(call, view string, result json.RawMessage, err error) {
	msg := map[string]any{"type": "result", "call": call, "view": view}
	if err != nil {
		msg["error"] = err.Error()
	} else {
		msg["result"], msg["characters"] = result, utf8.RuneCount(result)
	}
	t.send(msg)
}
