package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

const checkUsage = `usage: mcpapps check [flags] (URL | FILE.html | -- COMMAND ARG…)

Check says what hosts will reject or misread in a server's MCP Apps, or in one
HTML file. It exits 0, 1 if there are findings as severe as -fail-on, and 2 if
it could not check.

	mcpapps check -- go run ./cmd/server
	mcpapps check -live -call 'weather={"city":"Rome"}' http://localhost:8080/mcp
	mcpapps check -fail-on warning -ignore 'doc-cdn=the map comes from there' -- node server.js
	mcpapps check -metadata '{"csp":{"connectDomains":["https://api.example.com"]}}' view.html

Each code is described, with an example that raises it and one that does not, in
docs/checks.md of the module github.com/mcpapps-go/mcpapps.

`

func checkCommand(ctx context.Context, args []string, std stdio) error {
	if code := runCheck(ctx, args, std.out, std.err); code != 0 {
		return exitCode(code)
	}
	return nil
}

// runCheck is the check subcommand. It returns the exit code.
func runCheck(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("mcpapps check", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		io.WriteString(fs.Output(), checkUsage)
		fs.PrintDefaults()
	}
	var opts check.Options
	fs.BoolVar(&opts.Live, "live", false, "open each view in an installed Chromium too, and report what happens there")
	asJSON := fs.Bool("json", false, "print the report as JSON")
	failOn := check.SeverityError
	fs.TextVar(&failOn, "fail-on", check.SeverityError, "the least `severity` that makes the exit code 1: error or warning")
	fs.DurationVar(&opts.Timeout, "timeout", 0, "how long the server may take for each answer; 0 is 10s, and a minute for the first answer of a command")
	fs.Func("call", "call a tool, as `TOOL` or TOOL={\"argument\": …}; may be repeated", func(s string) error {
		call, err := parseCall(s)
		opts.Calls = append(opts.Calls, call)
		return err
	})
	fs.Func("ignore", "leave out the findings of a rule, as `CODE=REASON` or CODE@SUBJECT=REASON, where the subject is a tool or URI and may have * in it; may be repeated", func(s string) error {
		ignore, err := parseIgnore(s)
		opts.Ignore = append(opts.Ignore, ignore)
		return err
	})
	header := headerFlag(fs)
	fs.Func("metadata", "the `JSON` object that FILE.html is served with as _meta.ui of its resource", func(s string) error {
		opts.Metadata = new(mcpapps.ResourceUIMetadata)
		return json.Unmarshal([]byte(s), opts.Metadata)
	})
	if len(args) == 1 && args[0] == "-h" { // asked for, so no complaint
		fs.SetOutput(stdout)
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if failOn == check.SeverityNote {
		fmt.Fprintln(stderr, "mcpapps check: -fail-on is error or warning: notes never fail")
		return 2
	}
	report, err := checkTarget(ctx, fs.Args(), &opts, *header)
	if report != nil {
		if werr := writeReport(stdout, report, *asJSON); werr != nil && err == nil {
			err = werr
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "mcpapps check: %s\n", text.PrintableLines(inFlags(err)))
		var unreachable *check.UnreachableError
		if errors.As(err, &unreachable) && unreachable.HTTPStatus == http.StatusUnauthorized {
			fmt.Fprintln(stderr, `The server wants an authorization: -header "Authorization: Bearer …" sends one.`)
		}
		return 2
	}
	if report.Fails(failOn) {
		return 1
	}
	return 0
}

// inFlags returns the text of an error of a check, which names a flag where it
// names an option.
func inFlags(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, err := range joined.Unwrap() {
			lines = append(lines, inFlags(err))
		}
		return strings.Join(lines, "\n")
	}
	var option *check.OptionError
	if errors.As(err, &option) {
		return map[string]string{"Ignore": "-ignore", "Calls": "-call"}[option.Option] + " " + option.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), "check: ")
}

func writeReport(w io.Writer, r *check.Report, asJSON bool) error {
	if !asJSON {
		return r.WriteText(w)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, text.PrintableJSON(b.String()))
	return err
}

// checkTarget checks what the arguments name.
func checkTarget(ctx context.Context, args []string, opts *check.Options, header http.Header) (*check.Report, error) {
	if len(args) == 0 {
		return nil, errors.New("name a server, as a URL or as -- and a command, or an HTML file")
	}
	isFile := false
	switch strings.ToLower(filepath.Ext(args[0])) {
	case ".html", ".htm":
		isFile = !isURL(args[0])
	}
	switch {
	case len(args) > 1 && (isFile || isURL(args[0])):
		return nil, fmt.Errorf("%q comes after %q: one URL or file is checked, and flags come before it", args[1], args[0])
	case opts.Metadata != nil && !isFile:
		return nil, errors.New("-metadata is for a file: a server's is what it serves")
	case !isFile:
		target, err := parseTarget(args, header)
		if err != nil {
			return nil, err
		}
		return check.Target(ctx, target, opts)
	case len(opts.Calls) > 0 || opts.Live:
		return nil, errors.New("a file has no tools to -call, and is not opened -live: name its server")
	case len(header) > 0:
		return nil, errHeader
	}
	doc, err := os.ReadFile(args[0])
	if err != nil {
		return nil, err
	}
	opts.URI = args[0]
	return check.Document(string(doc), opts)
}

func parseCall(s string) (check.Call, error) {
	name, raw, has := strings.Cut(s, "=")
	call := check.Call{Tool: name}
	if name == "" {
		return call, errors.New("the name of the tool is missing")
	}
	if has {
		if err := json.Unmarshal([]byte(raw), &call.Arguments); err != nil {
			return call, fmt.Errorf("the arguments of %s are not a JSON object: %w", name, err)
		}
	}
	return call, nil
}

func parseIgnore(s string) (check.Ignore, error) {
	rule, reason, ok := strings.Cut(s, "=")
	code, subject, _ := strings.Cut(rule, "@")
	if !ok || strings.TrimSpace(reason) == "" {
		return check.Ignore{}, errors.New("there is no reason: write CODE=REASON")
	}
	return check.Ignore{Code: code, Subject: subject, Reason: reason}, nil
}
