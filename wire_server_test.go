package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

type reportArgs struct {
	City string `json:"city" jsonschema:"the city, \"Oslo\" & such"`
	Days int    `json:"days,omitempty" jsonschema:"how many days, < 15"`
}

type report struct {
	City  string `json:"city"`
	Total int    `json:"total"`
}

const reportHTML = `<!doctype html><title>Report</title><p id="total">…</p><script>/* a & b < c */</script>`

// newWireServer returns the server of all transcripts and transports: an app whose
// tool, resource and document are declared in one call, one of each other kind of
// app, and an ordinary tool and resource.
func newWireServer(opts *mcpapps.Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "report", Version: "1.0.0"}, nil)
	if opts != nil {
		mcpapps.Enable(s, opts)
	}
	border := false
	mcpapps.RegisterApp(s,
		&mcp.Tool{
			Name: "show_report", Description: "Show the report of a city",
			Meta: mcp.Meta{"example.com/owner": "weather", "ui": map[string]any{"example.com/hint": 1}},
		},
		mcpapps.View{
			Resource: mcp.Resource{URI: "ui://report/view.html", Name: "report", Meta: mcp.Meta{"example.com/owner": "weather"}},
			UI: mcpapps.ResourceUIMetadata{
				CSP: &mcpapps.CSP{
					ConnectDomains: []string{"https://api.example.com"},
					FrameDomains:   []string{},
				},
				Permissions:   &mcpapps.Permissions{ClipboardWrite: true},
				PrefersBorder: &border,
			},
			Document: mcpapps.HTML(reportHTML),
		},
		func(ctx context.Context, req *mcp.CallToolRequest, in reportArgs) (*mcp.CallToolResult, report, error) {
			return mcpapps.TextFor(ctx, req, "Shown.", "The total of "+in.City+" is 42."), report{in.City, 42}, nil
		})
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "refresh_report", Description: "Read the report again"},
		mcpapps.AppOnly(""),
		func(_ context.Context, _ *mcp.CallToolRequest, in reportArgs) (*mcp.CallToolResult, report, error) {
			return nil, report{in.City, 43}, nil
		})
	mcpapps.RegisterRawAppTool(s,
		&mcp.Tool{Name: "raw_report", InputSchema: json.RawMessage(`{"type":"object"}`)},
		mcpapps.ToolUIMetadata{ResourceURI: "ui://report/blob.html", Visibility: []mcpapps.Visibility{mcpapps.VisibilityModel}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: report{"Bergen", 7}}, nil
		})
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://report/blob.html", Name: "blob"},
		mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}, Domain: "report.example.com"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				Blob: []byte(reportHTML), Meta: mcp.Meta{"example.com/etag": "1"},
			}}}, nil
		})
	mcpapps.RegisterAppResourceTemplate(s,
		&mcp.ResourceTemplate{URITemplate: "ui://reports/{id}/view", Name: "reports"}, "ui://reports/view",
		mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}}, wireTemplate)

	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Add one"},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct{ N int }) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(in.N + 1)}}}, nil, nil
		})
	s.AddResource(&mcp.Resource{URI: "file:///notes.txt", Name: "notes", MIMEType: "text/plain"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "n"}}}, nil
		})
	return s
}

var wireTemplate = mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
	return "<p>" + vars["id"] + "</p>", nil
})
