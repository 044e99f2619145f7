package devenv

import (
	"context"
	"maps"
	"sync"
)

// A Note is what the bundler says about a document while it is read.
type Note struct {
	mu       sync.Mutex
	document string
	values   map[string]any
}

type noteKey struct{}

// WithNote returns the context of a read in which [Tell] leaves what it is told in the
// note. In a process that nobody started for that, it returns the context as it is,
// and nil.
func WithNote(ctx context.Context) (context.Context, *Note) {
	if !SourceMapsEnabled() && !SourcesGiven() {
		return ctx, nil
	}
	n := &Note{}
	return context.WithValue(ctx, noteKey{}, n), n
}

// Tell notes a value about the document that a handler returns, under [MapKey] or
// [FilesKey]. It belongs to the note from then on.
func Tell(ctx context.Context, document, key string, value any) {
	n, ok := ctx.Value(noteKey{}).(*Note)
	if !ok {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.document != document || n.values == nil {
		n.document, n.values = document, make(map[string]any)
	}
	n.values[key] = value
}

// AddTo returns the _meta of a content item with what was noted about its document.
// A document that a handler has changed after bundling gets no source map, since every
// position would be wrong.
func (n *Note) AddTo(meta map[string]any, document string) map[string]any {
	if n == nil {
		return meta
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	added := maps.Clone(meta)
	for key, value := range n.values {
		if key == MapKey && document != n.document {
			continue
		}
		if added == nil {
			added = make(map[string]any)
		}
		added[key] = value
	}
	return added
}

// WithoutNote returns the _meta of a content item without what AddTo adds.
func WithoutNote(meta map[string]any) map[string]any {
	_, mapped := meta[MapKey]
	_, files := meta[FilesKey]
	if !mapped && !files {
		return meta
	}
	meta = maps.Clone(meta)
	delete(meta, MapKey)
	delete(meta, FilesKey)
	if len(meta) == 0 {
		return nil
	}
	return meta
}
