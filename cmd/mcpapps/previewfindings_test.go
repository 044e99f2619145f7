package main

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/preview"
)

func TestFindings(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/view.html"},
		Document: mcpapps.HTML("<!doctype html>\n<p>Hello</p>\n<script>fetch('https://a.example/')</script>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		t.Error("a preview calls no tool unasked")
		return nil, nil, nil
	})
	list, err := findings(t.Context(), mcpappstest.Client(t, s, mcpapps.SupportUI))
	require.NoError(t, err)
	assert.Equal(t, []preview.Finding{{
		Level: host.LevelWarning, Place: "ui://s/view.html:3:15",
		Message: `fetch uses "https://a.example", which is not in csp.connectDomains`,
		Remedy:  `declare {"connectDomains": ["https://a.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`,
	}}, list)
}
