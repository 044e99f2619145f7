// Notes is an MCP server for ChatGPT and other hosts: a board of notes that the user opens
// from the sidebar or in a thread, .note files that open in a view, settings that the
// host draws, notes that can be mentioned by typing @, and a form that moves a note.
//
//	go run ./examples/notes
//
// serves MCP over streamable HTTP, and a preview of the app as ChatGPT shows it, and
// prints both URLs. The notes are kept in a file, whose name it prints too. Hosts that
// start their servers themselves need -stdio:
//
//	{"mcpServers": {"notes": {
//	  "command": "go",
//	  "args": ["run", "github.com/mcpapps-go/mcpapps/examples/notes@latest", "-stdio"]
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
	"path/filepath"
	"syscall"
	"time"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/examples/internal/port"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/mcpapps-go/mcpapps/preview"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("notes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; MCP is at /mcp, and port 0 chooses a free port")
	as := flags.String("as", "chatgpt-desktop", "host as which the preview shows the app at first; -as \"\" is the preview's own")
	file := flags.String("file", defaultFile(), "file in which the notes are kept")
	showPage := flags.Bool("preview", true, "serve a page on a loopback port that shows the app in a browser")
	stdio := flags.Bool("stdio", false, "serve standard input and output instead of HTTP")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	profile, ok := compat.Lookup(*as)
	if !ok && *as != "" {
		return fmt.Errorf("-as: no host %q is known; docs/hosts.md names them", *as)
	}
	notes, err := openStore(*file)
	if err != nil {
		return err
	}
	if *stdio {
		if err := newServer(notes, true).Run(ctx, openai.LegacyForms(&mcp.StdioTransport{})); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	listener, at, err := port.Listen(*addr, "notes", stderr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "notes listens on http://%s/mcp\nThe notes are in %s\n", at, *file)

	server, mux := newServer(notes, false), http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	if *showPage {
		page, err := preview.Start(ctx, host.Target{Server: newServer(notes, true)}, &preview.Options{Emulate: profile})
		if err != nil { // the server itself still works
			fmt.Fprintf(stderr, "notes: no preview: %v\n", err)
		} else {
			defer page.Close()
			fmt.Fprintf(stdout, "\nSee it in a browser: %s\n", page.URL())
		}
	}
	fmt.Fprint(stdout, `
In a host that shows MCP Apps:
  1. add the first URL as a remote MCP server (streamable HTTP, no authentication);
  2. ask: "Show me my notes", or "Move a note to another list".
A host that starts its servers itself runs: go run ./examples/notes -stdio
Ctrl-C stops the server.
`)
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return web.Close()
	}
}

// defaultFile returns a file in the user's configuration folder, or "" if the system names
// no such folder.
func defaultFile() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "mcpapps-notes", "notes.json")
}
