//lint:file-ignore SA1019 sampling and roots are deprecated, and still on the wire

package gateway

import (
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputs returns a copy of a result's requests for input with the URIs in them
// renamed. It reports whether anything changed; if nothing did, it returns requests
// itself.
func (b Backend) inputs(requests mcp.InputRequestMap) (mcp.InputRequestMap, bool) {
	changed := false
	for id, request := range requests {
		if c, ok := b.input(request); ok {
			if !changed {
				requests, changed = maps.Clone(requests), true
			}
			requests[id] = c
		}
	}
	return requests, changed
}

func (b Backend) input(request mcp.InputRequest) (mcp.InputRequest, bool) {
	switch v := request.(type) {
	case *mcp.ElicitParams:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	case *mcp.ListRootsParams:
		if v != nil {
			if meta, ok := b.meta(v.Meta); ok {
				c := *v
				c.Meta = meta
				return &c, true
			}
		}
	case *mcp.CreateMessageParams:
		if v != nil {
			meta, renamed := b.meta(v.Meta)
			messages, changed := each(v.Messages, func(m *mcp.SamplingMessage) (*mcp.SamplingMessage, bool) {
				if m == nil {
					return nil, false
				}
				content, ok := b.content(m.Content)
				if !ok {
					return m, false
				}
				c := *m
				c.Content = content
				return &c, true
			})
			if renamed || changed {
				c := *v
				c.Meta, c.Messages = meta, messages
				return &c, true
			}
		}
	case *mcp.CreateMessageWithToolsParams:
		if v != nil {
			meta, renamed := b.meta(v.Meta)
			messages, changed := each(v.Messages, func(m *mcp.SamplingMessageV2) (*mcp.SamplingMessageV2, bool) {
				if m == nil {
					return nil, false
				}
				content, ok := each(m.Content, b.content)
				if !ok {
					return m, false
				}
				c := *m
				c.Content = content
				return &c, true
			})
			tools, offered := each(v.Tools, func(t *mcp.Tool) (*mcp.Tool, bool) {
				if t == nil {
					return nil, false
				}
				if _, ok := b.meta(t.Meta); !ok {
					return t, false
				}
				return b.Tool(t), true
			})
			if renamed || changed || offered {
				c := *v
				c.Meta, c.Messages, c.Tools = meta, messages, tools
				return &c, true
			}
		}
	}
	return request, false
}
