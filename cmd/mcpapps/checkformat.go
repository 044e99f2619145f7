package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A format is how check prints what it found.
type format struct {
	// write writes the report, and why the check could not be made, to standard output.
	// One of r and err may be nil.
	write func(std stdio, r *check.Report, err error) error
	// alone is whether the error must not be on standard error too.
	alone bool
}

var formats = map[string]format{"text": {write: writeText}, "json": {write: writeJSON}, "github": {writeGitHub, true}}

func (f *format) set(name string) error {
	chosen, ok := formats[name]
	if !ok {
		return errors.New("write text, json or github")
	}
	*f = chosen
	return nil
}

// writeText writes the report. The error goes to standard error, where the program
// prints it.
func writeText(std stdio, r *check.Report, _ error) error {
	switch {
	case r == nil:
		return nil
	case hasColors(std.out):
		return r.WriteColorText(unescaped(std.out)) // the report's text is escaped already
	default:
		return r.WriteText(std.out)
	}
}

// jsonResult is the report as JSON, with an error if the check, or a part of it, could
// not be made.
type jsonResult struct {
	*check.Report
	Error *jsonError `json:"error,omitempty"`
}

type jsonError struct {
	Kind    errorKind `json:"kind"`
	Message string    `json:"message"`
	// For "unreachable": see check.UnreachableError.
	Method     string `json:"method,omitempty"`
	HTTPStatus int    `json:"httpStatus,omitempty"`
	Stdout     string `json:"stdout,omitempty"`
	Stderr     string `json:"stderr,omitempty"`
}

// An errorKind says what kept a check from being made.
type errorKind string

const (
	kindUnreachable errorKind = "unreachable" // the server could not be asked
	kindLive        errorKind = "live"        // its views could not be opened in a browser
	kindUsage       errorKind = "usage"       // a mistake on the command line
	kindOther       errorKind = "other"
)

// kindOf returns the kind of the error of a check that returned r.
func kindOf(r *check.Report, err error) errorKind {
	var unreachable *check.UnreachableError
	var option *check.OptionError
	var mistake usageError
	switch {
	case errors.As(err, &unreachable):
		return kindUnreachable
	case r != nil && liveUnchecked(r):
		return kindLive
	case errors.As(err, &option), errors.As(err, &mistake):
		return kindUsage
	default:
		return kindOther
	}
}

func liveUnchecked(r *check.Report) bool {
	for _, u := range r.Unchecked {
		if u.Part == "live" {
			return true
		}
	}
	return false
}

func writeJSON(std stdio, r *check.Report, err error) error {
	result := jsonResult{Report: r}
	if err != nil {
		result.Error = &jsonError{Kind: kindOf(r, err), Message: inFlags(err)}
		var unreachable *check.UnreachableError
		if errors.As(err, &unreachable) {
			result.Error.Method, result.Error.HTTPStatus = unreachable.Method, unreachable.HTTPStatus
			result.Error.Stdout, result.Error.Stderr = unreachable.Stdout, unreachable.Stderr
		}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		return err
	}
	_, err = io.WriteString(std.out, text.PrintableJSON(b.String()))
	return err
}

// writeGitHub writes annotations for GitHub Actions, and how many there are. The runner
// obeys each line that begins like one, on standard error too: so the error is one as
// well, and nothing that a server says begins a line.
func writeGitHub(std stdio, r *check.Report, err error) error {
	var b strings.Builder
	if err != nil {
		annotate(&b, "error", annotation{title: "mcpapps check", message: inFlags(err)})
	}
	if r != nil {
		for i := range r.Findings {
			annotateFinding(&b, &r.Findings[i])
		}
		for i := range r.Hosts {
			annotateHost(&b, &r.Hosts[i])
		}
		for _, u := range r.Unchecked {
			if err == nil || u.Part != "live" { // that is the error
				annotate(&b, "warning", annotation{title: "mcpapps check: not checked", message: u.String()})
			}
		}
		fmt.Fprintf(&b, "findings: errors %d, warnings %d, notes %d, ignored %d\n",
			r.Count(check.SeverityError), r.Count(check.SeverityWarning), r.Count(check.SeverityNote), len(r.Ignored))
	}
	_, err = io.WriteString(std.out, b.String())
	return err
}
