package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps"
)

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

// A lineLimit bounds what a server's process writes beside its messages.
type lineLimit struct {
	mu   sync.Mutex
	rate bucket
	last []any // events, for pages that come later
}

const keptLines = 200

// serverLine passes on what the server's process writes beside its messages, up
// to 100 lines a second.
func (p *Preview) serverLine(line string) {
	const rate, burst, longest = 100, 1000, 2000
	now := time.Now()
	p.lines.mu.Lock()
	ok := p.lines.rate.take(now, rate, burst)
	dropped := p.lines.rate.report(now)
	p.lines.mu.Unlock()
	if dropped > 0 {
		line = fmt.Sprintf("… %d lines are left out: more than %d a second", dropped, rate)
	} else if !ok {
		return
	}
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	e := map[string]any{"type": "stderr", "text": line, "time": now.UnixMilli()}
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	p.lines.last = append(p.lines.last, e)
	if n := len(p.lines.last); n > keptLines {
		p.lines.last = slices.Delete(p.lines.last, 0, n-keptLines)
	}
	for _, t := range p.allTabs() {
		t.send(e)
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
	case "back":
		v.note(LevelInfo, c.Text)
	case "died":
		v.bridge.fail(errors.New(c.Text))
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
		if server, err = t.preview.text.get(); err != nil {
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
