package firstday

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestMain runs the tests or, started as "BINARY serve NAME", a server of servers over
// stdio, as a command that an author gives to mcpapps.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		log.SetFlags(0)
		if err := servers[os.Args[2]]().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	e2e.Main(m)
}

// servers are the servers that run as processes of their own.
var servers = map[string]func() *mcp.Server{
	"works":                func() *mcp.Server { return hello(nil) },
	"panics at its start":  func() *mcp.Server { return hello(func(a *app) { a.view.Document = nil }) },
	"has views that fail":  func() *mcp.Server { return views(true) },
	"has one of each kind": func() *mcp.Server { return views(false) },
	"misspells a URI":      misspelled,
	"has a script that throws": func() *mcp.Server {
		files := brokenViews[throwing].files
		return hello(func(a *app) { a.page, a.files = files["index.html"], map[string]string{"ui/main.ts": files["main.ts"]} })
	},
	"prints to standard output": func() *mcp.Server {
		fmt.Println("Hello from the server!")
		return hello(nil)
	},
	"panics in the handler": func() *mcp.Server {
		return hello(func(a *app) {
			a.handler = func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, output, error) {
				var names []string
				return nil, output{"Hello, " + names[0]}, nil
			}
		})
	},
}

// command returns the arguments of mcpapps that name a server of servers.
func command(t *testing.T, name string) []string {
	t.Helper()
	if servers[name] == nil {
		t.Fatalf("no server %q", name)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--", self, "serve", name}
}
