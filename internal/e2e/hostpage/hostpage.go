// Package hostpage is a host for tests: a page in a browser that shows one view at a
// time in the sandbox of package host, and that loads it again as hosts do.
package hostpage

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

//go:embed page.html
var pageHTML []byte

// A Page is the host's page.
type Page struct {
	*chrome.Page        // nil until Open
	site         string // of the page, and at the end of the names of views: localhost:PORT

	mu     sync.Mutex
	name   string // of the view
	bridge *host.Bridge
}

// Start serves a page until the test ends.
func Start(t testing.TB) *Page {
	p := &Page{}
	srv := httptest.NewUnstartedServer(p)
	_, port, _ := strings.Cut(srv.Listener.Addr().String(), ":")
	p.site = "localhost:" + port
	srv.Config.MaxHeaderBytes = 16 << 20
	srv.Start()
	t.Cleanup(srv.Close)
	return p
}

// Open opens the page in a browser. The caller closes it.
func (p *Page) Open(ctx context.Context, browser *chrome.Browser, width, height int) error {
	page, err := browser.Open(ctx, "http://"+p.site, width, height, false)
	if err != nil {
		return err
	}
	if err := page.Wait(ctx, `typeof toView === "function"`); err != nil {
		page.Close()
		return err
	}
	p.Page = page
	return nil
}

// Show shows the view of a bridge in a new frame, in place of the one before. The name
// becomes a part of the view's origin.
func (p *Page) Show(ctx context.Context, name string, b *host.Bridge) error {
	app, err := b.WaitApp(ctx)
	if err != nil {
		return err
	}
	b.Attach(host.TransportFunc(func(message json.RawMessage) error {
		return p.Eval(ctx, "toView("+string(message)+")", nil)
	}))
	p.mu.Lock()
	p.name, p.bridge = name, b
	p.mu.Unlock()
	frame, err := json.Marshal(map[string]any{
		"sandbox": host.SandboxAttribute, "allow": app.UI.Permissions.Allow(),
		"border": app.UI.PrefersBorder != nil && *app.UI.PrefersBorder,
	})
	if err != nil {
		return err
	}
	return p.Eval(ctx, fmt.Sprintf("show(%q, %s)", name, frame), nil)
}

// Reload loads the view's document again, in the same frame: what runs when a page is
// left runs.
func (p *Page) Reload(ctx context.Context) error { return p.Eval(ctx, "reload()", nil) }

// Replace removes the view's frame and loads its document in a new one.
func (p *Page) Replace(ctx context.Context) error { return p.Eval(ctx, "replace()", nil) }

// ServeHTTP serves the page, and the view at a name of its own.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	name, b := p.name, p.bridge
	p.mu.Unlock()
	from, posted := strings.CutPrefix(r.URL.Path, "/from-view/")
	switch {
	case r.Host != p.site:
		host.SandboxHandler("http://"+p.site, func(r *http.Request) *host.Bridge {
			if r.Host == name+"."+p.site {
				return b
			}
			return nil
		}, nil).ServeHTTP(w, r)
	case posted:
		if message, err := io.ReadAll(r.Body); err == nil && b != nil && from == name {
			b.Receive(message)
		}
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(pageHTML)
	}
}
