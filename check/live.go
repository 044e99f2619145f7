package check

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// liveSettings are what tests change about the live part.
type liveSettings struct {
	// browser returns the browser to use, and what to call when it is needed no
	// longer. Nil is the one that tests of this process share, if it is open, else it
	// starts the installed one.
	browser func(context.Context) (*chrome.Browser, func(), error)
	// limits say how long a view is waited for. If Ready is 0, it is 6 s longer
	// than the server may take for an answer.
	limits liveview.Limits
	// tabs is how many views are open at once; 0 means 4.
	tabs int
}

func (l liveSettings) withDefaults(timeout time.Duration) liveSettings {
	if l.browser == nil {
		l.browser = openOrInstalled
	}
	if l.limits.Ready == 0 {
		l.limits.Ready = timeout + 6*time.Second
	}
	if l.tabs == 0 {
		l.tabs = 4
	}
	return l
}

func openOrInstalled(ctx context.Context) (*chrome.Browser, func(), error) {
	path, err := chrome.Find()
	if err != nil {
		return nil, nil, err
	}
	if b, done, ok := chrome.SharedIfOpen(); ok {
		return b, done, nil
	}
	b, err := chrome.Launch(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return b, b.Close, nil
}

// A liveView is a view that the live part opens, and what happened in it.
type liveView struct {
	tool    *answers.Tool
	uri     string
	outcome liveview.Outcome
	// contrast has the texts that hardly stand out, as far as it was looked for.
	contrast []liveview.Barrier
	// before and after are what it showed, as far as hosts are named: after it had
	// settled, and a moment later. nil means that nothing is known.
	before, after *sight
	// waits are the parameters of a tool call of the view that was not answered, nil if
	// all were. It is known of views that are opened again.
	waits json.RawMessage
}

// live opens each view of the server in a browser, in the preview's sandbox under
// the strict policy, and judges what happens there. Its error says that it could
// not.
func (found *findings) live(ctx context.Context, o *Options, main *answers.Record, calls *unasked.Policy, d *dialer) error {
	views := viewsToOpen(main, calls)
	settings := o.live.withDefaults(o.Timeout)
	browser, done, err := settings.browser(ctx)
	if err != nil {
		return err
	}
	defer done()
	opening := &opening{o, main, calls, d, settings, browser}
	forgotten, ended, err := opening.open(ctx, "live", views, compat.ResultWhole)
	if err != nil {
		return err
	}
	found.forgotten += forgotten
	noted := ended == nil
	for _, v := range views {
		if ended != nil && (v.outcome.Closed != nil || v.outcome.Failed != nil) { // nothing is known of the view
			noted = true
			found.add(serverDied, place{Tool: v.tool.Name, URI: v.uri}, "while the view was open, %s", answered(ended))
			continue
		}
		found.judgeView(v)
		found.judgeContrast(v)
	}
	if !noted {
		found.add(serverDied, place{}, "while views were open, %s", answered(ended))
	}
	if ended != nil {
		return nil
	}
	return found.openStripped(ctx, opening, views)
}

// An opening is what it takes to open views of a server in a browser.
type opening struct {
	options  *Options
	main     *answers.Record
	calls    *unasked.Policy
	dialer   *dialer
	settings liveSettings
	browser  *chrome.Browser
}

// open opens views over a connection of its own, with what rest says of their results.
// It returns how many sessions the server forgot, and why it ended a connection, nil if
// it ended none. Its error says that it could not open them.
func (p *opening) open(ctx context.Context, part string, views []*liveView, rest compat.Result) (forgotten int, ended, err error) {
	o, tools := p.options, p.main.ToolsByName()
	transport := &liveTransport{connect: p.dialer.connectLive(), oneAtATime: p.dialer.oneAtATime, allow: func(name string, args map[string]any) bool {
		t := tools[name]
		return t != nil && p.calls.Allows(t.ForPolicy(), args)
	}}
	defer transport.close()
	target := host.Target{Transport: func(context.Context) (mcp.Transport, error) { return transport, nil }}
	viewer, err := liveview.StartAs(ctx, target, &host.ConnectOptions{
		ProtocolVersion: rpc.MainVersion, MessageBytes: o.MaxBytes, ConnectTimeout: max(o.Timeout, o.firstTimeout),
	}, leaving(rest))
	if err != nil {
		return 0, nil, err
	}
	defer viewer.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tabs := make(chan struct{}, p.settings.tabs)
	seen := o.counted(part, len(views))
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, v := range views {
		wg.Go(func() {
			tabs <- struct{}{}
			defer func() { <-tabs }()
			open := v.open
			if rest != compat.ResultWhole {
				open = v.openAgain
			}
			if err := open(ctx, viewer, p); err != nil {
				stop(fmt.Errorf("the view %q: %w", v.uri, err)) // as the others would fail
			}
			mu.Lock()
			defer mu.Unlock()
			seen()
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return 0, nil, context.Cause(ctx)
	}
	forgotten, ended = transport.faults()
	return forgotten, ended, nil
}

// viewsToOpen returns the views that a host can show.
func viewsToOpen(main *answers.Record, calls *unasked.Policy) []*liveView {
	var list []*liveView
	for _, uri := range main.AppURIs() {
		t := opener(main, uri, calls)
		if t == nil {
			continue // said by tool-view-unreachable, or resource-unused
		}
		if r := main.Reads[uri]; r == nil || r.Err != nil || len(r.Items) == 0 {
			continue // said by resource-unreadable and resource-contents
		}
		list = append(list, &liveView{tool: t, uri: uri})
	}
	return list
}

// opener returns the tool to open a view by: one that may be called, if there
// is one.
func opener(main *answers.Record, uri string, calls *unasked.Policy) *answers.Tool {
	var first *answers.Tool
	for _, t := range main.Tools {
		if t.URI != uri || !t.Opened() {
			continue
		}
		if _, ok := calls.Arguments(t.ForPolicy()); ok {
			return t
		}
		if first == nil {
			first = t
		}
	}
	return first
}

// open opens the view and watches it. Its error says that it could not. A view that was
// paused for the errors that its scripts catch is opened again without.
func (v *liveView) open(ctx context.Context, viewer *liveview.Viewer, p *opening) error {
	paused, err := v.openOnce(ctx, viewer, p, true)
	if err != nil || !paused {
		return err
	}
	caught := v.outcome.Caught
	_, err = v.openOnce(ctx, viewer, p, false)
	v.outcome.Caught = caught
	return err
}

func (v *liveView) openOnce(ctx context.Context, viewer *liveview.Viewer, p *opening, catching bool) (paused bool, err error) {
	view, err := v.watch(ctx, viewer, p, catching)
	if err != nil {
		return false, err
	}
	defer view.Close()
	if view.Paused() {
		return true, nil
	}
	if o := &v.outcome; o.Initialized && !o.Gone() && o.Hangs == 0 {
		looking, cancel := context.WithTimeout(ctx, cmp.Or(p.settings.limits.Open, 30*time.Second))
		defer cancel()
		compared := len(p.options.hosts) > 0
		if compared {
			v.before = look(looking, view)
		}
		v.contrast, _ = view.Contrast(looking) // of a view that changes meanwhile, nothing is known
		if compared {
			v.after = look(looking, view)
		}
	}
	return false, nil
}

// openAgain opens the view and only looks at what it shows.
func (v *liveView) openAgain(ctx context.Context, viewer *liveview.Viewer, p *opening) error {
	view, err := v.watch(ctx, viewer, p, false)
	if err != nil {
		return err
	}
	defer view.Close()
	if o := &v.outcome; o.Initialized && !o.Gone() && o.Hangs == 0 {
		looking, cancel := context.WithTimeout(ctx, cmp.Or(p.settings.limits.Open, 30*time.Second))
		defer cancel()
		v.after = look(looking, view)
	}
	for _, x := range view.Exchanges() {
		if x.Method == "tools/call" && !x.Answered && v.waits == nil {
			v.waits = x.Params
		}
	}
	return nil
}

// calledTool returns the name in the parameters of tools/call.
func calledTool(params json.RawMessage) string {
	var p struct{ Name string }
	_ = json.Unmarshal(params, &p)
	return p.Name
}

// watch opens the view and watches it until it settles.
func (v *liveView) watch(ctx context.Context, viewer *liveview.Viewer, p *opening, catching bool) (*liveview.View, error) {
	args, called := p.calls.Arguments(v.tool.ForPolicy())
	request := liveview.Request{Tool: v.tool.Name, Catching: catching, Record: len(p.options.hosts) > 0}
	if args != nil {
		raw, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		request.Args = raw
	}
	starting, cancel := context.WithTimeout(ctx, time.Minute) // for a browser that does not answer
	defer cancel()
	view, err := viewer.Open(starting, p.browser, request)
	if err != nil {
		return nil, err
	}
	v.outcome, err = view.Watch(ctx, called, p.settings.limits)
	if err != nil {
		view.Close()
		return nil, err
	}
	return view, nil
}
