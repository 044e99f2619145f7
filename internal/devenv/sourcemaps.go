package devenv

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
)

var sourceMaps = sync.OnceValue(func() *atomic.Bool {
	var on atomic.Bool
	on.Store(os.Getenv(SourceMaps) == "1")
	return &on
})

// SourceMapsEnabled reports whether bundles get source maps: the variable
// [SourceMaps] was set when this was first asked, or [EnableSourceMaps] was called.
func SourceMapsEnabled() bool { return sourceMaps().Load() }

// EnableSourceMaps gives the bundles of this process source maps from now on, for
// tests that show views in the process of their server.
func EnableSourceMaps() { sourceMaps().Store(true) }

// A Note is what the bundler says about a document while it is read.
type Note struct {
	mu        sync.Mutex
	document  string
	sourceMap any
}

type noteKey struct{}

// WithNote returns the context of a read in which [GiveSourceMap] leaves the map in
// the note. Without source maps it returns the context as it is, and nil.
func WithNote(ctx context.Context) (context.Context, *Note) {
	if !SourceMapsEnabled() {
		return ctx, nil
	}
	n := &Note{}
	return context.WithValue(ctx, noteKey{}, n), n
}

// GiveSourceMap notes the map of a document that a handler returns. It belongs to the
// note from then on.
func GiveSourceMap(ctx context.Context, document string, sourceMap any) {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.document, n.sourceMap = document, sourceMap
	}
}

// SourceMap returns the map of a document, nil if it has none. A document that a
// handler has changed after bundling has none, since every position would be wrong.
func (n *Note) SourceMap(document string) any {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sourceMap == nil || n.document != document {
		return nil
	}
	return n.sourceMap
}
