package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// An annotation is a message that GitHub shows with a job, and beside the line of a
// file if it names one. See "Workflow commands" in the documentation of GitHub Actions.
type annotation struct {
	file           string // "" for none
	line, col      int    // from 1; 0 for none
	title, message string
}

// annotateFinding writes the annotation of a finding.
func annotateFinding(b *strings.Builder, f *check.Finding) {
	command := map[check.Severity]string{check.SeverityError: "error", check.SeverityWarning: "warning"}[f.Severity]
	if command == "" {
		command = "notice"
	}
	a := annotation{title: f.Code, message: f.Message}
	if subject := f.Subject(); subject != "" {
		a.message = subject + ": " + a.message
	}
	if f.Count > 1 {
		a.message += fmt.Sprintf(" (%d times)", f.Count)
	}
	for _, line := range []struct{ label, text string }{{"why", f.Why}, {"remedy", f.Remedy}} {
		if line.text != "" {
			a.message += "\n" + line.label + ": " + line.text
		}
	}
	if file := sourceFile(f.URI); file != "" {
		a.file, a.line, a.col = file, f.Line, f.Column
	}
	annotate(b, command, a)
}

// annotateHost writes an annotation for each app that does not work on a host: a warning
// for one that is blocked, unless the host shows no apps.
func annotateHost(b *strings.Builder, h *check.HostReport) {
	for i := range h.Apps {
		v := &h.Apps[i]
		if v.Verdict == check.VerdictWorks {
			continue
		}
		command := "notice"
		if v.Blocked() {
			command = "warning"
		}
		a := annotation{title: h.ID + " " + v.Verdict.String(), message: v.Verdict.String() + " on " + h.Name}
		if subject := v.Subject(); subject != "" {
			a.message = subject + ": " + a.message
		}
		for _, r := range v.Reasons {
			a.message += "\n" + r.Fact + ": " + r.String()
		}
		if a.file = sourceFile(v.URI); a.file != "" {
			a.line, a.col = v.Reasons[0].Line, v.Reasons[0].Column
		}
		annotate(b, command, a)
	}
}

// sourceFile returns the path that GitHub finds a file of the repository by, from the
// URI of a finding: "" unless that is a file's name.
func sourceFile(uri string) string {
	if uri == "" || strings.Contains(uri, "://") {
		return ""
	}
	if filepath.IsAbs(uri) {
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, uri); err == nil && filepath.IsLocal(rel) {
				uri = rel
			}
		}
	}
	return filepath.ToSlash(uri)
}

func annotate(b *strings.Builder, command string, a annotation) {
	b.WriteString("::" + command)
	separator := " "
	property := func(name, value string) {
		b.WriteString(separator + name + "=" + escapeProperty(value))
		separator = ","
	}
	if a.file != "" {
		property("file", a.file)
		if a.line > 0 {
			property("line", strconv.Itoa(a.line))
		}
		if a.col > 0 {
			property("col", strconv.Itoa(a.col))
		}
	}
	property("title", a.title)
	b.WriteString("::" + escapeData(a.message) + "\n")
}

// escapeData escapes the message of a command, in which these characters have a meaning.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text.PrintableLines(s))
}

// escapeProperty escapes the value of a property, in which others have one too.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
