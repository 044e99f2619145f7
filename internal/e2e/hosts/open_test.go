package hosts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e/hostpage"
)

// offered is the context of the host before an emulation changes it.
var offered = host.HostContext{
	Theme: host.ThemeLight, DisplayMode: host.DisplayInline,
	AvailableDisplayModes: []host.DisplayMode{host.DisplayInline, host.DisplayFullscreen, host.DisplayPIP},
	ContainerDimensions:   &host.Dimensions{Width: 800, MaxHeight: 600},
}

// A program is a host that emulates another one.
type program struct {
	name      string
	conn      *host.Connection
	emulation *host.Emulation
	page      *hostpage.Page
}

// newProgram returns a host that emulates the profile, nil for none.
func newProgram(t *testing.T, conn *host.Connection, p *compat.Profile) *program {
	h := &program{name: "without emulation", conn: conn, emulation: host.Emulate(p), page: hostpage.Start(t)}
	if p != nil {
		h.name = p.ID
	}
	return h
}

// show opens the view on a page of the browser, and returns what it saw.
func (h *program) show(ctx context.Context, browser *chrome.Browser) (*seen, error) {
	if err := h.page.Open(ctx, browser, 1400, 900); err != nil {
		return nil, err
	}
	defer h.page.Close()
	return h.see(ctx)
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
	if err := h.page.Show(ctx, name, b); err != nil {
		b.Close(ctx, err)
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
	if err := v.program.page.Reload(ctx); err != nil {
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
