package chrome

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// A Page is one tab with all its frames.
type Page struct {
	b       *Browser
	session string
	target  string // the id of the main frame, too
	media   map[string]any
	gone    bool // closed or crashed; guarded by b.mu
	crashed bool // the process of one of its frames; guarded by b.mu

	mu         sync.Mutex
	console    []Message
	exceptions []Exception
	caught     []caught
	pauses     int
	scripts    map[scriptKey]string      // URLs
	requests   map[requestKey]FailedLoad // that are pending
	loads      []FailedLoad
}

// Open opens a page of the given size in CSS pixels, in the dark scheme or the
// light one.
func (b *Browser) Open(ctx context.Context, url string, width, height int, dark bool) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.result(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p := &Page{b: b, target: target.TargetID, requests: make(map[requestKey]FailedLoad), scripts: make(map[scriptKey]string), media: map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}}
	if err := p.start(ctx, url, width, height); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (b *Browser) result(ctx context.Context, method string, params, result any) error {
	raw, err := b.call(ctx, "", method, params)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, result)
}

func (p *Page) start(ctx context.Context, url string, width, height int) error {
	var session struct{ SessionID string }
	if err := p.b.result(ctx, "Target.attachToTarget", map[string]any{"targetId": p.target, "flatten": true}, &session); err != nil {
		return err
	}
	p.session = session.SessionID
	p.b.mu.Lock()
	p.b.pages[p.session] = p
	p.b.mu.Unlock()
	if err := p.b.prepare(ctx, p.session, p, false); err != nil {
		return err
	}
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}},
		// With it a page is visible and draws beside others. Windows of their own
		// do the same and cost the browser half as much again for each page.
		{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}},
		{"Page.navigate", map[string]any{"url": url}},
	} {
		if _, err := p.b.call(ctx, p.session, c.method, c.params); err != nil {
			return err
		}
	}
	return nil
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

// Crashed reports whether the process of one of the page's frames has ended.
func (p *Page) Crashed() bool {
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	return p.crashed
}

// Crash ends the process of the frame whose document has the given path, as a
// fault in it would.
func (p *Page) Crash(ctx context.Context, path string) error {
	c, err := p.frame(path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_, _ = p.b.call(ctx, c.frame.session, "Page.crash", nil) // what would answer is gone
	return nil
}
