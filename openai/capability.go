package openai

import (
	"context"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// advertise adds a capability to the answers to initialize and server/discover, in
// extensions and in experimental: clients before protocol version 2026-07-28 may read only
// the latter. Other capabilities stay as they are. Value is not changed, and must not be
// changed later.
//
// The SDK returns the capabilities that the program set, which are the same for all
// clients, so they are changed on copies.
func advertise(s *mcp.Server, key string, value map[string]any) {
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if err != nil {
				return res, err
			}
			switch r := res.(type) {
			case *mcp.InitializeResult:
				if r != nil {
					c := *r
					c.Meta = maps.Clone(r.Meta) // the SDK writes into it
					c.Capabilities = withCapability(r.Capabilities, key, value)
					return &c, nil
				}
			case *mcp.DiscoverResult:
				if r != nil {
					c := *r
					c.Meta = maps.Clone(r.Meta)
					c.Capabilities = withCapability(r.Capabilities, key, value)
					return &c, nil
				}
			}
			return res, nil
		}
	})
}

// withCapability returns a copy of c with one capability more in both maps.
func withCapability(c *mcp.ServerCapabilities, key string, value map[string]any) *mcp.ServerCapabilities {
	var caps mcp.ServerCapabilities
	if c != nil {
		caps = *c
	}
	caps.Extensions = with(caps.Extensions, key, value)
	caps.Experimental = with(caps.Experimental, key, value)
	return &caps
}

// with returns a copy of m with one more key, or with another value for it.
func with[M ~map[string]any](m M, key string, value any) M {
	c := make(M, len(m)+1)
	maps.Copy(c, m)
	c[key] = value
	return c
}
