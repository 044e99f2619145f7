package liveview

import (
	"cmp"
	"context"
	"time"
)

// Limits say how long [View.Watch] waits for what. Zero fields mean the
// defaults.
type Limits struct {
	// Open bounds what the browser and the preview's page need until they have
	// the document, beyond Ready. Default: 30 s.
	Open time.Duration
	// Ready bounds what the view needs from then on until it is initialized and
	// has its result. Default: 16 s.
	Ready time.Duration
	// Quiet is how long nothing has to happen after that for the view to count
	// as settled. It is at least twice as long as the browser needed to open the
	// page, since what happens takes longer, too, on a busy machine, and four times as
	// long while a request of the view is not answered. Default: 1.5 s.
	Quiet time.Duration
	// Settle is how long a view that does not settle is watched. Default: 6 s.
	Settle time.Duration
	// GiveUp is how long a view is waited for that, by all that is seen of it,
	// will not send ui/initialize or was refused it. Default: 3 s.
	GiveUp time.Duration
	// Respond is how long the view's script may let nothing else in its frame
	// have a turn. Default: 10 s.
	Respond time.Duration
}

func (l Limits) withDefaults() Limits {
	l.Open = cmp.Or(l.Open, 30*time.Second)
	l.Ready = cmp.Or(l.Ready, 16*time.Second)
	l.Quiet = cmp.Or(l.Quiet, 1500*time.Millisecond)
	l.Settle = cmp.Or(l.Settle, 6*time.Second)
	l.GiveUp = cmp.Or(l.GiveUp, 3*time.Second)
	l.Respond = cmp.Or(l.Respond, 10*time.Second)
	return l
}

// Watch watches the view until it is initialized and, if wantResult is set, has
// its result, and then until nothing happens any more. It ends earlier when
// there will be no view, and at the latest as the limits say. Then it looks at
// the document and returns the outcome. Its error says that ctx ended or that
// the browser is gone.
func (v *View) Watch(ctx context.Context, wantResult bool, limits Limits) (Outcome, error) {
	limits = limits.withDefaults()
	limits.Quiet = max(limits.Quiet, 2*v.opening)
	var settling time.Time
	settled := func(o Outcome) bool {
		now := time.Now()
		waited, quiet := v.times(now)
		most := limits.Ready
		if !o.Opened {
			most += limits.Open
		}
		switch {
		case o.Failed != nil || o.Gone():
			return true
		case o.Initialized && (o.Answered || !wantResult):
			if settling.IsZero() {
				settling = now
			}
			enough := limits.Quiet
			if v.asks() {
				enough *= 4
			}
			return quiet > enough || now.Sub(settling) > limits.Settle
		case waited > most, v.Paused() && (o.Answered || !wantResult) && quiet > limits.Quiet:
			return true
		}
		return v.CannotInitialize(ctx, limits.GiveUp)
	}
	for {
		if err := v.Wait(ctx, settled); err != nil {
			return Outcome{}, err
		}
		v.mu.Lock()
		last := v.lastAt
		v.mu.Unlock()
		var hangs, blank bool
		if o := v.Outcome(); o.Initialized && !o.Gone() {
			blank, hangs = v.look(ctx, limits.Respond)
			// Whoever had something to say has had a turn by now, however slow the
			// machine is. A view that goes to another page is awaited there, and one that
			// shows nothing has its requests waited for, whose failure may say why.
			more := v.happened(ctx, last) || !v.page.Shows(viewPath) || blank && v.page.IsLoading(isDocument)
			if !hangs && more && time.Since(settling) <= limits.Settle {
				continue
			}
		}
		if o := v.Outcome(); o.Opened && !o.Initialized && !o.Gone() {
			hangs = v.inspectOrHangs(ctx, limits.Respond)
		}
		o := v.Outcome()
		o.Waited, _ = v.times(time.Now())
		o.Blank = blank && wantResult && o.Answered
		if hangs {
			o.Hangs = limits.Respond
		}
		return o, nil
	}
}

// asks reports whether a request of the view is not answered.
func (v *View) asks() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.requests) > 0
}

// happened gives the page a turn, and reports whether an event came since the
// last one.
func (v *View) happened(ctx context.Context, last time.Time) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_ = v.page.Eval(ctx, "new Promise((done) => setTimeout(done, 20))", nil)
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lastAt.After(last)
}

// times returns for how long the view, or before it is opened its page, has been
// there, and for how long nothing has happened.
func (v *View) times(now time.Time) (waited, quiet time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	since := v.start
	if v.outcome.Opened {
		since = v.openedAt
	}
	return now.Sub(since), now.Sub(v.lastAt)
}

// CannotInitialize reports whether a view that is not initialized will not be, by
// all that is seen of it: its handshake was refused, or its document has no
// script, or one that failed before the handshake, and has been loaded and quiet
// for giveUp. One that is loaded for three times as long, and waits for no request,
// has forgotten to connect.
func (v *View) CannotInitialize(ctx context.Context, giveUp time.Duration) bool {
	v.mu.Lock()
	now := time.Now()
	early := v.outcome.Initialized || now.Sub(v.lastAt) < giveUp || now.Sub(v.askedAt) < giveUp/3
	if !early {
		v.askedAt = now
	}
	v.mu.Unlock()
	if early {
		return false
	}
	o := v.Outcome()
	if _, refused := o.InitializeRefused(); refused || o.InitializeSent {
		return refused
	}
	document, err := v.inspect(ctx)
	if err != nil || document.LoadedFor < float64(giveUp.Milliseconds()) {
		return false
	}
	return document.Scripts == 0 || len(o.Exceptions) > 0 ||
		document.LoadedFor > 3*float64(giveUp.Milliseconds()) && !v.page.IsLoading(isDocument)
}

// A probe is what a look at a document tells of its scripts.
type probe struct {
	known     bool
	LoadedFor float64 // milliseconds
	Scripts   int     // how many there are
	Import    string  // a view library that one imports by the name of its package, which browsers do not know
}

// inspect looks at the document's scripts.
func (v *View) inspect(ctx context.Context) (probe, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a view that is busy does not answer
	defer cancel()
	var p probe
	err := v.page.EvalIn(ctx, viewPath, `(() => {
		const [load] = performance.getEntriesByType("navigation");
		const names = /\bfrom\s*["'](mcp-app(?:\/react)?|@modelcontextprotocol\/ext-apps[^"']{0,30})["']/;
		const modules = [...document.scripts].filter((s) => s.type === "module" && !document.querySelector("script[type=importmap]"));
		return {
			LoadedFor: load?.loadEventEnd > 0 ? performance.now() - load.loadEventEnd : 0,
			Scripts: document.scripts.length,
			Import: modules.map((s) => names.exec(s.text.slice(0, 100000))?.[1]).find(Boolean) ?? "",
		};
	})()`, &p)
	if err != nil {
		return p, err
	}
	p.known = true
	v.mu.Lock()
	defer v.mu.Unlock()
	v.outcome.probe = p
	return p, nil
}

// inspectOrHangs looks at the document's scripts, and reports whether it can't since one
// hangs.
func (v *View) inspectOrHangs(ctx context.Context, respond time.Duration) (hangs bool) {
	if _, err := v.inspect(ctx); err != nil {
		_, hangs = v.look(ctx, respond)
	}
	return hangs
}

// viewPath is the path of the view's document in the sandbox.
const viewPath = "/view"
