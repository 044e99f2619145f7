package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Eval evaluates an expression in the page's own document and decodes its value
// into v, unless v is nil. It waits for a promise. It fails when the document
// goes away meanwhile.
func (p *Page) Eval(ctx context.Context, expression string, v any) error {
	c, err := p.document(ctx)
	if err != nil {
		return err
	}
	return p.eval(ctx, c, expression, v)
}

// document returns the context of the page's own document. While the page goes
// from one to the next, there is none, so it waits.
func (p *Page) document(ctx context.Context) (execContext, error) {
	for {
		p.b.mu.Lock()
		gone := p.gone
		i := slices.IndexFunc(p.b.contexts, func(c execContext) bool { return c.frame == frameKey{p.session, p.target} })
		if i >= 0 {
			defer p.b.mu.Unlock()
			return p.b.contexts[i], nil
		}
		p.b.mu.Unlock()
		if gone {
			return execContext{}, errContextGone
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-p.b.done:
			return execContext{}, errBrowserGone
		case <-ctx.Done():
			return execContext{}, fmt.Errorf("waiting for a document: %w", ctx.Err())
		}
	}
}

// EvalIn is Eval in the frame whose document has the given path, the last such
// one.
func (p *Page) EvalIn(ctx context.Context, path, expression string, v any) error {
	c, err := p.frame(path)
	if err != nil {
		return err
	}
	return p.eval(ctx, c, expression, v)
}

// frame returns the last context of a frame whose document has the path.
func (p *Page) frame(path string) (execContext, error) {
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	for _, c := range slices.Backward(p.b.contexts) {
		if c.page != p || c.frame.frame == p.target {
			continue
		}
		if u, err := url.Parse(p.b.urls[c.frame]); err == nil && u.Path == path {
			return c, nil
		}
	}
	return execContext{}, fmt.Errorf("no frame shows %s", path)
}

// Shows reports whether a frame in the page shows the document with the given path
// of its URL, and no frame loads another document.
func (p *Page) Shows(path string) bool {
	if _, err := p.frame(path); err != nil {
		return false
	}
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	for key := range p.b.loading {
		if p.b.pages[key.session] == p {
			return false
		}
	}
	return true
}

func (p *Page) eval(ctx context.Context, in execContext, expression string, v any) error {
	params := map[string]any{"expression": expression, "uniqueContextId": in.id, "returnByValue": true, "awaitPromise": true, "userGesture": true}
	c, err := p.b.send(ctx, &call{session: in.frame.session, contextID: in.id, method: "Runtime.evaluate"}, params)
	if err != nil {
		return err
	}
	raw, err := p.b.wait(ctx, c)
	if err != nil {
		return err
	}
	var r evaluated
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	return r.decode(v)
}

// evaluated is the answer to an evaluation.
type evaluated struct {
	Result struct {
		Value    json.RawMessage
		ObjectID string
	}
	ExceptionDetails *struct {
		Text      string
		Exception struct{ Description string }
	}
}

// decode decodes the value into v, unless v is nil.
func (r *evaluated) decode(v any) error {
	if e := r.ExceptionDetails; e != nil {
		return fmt.Errorf("%s %s", e.Text, e.Exception.Description)
	}
	if v == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, v)
}

// Wait evaluates an expression until it is true.
func (p *Page) Wait(ctx context.Context, expression string) error {
	var last error
	for {
		var ok bool
		if last = p.Eval(ctx, "Boolean("+expression+")", &ok); last == nil && ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", strings.TrimSpace(expression), errors.Join(ctx.Err(), last))
		case <-time.After(30 * time.Millisecond):
		}
	}
}
