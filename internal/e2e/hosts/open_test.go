package hosts

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

//go:embed testdata/page.html
var pageHTML []byte

// offered is the context of the host before an emulation changes it.
var offered = host.HostContext{
	Theme: host.ThemeLight, DisplayMode: host.DisplayInline,
	AvailableDisplayModes: []host.DisplayMode{host.DisplayInline, host.DisplayFullscreen, host.DisplayPIP},
	ContainerDimensions:   &host.Dimensions{Width: 800, MaxHeight: 600},
}

// A program is a host that emulates another one. It shows one view at a time, in the
// frame of a page.
type program struct {
	name      string
	conn      *host.Connection
	emulation *host.Emulation
	page      *chrome.Page
	site      string // of the page, and at the end of the names of views: localhost:PORT

	mu   sync.Mutex
	view *view
}

// newProgram returns a host that emulates the profile, nil for none.
func newProgram(t *testing.T, conn *host.Connection, p *compat.Profile) *program {
	h := &program{name: "without emulation", conn: conn, emulation: host.Emulate(p)}
	if p != nil {
		h.name = p.ID
	}
	srv := httptest.NewUnstartedServer(h)
	_, port, _ := strings.Cut(srv.Listener.Addr().String(), ":")
	h.site = "localhost:" + port
	srv.Config.MaxHeaderBytes = 16 << 20
	srv.Start()
	t.Cleanup(srv.Close)
	return h
}

// show opens the view on a page of the browser, and returns what it saw.
func (h *program) show(ctx context.Context, browser *chrome.Browser) (*seen, error) {
	page, err := browser.Open(ctx, "http://"+h.site, 1400, 900, false)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	h.page = page
	if err := page.Wait(ctx, `typeof toView === "function"`); err != nil {
		return nil, err
	}
	return h.see(ctx)
}

// ServeHTTP serves the page, and the view at a name of its own.
func (h *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	v := h.view
	h.mu.Unlock()
	name, posted := strings.CutPrefix(r.URL.Path, "/from-view/")
	switch {
	case r.Host != h.site:
		host.SandboxHandler("http://"+h.site, func(r *http.Request) *host.Bridge {
			if v != nil && r.Host == v.name+"."+h.site {
				return v.bridge
			}
			return nil
		}, nil).ServeHTTP(w, r)
	case posted:
		if message, err := io.ReadAll(r.Body); err == nil && v != nil && v.name == name {
			v.bridge.Receive(message)
		}
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(pageHTML)
	}
}

// A view is an open view.
type view struct {
	program *program
	name    string
	bridge  *host.Bridge
	ready   chan struct{} // for each document that is initialized
	tried   chan struct{} // when it has tried all that it asks for
	leaves  chan struct{} // when it asks to be closed

	mu   sync.Mutex
	last report
}

// open calls a tool, shows its view, and waits until that is initialized.
func (h *program) open(ctx context.Context, name, tool string, args rowsArgs) (*view, error) {
	v := &view{program: h, name: name, ready: make(chan struct{}, 9), tried: make(chan struct{}, 9), leaves: make(chan struct{}, 9)}
	b, err := h.conn.Open(ctx, tool, args, v.options())
	if err != nil {
		return nil, err
	}
	v.bridge = b
	app, err := b.WaitApp(ctx)
	if err != nil {
		b.Close(ctx, err)
		return nil, err
	}
	b.Attach(host.TransportFunc(func(message json.RawMessage) error {
		return h.page.Eval(ctx, "toView("+string(message)+")", nil)
	}))
	h.mu.Lock()
	h.view = v
	h.mu.Unlock()
	frame, err := json.Marshal(map[string]any{
		"sandbox": host.SandboxAttribute, "allow": app.UI.Permissions.Allow(),
		"border": app.UI.PrefersBorder != nil && *app.UI.PrefersBorder,
	})
	if err != nil {
		return nil, err
	}
	if err := h.page.Eval(ctx, fmt.Sprintf("show(%q, %s)", name, frame), nil); err != nil {
		return nil, err
	}
	return v, v.wait(ctx, v.ready, "initialize")
}

// options returns those of a host that has everything.
func (v *view) options() *host.BridgeOptions {
	return &host.BridgeOptions{
		Context: offered, Emulation: v.program.emulation,
		AllowRead:          func(string) bool { return true },
		OpenLink:           func(context.Context, *url.URL) error { return nil },
		Message:            func(context.Context, *host.ViewMessage) error { return nil },
		UpdateModelContext: func(context.Context, *host.ModelContext) error { return nil },
		Download:           func(context.Context, []host.Download) error { return nil },
		DisplayMode:        func(_ context.Context, mode host.DisplayMode) (host.DisplayMode, error) { return mode, nil },
		RequestTeardown:    func() { v.leaves <- struct{}{} },
		Ready:              func() { v.ready <- struct{}{} },
		Log:                v.reported,
	}
}

// reported keeps what the view says that it saw so far.
func (v *view) reported(m host.LogMessage) {
	var r report
	if err := json.NewDecoder(bytes.NewReader(m.Data)).Decode(&r); err != nil {
		r.Problem = err.Error()
	}
	v.mu.Lock()
	v.last = r
	v.mu.Unlock()
	if r.Done {
		v.tried <- struct{}{}
	}
}

// report returns what the view has seen when everything that was sent to it so far has
// come.
func (v *view) report(ctx context.Context) (report, error) {
	if err := v.bridge.Ping(ctx); err != nil {
		return report{}, err
	}
	return v.told(), nil
}

func (v *view) told() report {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

// again loads the view's document once more, as when its chat is opened again.
func (v *view) again(ctx context.Context) (report, error) {
	if err := v.program.page.Eval(ctx, "again()", nil); err != nil {
		return report{}, err
	}
	if err := v.wait(ctx, v.ready, "initialize again"); err != nil {
		return report{}, err
	}
	return v.report(ctx)
}

func (v *view) wait(ctx context.Context, c <-chan struct{}, what string) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s does not %s: %v %v", v.name, what, v.program.page.Console(), v.program.page.Exceptions())
	}
}
