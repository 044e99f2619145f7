package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What SetResultUI writes has no findings, under any options; a view that the server
// does not have has one.
func TestResultUI(t *testing.T) {
	for _, opts := range []mcpapps.Options{{}, {OmitLegacyURI: true}, {VersionedURIs: true}} {
		for uri, want := range map[string]int{"ui://a/view.html": 0, "ui://a/gone.html": 1} {
			s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			mcpapps.Enable(s, &opts)
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a/view.html"}, Document: mcpapps.HTML("<!doctype html><p>a")},
				func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
					res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}}}
					return res, nil, mcpapps.SetResultUI(res, uri)
				})
			r, err := Server(t.Context(), s, &Options{Calls: []Call{{Tool: "show"}}})
			require.NoError(t, err)
			n := 0
			for _, f := range r.Findings {
				if f.Code == "result-uri" {
					n++
					assert.Contains(t, f.Message, `the result's _meta names the view "ui://a/gone.html", which can't be read`)
				}
			}
			assert.Equal(t, want, min(n, 1), fmt.Sprintf("%+v %s: %v", opts, uri, r.Findings))
		}
	}
}

// TestResultUIAlone shows that a view which only a result names is not unused, and is
// judged for hosts as one of that tool.
func TestResultUIAlone(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.Enable(s, nil)
	for _, name := range []string{"named", "unused"} {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/" + name, Name: name}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><p>a"))
	}
	mcp.AddTool(s, &mcp.Tool{Name: "show"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}}}
		return res, nil, mcpapps.SetResultUI(res, "ui://a/named")
	})
	r, err := Server(t.Context(), s, &Options{Calls: []Call{{Tool: "show"}}, Hosts: []string{"vscode"}})
	require.NoError(t, err)
	var unused []string
	for _, f := range r.Findings {
		if f.Code == "resource-unused" {
			unused = append(unused, f.URI)
		}
	}
	assert.Equal(t, []string{"ui://a/unused"}, unused)
	require.Len(t, r.Hosts[0].Apps, 1)
	assert.Equal(t, "show", r.Hosts[0].Apps[0].Tool)
	assert.Equal(t, "ui://a/named", r.Hosts[0].Apps[0].URI)
}
