package mcpappstest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// PageOptions say how [Open] shows a view. Zero fields mean the defaults.
type PageOptions struct {
	// Width and Height are those of the view in CSS pixels. The defaults are 800 and
	// 600.
	Width, Height int
	// Theme is the host's theme, and the browser's color scheme. The default is
	// [host.ThemeLight].
	Theme host.Theme
	// Host is the ID of a profile of package compat, such as "chatgpt": the view is
	// shown as in that host, as far as it is known. "" is the preview's own, which
	// supports everything.
	Host string
	// Timeout bounds each wait for something in the view. Opening it may take three
	// times as long. The default is 10 s.
	Timeout time.Duration
}

// A Page is a view in a browser, opened by [Open]. Its methods, and those of its
// locators, must be called by the goroutine that runs the test: each ends the test
// with a message when it fails.
type Page struct {
	t       testing.TB
	opened  string // FILE:LINE of the call of Open
	tool    string
	timeout time.Duration
	look    time.Duration // bounds one look of a wait, so that also a slow machine looks once and the failure has a reason
	browser *chrome.Browser
	viewer  *liveview.Viewer
	view    *liveview.View

	mu   sync.Mutex
	read map[Error]int // errors that Errors returned, by how often
}

// Open calls a tool and shows its view in a browser, in the sandbox and under the
// policy of [preview], until the test ends. It returns when the view has called
// app.connect and has its result. args are the tool's arguments: nil, or a value that
// encoding/json makes an object of. Open takes at most one *PageOptions.
//
// A test binary starts one browser, in which each view has a tab, so that parallel
// tests can have views open side by side. The browser is an installed Chromium, Chrome
// or Edge, or the one whose path is in MCPAPPS_CHROMIUM. Without one, the test is
// skipped; with MCPAPPS_BROWSER=required it fails.
//
// At the end, errors of the view fail the test, see [Page.Errors].
func Open(t testing.TB, s *mcp.Server, tool string, args any, opts ...*PageOptions) *Page {
	t.Helper()
	var o PageOptions
	switch {
	case len(opts) > 1:
		t.Fatalf("mcpappstest.Open: %d options; pass at most one", len(opts))
	case len(opts) == 1 && opts[0] != nil:
		o = *opts[0]
	}
	if o.Theme != "" && o.Theme != host.ThemeLight && o.Theme != host.ThemeDark {
		t.Fatalf("mcpappstest.Open: the theme %q: use host.ThemeLight or host.ThemeDark", o.Theme)
	}
	arguments, err := marshalArguments(args)
	if err != nil {
		t.Fatalf("mcpappstest.Open: the arguments of %q: %v", tool, err)
	}
	as, ok := compat.Lookup(o.Host)
	if !ok && o.Host != "" {
		t.Fatalf("mcpappstest.Open: the host %q: use the ID of a profile that compat.Profiles returns", o.Host)
	}
	p := &Page{t: t, opened: caller(), tool: tool, timeout: cmp.Or(o.Timeout, 10*time.Second), look: 10 * time.Second, browser: testbrowser.Shared(t), read: make(map[Error]int)}
	devenv.EnableSourceMaps() // so that errors have the positions of the author's files
	ctx, cancel := context.WithTimeout(t.Context(), 3*p.timeout)
	defer cancel()
	if p.viewer, err = liveview.StartAs(ctx, host.Target{Server: s}, nil, as); err != nil {
		t.Fatalf("mcpappstest.Open: %v", err)
	}
	t.Cleanup(p.viewer.Close)
	p.view, err = p.viewer.Open(ctx, p.browser, liveview.Request{
		Tool: tool, Args: arguments, Width: o.Width, Height: o.Height, Dark: o.Theme == host.ThemeDark, Record: true,
	})
	if err != nil {
		t.Fatalf("mcpappstest.Open: %v", err)
	}
	t.Cleanup(p.end)
	p.waitOpen(ctx)
	return p
}

// marshalArguments returns the JSON object of a tool's arguments.
func marshalArguments(args any) (json.RawMessage, error) {
	if args == nil {
		return json.RawMessage(`{}`), nil
	}
	raw, err := json.Marshal(args)
	switch {
	case err != nil:
		return nil, err
	case bytes.Equal(raw, []byte("null")):
		return json.RawMessage(`{}`), nil
	case raw[0] != '{':
		return nil, fmt.Errorf("%s is not an object", text.Shorten(string(raw), 100))
	}
	return raw, nil
}

// waitOpen waits until the view is initialized and has its result.
func (p *Page) waitOpen(ctx context.Context) {
	p.t.Helper()
	giveUp := min(3*time.Second, p.timeout)
	hopeless := false
	err := p.view.Wait(ctx, func(o liveview.Outcome) bool {
		if o.Failed != nil || o.Gone() || o.Initialized && p.view.Delivered() {
			return true
		}
		hopeless = p.view.CannotInitialize(ctx, giveUp)
		return hopeless
	})
	o := p.view.Outcome()
	if err == nil && !hopeless && o.Failed == nil && !o.Gone() {
		p.settle()
		return
	}
	if o.Opened && !o.Initialized && !o.Gone() && !p.answers() {
		p.fatalf("%v", errHangs)
	}
	for _, f := range o.Failures() {
		switch f.Kind {
		case liveview.KindDocument:
			p.t.Fatalf("mcpappstest.Open: the tool %q: %s", p.tool, f.Text)
		case liveview.KindCall, liveview.KindCrash, liveview.KindLeft, liveview.KindHang, liveview.KindClosed, liveview.KindConnect, liveview.KindHandshake:
			message := f.String()
			if f.Remedy != "" {
				message += ": " + f.Remedy
			}
			p.fatalf("%s", message)
		}
	}
	if !o.Opened {
		p.fatalf("its document was not shown within %v", 3*p.timeout)
	}
	p.fatalf("it did not get the tool's result within %v", 3*p.timeout)
}

// answers reports whether scripts in the view's document have a turn.
func (p *Page) answers() bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), 2*time.Second)
	defer cancel()
	d, err := p.view.Document()
	if err == nil {
		err = d.Eval(ctx, "0", nil)
	}
	return !errors.Is(err, context.DeadlineExceeded)
}

// settle waits until the view has what was sent to it so far, and has drawn since.
func (p *Page) settle() {
	ctx, cancel := p.ctx()
	defer cancel()
	_ = p.view.Settle(ctx)
}

// gone says why the frame shows the view no longer.
func gone(o *liveview.Outcome) string {
	for _, f := range o.Failures() {
		switch f.Kind {
		case liveview.KindCrash, liveview.KindLeft, liveview.KindClosed:
			return f.Text
		}
	}
	return "its frame was removed"
}

// end closes the page, and fails the test for errors that it has not read.
func (p *Page) end() {
	p.mu.Lock()
	for _, e := range p.errors() {
		if p.read[e]--; p.read[e] < 0 {
			p.t.Errorf("mcpappstest: in the view of %q, opened at %s: %v (a test that expects it reads it with Page.Errors)", p.tool, p.opened, e)
		}
	}
	p.mu.Unlock()
	p.view.Close()
}

// caller returns where Open was called: at a test's end, the testing package knows no line
// of the test.
func caller() string {
	if _, file, line, ok := runtime.Caller(2); ok {
		return fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	return "an unknown place"
}

// fatalf ends the test with a message about the view, and with what the view shows
// and said.
func (p *Page) fatalf(format string, args ...any) {
	p.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "mcpappstest: the view of %q: %s", p.tool, fmt.Sprintf(format, args...))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), 2*time.Second)
	defer cancel()
	shown, err := p.text(ctx)
	switch {
	case err != nil:
		fmt.Fprintf(&b, "\nWhat it shows is unknown: %v", err)
	case shown == "":
		b.WriteString("\nIt shows no text.")
	default:
		fmt.Fprintf(&b, "\nIt shows:\n%s", indent(text.Shorten(shown, 2000)))
	}
	if list := p.errors(); len(list) > 0 {
		b.WriteString("\nIts errors:\n" + indent(lines(list, 20)))
	}
	if list := p.Console(); len(list) > 0 {
		b.WriteString("\nIts console:\n" + indent(lines(list, 20)))
	}
	p.t.Fatal(b.String())
}

func indent(s string) string { return "\t" + strings.ReplaceAll(s, "\n", "\n\t") }

// lines returns the last of a list, one a line.
func lines[T fmt.Stringer](list []T, most int) string {
	var b strings.Builder
	if len(list) > most {
		fmt.Fprintf(&b, "… %d before\n", len(list)-most)
		list = list[len(list)-most:]
	}
	for i, v := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(v.String())
	}
	return b.String()
}
