package main

import (
	"context"
	"encoding/json"
	"errors"
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

const checkText = `Reports what hosts will reject or misread in a server's MCP Apps, or in one HTML
file. The exit code is 0, or 1 if there are findings of the severity in -fail-on
or above, or 2 if the check, or with -live the part in a browser, could not be made:
what was found until then is printed all the same. A further protocol version that
could not be looked at is in the report as "not checked", and is no failure.

	mcpapps check -- go run ./cmd/server
	mcpapps check -live -call 'weather={"city":"Rome"}' http://localhost:8080/mcp
	mcpapps check -fail-on warning -ignore 'doc-cdn=the map comes from there' -- node server.js
	mcpapps check -metadata '{"csp":{"connectDomains":["https://api.example.com"]}}' view.html

Each code is described, with an example that raises it and one that does not, in
docs/checks.md of the module github.com/mcpapps-go/mcpapps.`

// Exit codes of check.
const (
	exitFindings = 1
	exitNoCheck  = 2
)

func checkCommand(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("check", "(URL | FILE.html | -- COMMAND ARG...)", checkText, std)
	var opts check.Options
	fs.BoolVar(&opts.Live, "live", false, "also open each view in an installed Chromium, and report what happens there")
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
	if err := parse(fs, args); err != nil {
		return err
	}
	if failOn == check.SeverityNote {
		return usageError{errors.New("-fail-on is error or warning: notes never fail")}
	}
	report, err := checkTarget(ctx, fs.Args(), &opts, *header)
	if report != nil {
		if werr := writeReport(std.out, report, *asJSON); werr != nil && err == nil {
			err = werr
		}
	}
	var mistake usageError
	switch {
	case errors.As(err, &mistake):
		return err
	case err != nil:
		message := inFlags(err)
		var unreachable *check.UnreachableError
		if errors.As(err, &unreachable) {
			switch unreachable.HTTPStatus {
			case http.StatusUnauthorized:
				message += "\nThe server requires authorization: -header \"Authorization: Bearer …\" sends one."
			case http.StatusNotFound, http.StatusMethodNotAllowed:
				if !unreachable.OldTransport {
					message += "\nThere is no MCP endpoint: many servers have theirs at /mcp."
				}
			}
		}
		return &exitError{exitNoCheck, errors.New(message)}
	case report.Fails(failOn):
		return &exitError{code: exitFindings}
	}
	return nil
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
	return err.Error()
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
		return nil, usageError{errors.New("name a server, as a URL or as -- and a command, or an HTML file")}
	}
	isFile := false
	switch strings.ToLower(filepath.Ext(args[0])) {
	case ".html", ".htm":
		isFile = !strings.Contains(args[0], "://")
	}
	switch {
	case len(args) > 1 && isFile:
		return nil, usageError{fmt.Errorf("%q after the file %q: one file is checked, and flags come before it", args[1], args[0])}
	case opts.Metadata != nil && !isFile:
		return nil, usageError{errors.New("-metadata is for a file: a server's metadata is what it serves")}
	case !isFile:
		target, err := parseTarget(args, header)
		if err != nil {
			return nil, usageError{err}
		}
		return check.Target(ctx, target, opts)
	case len(opts.Calls) > 0 || opts.Live:
		return nil, usageError{errors.New("-call and -live are for a server: a file has no tools")}
	case len(header) > 0:
		return nil, usageError{errHeader}
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
		return call, errors.New("the tool's name is missing: write TOOL or TOOL={…}")
	}
	if has {
		if err := json.Unmarshal([]byte(raw), &call.Arguments); err != nil {
			return call, fmt.Errorf("the arguments of %s must be a JSON object: %w", name, err)
		}
	}
	return call, nil
}

func parseIgnore(s string) (check.Ignore, error) {
	rule, reason, ok := strings.Cut(s, "=")
	code, subject, _ := strings.Cut(rule, "@")
	if !ok || strings.TrimSpace(reason) == "" {
		return check.Ignore{}, errors.New("the reason is missing: write CODE=REASON")
	}
	return check.Ignore{Code: code, Subject: subject, Reason: reason}, nil
}
