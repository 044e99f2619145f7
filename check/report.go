package check

import (
	"fmt"
	"slices"
)

// A Severity says what a finding means for whoever runs the check.
type Severity int

const (
	// SeverityNote is worth knowing and never fails a check.
	SeverityNote Severity = iota
	// SeverityWarning means that something is ignored or blocked, or that one host
	// drops it.
	SeverityWarning
	// SeverityError means that a named host will not show the app, or that the
	// reference host refuses it.
	SeverityError
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case SeverityNote:
		return "note"
	case SeverityWarning:
		return "warning"
	case SeverityError:
		return "error"
	default:
		return fmt.Sprintf("Severity(%d)", int(s))
	}
}

// MarshalText encodes the severity as its word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText decodes one of the words.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, v := range []Severity{SeverityNote, SeverityWarning, SeverityError} {
		if string(text) == v.String() {
			*s = v
			return nil
		}
	}
	return fmt.Errorf("severity %q: it must be note, warning or error", text)
}

// A Finding is one thing that a host rejects, ignores or misreads.
type Finding struct {
	// Code names the rule, and Severity, Hosts, Why and Spec are the rule's:
	// see [Rule].
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Hosts    []string `json:"hosts,omitempty"`

	// Tool and URI name the tool and the resource at fault; either may be
	// empty.
	Tool string `json:"tool,omitempty"`
	URI  string `json:"uri,omitempty"`
	// Method is the request whose answer holds the fault, such as "tools/list".
	// Pointer is the fault's JSON pointer in the tool, the resource or the
	// content item there; elsewhere, in the result itself.
	Method  string `json:"method,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	// Line and Column are the place in the document, counted from 1, the column
	// in bytes; 0 where the finding is not about a document's text.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`

	// Message says what is wrong, Why what follows from it, and Remedy how to mend it,
	// in one line each.
	Message string `json:"message"`
	Why     string `json:"why"`
	Remedy  string `json:"remedy"`
	// Spec is the section of the specification, where there is one.
	Spec string `json:"spec,omitempty"`
	// Count is how often the same thing was found in one document, if more than
	// once; Line and Column are the first place.
	Count int `json:"count,omitempty"`

	offset int // in the document, for the order
}

// A Report is what a check found.
type Report struct {
	// Server is the name and version that the server reports.
	Server string `json:"server,omitempty"`
	// Versions are the protocol versions that were checked. Most findings come from
	// the first.
	Versions []string `json:"versions,omitempty"`
	// Tools and Apps are how many tools and app documents were checked.
	Tools int `json:"tools"`
	Apps  int `json:"apps"`
	// Findings are sorted: errors first, then by subject and code.
	Findings []Finding `json:"findings"`
	// Ignored are the findings that Options.Ignore leaves out of Findings.
	Ignored []Finding `json:"ignored,omitempty"`
	// Hosts says how the apps fare on each of Options.Hosts, in their order.
	Hosts []HostReport `json:"hosts,omitempty"`
	// Unchecked says what the check could not do. It is not a finding: [Report.Fails]
	// does not look at it.
	Unchecked []Unchecked `json:"unchecked,omitempty"`
}

// An Unchecked is a part of a check that could not be done.
type Unchecked struct {
	// Part is "version" for another protocol version, "without-ui" for a client that
	// does not declare the extension, "live" for the views in a browser, and "hosts"
	// for apps that are not judged for hosts.
	Part string `json:"part"`
	// Version is the protocol version; "" for the live part.
	Version string `json:"version,omitempty"`
	// Reason says why, in one line.
	Reason string `json:"reason"`
}

// String returns the part and the reason, for people.
func (u Unchecked) String() string {
	what := "the live part"
	switch u.Part {
	case "version":
		what = "protocol version " + u.Version
	case "without-ui":
		what = "a client without the extension"
	case "hosts":
		what = "hosts"
	}
	return what + ": " + u.Reason
}

// Count returns how many findings have the severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// Fails reports whether any finding is as severe as s or more. Notes never
// fail, so [SeverityNote] means the same as [SeverityWarning]. An app that is blocked
// on one of Options.Hosts counts as a warning, unless the host shows no apps.
func (r *Report) Fails(s Severity) bool {
	s = max(s, SeverityWarning)
	if s == SeverityWarning && slices.ContainsFunc(r.Hosts, func(h HostReport) bool { return h.blocks() }) {
		return true
	}
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity >= s })
}
