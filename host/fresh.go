package host

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// freshDocuments is middleware that keeps documents of apps out of the SDK's cache, which
// answers reads for as long as the server says, see ConnectOptions.KeepDocuments.
func freshDocuments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		r, ok := res.(*mcp.ReadResourceResult)
		if err != nil || !ok || r == nil || r.TTLMs == 0 {
			return res, err
		}
		for _, item := range r.Contents {
			if item != nil && mcpapps.IsMIMEType(item.MIMEType) {
				c := *r
				c.TTLMs = 0
				return &c, nil
			}
		}
		return res, nil
	}
}
