package openai

import (
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// AuthRequired returns the result of a call that makes ChatGPT ask the user to sign in: an
// error with the text, and with challenges in _meta["mcp/www_authenticate"], each of which
// is the value of a WWW-Authenticate header (RFC 9728) such as
//
//	Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource", error="invalid_token", error_description="Sign in to see your notes"
//
// The model reads the text. Without a challenge the result is an error with the text alone,
// and ChatGPT does not ask. Other clients ignore the challenges; a server that requires
// authorization for all requests answers them with HTTP status 401 instead.
func AuthRequired(text string, challenges ...string) *mcp.CallToolResult {
	res := &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: text}},
	}
	if len(challenges) > 0 {
		all := make([]any, len(challenges))
		for i, c := range challenges {
			all[i] = c
		}
		res.Meta = mcp.Meta{metakey.Authenticate: all}
	}
	return res
}
