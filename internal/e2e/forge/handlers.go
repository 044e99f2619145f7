package forge

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// profile is part of every result, and shared by all requests.
var profile = map[string]any{"company": "Example", "followers": 3}

func getMe(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	user := requestFrom(ctx).User
	res := mcpapps.TextFor(ctx, req, "The profile of "+user+" is shown.",
		fmt.Sprintf("%s works at %s and has %d followers.", user, profile["company"], profile["followers"]))
	res.StructuredContent = map[string]any{"login": user, "profile": profile}
	return res, nil
}

type issue struct{ Title, Body string }

// createIssue leaves it to the form where there is one.
func createIssue(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if mcpapps.ClientSupportsUI(ctx, req) {
		res := text("A form is shown to the user. The issue does not exist until the user submits it: wait, and do not say that it was created.")
		res.StructuredContent = map[string]any{"status": "awaiting_user", "draft": req.Params.Arguments}
		return res, nil
	}
	return submitIssue(ctx, req)
}

func submitIssue(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in issue
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return text(fmt.Sprintf("%s created the issue %q.", requestFrom(ctx).User, in.Title)), nil
}

// echo returns a handler that says who called it.
func echo(tool string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(fmt.Sprintf("%s called %s.", requestFrom(ctx).User, tool)), nil
	}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
