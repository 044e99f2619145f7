// Oddserver is a server with one app that behaves, as its flags say, in ways that
// servers in use are known for. Tests start it to see what programs say about each.
//
// It serves over standard input and output, or, with -sse or -lose-sessions, over HTTP
// and prints its URL.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

//go:embed view.html
var document string

type flags struct {
	slow         time.Duration
	banner       bool
	lock         string
	crash        string
	sse          string
	loseSessions string
	always       bool
}

func main() {
	log.SetFlags(0)
	var f flags
	flag.DurationVar(&f.slow, "slow", 0, "wait before it speaks")
	flag.BoolVar(&f.banner, "banner", false, "print lines to standard output before it speaks")
	flag.StringVar(&f.lock, "lock", "", "hold this `FILE` as a lock, and exit with 3 if it exists")
	flag.StringVar(&f.crash, "crash", "", "exit with 3: at its start (start), instead of answering initialize or server/discover (initialize), during the call of the tool (call), or while the view is open (view)")
	flag.StringVar(&f.sse, "sse", "", "serve HTTP+SSE, the transport of 2024-11-05, on this `ADDRESS`")
	flag.StringVar(&f.loseSessions, "lose-sessions", "", "serve streamable HTTP on this `ADDRESS` and forget all sessions at the first call of a tool, as if restarted")
	flag.BoolVar(&f.always, "always", false, "with -lose-sessions, forget them at every call of a tool")
	flag.Parse()
	os.Exit(run(f))
}

func run(f flags) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if f.lock != "" {
		file, err := os.OpenFile(f.lock, os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			log.Printf("another instance runs: %v", err)
			return 3
		}
		file.Close()
		defer os.Remove(f.lock)
	}
	if f.banner {
		fmt.Println("*** oddserver 1.0 ***")
		fmt.Println("Ready.")
	}
	if f.crash == "start" {
		log.Print("the configuration is missing: set ODDSERVER_TOKEN")
		return 3
	}
	select {
	case <-time.After(f.slow):
	case <-ctx.Done():
		return 0
	}
	var err error
	switch {
	case f.sse != "":
		h := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return newServer(f.crash) }, nil)
		err = serve(ctx, f.sse, "/sse", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && !r.URL.Query().Has("sessionid") { // as a router without that route, unlike the SDK
				http.NotFound(w, r)
				return
			}
			h.ServeHTTP(w, r)
		}))
	case f.loseSessions != "":
		h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer(f.crash) }, nil)
		err = serve(ctx, f.loseSessions, "/mcp", &forgetful{Handler: h, always: f.always})
	default:
		err = newServer(f.crash).Run(ctx, &mcp.StdioTransport{})
	}
	if err != nil && ctx.Err() == nil {
		log.Print(err)
		return 1
	}
	return 0
}

// serve serves h at a path until ctx ends, and prints the URL.
func serve(ctx context.Context, addr, path string, h http.Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle(path, h)
	srv := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { srv.Close() })
	fmt.Printf("http://%s%s\n", l.Addr(), path)
	if err := srv.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

const uri = "ui://odd/view.html"

// newServer returns the server with its tools: odd, which opens the view, and watch,
// which the view calls once it has its result.
func newServer(crash string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "oddserver", Version: "1.0.0"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "odd", Description: "Opens the view."},
		mcpapps.View{Resource: mcp.Resource{URI: uri, Name: "odd"}, Document: mcpapps.HTML(document)},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			if crash == "call" {
				log.Print("panic: index out of range [3] with length 3")
				os.Exit(3)
			}
			return text("An odd result."), nil, nil
		})
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "watch", Description: "Tells the server that the view is open.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		mcpapps.AppOnly(uri),
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			if crash == "view" {
				time.AfterFunc(300*time.Millisecond, func() {
					log.Print("panic: index out of range [3] with length 3")
					os.Exit(3)
				})
			}
			return text("Watched."), nil, nil
		})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if crash == "initialize" {
				log.Printf("panic: index out of range [3] with length 3")
				os.Exit(3)
			}
			return next(ctx, method, req)
		}
	})
	return s
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
