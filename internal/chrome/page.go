package chrome

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
)

// A Page is one tab with all its frames.
type Page struct {
	b       *Browser
	session string
	target  string         // the id of the main frame, too
	media   map[string]any // guarded by b.mu once the page is open
	groups  atomic.Int64   // of the objects of calls
	gone    bool           // closed or crashed; guarded by b.mu
	crashed bool           // the process of one of its frames; guarded by b.mu

	catching bool // see OpenCatching

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
	return b.open(ctx, url, width, height, dark, false)
}

// OpenCatching is like [Browser.Open] for a page that tells which errors its frames
// threw and caught ([Page.Caught]). For that each throw pauses the frame's process,
// and a message that another process posts to it meanwhile is lost.
func (b *Browser) OpenCatching(ctx context.Context, url string, width, height int, dark bool) (*Page, error) {
	return b.open(ctx, url, width, height, dark, true)
}

func (b *Browser) open(ctx context.Context, url string, width, height int, dark, catching bool) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.result(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	p := &Page{b: b, target: target.TargetID, catching: catching, media: scheme(dark), requests: make(map[requestKey]FailedLoad), scripts: make(map[scriptKey]string)}
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
	// A page behind others has been seen to draw nothing for it, so that the call
	// stayed pending.
	late := time.AfterFunc(frontAfter, func() {
		_, _ = p.b.send(ctx, &call{session: p.session, method: "Page.bringToFront"}, nil)
	})
	defer late.Stop()
	var shot struct{ Data []byte }
	err := p.result(ctx, "Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	return shot.Data, err
}

// frontAfter is when a page that has not drawn yet is brought to the front for it.
const frontAfter = 3 * time.Second

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
