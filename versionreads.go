package mcpapps

import (
	"context"
	"maps"
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

// A batch is the reads behind one list: each app once, on behalf of the client
// that requested the list.
type batch struct {
	v     *versioner
	next  mcp.MethodHandler
	req   mcp.ReadResourceRequest // without the URI
	index map[string]int          // of a URI in apps
	apps  []app
	taken atomic.Int64
}

// An app is one read of a batch.
type app struct {
	uri       string
	versioned string // the URI with the version, once read
	panicked  any    // what the document panicked with
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
	b.req.Params = &mcp.ReadResourceParams{}
	switch r := list.(type) {
	case *mcp.ListToolsRequest:
		b.req.Session, b.req.Extra = r.Session, r.Extra
		if r.Params != nil {
			b.req.Params.Meta = r.Params.Meta
		}
	case *mcp.ListResourcesRequest:
		b.req.Session, b.req.Extra = r.Session, r.Extra
		if r.Params != nil {
			b.req.Params.Meta = r.Params.Meta
		}
	}
	return b
}

func (b *batch) empty() bool { return len(b.apps) == 0 }

// add adds the app at a URI, unless the URI is of another scheme or the author's
// own version.
func (b *batch) add(uri string) {
	if !strings.HasPrefix(uri, "ui://") {
		return
	}
	if _, ok := b.index[uri]; ok {
		return
	}
	if strings.Contains(uri, "v=") && versioned.MatchString(uri) {
		b.v.addOwn(uri)
		return
	}
	if b.index == nil {
		b.index = make(map[string]int)
	}
	b.index[uri] = len(b.apps)
	b.apps = append(b.apps, app{uri: uri})
}

// of returns the URI with its version, or the URI itself if it has none.
func (b *batch) of(uri string) string {
	if i, ok := b.index[uri]; ok && b.apps[i].state.Load() == read && b.apps[i].versioned != "" {
		return b.apps[i].versioned
	}
	return uri
}

// run reads the apps. It returns after at most the limit for all, whatever the
// documents do.
func (b *batch) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, b.v.limits.all)
	defer cancel()
	var workers sync.WaitGroup
	for range min(b.v.limits.atOnce, len(b.apps)) {
		workers.Go(func() {
			for i := b.taken.Add(1) - 1; i < int64(len(b.apps)) && ctx.Err() == nil; i = b.taken.Add(1) - 1 {
				b.readOne(ctx, &b.apps[i])
			}
		})
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	select {
	case <-done:
		for i := range b.apps {
			if p := b.apps[i].panicked; p != nil { // where middleware of the program can recover it
				panic(p)
			}
		}
		return
	case <-ctx.Done():
	}
	for i := range b.apps {
		a := &b.apps[i]
		if !a.state.CompareAndSwap(waiting, givenUp) && a.state.CompareAndSwap(reading, givenUp) {
			b.v.stuck.add(a.uri, 1)
		}
	}
}

func (b *batch) readOne(ctx context.Context, a *app) {
	if b.v.stuck.has(a.uri) || !a.state.CompareAndSwap(waiting, reading) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, b.v.limits.each)
	defer cancel()
	version := ""
	defer func() {
		a.panicked = recover()
		a.versioned = withVersion(a.uri, version)
		if !a.state.CompareAndSwap(reading, read) {
			b.v.stuck.add(a.uri, -1)
		}
	}()
	req := readOf(&b.req, a.uri)
	// Handlers may write to it, and only the list itself reports progress.
	req.Params.Meta = maps.Clone(req.Params.Meta)
	delete(req.Params.Meta, "progressToken")
	res, err := b.next(ctx, methodRead, req)
	if r, ok := res.(*mcp.ReadResourceResult); ok && err == nil && r != nil {
		version = versionOf(a.uri, r)
	}
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
