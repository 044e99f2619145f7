// Package gateway puts the apps of several MCP servers behind one.
//
// Two servers may use the same ui:// URI for different apps, and a host asks
// the gateway for it without saying which tool it came from. A [Backend] gives
// the URIs of one server a prefix, so that ui://view.html of the server "maps"
// is ui://maps/view.html to the host, everywhere it is named: on tools, under
// both keys, on resources and templates, and in results. [Split] takes the
// prefix off again, to route a resources/read. The URIs stay ui:// URIs, since
// hosts ignore others.
//
// A gateway has two duties that no renaming does for it. Tool visibility "app"
// means the views of one server: a gateway is a single connection to its host,
// so it must itself refuse calls from a view of one backend to a tool of
// another, as far as it can tell them apart. And the names in a view's code
// are those of its own server: resolve them there before any prefix of the
// gateway's.
package gateway

import (
	"fmt"
	"maps"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Backend renames the URIs of one server behind a gateway. What its methods
// are given stays as it is: they return copies, shallow but for what changes.
// nil gives nil. URIs of other schemes are not renamed. The zero Backend
// renames nothing.
type Backend struct {
	name string
}

// New returns the backend with the given name, which is an ASCII letter or
// digit and then more of these, dots, hyphens and underscores. Names that
// differ give URIs that differ.
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

// Name returns the URI as the gateway's clients see it. It prefixes any ui://
// URI, one that begins with the prefix already included: only so can every URI
// be had back. It is for URI templates too.
func (b Backend) Name(uri string) string {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || b.name == "" {
		return uri
	}
	return scheme + b.name + "/" + rest
}

// Strip undoes [Backend.Name]: for every valid URI u, Strip(Name(u)) is u. It
// reports false for a URI that is not the backend's.
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

// Split returns the name of the backend that a URI of the gateway's belongs to,
// and the URI as that backend knows it. It reports false for what no Backend
// named. Whether there is such a backend is for the caller to look up.
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

// The keys of _meta that hold a ui:// URI, beside _meta.ui.resourceUri. The
// second is the OpenAI Apps SDK's name for the same thing.
var flatKeys = []string{mcpapps.LegacyResourceURIKey, "openai/outputTemplate"}

// Tool returns the tool with the URI of its app renamed under each key of its
// metadata. Its name stays.
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
// content item renamed.
func (b Backend) ReadResult(r *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	if r == nil {
		return nil
	}
	c := *r
	c.Meta = b.meta(r.Meta)
	if r.Contents != nil {
		c.Contents = make([]*mcp.ResourceContents, len(r.Contents))
		for i, item := range r.Contents {
			c.Contents[i] = b.contents(item)
		}
	}
	return &c
}

// CallResult returns the result of a tools/call with the URIs renamed in its
// metadata, that of each content block, its resource links and its embedded
// resources. Structured content
// is the server's own and stays.
func (b Backend) CallResult(r *mcp.CallToolResult) *mcp.CallToolResult {
	if r == nil {
		return nil
	}
	c := *r
	c.Meta = b.meta(r.Meta)
	c.Content = b.list(r.Content)
	return &c
}

// Content returns a content block with the URIs in it renamed, as
// [Backend.CallResult] does, for the other results that carry such blocks, and
// for the messages of a sampling request, with the tool results in them.
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
	//lint:ignore SA1019 deprecated, and still on the wire of older versions
	case *mcp.ToolUseContent:
		if v != nil && v.Meta != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	//lint:ignore SA1019 deprecated, and still on the wire of older versions
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

// meta returns a copy of m with the URIs in it renamed. Keys of other vendors
// stay, and so do values that are no URIs: they are for the host to judge.
func (b Backend) meta(m mcp.Meta) mcp.Meta {
	if m == nil {
		return nil
	}
	m = maps.Clone(m)
	for _, key := range flatKeys {
		if uri, ok := m[key].(string); ok {
			m[key] = b.Name(uri)
		}
	}
	switch ui := m["ui"].(type) {
	case nil:
	case map[string]any:
		if uri, ok := ui["resourceUri"].(string); ok {
			ui = maps.Clone(ui)
			ui["resourceUri"] = b.Name(uri)
			m["ui"] = ui
		}
	default: // put there in process: what a client would see counts
		if obj, err := jsonvalue.Object(ui); err == nil {
			if uri, ok := obj["resourceUri"].(string); ok {
				obj = maps.Clone(obj)
				obj["resourceUri"] = b.Name(uri)
				m["ui"] = obj
			}
		}
	}
	return m
}
