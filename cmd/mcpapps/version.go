package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

func versionCommand(_ context.Context, args []string, std stdio) error {
	fs := newFlags("version", "", "Says which version of mcpapps this is, and which revisions of MCP and of MCP Apps it\nknows.", std)
	if err := parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usageError{fmt.Errorf("%q: the command has no arguments", fs.Arg(0))}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("the program was built without module information")
	}
	fmt.Fprint(std.out, versionText(info))
	return nil
}

// versionText says which versions of everything the program was built from.
func versionText(info *debug.BuildInfo) string {
	const module, sdk = "github.com/mcpapps-go/mcpapps", "github.com/modelcontextprotocol/go-sdk"
	ours, theirs := info.Main.Version, ""
	for _, m := range info.Deps {
		version := m.Version
		if m.Replace != nil {
			version = strings.TrimSpace(m.Version + " => " + m.Replace.Path + " " + m.Replace.Version)
		}
		switch m.Path {
		case module: // the program is another module's
			ours = version
		case sdk:
			theirs = version
		}
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = " " + s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	var b strings.Builder
	line := func(label, value string) { fmt.Fprintf(&b, "%-9s %s\n", label, value) }
	line("mcpapps", ours+revision+modified)
	line("Go", strings.TrimPrefix(info.GoVersion, "go"))
	line("Go SDK", theirs)
	line("MCP Apps", mcpapps.SpecVersion)
	line("MCP", strings.Join(mcp.SupportedProtocolVersions(), ", "))
	return b.String()
}
