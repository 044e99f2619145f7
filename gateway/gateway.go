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
// A gateway has two more duties. Tool visibility "app" includes only views of the
// same server. The host has a single connection to the gateway, so the gateway
// itself must reject calls from a view of one backend to a tool of another, as
// far as it can tell them apart. And a view's code uses the tool names of its own
// server: look a name up there before resolving any prefix that the gateway adds
// to tool names.
package gateway

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Backend renames the URIs of one server behind a gateway. Its methods do not
// change their arguments; they return copies, which are shallow except for what
// changes, and nil for nil. URIs of other schemes are not renamed. The zero
// Backend renames nothing. A Backend is safe for concurrent use.
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
	c.Meta = b.meta(t.Meta)
	return &c
}

// Resource returns the list entry with its URI renamed.
func (b Backend) Resource(r *mcp.Resource) *mcp.Resource {
	if r == nil {
		return nil
	}
	c := *r
	c.URI, c.Meta = b.Name(r.URI), b.meta(r.Meta)
	return &c
}

// ResourceTemplate returns the template with its URI template renamed.
func (b Backend) ResourceTemplate(t *mcp.ResourceTemplate) *mcp.ResourceTemplate {
	if t == nil {
		return nil
	}
	c := *t
	c.URITemplate, c.Meta = b.Name(t.URITemplate), b.meta(t.Meta)
	return &c
}

// ReadResult returns the result of a resources/read with the URI of each
// content item renamed, and its requests for input as in [Backend.CallResult].
func (b Backend) ReadResult(r *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	if r == nil {
		return nil
	}
	c := *r
	c.Meta, c.InputRequests = b.meta(r.Meta), b.inputs(r.InputRequests)
	if r.Contents != nil {
		c.Contents = make([]*mcp.ResourceContents, len(r.Contents))
		for i, item := range r.Contents {
			c.Contents[i] = b.contents(item)
		}
	}
	return &c
}

// CallResult returns the result of a tools/call with the URIs renamed in its
// metadata, in that of each content block, in resource links and in embedded
// resources, and in the messages and tools of the requests for input that it has.
// Structured content is not changed.
func (b Backend) CallResult(r *mcp.CallToolResult) *mcp.CallToolResult {
	if r == nil {
		return nil
	}
	c := *r
	c.Meta, c.InputRequests = b.meta(r.Meta), b.inputs(r.InputRequests)
	c.Content = b.list(r.Content)
	return &c
}

// Content returns a content block with the URIs in it renamed, as
// [Backend.CallResult] does. It is for other results that have content blocks,
// and for the messages of sampling requests and the tool results in them.
func (b Backend) Content(block mcp.Content) mcp.Content {
	switch v := block.(type) {
	case *mcp.TextContent:
		if v != nil && v.Meta != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	case *mcp.ImageContent:
		if v != nil && v.Meta != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	case *mcp.AudioContent:
		if v != nil && v.Meta != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	//lint:ignore SA1019 deprecated, but still sent by older protocol versions
	case *mcp.ToolUseContent:
		if v != nil && v.Meta != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	//lint:ignore SA1019 deprecated, but still sent by older protocol versions
	case *mcp.ToolResultContent:
		if v != nil {
			c := *v
			c.Content, c.Meta = b.list(v.Content), b.meta(v.Meta)
			return &c
		}
	case *mcp.ResourceLink:
		if v != nil {
			c := *v
			c.URI, c.Meta = b.Name(v.URI), b.meta(v.Meta)
			return &c
		}
	case *mcp.EmbeddedResource:
		if v != nil {
			c := *v
			c.Resource, c.Meta = b.contents(v.Resource), b.meta(v.Meta)
			return &c
		}
	}
	return block
}

func (b Backend) list(blocks []mcp.Content) []mcp.Content {
	if blocks == nil {
		return nil
	}
	c := make([]mcp.Content, len(blocks))
	for i, block := range blocks {
		c[i] = b.Content(block)
	}
	return c
}

func (b Backend) contents(item *mcp.ResourceContents) *mcp.ResourceContents {
	if item == nil {
		return nil
	}
	c := *item
	c.URI, c.Meta = b.Name(item.URI), b.meta(item.Meta)
	return &c
}
