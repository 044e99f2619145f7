//lint:file-ignore SA1019 sampling and roots are deprecated, and still on the wire

package gateway

import "github.com/modelcontextprotocol/go-sdk/mcp"

// inputs returns the requests for input of a result with the URIs in them renamed.
func (b Backend) inputs(requests mcp.InputRequestMap) mcp.InputRequestMap {
	if requests == nil {
		return nil
	}
	c := make(mcp.InputRequestMap, len(requests))
	for id, request := range requests {
		c[id] = b.input(request)
	}
	return c
}

func (b Backend) input(request mcp.InputRequest) mcp.InputRequest {
	switch v := request.(type) {
	case *mcp.ElicitParams:
		if v != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	case *mcp.ListRootsParams:
		if v != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			return &c
		}
	case *mcp.CreateMessageParams:
		if v != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			c.Messages = make([]*mcp.SamplingMessage, len(v.Messages))
			for i, m := range v.Messages {
				if m != nil {
					mm := *m
					mm.Content = b.Content(m.Content)
					c.Messages[i] = &mm
				}
			}
			return &c
		}
	case *mcp.CreateMessageWithToolsParams:
		if v != nil {
			c := *v
			c.Meta = b.meta(v.Meta)
			c.Messages = make([]*mcp.SamplingMessageV2, len(v.Messages))
			for i, m := range v.Messages {
				if m != nil {
					mm := *m
					mm.Content = b.list(m.Content)
					c.Messages[i] = &mm
				}
			}
			if v.Tools != nil {
				c.Tools = make([]*mcp.Tool, len(v.Tools))
				for i, t := range v.Tools {
					c.Tools[i] = b.Tool(t)
				}
			}
			return &c
		}
	}
	return request
}
