// Package liveview opens the views of a server's tools in Chromium, on pages of
// package preview, and tells what happens in each as one typed value, an
// [Outcome]. "mcpapps check -live" and "mcpapps screenshot" are made of it.
//
// Views may be open side by side in one browser.
package liveview

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/preview"
)

// A Viewer opens views of one server. It may be used by several goroutines at
// once.
type Viewer struct {
	preview *preview.Preview

	mu     sync.Mutex
	opened int
	views  map[string]*View // by the name of their page
}

// Start connects to the server at t. ctx bounds the start alone.
func Start(ctx context.Context, t host.Target, connect *host.ConnectOptions) (*Viewer, error) {
	return StartAs(ctx, t, connect, nil)
}

// StartAs is [Start] for views as in another host; nil is the preview's own.
func StartAs(ctx context.Context, t host.Target, connect *host.ConnectOptions, as *compat.Profile) (*Viewer, error) {
	v := &Viewer{views: make(map[string]*View)}
	p, err := preview.Start(ctx, t, &preview.Options{Connect: connect, Event: v.event, Emulate: as})
	if err != nil {
		return nil, err
	}
	v.preview = p
	return v, nil
}

// Connection returns the connection to the server.
func (v *Viewer) Connection() *host.Connection { return v.preview.Connection() }

// Close ends the connection. Close the views first.
func (v *Viewer) Close() { v.preview.Close() }

// event passes an event on to the view that it is about.
func (v *Viewer) event(e preview.Event) {
	v.mu.Lock()
	view := v.views[e.Page]
	v.mu.Unlock()
	if view != nil {
		view.event(e)
	}
}

// A Request says which view to open and how.
type Request struct {
	Tool string
	// Args are the arguments that the tool is called with, a JSON object; nil is
	// {}. Defaults of its schema are filled in.
	Args json.RawMessage
	// Width and Height are in CSS pixels; 0 means 800 and 600.
	Width, Height int
	Dark          bool // in the dark color scheme rather than the light one
	// Loose opens it under the policy of the reference example's host, which
	// allows more than the view's metadata declares.
	Loose bool
	// Host is the ID of the host as which the view is shown, as in package compat. ""
	// is the preview's own.
	Host string
	// Record keeps the view's requests with their answers, whole.
	Record bool
	// Catching tells of errors that scripts catch ([Outcome.Caught]). A view that was
	// paused for it ([View.Paused]) may have lost messages, so nothing else of it can
	// be trusted: open it again without.
	Catching bool
}

// A View is an open view on a page of its own.
type View struct {
	viewer  *Viewer
	browser *chrome.Browser
	page    *chrome.Page
	name    string
	start   time.Time
	opening time.Duration // that the browser needed to open the page
	records bool
	mute    atomic.Bool // answers no pings

	mu       sync.Mutex
	outcome  Outcome
	record   record
	requests map[string]Refusal // what would be refused: the view's pending requests, by id
	openedAt time.Time
	lastAt   time.Time // of the last event
	askedAt  time.Time // when the document was last asked whether it can initialize
}

// Open opens a view in the browser: a page that calls the tool and shows its
// view alone. Its error says that there is no page. That there is no view is an
// outcome.
func (v *Viewer) Open(ctx context.Context, b *chrome.Browser, r Request) (*View, error) {
	now := time.Now()
	view := &View{viewer: v, browser: b, records: r.Record, start: now, lastAt: now, requests: make(map[string]Refusal)}
	v.mu.Lock()
	v.opened++
	view.name = "view-" + strconv.Itoa(v.opened)
	v.views[view.name] = view
	v.mu.Unlock()
	args := "{}"
	if len(r.Args) > 0 {
		args = string(r.Args)
	}
	query := url.Values{"name": {view.name}, "tool": {r.Tool}, "args": {args}, "locale": {"en"}} // the theme follows the browser's scheme
	if r.Host != "" {
		query.Set("host", r.Host)
	}
	if r.Loose {
		query.Set("policy", "loose")
	}
	open := b.Open
	if r.Catching {
		open = b.OpenCatching
	}
	page, err := open(ctx, v.preview.ViewURL(query), cmp.Or(r.Width, 800), cmp.Or(r.Height, 600), r.Dark)
	if err != nil {
		v.forget(view)
		return nil, err
	}
	view.page, view.opening = page, time.Since(now)
	return view, nil
}

func (v *Viewer) forget(view *View) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.views, view.name)
}

// Paused reports whether the view was paused at an error, see [Request.Catching].
func (v *View) Paused() bool { return v.page.Paused() }

// Close closes the view's page.
func (v *View) Close() {
	v.viewer.forget(v)
	v.page.Close()
}

// Screenshot returns what the view looks like now as a PNG.
func (v *View) Screenshot(ctx context.Context) ([]byte, error) { return v.page.Screenshot(ctx) }

// Wait waits until the outcome so far satisfies done. It fails when ctx ends or
// the browser is gone.
func (v *View) Wait(ctx context.Context, done func(Outcome) bool) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for !done(v.Outcome()) {
		if err := v.browser.Err(); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

const pollEvery = 50 * time.Millisecond
