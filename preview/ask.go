package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/host"
)

// An ask is a question to the user of the page that is not answered yet.
type ask struct {
	tab    *tab // that asks it; if nil, all pages do and the first answer counts
	event  map[string]any
	answer chan askAnswer
}

// An askAnswer is what the user did: accept, decline, or cancel, which is to leave
// without a choice (MCP, Elicitation).
type askAnswer struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content"` // of an elicitation's form
	Text    string         `json:"text"`    // of a sampling message
	tab     *tab
}

// asks holds the open questions. Its mutex is held while they are sent, so that a page
// that is opened meanwhile gets each of them once.
type asks struct {
	mu   sync.Mutex
	open map[string]*ask
}

// openAsk sends the question to its pages.
func (p *Preview) openAsk(id string, q *ask) error {
	const maxOpen = 20
	l := &p.asks
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= maxOpen {
		return fmt.Errorf("too many open questions: the limit is %d", maxOpen)
	}
	if l.open == nil {
		l.open = make(map[string]*ask)
	}
	l.open[id] = q
	q.send(p, q.event)
	return nil
}

// closeAsk tells the pages how the question ended.
func (p *Preview) closeAsk(id string, q *ask, outcome map[string]any) {
	p.asks.mu.Lock()
	defer p.asks.mu.Unlock()
	delete(p.asks.open, id)
	maps.Copy(outcome, q.event)
	outcome["type"], outcome["time"] = "asked", time.Now().UnixMilli()
	q.send(p, outcome)
}

// ask shows a question and waits for its answer. If check rejects an answer, the
// page shows its error and the question stays open. Without a page, the answer is
// cancel.
func (p *Preview) ask(ctx context.Context, to *tab, kind string, fields map[string]any, check func(askAnswer) error) (askAnswer, error) {
	id := randomName()
	fields["type"], fields["ask"], fields["kind"] = "ask", id, kind
	q := &ask{tab: to, event: fields, answer: make(chan askAnswer, 1)}
	if err := p.openAsk(id, q); err != nil {
		return askAnswer{}, err
	}
	p.cancelUnseen()
	for {
		select {
		case a := <-q.answer:
			if a.Action == "accept" {
				if err := check(a); err != nil {
					a.tab.send(map[string]any{"type": "ask-again", "ask": id, "text": err.Error()})
					continue
				}
			}
			p.closeAsk(id, q, map[string]any{"action": a.Action, "content": a.Content, "text": a.Text})
			return a, nil
		case <-ctx.Done():
			p.closeAsk(id, q, map[string]any{"action": "withdrawn", "text": context.Cause(ctx).Error()})
			return askAnswer{}, context.Cause(ctx)
		case <-p.ctx.Done():
			return askAnswer{}, host.ErrConnectionClosed
		}
	}
}

func (q *ask) send(p *Preview, event map[string]any) {
	if q.tab != nil {
		q.tab.send(event)
		return
	}
	for _, t := range p.allTabs() {
		t.send(event)
	}
}

// answer handles an answer from a page. It ignores one that comes too late, after
// that of another page.
func (t *tab) answer(id string, a askAnswer) error {
	switch a.Action {
	case "accept", "decline", "cancel":
	default:
		return fmt.Errorf("unknown answer %q: want accept, decline or cancel", a.Action)
	}
	asks := &t.preview.asks
	asks.mu.Lock()
	q := asks.open[id]
	asks.mu.Unlock()
	if q == nil || q.tab != nil && q.tab != t {
		return nil
	}
	a.tab = t
	select {
	case q.answer <- a:
	default: // another page was first
	}
	return nil
}

// sendTo shows the open questions on a new page. The caller holds the mutex.
func (l *asks) sendTo(t *tab) {
	for _, q := range l.open {
		if q.tab == nil {
			t.send(q.event)
		}
	}
}

// cancelUnseen cancels the questions that no page shows.
func (p *Preview) cancelUnseen() {
	if len(p.allTabs()) > 0 {
		return
	}
	p.asks.mu.Lock()
	defer p.asks.mu.Unlock()
	for _, q := range p.asks.open {
		select {
		case q.answer <- askAnswer{Action: "cancel"}:
		default:
		}
	}
}

// setElicitationHandler makes the user of the page answer the server's questions,
// unless the embedding program does.
func (p *Preview) setElicitationHandler(o *mcp.ClientOptions) {
	if o.ElicitationHandler != nil {
		return
	}
	o.ElicitationHandler = p.elicit
	var caps mcp.ClientCapabilities // without the roots that the SDK declares by default: a preview has none
	if o.Capabilities != nil {
		caps = *o.Capabilities
	}
	if caps.Elicitation == nil {
		caps.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
	}
	p.declareForms(&caps)
	o.Capabilities = &caps
}

// elicit asks the user of the page on the server's behalf.
func (p *Preview) elicit(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	params := req.Params
	fields := map[string]any{"message": params.Message}
	check := func(askAnswer) error { return nil }
	if params.URL != "" {
		link, err := host.CheckLink(params.URL)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		fields["url"], fields["host"] = link.String(), link.Host
	} else if schema, ok := p.extendedSchema(params); ok {
		fields["form"] = extendedFormOf(schema)
		check = func(a askAnswer) error { return checkExtended(schema, a.Content) }
	} else {
		schema, err := json.Marshal(params.RequestedSchema)
		if err != nil {
			return nil, err
		}
		fields["form"] = formOf(schema, true)
		check = func(a askAnswer) error { return validateForm(schema, a.Content) }
	}
	a, err := p.ask(ctx, nil, "elicitation", fields, check)
	if err != nil {
		return nil, err
	}
	result := &mcp.ElicitResult{Action: a.Action}
	if a.Action == "accept" && params.URL == "" {
		result.Content = a.Content
	}
	return result, nil
}

// cannedText is the answer that the page suggests, since a preview has no model.
const cannedText = "This is a preview: no model is connected."

// sample lets the user of the page answer as the model.
func (v *view) sample(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	a, err := v.preview.ask(ctx, v.tab, "sampling", map[string]any{"view": v.name, "params": params, "canned": cannedText}, func(askAnswer) error { return nil })
	if err != nil {
		return nil, err
	}
	if a.Action != "accept" {
		return nil, errors.New("the user declined the request to the model")
	}
	return json.Marshal(map[string]any{
		"role": "assistant", "content": map[string]any{"type": "text", "text": a.Text},
		"model": "preview", "stopReason": "endTurn",
	})
}
