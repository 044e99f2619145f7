package mcpapps

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/oldformats"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const methodRead = "resources/read"

// versioned matches a URI with a version; its group is the URI without it.
var versioned = regexp.MustCompile(`^(ui://.+)[?&]v=[0-9a-f]{12}$`)

// A versioner implements Options.VersionedURIs: it serves apps under URIs that
// change with their documents. A version is computed from the document that this
// client would read now, and a read ignores the version, so every version that was
// ever listed can still be read.
type versioner struct {
	limits readLimits
	stuck  stuckReads
	subs   subscriptions

	direct    bool // no middleware of the program stands between lists and documents
	readsOnly bool // lists stay as they are

	mu        sync.Mutex
	own       map[string]bool                   // URIs of the author that look versioned
	documents map[string]weak.Pointer[document] // by URI
	rewrites  map[string]rewrite                // by the tool's name
}

func newVersioner() *versioner {
	return &versioner{limits: defaultReadLimits, own: make(map[string]bool)}
}

// maxOwn bounds the URIs that are remembered as the author's.
const maxOwn = 1000

// addOwn remembers a URI that was registered or listed, if it looks versioned:
// it names itself and not a version of another.
func (v *versioner) addOwn(uri string) {
	if v == nil || !strings.Contains(uri, "v=") || !versioned.MatchString(uri) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.own) < maxOwn {
		v.own[uri] = true
	}
}

func (v *versioner) isOwn(uri string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.own[uri]
}

// base returns the URI that a client means with one that it got from a list.
func (v *versioner) base(uri string) string {
	if match := versioned.FindStringSubmatch(uri); match != nil && !v.isOwn(uri) {
		return match[1]
	}
	return uri
}

func (v *versioner) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	v.direct = isUntouched(next)
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if r, ok := req.(*mcp.ReadResourceRequest); ok && method == methodRead && r.Params != nil {
			return v.read(ctx, next, r)
		}
		if res, err, ok := v.subscription(ctx, next, method, req); ok {
			return res, err
		}
		res, err := next(ctx, method, req)
		if err != nil || jsonvalue.IsNil(res) || v.readsOnly {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.ListToolsResult:
			return v.tools(ctx, next, req, r), nil
		case *mcp.ListResourcesResult:
			return v.resources(ctx, next, req, r), nil
		case *mcp.CallToolResult:
			return v.callResult(ctx, next, req, r), nil
		}
		return res, nil
	}
}

// read reads the document at a URI without its version. If there is none, it
// reads the URI itself, and for a URI of the author in the opposite order.
func (v *versioner) read(ctx context.Context, next mcp.MethodHandler, req *mcp.ReadResourceRequest) (mcp.Result, error) {
	asked := req.Params.URI
	match := versioned.FindStringSubmatch(asked)
	if match == nil {
		return next(ctx, methodRead, req)
	}
	if v.isOwn(asked) {
		if res, err := next(ctx, methodRead, req); !appuri.IsNotFound(err) {
			return res, err
		}
	}
	res, err := next(ctx, methodRead, readOf(req, match[1]))
	if appuri.IsNotFound(err) {
		return next(ctx, methodRead, req)
	}
	r, ok := res.(*mcp.ReadResourceResult)
	if err != nil || !ok || r == nil {
		return res, err
	}
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.Contents = slices.Clone(r.Contents)
	for i, item := range c.Contents {
		if item != nil && item.URI == match[1] {
			it := *item
			it.URI = asked // hosts look for the item by the URI that they sent
			c.Contents[i] = &it
		}
	}
	return &c, nil
}

func readOf(req *mcp.ReadResourceRequest, uri string) *mcp.ReadResourceRequest {
	r, p := *req, *req.Params
	p.URI = uri
	r.Params = &p
	return &r
}

// tools returns the list with the URIs of apps versioned under each key that
// names one.
func (v *versioner) tools(ctx context.Context, next mcp.MethodHandler, req mcp.Request, r *mcp.ListToolsResult) mcp.Result {
	b := v.newBatch(next, req)
	rewrites, room := v.rewritesOf(r.Tools)
	add := func(uri string) { b.add(uri, nil, room) }
	for i, t := range r.Tools {
		if rewrites[i].meta != nil {
			add(rewrites[i].from)
		} else if t != nil {
			eachAppURI(t.Meta, add)
		}
	}
	if b.empty() {
		return r
	}
	b.findDocuments(ctx)
	b.run(ctx)
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.CacheScope = htmldoc.Private // another client may read other documents
	c.Tools = slices.Clone(r.Tools)
	copies := make([]mcp.Tool, len(r.Tools)) // one allocation for all
	for i, t := range r.Tools {
		if t == nil {
			continue
		}
		meta := rewrites[i].meta
		if meta == nil || b.uri(rewrites[i].from) != rewrites[i].to {
			if meta = b.rewritten(t); meta == nil {
				continue
			}
		}
		copies[i] = *t
		copies[i].Meta = meta
		c.Tools[i] = &copies[i]
	}
	return &c
}

// callResult returns the result of a call with the URIs of apps versioned, as tools have
// them.
func (v *versioner) callResult(ctx context.Context, next mcp.MethodHandler, req mcp.Request, r *mcp.CallToolResult) mcp.Result {
	if len(r.Meta) == 0 || r.IsError {
		return r
	}
	b := v.newBatch(next, req)
	eachAppURI(r.Meta, func(uri string) { b.add(uri, nil, 1) })
	if b.empty() {
		return r
	}
	b.findDocuments(ctx)
	b.run(ctx)
	meta := b.versionedMeta(r.Meta)
	if meta == nil {
		return r
	}
	c := *r
	c.Meta = meta
	return &c
}

func (v *versioner) resources(ctx context.Context, next mcp.MethodHandler, req mcp.Request, r *mcp.ListResourcesResult) mcp.Result {
	b := v.newBatch(next, req)
	resources, known := slices.Clone(r.Resources), false
	var apps []int // of the entries, or -1
	for i, r := range resources {
		if !isVersionable(r) {
			continue
		}
		doc := v.document(r)
		if k := doc.unchanging(); k != nil {
			resources[i], known = k.resource, true
			continue
		}
		if apps == nil {
			apps = slices.Repeat([]int{-1}, len(resources))
		}
		apps[i] = b.add(r.URI, doc, len(resources)-i)
	}
	if b.empty() && !known {
		return r
	}
	b.run(ctx)
	for i, app := range apps {
		switch a := b.at(app); {
		case a == nil:
		case a.resource != nil:
			resources[i] = a.resource
		default:
			rr := *resources[i]
			rr.URI = a.versioned
			resources[i] = &rr
		}
	}
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.CacheScope = htmldoc.Private
	c.Resources = resources
	return &c
}

// isVersionable reports whether a resource is an app, or a document of a format
// before MCP Apps, which a tool may name as one.
func isVersionable(r *mcp.Resource) bool {
	return r != nil && strings.HasPrefix(r.URI, "ui://") && (IsMIMEType(r.MIMEType) || oldformats.Note(r.MIMEType) != "")
}

// eachAppURI calls f with each URI of an app in the metadata of a tool.
func eachAppURI(meta mcp.Meta, f func(string)) {
	for _, key := range metakey.FlatURIs {
		if uri, ok := meta[key].(string); ok {
			f(uri)
		}
	}
	if v, ok := meta[keyUI]; ok && !jsonvalue.IsNull(v) {
		if ui, err := jsonvalue.Object(v); err == nil {
			if uri, ok := ui[keyResourceURI].(string); ok {
				f(uri)
			}
		}
	}
}

// A rewrite is the metadata of a tool with the one URI that it names versioned.
type rewrite struct {
	tool     weak.Pointer[mcp.Tool]
	from, to string
	meta     mcp.Meta
}

// rewritesOf returns the last rewrite of each tool, if it is still registered, and
// their number.
func (v *versioner) rewritesOf(tools []*mcp.Tool) (rewrites []rewrite, n int) {
	rewrites = make([]rewrite, len(tools))
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, t := range tools {
		if t != nil {
			if r, ok := v.rewrites[t.Name]; ok && r.tool.Value() == t {
				rewrites[i] = r
				n++
			}
		}
	}
	return rewrites, n
}

// rewritten returns a copy of the tool's metadata with the URIs of apps versioned,
// or nil if none has a version. It remembers the copy if the list comes from the SDK,
// whose tools don't change.
func (b *batch) rewritten(t *mcp.Tool) mcp.Meta {
	meta := b.versionedMeta(t.Meta)
	if meta == nil || !b.v.direct {
		return meta
	}
	one, from := true, ""
	eachAppURI(t.Meta, func(uri string) {
		one = one && (from == "" || from == uri)
		from = uri
	})
	if one {
		b.v.remember(t.Name, rewrite{weak.Make(t), from, b.uri(from), meta})
	}
	return meta
}

// versionedMeta returns a copy of metadata with the URIs of apps versioned, or nil if
// none has a version.
func (b *batch) versionedMeta(m mcp.Meta) mcp.Meta {
	changed := false
	eachAppURI(m, func(uri string) { changed = changed || b.of(uri) != nil })
	if !changed {
		return nil
	}
	meta := maps.Clone(m)
	for _, key := range metakey.FlatURIs {
		if uri, ok := meta[key].(string); ok {
			meta[key] = b.uri(uri)
		}
	}
	if v := meta[keyUI]; !jsonvalue.IsNull(v) {
		if ui, err := jsonvalue.Object(v); err == nil {
			if uri, ok := ui[keyResourceURI].(string); ok && b.of(uri) != nil {
				ui = maps.Clone(ui)
				ui[keyResourceURI] = b.uri(uri)
				meta[keyUI] = ui
			}
		}
	}
	return meta
}

func (v *versioner) remember(tool string, r rewrite) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.rewrites == nil || len(v.rewrites) >= maxRemembered {
		v.rewrites = make(map[string]rewrite)
	}
	v.rewrites[tool] = r
}
