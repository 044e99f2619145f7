package check

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// WriteText writes the report for people to read. What all findings of a code have in
// common is written with the first of them. Characters that a terminal would act on or
// hide are escaped.
func (r *Report) WriteText(w io.Writer) error { return r.write(w, plainText) }

// WriteColorText is [Report.WriteText] for a terminal that shows colors: severities
// and labels have one, by the escape sequences of ECMA-48.
func (r *Report) WriteColorText(w io.Writer) error { return r.write(w, colorText) }

func (r *Report) write(w io.Writer, s style) error {
	b := bufio.NewWriter(w)
	told := make(map[string]bool)
	for i := range r.Findings {
		r.Findings[i].write(b, s, told)
	}
	r.writeHosts(b, s)
	for _, u := range r.Unchecked {
		fmt.Fprintf(b, "%s %s\n", s.severity(SeverityWarning, "not checked:"), text.Printable(u.String()))
	}
	for i, sev := range []Severity{SeverityError, SeverityWarning, SeverityNote} {
		count := plural(r.Count(sev), sev.String())
		if r.Count(sev) > 0 {
			count = s.severity(sev, count)
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(count)
	}
	if len(r.Ignored) > 0 {
		fmt.Fprintf(b, ", %d ignored", len(r.Ignored))
	}
	if len(r.Versions) == 0 && r.Tools == 0 && r.Apps == 1 { // no server's
		b.WriteString(" in 1 document")
	} else {
		fmt.Fprintf(b, " in %s and %s", plural(r.Tools, "tool"), plural(r.Apps, "app"))
	}
	if r.Server != "" {
		fmt.Fprintf(b, " of %s", text.Printable(r.Server))
	}
	if len(r.Versions) > 0 {
		fmt.Fprintf(b, " (MCP %s)", text.Printable(strings.Join(r.Versions, ", ")))
	}
	b.WriteString("\n")
	return b.Flush()
}

// String returns the finding as [Report.WriteText] writes the first one of a code,
// without the final line break.
func (f Finding) String() string {
	var s strings.Builder
	b := bufio.NewWriter(&s)
	f.write(b, plainText, map[string]bool{})
	b.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// write writes a finding. It leaves out what told says was written already, by code
// and by code and remedy.
func (f *Finding) write(b *bufio.Writer, s style, told map[string]bool) {
	fmt.Fprintf(b, "%s %s: ", s.severity(f.Severity, f.Severity.String()), f.Code)
	if subject := f.Subject(); subject != "" {
		fmt.Fprintf(b, "%s: ", subject)
	}
	b.WriteString(text.Printable(f.Message))
	if f.Count > 1 {
		fmt.Fprintf(b, " (%d times)", f.Count)
	}
	b.WriteString("\n")
	line := func(label, content string) {
		if content != "" {
			fmt.Fprintf(b, "    %s %s\n", s.label(label), text.Printable(content))
		}
	}
	first := !told[f.Code]
	if first {
		line("why:   ", f.Why)
	}
	if !told[f.Code+" "+f.Remedy] {
		line("remedy:", f.Remedy)
	}
	if first {
		line("hosts: ", strings.Join(f.Hosts, ", "))
		line("spec:  ", f.Spec)
	}
	told[f.Code], told[f.Code+" "+f.Remedy] = true, true
}

// Subject says where the finding is, for people.
func (f *Finding) Subject() string {
	var parts []string
	if f.Tool != "" {
		parts = append(parts, "tool "+strconv.Quote(f.Tool))
	}
	if f.URI != "" {
		uri := text.Printable(f.URI)
		if f.Line > 0 {
			uri += fmt.Sprintf(":%d:%d", f.Line, f.Column)
		}
		parts = append(parts, uri)
	} else if f.Line > 0 {
		parts = append(parts, fmt.Sprintf("%d:%d", f.Line, f.Column))
	}
	if f.Method != "" && f.Line == 0 {
		m := f.Method
		if f.Pointer != "" {
			m += " " + text.Printable(f.Pointer)
		}
		parts = append(parts, m)
	}
	return strings.Join(parts, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// The bounds of what a message repeats, in bytes: of a value, and of what somebody
// wrote to be read, whose point often comes late.
const (
	maxValue    = 120
	maxSentence = 400
)
