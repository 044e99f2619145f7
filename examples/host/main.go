// Host is a small web program that shows the views of an MCP server. It serves a
// page for the user, and the views in the sandbox of package host. Without an
// argument it shows examples/hello, for which it must run in a clone of this
// repository:
//
//	go run ./examples/host
//	go run ./examples/host http://localhost:8080/mcp
//	go run ./examples/host -- go run ./cmd/server
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"

	"github.com/mcpapps-go/mcpapps/host"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	port := flag.Int("port", 8090, "`port` of the page; the views are served on the next port")
	flag.Parse()
	target := host.Target{Command: []string{"go", "run", "github.com/mcpapps-go/mcpapps/examples/hello"}}
	if flag.NArg() > 0 {
		var err error
		if target, err = host.ParseTarget(flag.Args()); err != nil {
			return err
		}
	}
	server, err := host.Connect(ctx, target, &host.ConnectOptions{Stderr: os.Stderr})
	if err != nil {
		return err
	}
	defer server.Close()

	// The page and each view have separate origins. Browsers resolve every name
	// under localhost to this machine. In production, use two domains.
	c := newChat(server, fmt.Sprintf("localhost:%d", *port), fmt.Sprintf("localhost:%d", *port+1))
	failed := make(chan error, 2)
	for i, h := range []http.Handler{c.page(), c.sandbox()} {
		listener, err := net.Listen("tcp", fmt.Sprintf("localhost:%d", *port+i))
		if err != nil {
			return err
		}
		srv := &http.Server{Handler: h, MaxHeaderBytes: 16 << 20}
		defer srv.Close()
		go func() { failed <- srv.Serve(listener) }()
	}
	fmt.Printf("http://localhost:%d/\n", *port)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}
