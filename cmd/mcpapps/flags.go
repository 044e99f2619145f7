package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// newFlags returns the flag set of a subcommand. parse parses it.
func newFlags(name, args, text string, std stdio) *flag.FlagSet {
	fs := flag.NewFlagSet("mcpapps "+name, flag.ContinueOnError)
	fs.SetOutput(std.out)
	fs.Usage = func() { writeHelp(std.out, fs, name, args, text) }
	return fs
}

// parse parses flags. It prints the usage only if it is asked for, and then returns
// [flag.ErrHelp]; a mistake is a usageError.
func parse(fs *flag.FlagSet, args []string) error {
	if name := unknownFlag(fs, args); name != "" {
		return usageError{noFlag(fs, name)}
	}
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

// unknownFlag returns the name of the first flag in args that fs does not have, or "".
func unknownFlag(fs *flag.FlagSet, args []string) string {
	for i := 0; i < len(args); i++ {
		name, ok := strings.CutPrefix(args[i], "-")
		if !ok || name == "" || name == "-" {
			return ""
		}
		name, _, hasValue := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		f := fs.Lookup(name)
		switch {
		case name == "h" || name == "help":
			return ""
		case f == nil:
			return name
		case !hasValue && !isBool(f):
			i++
		}
	}
	return ""
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func noFlag(fs *flag.FlagSet, name string) error {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := nearest(name, names); near != "" {
		return fmt.Errorf("no flag -%s: the nearest is -%s", name, near)
	}
	return fmt.Errorf("no flag -%s", name)
}

// nearest returns which of the names a misspelled one stands for, or "".
func nearest(name string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	if near := spelling.Nearest(name, names); spelling.Distance(text.Shorten(name, 100), near) <= len(near)/2 {
		return near
	}
	return ""
}
