// Monitor is an MCP server whose app shows live charts of the server's own process:
// heap, goroutines, garbage collection pauses and scheduler latency, as reported
// by runtime/metrics.
//
//	go run ./examples/monitor
//
// serves MCP over streamable HTTP, and a preview of the app, and prints both URLs.
// The model opens the view with show_monitor; the view then polls sample_metrics,
// which is hidden from the model, and keeps on the server whether it is paused. Hosts
// that start their servers themselves need -stdio:
//
//	{"mcpServers": {"monitor": {
//	  "command": "go",
//	  "args": ["run", "github.com/mcpapps-go/mcpapps/examples/monitor@latest", "-stdio"]
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
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "monitor:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("monitor", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; MCP is at /mcp, and port 0 chooses a free port")
	stateless := flags.Bool("stateless", false, "keep no sessions, so that any instance can handle any request")
	showPage := flags.Bool("preview", true, "serve a page on a loopback port that shows the app in a browser")
	origin := flags.String("origin", "", "origin of a host in a browser that may call the server, such as https://host.example; by default none may")
	stdio := flags.Bool("stdio", false, "serve standard input and output instead of HTTP")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	s := newSampler(readMetrics)
	go s.run(ctx)
	server := newServer(s)
	if *stdio {
		// Standard output carries the protocol, so nothing else may be printed there.
		if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	return serveHTTP(ctx, server, *addr, *origin, *stateless, *showPage, stdout, stderr)
}

func serveHTTP(ctx context.Context, server *mcp.Server, addr, origin string, stateless, showPage bool, stdout, stderr io.Writer) error {
	mcpHandler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless})
	endpointHandler, err := onlyFrom(origin, mcpHandler)
	if err != nil {
		return fmt.Errorf("-origin: %w", err)
	}
	listener, at, err := port.Listen(addr, "monitor", stderr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpointHandler)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	endpoint := fmt.Sprintf("http://%s/mcp", at)
	fmt.Fprintf(stdout, "monitor listens on %s\n", endpoint)

	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	if showPage {
		page, err := preview.Start(ctx, host.Target{URL: endpoint}, nil)
		if err != nil { // the server itself still works
			fmt.Fprintf(stderr, "monitor: no preview: %v\n", err)
		} else {
			defer page.Close()
			fmt.Fprintf(stdout, "\nSee it in a browser: %s\n", page.URL())
		}
	}
	fmt.Fprint(stdout, `
In a host that shows MCP Apps:
  1. add the first URL as a remote MCP server (streamable HTTP, no authentication);
  2. ask: "Show me the monitor."
A host that starts its servers itself runs: go run ./examples/monitor -stdio
A host in a browser that calls servers from its page needs: -origin https://HOST
Ctrl-C stops the server.
`)

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	// A session keeps its stream open until it is closed. Once the sessions are
	// closed, Shutdown waits only for the calls in flight.
	for session := range server.Sessions() {
		session.Close()
	}
	// It also waits for connections that a client has opened but not used yet.
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := web.Shutdown(grace); err != nil {
		web.Close()
		fmt.Fprintln(stdout, "monitor: stopped; open connections were closed")
		return nil
	}
	fmt.Fprintln(stdout, "monitor: stopped")
	return nil
}
