// Monitor is an MCP server whose app shows the server's own process, live: its
// heap, goroutines, garbage collection pauses and scheduler latency, as
// runtime/metrics reports them.
//
//	go run ./examples/monitor
//
// serves MCP over streamable HTTP, and a preview of the app for a browser, and
// prints where. The model opens the view with show_monitor; the view then calls
// sample_metrics, which the model does not see. For hosts that start their
// servers themselves, with -stdio:
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
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

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
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on, for MCP at /mcp; port 0 takes any free port")
	stateless := flags.Bool("stateless", false, "keep no sessions, so that any instance can answer any request")
	showPage := flags.Bool("preview", true, "serve a page on a loopback port that shows the app in a browser")
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
		// Standard output belongs to the protocol: nothing else is printed.
		if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	return serveHTTP(ctx, server, *addr, *stateless, *showPage, stdout, stderr)
}

func serveHTTP(ctx context.Context, server *mcp.Server, addr string, stateless, showPage bool, stdout, stderr io.Writer) error {
	listener, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w: another program has that port; name another one with -addr, such as -addr 127.0.0.1:0 for any free port", err)
	}
	if err != nil {
		return err
	}
	mcpHandler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless})
	mux := http.NewServeMux()
	// A web page that happens to be open in a browser must not reach the server.
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(mcpHandler))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}

	tcp := listener.Addr().(*net.TCPAddr)
	if !tcp.IP.IsLoopback() {
		fmt.Fprintf(stderr, "monitor: warning: %s can be reached from other machines, and there is no authentication\n", tcp)
	}
	if tcp.IP.IsUnspecified() { // every address, of which this one can be opened
		tcp = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}
	}
	endpoint := fmt.Sprintf("http://%s/mcp", tcp)
	fmt.Fprintf(stdout, "monitor listens on %s\n", endpoint)

	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	if showPage {
		page, err := preview.Start(ctx, host.Target{URL: endpoint}, nil)
		if err != nil { // the server itself is none the worse
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
Ctrl-C stops the server.
`)

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	// Sessions hold streams open for as long as they last; without them, what
	// is left to wait for are the calls in flight.
	for session := range server.Sessions() {
		session.Close()
	}
	// A connection that a client opened ahead of use counts as one, too.
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := web.Shutdown(grace); err != nil {
		web.Close()
		fmt.Fprintln(stdout, "monitor: stopped, with connections cut off")
		return nil
	}
	fmt.Fprintln(stdout, "monitor: stopped")
	return nil
}
