package mcpapps

import (
	"context"
	"maps"
	"reflect"
	"runtime"
	"sync"
	"weak"

	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A versionedText is what one text of a document is listed as.
type versionedText struct {
	text     string
	resource *mcp.Resource // the list entry, with the version in its URI
}

// addDocument remembers the document behind a list entry, if lists can call it
// without a read through the SDK, which costs more than the rest of the list. The
// pointer is weak: the SDK holds the document as long as it is registered.
func (v *versioner) addDocument(r *mcp.Resource, doc *document) {
	if v == nil || versioned.MatchString(r.URI) {
		return
	}
	if doc.html = htmldoc.Of(doc.read); doc.html == nil {
		return
	}
	doc.listed = r
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.documents == nil {
		v.documents = make(map[string]weak.Pointer[document])
	}
	v.documents[r.URI] = weak.Make(doc)
	runtime.AddCleanup(doc, v.forgetDocument, r.URI)
}

func (v *versioner) forgetDocument(uri string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.documents[uri].Value() == nil {
		delete(v.documents, uri)
	}
}

// document returns the document behind a list entry of the SDK, or nil if the entry
// is of another registration at its URI or middleware may change what a client reads.
func (v *versioner) document(r *mcp.Resource) *document {
	if !v.direct {
		return nil
	}
	v.mu.Lock()
	doc := v.documents[r.URI].Value()
	v.mu.Unlock()
	if doc == nil || doc.listed != r {
		return nil
	}
	return doc
}

// unchanging returns what the document is listed as whoever requests the list, or
// nil if that is not known before a read.
func (d *document) unchanging() *versionedText {
	if d == nil || d.html.Kind != htmldoc.Unchanging {
		return nil
	}
	return d.last.Load()
}

// versionedText returns what the document is listed as with a text, or nil if a
// read would reject the text. The last text costs nothing if it is the same string.
func (d *document) versionedText(text string) *versionedText {
	if last := d.last.Load(); last != nil && last.text == text {
		return last
	}
	uri := d.listed.URI
	item := mcp.ResourceContents{Text: text}
	if _, err := d.finish(&item, uri); err != nil {
		return nil
	}
	version := versionOfText(uri, &item)
	if version == "" {
		return nil
	}
	r := *d.listed
	r.URI = withVersion(uri, version)
	last := &versionedText{text, &r}
	d.last.Store(last)
	return last
}

// findDocuments finds the documents behind the apps that tools name, in the SDK's
// own lists of resources.
func (b *batch) findDocuments(ctx context.Context) {
	if !b.v.direct {
		return
	}
	req := &mcp.ListResourcesRequest{Session: b.session, Extra: b.extra, Params: &mcp.ListResourcesParams{Meta: b.ownMeta()}}
	left := len(b.apps)
	for range len(b.apps) { // a page costs about as much as a few reads
		res, err := b.next(ctx, "resources/list", req)
		list, ok := res.(*mcp.ListResourcesResult)
		if err != nil || !ok || list == nil {
			return
		}
		for _, r := range list.Resources {
			if i, ok := b.index[r.URI]; ok {
				b.apps[i].doc = b.v.document(r)
				left--
			}
		}
		if left == 0 || list.NextCursor == "" {
			return
		}
		req.Params = &mcp.ListResourcesParams{Meta: b.ownMeta(), Cursor: list.NextCursor}
	}
}

// ownMeta returns a copy of the list's _meta for a request behind it: handlers may
// write to it, and only the list itself reports progress.
func (b *batch) ownMeta() mcp.Meta {
	meta := maps.Clone(b.meta)
	delete(meta, "progressToken")
	return meta
}

// isUntouched reports whether next is the handler of a server without middleware of
// the program, so that a read through it is what the registered handler returns.
func isUntouched(next mcp.MethodHandler) bool {
	code := untouched()
	return code != 0 && reflect.ValueOf(next).Pointer() == code
}

// untouched returns the code of the handler that new servers have, or 0 if the SDK
// wraps handlers of the program in the same code.
var untouched = sync.OnceValue(func() (code uintptr) {
	s := mcp.NewServer(&mcp.Implementation{Name: "untouched", Version: "1"}, nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		code = reflect.ValueOf(next).Pointer()
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(ctx, method, req)
		}
	})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		if reflect.ValueOf(next).Pointer() == code {
			code = 0
		}
		return next
	})
	return code
})
