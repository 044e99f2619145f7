package openai

import (
	"context"
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
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
	changeResults(s, func(res mcp.Result) mcp.Result {
		switch r := res.(type) {
		case *mcp.InitializeResult:
			c := *r
			c.Meta = maps.Clone(r.Meta) // the SDK writes into it
			c.Capabilities = withCapability(r.Capabilities, key, value)
			return &c
		case *mcp.DiscoverResult:
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Capabilities = withCapability(r.Capabilities, key, value)
			return &c
		}
		return res
	})
}

// changeResults adds a middleware that replaces the results of a server. change does not
// write to its argument, which may be shared, and is not called for nil.
func changeResults(s *mcp.Server, change func(mcp.Result) mcp.Result) {
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if err != nil || jsonvalue.IsNil(res) {
				return res, err
			}
			return change(res), nil
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
