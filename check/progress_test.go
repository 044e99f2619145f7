package check_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
)

// TestProgress shows that a check says what it waits for, one call after the other.
func TestProgress(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/view.html"}, Document: mcpapps.HTML("<!doctype html><p>Hello</p>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	var got []string
	_, err := check.Server(t.Context(), s, &check.Options{Progress: func(p check.Progress) { got = append(got, p.String()) }})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"waiting for the server to answer",
		"reading what the server serves",
		"asking as other clients do: 0 of 5",
		"asking as other clients do: 1 of 5",
		"asking as other clients do: 2 of 5",
		"asking as other clients do: 3 of 5",
		"asking as other clients do: 4 of 5",
		"asking as other clients do: 5 of 5",
	}, got)
}
