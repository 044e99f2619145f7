package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
)

const checkText = `Reports what hosts will reject or misread in a server's MCP Apps, or in one HTML
file. Each code of a finding is described, with an example that raises it and one
that does not, in docs/checks.md of the module github.com/mcpapps-go/mcpapps. A
protocol version that could not be looked at is in the report as "not checked", which
does not fail the check.

-host judges each app for real hosts, by dated sources: it works there, is degraded
or blocked, or that is unknown, and by what. Nobody ran these hosts for it. An app
that is blocked counts as a warning, unless the host shows no apps at all.

Where the check could not be made, -format json writes {"error": {"kind": KIND,
"message": TEXT}}, beside what was found until then. KIND is unreachable, live, usage
or other.`

// Exit codes of check.
const (
	exitFindings = 1
	exitNoCheck  = 2
)

func checkCommand(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("check", "(URL | FILE.html | -- COMMAND ARG...)", checkText, std)
	var opts check.Options
	fs.BoolVar(&opts.Live, "live", false, "also open each view in an installed Chromium, and report what happens there")
	format := formats["text"]
	fs.Func("format", "how to print the report, as a `FORMAT`: text, json, or github for annotations of GitHub Actions (default text)", format.set)
	fs.BoolFunc("json", "the same as -format json", func(string) error { return format.set("json") })
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
	hosts := listFlag(fs, "host", "also report how each app fares on hosts, by what is known of them: `ID,…` of profiles in package compat, a name that several share, such as claude, or all. With -live, each view is opened again with what these hosts leave of its result, and with an empty one")
	header := headerFlag(fs)
	fs.Func("metadata", "the `JSON` object that FILE.html is served with as _meta.ui of its resource", func(s string) error {
		opts.Metadata = new(mcpapps.ResourceUIMetadata)
		return json.Unmarshal([]byte(s), opts.Metadata)
	})
	if err := parse(fs, args); err != nil {
		return err
	}
	opts.Hosts = *hosts
	if failOn == check.SeverityNote {
		return usageError{errors.New("-fail-on is error or warning: notes never fail")}
	}
	waiting := newProgress(std)
	opts.Progress = func(p check.Progress) { waiting.set(p.String()) }
	report, err := checkTarget(ctx, fs.Args(), &opts, *header)
	waiting.stop()
	if werr := format.write(std, report, err); werr != nil && err == nil {
		err = werr
	}
	var mistake usageError
	switch {
	case err != nil && format.alone:
		return &exitError{code: exitNoCheck}
	case errors.As(err, &mistake):
		return err
	case err != nil:
		message := inFlags(err)
		var unreachable *check.UnreachableError
		if errors.As(err, &unreachable) && unreachable.HTTPStatus == http.StatusUnauthorized {
			message += "\nThe flag -header \"Authorization: Bearer …\" sends one."
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
		return map[string]string{"Ignore": "-ignore", "Calls": "-call", "Hosts": "-host"}[option.Option] + " " + option.Err.Error()
	}
	return err.Error()
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
