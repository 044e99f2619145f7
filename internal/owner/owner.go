// Package owner says to whom what a server keeps for a caller belongs.
package owner

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Of returns the owner of what a server keeps for the caller of a tool: the user whom the
// request's token names, or the one client on standard input and output or in the same
// process. It returns "" for a client over HTTP without a user.
//
// The SDK's HTTP+SSE transport sets nothing in the request. Its clients are known by the
// context alone, which descends from that of the HTTP request that opened the session.
func Of(ctx context.Context, req *mcp.CallToolRequest) string {
	var token *auth.TokenInfo
	overHTTP := false
	if req != nil && req.Extra != nil {
		token, overHTTP = req.Extra.TokenInfo, req.Extra.Header != nil
	}
	if !overHTTP && ctx.Value(http.ServerContextKey) != nil {
		overHTTP = true
		if token == nil {
			token = auth.TokenInfoFromContext(ctx)
		}
	}
	switch {
	case token != nil && token.UserID != "":
		return "user:" + token.UserID
	case overHTTP:
		return ""
	}
	return "local"
}
