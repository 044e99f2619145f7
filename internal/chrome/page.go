package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// A Page is one tab with all its frames.
type Page struct {
	b       *Browser
	session string
	target  string

	mu         sync.Mutex
	console    []string
	events     []string
	eventBytes int
	exceptions []Exception
}

// Open opens a page of the given size in CSS pixels, in the dark scheme or the
// light one.
func (b *Browser) Open(ctx context.Context, url string, width, height int, dark bool) (*Page, error) {
	raw, err := b.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"})
	if err != nil {
		return nil, err
	}
	var t struct{ TargetID string }
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, err
	}
	raw, err = b.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": t.TargetID, "flatten": true})
	if err != nil {
		return nil, err
	}
	var s struct{ SessionID string }
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	p := &Page{b: b, session: s.SessionID, target: t.TargetID}
	b.mu.Lock()
	b.pages[s.SessionID] = p
	b.mu.Unlock()
	if err := b.prepare(ctx, s.SessionID); err != nil {
		return nil, err
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	for _, c := range []struct {
		method string
		params any
	}{
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}},
		{"Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}},
		{"Page.enable", nil},
		{"Page.navigate", map[string]any{"url": url}},
	} {
		if _, err := b.call(ctx, s.SessionID, c.method, c.params); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Close closes the page.
func (p *Page) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = p.b.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": p.target})
}

// Screenshot returns what the page shows as a PNG.
func (p *Page) Screenshot(ctx context.Context) ([]byte, error) {
	raw, err := p.b.call(ctx, p.session, "Page.captureScreenshot", map[string]any{"format": "png"})
	if err != nil {
		return nil, err
	}
	var shot struct{ Data []byte }
	return shot.Data, json.Unmarshal(raw, &shot)
}

// Press presses a key, such as "Tab", in the page.
func (p *Page) Press(ctx context.Context, key string) error {
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37, " ": 32}
	for _, kind := range []string{"rawKeyDown", "char", "keyUp"} {
		params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		if kind == "char" {
			text := map[string]string{"Enter": "\r", " ": " "}[key]
			if text == "" {
				continue
			}
			params["text"] = text
		}
		if _, err := p.b.call(ctx, p.session, "Input.dispatchKeyEvent", params); err != nil {
			return err
		}
	}
	return nil
}

// Console returns what the page and its frames wrote to the console.
func (p *Page) Console() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.console...)
}

// Eval runs an expression in the page and decodes its value into v, unless v is
// nil. Promises are awaited.
func (p *Page) Eval(ctx context.Context, expression string, v any) error {
	return p.eval(ctx, p.session, 0, expression, v)
}

func (p *Page) eval(ctx context.Context, session string, id int, expression string, v any) error {
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}
	if id != 0 {
		params["contextId"] = id
	}
	raw, err := p.b.call(ctx, session, "Runtime.evaluate", params)
	if err != nil {
		return err
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if e := r.ExceptionDetails; e != nil {
		return fmt.Errorf("%s %s", e.Text, e.Exception.Description)
	}
	if v == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, v)
}

// EvalIn runs an expression in the document among the page's frames whose path
// is the given one, the last if there are several.
func (p *Page) EvalIn(ctx context.Context, path, expression string, v any) error {
	p.b.mu.Lock()
	contexts := append([]execContext(nil), p.b.contexts...)
	p.b.mu.Unlock()
	for i := len(contexts) - 1; i >= 0; i-- {
		c := contexts[i]
		if c.page != p {
			continue
		}
		var href string
		if p.eval(ctx, c.session, c.id, "location.pathname", &href) == nil && href == path && c.session != p.session {
			return p.eval(ctx, c.session, c.id, expression, v)
		}
	}
	return fmt.Errorf("no frame shows %s", path)
}

// Crash ends the process of the frame whose path is the given one, as a fault
// in it would.
func (p *Page) Crash(ctx context.Context, path string) error {
	p.b.mu.Lock()
	contexts := append([]execContext(nil), p.b.contexts...)
	p.b.mu.Unlock()
	for _, c := range contexts {
		var href string
		if c.page != p || c.session == p.session || p.eval(ctx, c.session, c.id, "location.pathname", &href) != nil || href != path {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		_, _ = p.b.call(ctx, c.session, "Page.crash", nil) // who would answer died
		return nil
	}
	return fmt.Errorf("no frame shows %s", path)
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
