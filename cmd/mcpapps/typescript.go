package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/view"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const typesText = `Writes TypeScript declarations into a folder of views, for editors and compilers:
mcp-app.d.ts declares the view runtime, "mcp-app", and tools.d.ts the server's
tools, so that app.callServerTool knows their arguments and results. Without a
server it writes the first alone.`

func types(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("types", "[URL | -- COMMAND ARG...]", typesText, std)
	dir := fs.String("o", ".", "the `folder` to write to")
	react := fs.Bool("react", false, "also write mcp-app-react.d.ts, which declares the React hooks")
	header := headerFlag(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	files := []struct{ name, text string }{{"mcp-app.d.ts", view.Types()}}
	if *react {
		files = append(files, struct{ name, text string }{"mcp-app-react.d.ts", view.ReactTypes()})
	}
	if fs.NArg() > 0 {
		target, err := parseTarget(fs.Args(), *header)
		if err != nil {
			return usageError{err}
		}
		text, err := toolTypes(ctx, target, std)
		if err != nil {
			return err
		}
		files = append(files, struct{ name, text string }{"tools.d.ts", text})
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(*dir, f.name)
		if err := os.WriteFile(name, []byte(f.text), 0o666); err != nil {
			return err
		}
		fmt.Fprintf(std.out, "wrote %s\n", name)
	}
	return nil
}

// toolTypes declares the tools that the server at t lists.
func toolTypes(ctx context.Context, t host.Target, std stdio) (string, error) {
	fmt.Fprintf(std.err, "connecting to %s\n", t)
	server, err := host.Connect(ctx, t, &host.ConnectOptions{Stderr: std.process()})
	if err != nil {
		return "", err
	}
	defer server.Close()
	listed, err := server.Tools(ctx)
	if err != nil {
		return "", err
	}
	tools := make([]*mcp.Tool, len(listed))
	for i, t := range listed {
		tools[i] = t.Tool
	}
	return tooltypes.Declare(tools)
}
