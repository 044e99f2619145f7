package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/view"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// declarations are a file of TypeScript declarations.
type declarations struct{ name, text string }

const typesText = `Writes TypeScript declarations for views, for editors and compilers, to standard
output: of the view runtime, "mcp-app", "mcp-app/data" and "mcp-app/openai", and of
the server's tools, so that app.callServerTool knows their arguments and results.
Without a server it declares the runtime alone. With -o it writes a file for each:
mcp-app.d.ts, mcp-app-data.d.ts, mcp-app-openai.d.ts, tools.d.ts, and with -react
mcp-app-react.d.ts.`

func types(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("types", "[URL | -- COMMAND ARG...]", typesText, std)
	dir := fs.String("o", "", "the `folder` to write files to, which is made if it does not exist; by default nothing is written to files")
	react := fs.Bool("react", false, "also declare the React hooks, \"mcp-app/react\"")
	header := headerFlag(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	files := []declarations{{"mcp-app.d.ts", view.Types()}, {"mcp-app-data.d.ts", view.DataTypes()}, {"mcp-app-openai.d.ts", view.OpenAITypes()}}
	if *react {
		files = append(files, declarations{"mcp-app-react.d.ts", view.ReactTypes()})
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
		files = append(files, declarations{"tools.d.ts", text})
	}
	if *dir == "" {
		return writeTypes(std, files)
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

// writeTypes writes files of declarations to standard output, as one file: each
// declares modules, which merge. A terminal gets them escaped.
func writeTypes(std stdio, files []declarations) error {
	w := std.out
	if !isTerminal(w) {
		w = unescaped(w)
	}
	for i, f := range files {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := io.WriteString(w, f.text); err != nil {
			return err
		}
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
