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
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// liveSettings are what tests change about the live part.
type liveSettings struct {
	// browser returns the browser to use, and what to call when it is needed no
	// longer. Nil starts the installed one.
	browser func(context.Context) (*chrome.Browser, func(), error)
	// limits say how long a view is waited for. If Ready is 0, it is 6 s longer
	// than the server may take for an answer.
	limits liveview.Limits
	// tabs is how many views are open at once; 0 means 4.
	tabs int
}

func (l liveSettings) withDefaults(timeout time.Duration) liveSettings {
	if l.browser == nil {
		l.browser = launchInstalled
	}
	if l.limits.Ready == 0 {
		l.limits.Ready = timeout + 6*time.Second
	}
	if l.tabs == 0 {
		l.tabs = 4
	}
	return l
}

func launchInstalled(ctx context.Context) (*chrome.Browser, func(), error) {
	path, err := chrome.Find()
	if err != nil {
		return nil, nil, err
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
	tools := main.ToolsByName()
	transport := &liveTransport{connect: d.connectLive(), oneAtATime: d.oneAtATime, allow: func(name string, args map[string]any) bool {
		t := tools[name]
		return t != nil && calls.Allows(t.ForPolicy(), args)
	}}
	defer transport.close()
	target := host.Target{Transport: func(context.Context) (mcp.Transport, error) { return transport, nil }}
	viewer, err := liveview.Start(ctx, target, &host.ConnectOptions{
		ProtocolVersion: rpc.MainVersion, MessageBytes: o.MaxBytes, ConnectTimeout: max(o.Timeout, o.firstTimeout),
	})
	if err != nil {
		return err
	}
	defer viewer.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tabs := make(chan struct{}, settings.tabs)
	seen := o.counted("live", len(views))
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, v := range views {
		wg.Go(func() {
			tabs <- struct{}{}
			defer func() { <-tabs }()
			if err := v.open(ctx, viewer, browser, calls, settings.limits); err != nil {
				stop(fmt.Errorf("the view %q: %w", v.uri, err)) // as the others would fail
			}
			mu.Lock()
			defer mu.Unlock()
			seen()
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	forgotten, ended := transport.faults()
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
	return nil
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
		if t.URI != uri || !t.Model {
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
func (v *liveView) open(ctx context.Context, viewer *liveview.Viewer, browser *chrome.Browser, calls *unasked.Policy, limits liveview.Limits) error {
	paused, err := v.openOnce(ctx, viewer, browser, calls, limits, true)
	if err != nil || !paused {
		return err
	}
	caught := v.outcome.Caught
	_, err = v.openOnce(ctx, viewer, browser, calls, limits, false)
	v.outcome.Caught = caught
	return err
}

func (v *liveView) openOnce(ctx context.Context, viewer *liveview.Viewer, browser *chrome.Browser, calls *unasked.Policy, limits liveview.Limits, catching bool) (paused bool, err error) {
	args, called := calls.Arguments(v.tool.ForPolicy())
	request := liveview.Request{Tool: v.tool.Name, Catching: catching}
	if args != nil {
		raw, err := json.Marshal(args)
		if err != nil {
			return false, err
		}
		request.Args = raw
	}
	starting, cancel := context.WithTimeout(ctx, time.Minute) // for a browser that does not answer
	defer cancel()
	view, err := viewer.Open(starting, browser, request)
	if err != nil {
		return false, err
	}
	defer view.Close()
	v.outcome, err = view.Watch(ctx, called, limits)
	if err != nil || view.Paused() {
		return view.Paused(), err
	}
	if o := &v.outcome; o.Initialized && !o.Gone() && o.Hangs == 0 {
		looking, cancel := context.WithTimeout(ctx, cmp.Or(limits.Open, 30*time.Second))
		defer cancel()
		v.contrast, _ = view.Contrast(looking) // of a view that changes meanwhile, nothing is known
	}
	return false, nil
}
