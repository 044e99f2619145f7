// Package gateway renames the ui:// URIs of several MCP servers behind one.
//
// Two servers may use the same ui:// URI for different apps, and a host that
// reads it from the gateway does not say which tool named it. A [Backend] adds a
// prefix to the URIs of one server: ui://view.html of the server "maps" becomes
// ui://maps/view.html for the host, everywhere that it occurs: on tools, under
// each key that names an app, on resources and templates, and in results.
// [Split] removes the prefix, to route a resources/read. What hosts see are ui://
// URIs, because they ignore others.
//
// # Whose view calls
//
// A view may call the tools of its own server only. A host has one connection to the
// gateway, and a tools/call does not say whether a view made it, or which one: at an
// endpoint that several backends share, the gateway can't tell their views apart. A
// secret in a backend's documents does not help, since a view may read every document
// that its host may read. So give each backend an endpoint of its own, at which its
// views can call tools and reach no other backend. At a common endpoint, list tools
// for the model only (visibility ["model"]), which hosts refuse to views, and refuse
// the tools that only views call, unless all backends trust one another.
//
// A view's code uses the tool names and the URIs of its own server. At a backend's own
// endpoint, leave both as they are: the zero Backend renames nothing.
//
// examples/gateway in this module does all this; its tools.go tells tools of the same
// name apart.
package gateway

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Backend renames the URIs of one server behind a gateway. Its methods do not
// change their arguments. They return copies, which are shallow except for what
// changes, and nil for nil; [Backend.MapCallResult] and [Backend.Content] return
// the argument itself where nothing changes. URIs of other schemes are not renamed.
// The zero Backend renames nothing. A Backend is safe for concurrent use.
type Backend struct {
	name string
}

// New returns the backend with the given name: ASCII letters, digits, dots,
// hyphens and underscores, of which the first is a letter or a digit. Different
// names give different URIs.
func New(name string) (Backend, error) {
	for i := range len(name) {
		c := name[i]
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '-' && c != '_') {
			return Backend{}, fmt.Errorf("gateway.New: the backend name %q has the character %q at byte %d: it becomes the host of ui:// URIs, so use letters, digits, %q", name, c, i, ".-_")
		}
	}
	if name == "" {
		return Backend{}, fmt.Errorf("gateway.New: the backend name is empty")
	}
	return Backend{name}, nil
}

// String returns the backend's name.
func (b Backend) String() string { return b.name }

const scheme = "ui://"

// Name returns the URI for the gateway's clients. It adds the prefix to every
// ui:// URI, even to one that already begins with it, so that [Backend.Strip] can
// undo it. It accepts URI templates too.
func (b Backend) Name(uri string) string {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || b.name == "" {
		return uri
	}
	return scheme + b.name + "/" + rest
}

// Strip undoes [Backend.Name]: for every valid URI u, Strip(Name(u)) is u. It
// reports false for a URI of another backend.
func (b Backend) Strip(uri string) (string, bool) {
	if b.name == "" {
		return uri, strings.HasPrefix(uri, scheme)
	}
	name, original, ok := Split(uri)
	if !ok || name != b.name {
		return "", false
	}
	return original, true
}

// Split splits a URI for the gateway's clients into the name of the backend and
// the URI that this backend uses. It reports false for a URI that [Backend.Name]
// can't return. The caller checks whether there is such a backend.
func Split(uri string) (name, original string, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return "", "", false
	}
	name, original, ok = strings.Cut(rest, "/")
	if !ok || original == "" {
		return "", "", false
	}
	if _, err := New(name); err != nil {
		return "", "", false
	}
	return name, scheme + original, true
}

// Tool returns the tool with the URI of its app renamed under each key of its
// metadata. The tool's name is not changed.
func (b Backend) Tool(t *mcp.Tool) *mcp.Tool {
	if t == nil {
		return nil
	}
	c := *t
	c.Meta = b.metaCopy(t.Meta)
	return &c
}

// Resource returns the list entry with its URI renamed.
func (b Backend) Resource(r *mcp.Resource) *mcp.Resource {
	if r == nil {
		return nil
	}
	c := *r
	c.URI, c.Meta = b.Name(r.URI), b.metaCopy(r.Meta)
	return &c
}

// ResourceTemplate returns the template with its URI template renamed.
func (b Backend) ResourceTemplate(t *mcp.ResourceTemplate) *mcp.ResourceTemplate {
	if t == nil {
		return nil
	}
	c := *t
	c.URITemplate, c.Meta = b.Name(t.URITemplate), b.metaCopy(t.Meta)
	return &c
}

// ReadResult returns the result of a resources/read with the URI of each
// content item renamed, and its requests for input as in [Backend.MapCallResult].
func (b Backend) ReadResult(r *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	if r == nil {
		return nil
	}
	c := *r
	c.Meta = b.metaCopy(r.Meta)
	c.InputRequests, _ = b.inputs(r.InputRequests)
	if r.Contents != nil {
		c.Contents = make([]*mcp.ResourceContents, len(r.Contents))
		for i, item := range r.Contents {
			if item != nil { // copied in any case: the SDK's server writes into the items
				item := *item
				item.URI, item.Meta = b.Name(item.URI), b.metaCopy(item.Meta)
				c.Contents[i] = &item
			}
		}
	}
	return &c
}

// MapCallResult returns the result of a tools/call with the URIs renamed in its
// metadata, such as that of a view that the result names, in the metadata of each
// content block, in resource links and in embedded resources, and in the messages
// and tools of its requests for input. Structured content is not changed.
//
// It reports whether anything changed. If nothing did, it returns r itself, so that
// a gateway can forward the bytes that it received. Do not return an r that other
// goroutines share from a handler: the SDK writes into results.
func (b Backend) MapCallResult(r *mcp.CallToolResult) (*mcp.CallToolResult, bool) {
	if r == nil {
		return nil, false
	}
	_, meta := b.meta(r.Meta)
	content, blocks := each(r.Content, b.content)
	inputs, requests := b.inputs(r.InputRequests)
	if !meta && !blocks && !requests {
		return r, false
	}
	c := *r
	c.Meta, c.Content, c.InputRequests = b.metaCopy(r.Meta), content, inputs
	return &c, true
}

// Content returns a content block with the URIs in it renamed, as
// [Backend.MapCallResult] does, or the block itself if nothing changes. It is for
// other results that have content blocks, and for the messages of sampling requests
// and the tool results in them.
func (b Backend) Content(block mcp.Content) mcp.Content {
	block, _ = b.content(block)
	return block
}
