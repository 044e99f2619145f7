// Gateway serves several MCP servers, its backends, behind one address, with their
// apps. It shows what package gateway leaves to a program. In a clone of this
// repository:
//
//	go run ./examples/gateway
//	go run ./examples/gateway -backend maps=https://maps.example/mcp -backend 'time=node server.js --stdio'
//
// The common endpoint /mcp has the tools and views of all backends. Each backend also
// has an endpoint of its own, such as /mcp/maps.
//
// # Whose view calls
//
// A view may call the tools of its own server, and no other's. At the common endpoint
// the gateway can't tell whose view calls: a host has one connection to it, and a
// request does not say whether a view made it, or which one. A secret in each
// backend's documents would not help, because a view may read every document that its
// host may read. So a view at the common endpoint opens with its result, but calls
// nothing: tools that only views call are neither listed nor called there, and the
// others are listed for the model only, so that hosts refuse them to views, as the
// specification demands of them. At a backend's own endpoint the host knows whose view
// it is: there everything works, and other backends are out of reach. Views that call
// tools need a host that is connected to that endpoint.
//
// With -trust, backends trust one another: at the common endpoint, too, views may call
// tools, those of other backends included.
//
// # What clients declare
//
// Each backend has two connections, one that declares that the client shows apps and
// one that does not, so that the backend's answers suit the gateway's client. What is
// kept of them is kept for each connection. A client whose support is not known gets
// the lists of a client with apps and the results of one without. So does a client that
// declares no apps and has the name of a host that shows them.
//
// # Backends that fail
//
// A backend that ended is started or connected to again, after a pause that grows.
// Meanwhile its tools stay listed, calls answer with an error that names it, and the
// other backends are not affected.
//
// # What is missing
//
// A gateway for more than one person needs authentication, and connections to the
// backends for each user with that user's rights; here all clients share them. A backend
// behind authorization needs a header, for which there is no flag.
//
// Not forwarded: prompts, completion, progress, logging, subscriptions to resources, the
// _meta of a call, such as its trace context, and what a backend asks its client
// (elicitation, sampling, roots), which the gateway declares that it can't. A call that is
// cancelled is cancelled at its backend, except without sessions, where the SDK's server
// does not learn of it.
//
// Backends are told the gateway's name instead of the client's. So a backend that tells
// hosts apart, by compat.IdentifyRequest in mcpapps.DomainFunc for example, finds none of
// them, and its own compat.KeepViews has no effect.
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
	"sync"
	"syscall"
	"time"

	"github.com/mcpapps-go/mcpapps/examples/internal/port"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; port 0 chooses a free port")
	stateless := flags.Bool("stateless", false, "keep no sessions for clients of older protocol versions")
	trust := flags.Bool("trust", false, "at the common endpoint, let the views of each backend call the tools of all")
	stdio := flags.Bool("stdio", false, "serve the common endpoint on standard input and output instead of HTTP")
	var backends []*backend
	flags.Func("backend", "`NAME=URL` or NAME=COMMAND of a server, repeated for each; by default two examples of this module", func(s string) error {
		b, err := parseBackend(s)
		backends = append(backends, b)
		return err
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if len(backends) == 0 {
		for _, s := range []string{"hello=go run github.com/mcpapps-go/mcpapps/examples/hello", "monitor=go run github.com/mcpapps-go/mcpapps/examples/monitor -stdio"} {
			b, err := parseBackend(s)
			if err != nil {
				return err
			}
			backends = append(backends, b)
		}
	}
	names := make(map[string]bool)
	for _, b := range backends {
		if names[b.name] {
			return fmt.Errorf("two backends have the name %q", b.name)
		}
		names[b.name] = true
		defer b.close()
	}
	if *stdio {
		server := newFront(true, *trust, backends...).server
		connect(ctx, backends)
		if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	handler := newHandler(backends, *trust, *stateless)
	connect(ctx, backends)
	listener, at, err := port.Listen(*addr, "gateway", stderr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "all backends: http://%s/mcp\n", at)
	for _, b := range backends {
		fmt.Fprintf(stdout, "%s alone: http://%s/mcp/%s\n", b.name, at, b.name)
	}
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	defer web.Close()
	defer context.AfterFunc(ctx, func() { web.Close() })()
	if err := web.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// connect connects to the backends. One that is down, or not ready in time, is listed
// once it is there.
func connect(ctx context.Context, backends []*backend) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var ready sync.WaitGroup
	for _, b := range backends {
		ready.Go(func() { _, _ = b.ui.connection(ctx) })
	}
	ready.Wait()
}

// newHandler serves the endpoints: /mcp, and /mcp/NAME for each backend.
func newHandler(backends []*backend, trust, stateless bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint(newFront(true, trust, backends...).server, stateless))
	for _, b := range backends {
		mux.Handle("/mcp/"+b.name, endpoint(newFront(false, false, b).server, stateless))
	}
	// Web pages of other sites must not reach a server on the user's machine.
	return http.NewCrossOriginProtection().Handler(mux)
}

// endpoint serves clients of all protocol versions. From 2026-07-28 on clients open
// no sessions, and the SDK negotiates that version only on a handler without sessions. Older
// clients declare their support for apps once in a session; without sessions it is
// not known.
func endpoint(server *mcp.Server, stateless bool) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	without := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true})
	if stateless {
		return without
	}
	with := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: time.Hour})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			without.ServeHTTP(w, r)
		} else {
			with.ServeHTTP(w, r)
		}
	})
}
