package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/preview"
)

// findings is what the preview's page shows beside the tools: what a check of
// the session finds. It calls no tool.
func findings(ctx context.Context, cs *mcp.ClientSession) ([]preview.Finding, error) {
	r, err := check.Session(ctx, cs, nil)
	if err != nil {
		return nil, err
	}
	levels := map[check.Severity]host.Level{check.SeverityError: host.LevelError, check.SeverityWarning: host.LevelWarning, check.SeverityNote: host.LevelInfo}
	list := make([]preview.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		if f.Code == "result-unchecked" {
			continue // as meant
		}
		list = append(list, preview.Finding{Level: levels[f.Severity], Place: f.Subject(), Message: f.Message, Remedy: f.Remedy})
	}
	return list, nil
}
