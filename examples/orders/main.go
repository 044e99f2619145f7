// Orders is an MCP server whose app shows 100,000 orders: a list that can be searched,
// sorted and read page by page, a selection that survives a reload, and a change of
// many orders that happens only after the user has confirmed it.
//
//	go run ./examples/orders
//
// serves MCP over streamable HTTP, and a preview of the app, and prints both URLs.
// Hosts that start their servers themselves need -stdio:
//
//	{"mcpServers": {"orders": {
//	  "command": "go",
//	  "args": ["run", "github.com/mcpapps-go/mcpapps/examples/orders@latest", "-stdio"]
//	}}}
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcpapps-go/mcpapps/examples/internal/port"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/preview"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; MCP is at /mcp, and port 0 chooses a free port")
	showPage := flags.Bool("preview", true, "serve a page on a loopback port that shows the app in a browser")
	stdio := flags.Bool("stdio", false, "serve standard input and output instead of HTTP")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	server := newServer(newBook(orderCount), viewstate.NewMemory(nil), newSecret())
	if *stdio {
		if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	return serveHTTP(ctx, server, *addr, *showPage, stdout, stderr)
}

func serveHTTP(ctx context.Context, server *mcp.Server, addr string, showPage bool, stdout, stderr io.Writer) error {
	listener, at, err := port.Listen(addr, "orders", stderr)
	if err != nil {
		return err
	}
	endpoint := fmt.Sprintf("http://%s/mcp", at)
	fmt.Fprintf(stdout, "orders listens on %s\n", endpoint)

	mux := http.NewServeMux()
	// Without sessions, any instance could answer any request.
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	if showPage {
		// The preview is one user, whose selection outlives its page. Clients over HTTP
		// have no user here, as there is no authentication.
		page, err := preview.Start(ctx, host.Target{Server: server}, nil)
		if err != nil { // the server itself still works
			fmt.Fprintf(stderr, "orders: no preview: %v\n", err)
		} else {
			defer page.Close()
			fmt.Fprintf(stdout, "\nSee it in a browser: %s\n", page.URL())
		}
	}
	fmt.Fprint(stdout, `
In a host that shows MCP Apps:
  1. add the first URL as a remote MCP server (streamable HTTP, no authentication);
  2. ask: "Show me the open orders", or "Mark all open orders of Berlin as shipped".
A host that starts its servers itself runs: go run ./examples/orders -stdio
Ctrl-C stops the server.
`)
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return web.Close()
	}
}
