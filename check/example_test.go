package check_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

func clock() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	mcpapps.RegisterApp(s,
		&mcp.Tool{Name: "clock", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		mcpapps.View{
			Resource: mcp.Resource{URI: "ui://clock/view.html"},
			Document: mcpapps.HTML(`<!doctype html><p id="now"></p>
<script>fetch("https://time.example.com/now").then(async (r) => { now.textContent = await r.text(); });</script>`),
		},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "It is noon."}}}, nil, nil
		})
	return s
}

func ExampleServer() {
	report, err := check.Server(context.Background(), clock(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	// Output:
	// warning csp-undeclared: ui://clock/view.html:2:15: fetch uses "https://time.example.com", which is not in csp.connectDomains
	//     why:    the policy blocks the request
	//     remedy: declare {"connectDomains": ["https://time.example.com"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)
	//     hosts:  all hosts
	//     spec:   Host Behavior
}

func ExampleSession() {
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := clock().Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil).Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	report, err := check.Session(ctx, session, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Count(check.SeverityWarning), "warning")
	// Output: 1 warning
}

func ExampleDocument() {
	report, err := check.Document(`<!doctype html>
<div id="root"></div>
<script type="module" src="./assets/index.js"></script>`, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Printf("%s in line %d: %s\n", f.Code, f.Line, f.Message)
	}
	fmt.Println("fails:", report.Fails(check.SeverityError))
	// Output:
	// doc-relative-script in line 3: <script src> has the relative address "./assets/index.js"
	// fails: true
}

func ExampleHostReport() {
	report, err := check.Document(`<!doctype html><p>Report</p><script>
save.onclick = () => app.downloadFile({ contents });
</script>`, &check.Options{URI: "report.html", Hosts: []string{"vscode", "slack"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range report.Hosts {
		for _, app := range h.Apps {
			fmt.Println(h.Name, app.Verdict)
			for _, r := range app.Reasons {
				if r.Verdict == app.Verdict {
					fmt.Println("   ", r.Fact, r.App, r.Line)
				}
			}
		}
	}
	// Output:
	// VS Code works
	// Slack degraded
	//     downloadFile calls downloadFile 2
}

func ExampleIgnore() {
	report, err := check.Server(context.Background(), clock(), &check.Options{
		Ignore: []check.Ignore{{Code: "csp-undeclared", Subject: "ui://clock/*", Reason: "only our own host shows it, and adds the origin"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(report.Findings), "findings,", len(report.Ignored), "ignored")
	// Output: 0 findings, 1 ignored
}

func ExampleSnapshot() {
	snapshot, err := check.Snapshot(context.Background(), mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1.0.0"}, nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", snapshot)
	// Output:
	// {
	//   "extension": null,
	//   "tools": [],
	//   "resources": [],
	//   "contents": []
	// }
}

// Servers in any language are checked by their command or URL.
func ExampleTarget() {
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return clock() }, nil))
	defer web.Close()
	report, err := check.Target(context.Background(), host.Target{URL: web.URL}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f.Severity, f.Code, f.Subject())
	}
	// Output: warning csp-undeclared ui://clock/view.html:2:15
}

func ExampleReport_WriteText() {
	report, err := check.Document(`<!doctype html><img src="logo.png" alt="">`, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// warning doc-relative-url: 1:16: <img src> has the relative address "logo.png"
	//     why:    it is resolved against the host's sandbox, where there is no such file
	//     remedy: inline the data, or use an absolute URL and declare its origin
	//     hosts:  all hosts
	//     spec:   Content Requirements
	// 0 errors, 1 warning, 0 notes in 1 document
}

// On a terminal, severities have colors.
func ExampleReport_WriteColorText() {
	report, err := check.Document(`<!doctype html><img src="logo.png" alt="">`, nil)
	if err != nil {
		log.Fatal(err)
	}
	var b strings.Builder
	if err := report.WriteColorText(&b); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(b.String(), "\x1b["))
	// Output: true
}

// The catalogue has each rule's text, for tools that show findings in their own way.
func ExampleRules() {
	for _, r := range check.Rules() {
		if r.Code == "csp-undeclared" {
			fmt.Println(r.Severity, r.Summary)
		}
	}
	// Output: warning the document uses an origin that is not declared
}

func ExampleCodes() {
	fmt.Println(slices.Contains(check.Codes(), "csp-undeclared"))
	// Output: true
}
