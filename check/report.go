package check

import (
	"cmp"
	"fmt"
	"slices"
)

// A Severity says what a finding means for whoever runs the check.
type Severity int

const (
	// Note is worth knowing and never fails a check.
	Note Severity = iota
	// Warning means that something is ignored or blocked, or that one host
	// drops it.
	Warning
	// Error means that a named host will not show the app, or that the
	// reference host refuses it.
	Error
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return fmt.Sprintf("Severity(%d)", int(s))
	}
}

// MarshalText encodes the severity as its word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText decodes one of the words.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, v := range []Severity{Note, Warning, Error} {
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

	// Message says what is wrong, Why what comes of it, Remedy how to mend it,
	// one line each.
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
	// Server is the name and version that the server gives itself.
	Server string `json:"server,omitempty"`
	// Versions are the protocol versions that the check spoke, the one that
	// most findings come from first.
	Versions []string `json:"versions,omitempty"`
	// Tools and Apps are how many tools and app documents were checked.
	Tools int `json:"tools"`
	Apps  int `json:"apps"`
	// Findings are sorted: errors first, then by subject and code.
	Findings []Finding `json:"findings"`
	// Off are the findings that Options.Off turned off.
	Off []Finding `json:"off,omitempty"`
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
// fail, so [Note] means the same as [Warning].
func (r *Report) Fails(s Severity) bool {
	s = max(s, Warning)
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity >= s })
}

// place is where a finding is.
type place struct {
	tool, uri       string
	method, pointer string
}

func (p place) at(pointer string) place { p.pointer = pointer; return p }

// collector gathers findings. Equal ones in one place are one with a count.
type collector struct {
	findings []Finding
	index    map[findingKey]int
	perRule  map[string]int
}

// maxPerRule bounds how many findings of one rule a report has.
const maxPerRule = 1000

type findingKey struct {
	code, what string // what: the message, or what all of a group have
	place
}

// add adds a finding of the rule and returns it, for what the rule leaves open.
func (c *collector) add(code string, at place, format string, args ...any) *Finding {
	message := fmt.Sprintf(format, args...)
	return c.group(findingKey{code, message, at}, message)
}

// group adds a finding that is equal to all others with the key: the first one
// speaks for them.
func (c *collector) group(key findingKey, message string) *Finding {
	key.tool, key.uri, key.pointer = shortenTo(key.tool, maxName), shortenTo(key.uri, maxName), shortenTo(key.pointer, maxName)
	code, at := key.code, key.place
	rule, ok := rules[code]
	if !ok {
		panic("check: no rule " + code)
	}
	if _, known := c.index[key]; !known && c.perRule[code] >= maxPerRule {
		key = findingKey{code: code}
		message = "there are more of these than are shown"
	}
	if i, ok := c.index[key]; ok {
		f := &c.findings[i]
		f.Count = max(f.Count, 1) + 1
		return new(Finding)
	}
	if c.index == nil {
		c.index = make(map[findingKey]int)
		c.perRule = make(map[string]int)
	}
	c.index[key] = len(c.findings)
	c.perRule[code]++
	c.findings = append(c.findings, Finding{
		Code: code, Severity: rule.Severity, Hosts: rule.Hosts,
		Tool: at.tool, URI: at.uri, Method: at.method, Pointer: at.pointer,
		Message: message, Why: rule.Why, Remedy: rule.Remedy, Spec: rule.Spec,
	})
	return &c.findings[len(c.findings)-1]
}

// merge takes over the findings of another collector, which are of other
// places, as far as the bound on each rule lets it.
func (c *collector) merge(other *collector) {
	for _, f := range other.findings {
		more := findingKey{code: f.Code}
		i, full := c.index[more]
		switch {
		case full:
			c.findings[i].Count = max(c.findings[i].Count, 1) + max(f.Count, 1)
		case c.perRule[f.Code] >= maxPerRule:
			c.group(more, "").Count = f.Count
		default:
			if c.perRule == nil {
				c.index, c.perRule = make(map[findingKey]int), make(map[string]int)
			}
			c.perRule[f.Code]++
			c.findings = append(c.findings, f)
		}
	}
}

// sorted returns the findings in the order of a report.
func (c *collector) sorted() []Finding {
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.URI, b.URI),
			cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.offset, b.offset),
			cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Message, b.Message),
		)
	})
	if c.findings == nil {
		return []Finding{}
	}
	return c.findings
}
