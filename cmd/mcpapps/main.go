// Command mcpapps previews and checks the MCP Apps of a server.
//
//	mcpapps preview [flags] (URL | -- COMMAND ARG...)
//	mcpapps screenshot [flags] -o FILE (URL | -- COMMAND ARG...)
//	mcpapps types [flags] [URL | -- COMMAND ARG...]
//	mcpapps check [flags] (URL | FILE.html | -- COMMAND ARG...)
//	mcpapps version
//
// "mcpapps help COMMAND" describes a command and its flags.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A command is a subcommand. run parses its own flags from args and returns the
// error that ends the program.
type command struct {
	name  string
	short string
	run   func(ctx context.Context, args []string, std stdio) error
}

var commands = []command{
	{"preview", "show a server's apps on a web page", previewCommand},
	{"screenshot", "render the view of a tool to a PNG file", screenshot},
	{"types", "write TypeScript declarations of the view runtime and of a server's tools", types},
	{"check", "report what hosts will reject or misread in a server's apps", checkCommand},
	{"version", "say which version this is, and which revisions of MCP Apps and MCP it knows", versionCommand},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], stdio{os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// run runs the command that args name, and returns the exit code.
func run(ctx context.Context, args []string, std stdio) int {
	std = stdio{text.NewWriter(std.out), text.NewWriter(std.err)} // names and errors in it are the server's
	if len(args) == 0 {
		usage(std.err)
		return exitUsage
	}
	name, rest := args[0], args[1:]
	if name == "help" || name == "-h" || name == "--help" || name == "-help" {
		if len(rest) == 0 {
			usage(std.out)
			return 0
		}
		name, rest = rest[0], []string{"-h"}
	}
	if name == "-version" || name == "--version" {
		name = "version"
	}
	for _, c := range commands {
		if c.name == name {
			return exitCode(c.run(ctx, rest, std), c.name, std)
		}
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	if near := nearest(name, names); near != "" {
		fmt.Fprintf(std.err, "mcpapps: no command %q: the nearest is %q\nRun \"mcpapps help %s\" for its flags.\n", name, near, near)
		return exitUsage
	}
	fmt.Fprintf(std.err, "mcpapps: no command %q\n\n", name)
	usage(std.err)
	return exitUsage
}

// Exit codes besides 0.
const (
	exitFailure = 1
	exitUsage   = 2
)

// A usageError is a mistake on the command line.
type usageError struct{ error }

// An exitError ends the program with an exit code of the command's own. Nothing is
// printed if err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }
func (e *exitError) Unwrap() error { return e.err }

// exitCode prints the error that ended a command and returns the exit code.
func exitCode(err error, name string, std stdio) int {
	var mistake usageError
	var exit *exitError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &mistake):
		printError(std, name, err)
		fmt.Fprintf(std.err, "Run \"mcpapps help %s\" for its flags.\n", name)
		return exitUsage
	case errors.As(err, &exit):
		if exit.err != nil {
			printError(std, name, exit.err)
		}
		return exit.code
	default:
		printError(std, name, err)
		return exitFailure
	}
}

// printError prints an error of a command, whose name is red where that is possible.
func printError(std stdio, name string, err error) {
	prefix := "mcpapps " + name + ":"
	if hasColors(std.err) {
		fmt.Fprintf(unescaped(std.err), "\x1b[1;31m%s\x1b[0m ", prefix)
	} else {
		fmt.Fprint(std.err, prefix+" ")
	}
	fmt.Fprintf(std.err, "%s\n", err)
}

func usage(w io.Writer) {
	fmt.Fprint(w, "mcpapps previews and checks the MCP Apps of a server.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\tmcpapps %-12s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\nA server is an http URL, or -- and a command with its arguments:\n\n"+
		"\tmcpapps preview http://localhost:8080/mcp\n"+
		"\tmcpapps preview -- go run ./cmd/server\n\n"+
		"\"mcpapps help COMMAND\" describes a command and its flags.\n")
}
