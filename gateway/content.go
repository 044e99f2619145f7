package gateway

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// content returns a copy of a block with the URIs in it renamed. It reports whether
// anything changed; if nothing did, it returns the block itself.
func (b Backend) content(block mcp.Content) (mcp.Content, bool) {
	switch v := block.(type) {
	case *mcp.TextContent:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	case *mcp.ImageContent:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	case *mcp.AudioContent:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	//lint:ignore SA1019 deprecated, but still sent by older protocol versions
	case *mcp.ToolUseContent:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	//lint:ignore SA1019 deprecated, but still sent by older protocol versions
	case *mcp.ToolResultContent:
		if v != nil {
			meta, renamed := b.meta(v.Meta)
			content, changed := each(v.Content, b.content)
			if renamed || changed {
				c := *v
				c.Meta, c.Content = meta, content
				return &c, true
			}
		}
	case *mcp.ResourceLink:
		if v != nil {
			uri := b.Name(v.URI)
			if meta, ok := b.meta(v.Meta); ok || uri != v.URI {
				c := *v
				c.URI, c.Meta = uri, meta
				return &c, true
			}
		}
	case *mcp.EmbeddedResource:
		if v != nil {
			meta, renamed := b.meta(v.Meta)
			item, changed := b.contents(v.Resource)
			if renamed || changed {
				c := *v
				c.Meta, c.Resource = meta, item
				return &c, true
			}
		}
	}
	return block, false
}

// contents is content for the resource in a block.
func (b Backend) contents(item *mcp.ResourceContents) (*mcp.ResourceContents, bool) {
	if item == nil {
		return nil, false
	}
	uri := b.Name(item.URI)
	meta, ok := b.meta(item.Meta)
	if !ok && uri == item.URI {
		return item, false
	}
	c := *item
	c.URI, c.Meta = uri, meta
	return &c, true
}

// each applies f to the elements of a list. It reports whether f changed one; if not,
// it returns the list itself, and otherwise a copy.
func each[T any](list []T, f func(T) (T, bool)) ([]T, bool) {
	changed := false
	for i, v := range list {
		if c, ok := f(v); ok {
			if !changed {
				list, changed = slices.Clone(list), true
			}
			list[i] = c
		}
	}
	return list, changed
}
