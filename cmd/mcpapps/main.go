// Command mcpapps shows and checks the apps of an MCP server, and declares its
// tools to TypeScript.
//
//	mcpapps preview [flags] (URL | -- COMMAND ARG...)
//	mcpapps screenshot [flags] -o FILE (URL | -- COMMAND ARG...)
//	mcpapps types [flags] [URL | -- COMMAND ARG...]
//	mcpapps check [flags] (URL | FILE.html | -- COMMAND ARG...)
//
// "mcpapps help COMMAND" tells the flags of each.
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
	run   func(ctx context.Context, args []string, stdio stdio) error
}

type stdio struct{ out, err io.Writer }

var commands = []command{
	{"preview", "show a server's apps on a web page", previewCommand},
	{"screenshot", "render the view of a tool to a PNG file", screenshot},
	{"types", "declare the view runtime and a server's tools to TypeScript", types},
	{"check", "say what hosts will reject or misread in a server's apps", checkCommand},
}

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
)

// A usageError is a mistake on the command line.
type usageError struct{ error }

// An exitCode ends the program with a code of the command's own. What there is
// to say has been said.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program there and then
	code := run(ctx, os.Args[1:], stdio{os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

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
	for _, c := range commands {
		if c.name != name {
			continue
		}
		err := c.run(ctx, rest, std)
		var wrong usageError
		var code exitCode
		switch {
		case err == nil || errors.Is(err, flag.ErrHelp):
			return 0
		case errors.As(err, &code):
			return int(code)
		case errors.As(err, &wrong):
			fmt.Fprintf(std.err, "mcpapps %s: %s\nRun \"mcpapps help %s\" for its flags.\n", c.name, err, c.name)
			return exitUsage
		default:
			fmt.Fprintf(std.err, "mcpapps %s: %s\n", c.name, err)
			return exitFailure
		}
	}
	fmt.Fprintf(std.err, "mcpapps: no command %q\n\n", name)
	usage(std.err)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "mcpapps shows and checks the apps of an MCP server.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\tmcpapps %-12s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\nA server is an http URL, or -- and a command with its arguments:\n\n"+
		"\tmcpapps preview http://localhost:8080/mcp\n"+
		"\tmcpapps preview -- go run ./cmd/server\n\n"+
		"\"mcpapps help COMMAND\" tells the flags of each.\n")
}

// newFlags returns the flag set of a subcommand. Its mistakes are usage errors.
func newFlags(name, args, text string, std stdio) *flag.FlagSet {
	fs := flag.NewFlagSet("mcpapps "+name, flag.ContinueOnError)
	fs.SetOutput(std.out)
	fs.Usage = func() {
		fmt.Fprintf(std.out, "usage: mcpapps %s [flags] %s\n\n%s\n\n", name, args, text)
		fs.PrintDefaults()
	}
	return fs
}

func parse(fs *flag.FlagSet, args []string) error {
	out := fs.Output()
	usage := fs.Usage
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	fs.SetOutput(out)
	if errors.Is(err, flag.ErrHelp) {
		usage()
		return err
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}
