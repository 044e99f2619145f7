package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// newFlags returns the flag set of a subcommand. parse parses it.
func newFlags(name, args, text string, std stdio) *flag.FlagSet {
	fs := flag.NewFlagSet("mcpapps "+name, flag.ContinueOnError)
	fs.SetOutput(std.out)
	fs.Usage = func() {
		fmt.Fprintf(std.out, "usage: mcpapps %s [flags] %s\n\n%s\n\n", name, args, text)
		fs.PrintDefaults()
	}
	return fs
}

// parse parses flags. It prints the usage only if it is asked for, and then returns
// [flag.ErrHelp]; a mistake is a usageError.
func parse(fs *flag.FlagSet, args []string) error {
	out, usage := fs.Output(), fs.Usage
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	fs.SetOutput(out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage()
		return err
	case err != nil:
		return usageError{err}
	}
	return nil
}
