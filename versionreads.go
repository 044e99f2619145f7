package mcpapps

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// readLimits bound the reads behind one list, which must not wait for a document
// that needs long: an app that has not been read by then is listed without a
// version.
type readLimits struct {
	each, all time.Duration
	atOnce    int
}

var defaultReadLimits = readLimits{each: time.Second, all: 2 * time.Second, atOnce: 4}

// stuckReads are the URIs of reads that lists no longer wait for. As long as such
// a read goes on, lists do not begin another, so they don't accumulate.
type stuckReads struct {
	mu   sync.Mutex
	uris map[string]int
}

func (s *stuckReads) has(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.uris[uri] > 0
}

func (s *stuckReads) add(uri string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris == nil {
		s.uris = make(map[string]int)
	}
	if s.uris[uri] += n; s.uris[uri] == 0 {
		delete(s.uris, uri)
	}
}

// A batch is the reads behind one list, or one result of a call: each app once, on
// behalf of the client that requested it.
type batch struct {
	v       *versioner
	next    mcp.MethodHandler
	session *mcp.ServerSession
	extra   *mcp.RequestExtra
	meta    mcp.Meta       // of the request
	index   map[string]int // of a URI in apps
	apps    []app
	taken   atomic.Int64
	ticks   atomic.Int64        // how long the reads go on
	panics  atomic.Pointer[any] // what a document panicked with
}

// An app is one read of a batch.
type app struct {
	uri       string
	doc       *document // nil if only the SDK can read it
	req       mcp.ReadResourceRequest
	params    mcp.ReadResourceParams
	ctx       readContext
	versioned string        // the URI with the version, once read
	resource  *mcp.Resource // the list entry with that URI, or nil if there is none
	state     atomic.Int32
}

// States of an app: what comes first of being read and being given up decides.
const (
	waiting int32 = iota
	reading
	read
	givenUp
)

func (v *versioner) newBatch(next mcp.MethodHandler, list mcp.Request) *batch {
	b := &batch{v: v, next: next}
	switch r := list.(type) {
	case *mcp.ListToolsRequest:
		b.session, b.extra = r.Session, r.Extra
		if r.Params != nil {
			b.meta = r.Params.Meta
		}
	case *mcp.ListResourcesRequest:
		b.session, b.extra = r.Session, r.Extra
		if r.Params != nil {
			b.meta = r.Params.Meta
		}
	case *mcp.CallToolRequest:
		b.session, b.extra = r.Session, r.Extra
		if r.Params != nil {
			b.meta = r.Params.Meta
		}
	}
	return b
}

func (b *batch) empty() bool { return len(b.apps) == 0 }

// add adds the app at a URI, unless the URI is of another scheme or the author's
// own version, for which it returns -1. An app without a document of this package
// may be added again. room is the number of apps that the list can have from this
// one on, or 0.
func (b *batch) add(uri string, doc *document, room int) int {
	if !strings.HasPrefix(uri, "ui://") {
		return -1
	}
	if doc == nil {
		if i, ok := b.index[uri]; ok {
			return i
		}
		if strings.Contains(uri, "v=") && versioned.MatchString(uri) {
			b.v.addOwn(uri)
			return -1
		}
		if b.index == nil {
			b.index = make(map[string]int, room)
		}
		b.index[uri] = len(b.apps)
	}
	if b.apps == nil {
		b.apps = make([]app, 0, room)
	}
	b.apps = append(b.apps, app{uri: uri, doc: doc})
	return len(b.apps) - 1
}

// at returns an app by what add returned, or nil if it has no version.
func (b *batch) at(i int) *app {
	if i >= 0 && b.apps[i].state.Load() == read && b.apps[i].versioned != "" {
		return &b.apps[i]
	}
	return nil
}

// of returns the app at a URI, or nil if it has no version.
func (b *batch) of(uri string) *app {
	if i, ok := b.index[uri]; ok {
		return b.at(i)
	}
	return nil
}

// uri returns a URI with its version, or the URI itself if it has none.
func (b *batch) uri(uri string) string {
	if a := b.of(uri); a != nil {
		return a.versioned
	}
	return uri
}

// run reads the apps. It returns after at most the limit for all, whatever the
// documents do.
func (b *batch) run(ctx context.Context) {
	left := 0
	for i := range b.apps {
		if a := &b.apps[i]; !a.is(a.doc.unchanging()) {
			left++
		} else {
			a.state.Store(read)
		}
	}
	if left == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, b.v.limits.all)
	defer cancel()
	// Most documents are fast, so one goroutine reads them, and others join it only if
	// that takes long.
	tick := time.NewTicker(b.v.limits.each / 100)
	defer tick.Stop()
	workers, running := 1, 1
	finished := make(chan struct{}, b.v.limits.atOnce)
	work := func() {
		b.work(ctx)
		finished <- struct{}{}
	}
	go work()
	for running > 0 && ctx.Err() == nil {
		select {
		case <-finished:
			running--
		case <-tick.C:
			b.ticks.Add(1)
			if workers < min(b.v.limits.atOnce, left) {
				workers++
				running++
				go work()
			}
		case <-ctx.Done():
		}
	}
	if running == 0 {
		if p := b.panics.Load(); p != nil { // where middleware of the program can recover it
			panic(*p)
		}
		return
	}
	for i := range b.apps {
		a := &b.apps[i]
		if !a.state.CompareAndSwap(waiting, givenUp) && a.state.CompareAndSwap(reading, givenUp) {
			b.v.stuck.add(a.uri, 1)
		}
	}
}

// work reads one app after the other. Those that follow each other quickly share a
// context, whose timer costs more than a read.
func (b *batch) work(all context.Context) {
	ctx, ticks := all, int64(-1)
	for i := b.taken.Add(1) - 1; i < int64(len(b.apps)) && all.Err() == nil; i = b.taken.Add(1) - 1 {
		a := &b.apps[i]
		if a.state.Load() != waiting || b.v.stuck.has(a.uri) || !a.state.CompareAndSwap(waiting, reading) {
			continue
		}
		if now := b.ticks.Load(); now != ticks {
			each, cancel := context.WithTimeout(all, b.v.limits.each)
			defer cancel() // one for each tick at most
			ctx, ticks = each, now
		}
		b.readOne(ctx, a)
	}
}

func (b *batch) readOne(ctx context.Context, a *app) {
	defer func() {
		if p := recover(); p != nil {
			b.panicked(p)
		}
		if !a.state.CompareAndSwap(reading, read) {
			b.v.stuck.add(a.uri, -1)
		}
	}()
	a.params = mcp.ReadResourceParams{URI: a.uri, Meta: b.ownMeta()}
	a.req = mcp.ReadResourceRequest{Session: b.session, Extra: b.extra, Params: &a.params}
	if a.doc != nil {
		a.ctx = readContext{ctx, a.doc}
		if text, err := a.doc.html.Text(&a.ctx, &a.req); err == nil {
			a.is(a.doc.versionedText(text))
		}
		return
	}
	res, err := b.next(ctx, methodRead, &a.req)
	if r, ok := res.(*mcp.ReadResourceResult); ok && err == nil && r != nil {
		a.versioned = withVersion(a.uri, versionOf(a.uri, r))
	}
}

func (b *batch) panicked(p any) { b.panics.CompareAndSwap(nil, &p) }

// is sets what the app is listed as, if that is known, and reports whether it is.
func (a *app) is(known *versionedText) bool {
	if known == nil {
		return false
	}
	a.versioned, a.resource = known.resource.URI, known.resource
	return true
}

func withVersion(uri, version string) string {
	switch {
	case version == "":
		return ""
	case strings.Contains(uri, "?"):
		return uri + "&v=" + version
	default:
		return uri + "?v=" + version
	}
}
