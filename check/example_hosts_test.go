package check_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
)

// How an app that offers a file fares on two hosts.
func ExampleServer_hosts() {
	s := mcp.NewServer(&mcp.Implementation{Name: "report", Version: "1.0.0"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "report"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://report/view.html"},
		Document: mcpapps.HTML(`<!doctype html><button>Save</button>
<script type="module">document.querySelector("button").onclick = () => app.downloadFile({ contents });</script>`),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "The report."}}}, nil, nil
	})
	report, err := check.Server(context.Background(), s, &check.Options{Hosts: []string{"claude-web", "goose"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range report.Hosts {
		fmt.Printf("%s: %d of %d apps degraded\n", h.Name, h.Count(check.VerdictDegraded), len(h.Apps))
		for _, app := range h.Apps {
			fmt.Println(app.Subject(), app.Verdict, app.Blocked())
			for _, r := range app.Reasons {
				if r.Fact == "downloadFile" {
					fmt.Printf("line %d: the app %s, the host %s\n", r.Line, r.App, r.Host)
				}
			}
		}
	}
	// Output:
	// Claude (web): 0 of 1 apps degraded
	// tool "report", ui://report/view.html works false
	// Goose: 1 of 1 apps degraded
	// tool "report", ui://report/view.html degraded false
	// line 2: the app calls downloadFile, the host does not have it
}
