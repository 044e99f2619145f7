package mcpapps

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const methodRead = "resources/read"

// versioned matches a URI with a version; its group is the URI without it.
var versioned = regexp.MustCompile(`^(ui://.+)[?&]v=[0-9a-f]{12}$`)

// versionURIs implements Options.VersionedURIs: it serves apps under URIs that
// change with their documents. It keeps no state. A version is computed from the
// document that this client would read now, and a read ignores the version, so
// every version that was ever listed can still be read.
func versionURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if r, ok := req.(*mcp.ReadResourceRequest); ok && method == methodRead && r.Params != nil {
			return readVersioned(ctx, next, r)
		}
		res, err := next(ctx, method, req)
		if err != nil || isNil(res) {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.ListToolsResult:
			v := newVersions(next, req)
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Tools = slices.Clone(r.Tools)
			for i, t := range c.Tools {
				c.Tools[i] = v.tool(ctx, t)
			}
			return &c, nil
		case *mcp.ListResourcesResult:
			v := newVersions(next, req)
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Resources = slices.Clone(r.Resources)
			for i, r := range c.Resources {
				c.Resources[i] = v.resource(ctx, r)
			}
			return &c, nil
		}
		return res, nil
	}
}

// readVersioned reads the document at a URI without its version. If there is none,
// it reads the URI itself: an author may have registered one that looks versioned.
func readVersioned(ctx context.Context, next mcp.MethodHandler, req *mcp.ReadResourceRequest) (mcp.Result, error) {
	asked := req.Params.URI
	match := versioned.FindStringSubmatch(asked)
	if match == nil {
		return next(ctx, methodRead, req)
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

// versions computes the versioned URIs of the apps in one list. It reads each app
// once, on behalf of the client that requested the list.
type versions struct {
	next mcp.MethodHandler
	req  mcp.ReadResourceRequest // without the URI
	uris map[string]string       // versioned URIs, by URI without a version
}

func newVersions(next mcp.MethodHandler, list mcp.Request) *versions {
	v := &versions{next: next, uris: make(map[string]string)}
	v.req.Params = &mcp.ReadResourceParams{}
	switch r := list.(type) {
	case *mcp.ListToolsRequest:
		v.req.Session, v.req.Extra = r.Session, r.Extra
		if r.Params != nil {
			v.req.Params.Meta = r.Params.Meta
		}
	case *mcp.ListResourcesRequest:
		v.req.Session, v.req.Extra = r.Session, r.Extra
		if r.Params != nil {
			v.req.Params.Meta = r.Params.Meta
		}
	}
	return v
}

// tool returns a copy of t with the URI of its app versioned under both keys, or t
// itself if it opens none.
func (v *versions) tool(ctx context.Context, t *mcp.Tool) *mcp.Tool {
	if t == nil || jsonvalue.IsNull(t.Meta[keyUI]) {
		return t
	}
	ui, err := jsonvalue.Object(t.Meta[keyUI])
	uri, _ := ui[keyResourceURI].(string)
	if err != nil || uri == "" {
		return t
	}
	tt := *t
	tt.Meta = maps.Clone(t.Meta)
	ui = maps.Clone(ui)
	ui[keyResourceURI] = v.of(ctx, uri)
	tt.Meta[keyUI] = ui
	if tt.Meta[LegacyResourceURIKey] == uri {
		tt.Meta[LegacyResourceURIKey] = ui[keyResourceURI]
	}
	return &tt
}

func (v *versions) resource(ctx context.Context, r *mcp.Resource) *mcp.Resource {
	if r == nil || !isApp(r.URI, r.MIMEType) {
		return r
	}
	rr := *r
	rr.URI = v.of(ctx, r.URI)
	return &rr
}

// of returns the URI with the version of its document, or the URI itself if no
// document can be read.
func (v *versions) of(ctx context.Context, uri string) string {
	now, ok := v.uris[uri]
	if ok {
		return now
	}
	now = uri
	if !versioned.MatchString(uri) && strings.HasPrefix(uri, "ui://") {
		if version := v.read(ctx, uri); version != "" {
			sep := "?"
			if strings.Contains(uri, "?") {
				sep = "&"
			}
			now += sep + "v=" + version
		}
	}
	v.uris[uri] = now
	return now
}

// read returns the version of the resource at a URI: a hash of the document and of
// the metadata, which hosts cache together.
func (v *versions) read(ctx context.Context, uri string) string {
	res, err := v.next(ctx, methodRead, readOf(&v.req, uri))
	r, ok := res.(*mcp.ReadResourceResult)
	if err != nil || !ok || r == nil || r.InputRequests != nil || len(r.Contents) == 0 {
		return ""
	}
	h := sha256.New()
	for _, c := range r.Contents {
		if c == nil {
			return ""
		}
		meta, err := json.Marshal(c.Meta)
		if err != nil {
			return ""
		}
		fmt.Fprintf(h, "%d %d %d\n", len(c.Text), len(c.Blob), len(meta))
		io.WriteString(h, c.Text)
		h.Write(c.Blob)
		h.Write(meta)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
