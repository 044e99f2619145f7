package check

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// WriteText writes the report for people to read. What all findings of a code
// share stands with the first of them. Characters that a terminal would act on,
// or not show, are escaped.
func (r *Report) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	told := make(map[string]bool)
	for i := range r.Findings {
		f := &r.Findings[i]
		f.write(b, told)
	}
	fmt.Fprintf(b, "%s, %s, %s", plural(r.Count(Error), "error"), plural(r.Count(Warning), "warning"), plural(r.Count(Note), "note"))
	if len(r.Off) > 0 {
		fmt.Fprintf(b, ", %d turned off", len(r.Off))
	}
	if len(r.Versions) == 0 && r.Tools == 0 && r.Apps == 1 { // no server's
		b.WriteString(" in 1 document")
	} else {
		fmt.Fprintf(b, " in %s and %s", plural(r.Tools, "tool"), plural(r.Apps, "app"))
	}
	if r.Server != "" {
		fmt.Fprintf(b, " of %s", printable(r.Server))
	}
	if len(r.Versions) > 0 {
		fmt.Fprintf(b, " (MCP %s)", printable(strings.Join(r.Versions, ", ")))
	}
	b.WriteString("\n")
	return b.Flush()
}

// String returns the finding as WriteText writes the first of a code, without a
// line break at the end.
func (f Finding) String() string {
	var s strings.Builder
	b := bufio.NewWriter(&s)
	f.write(b, map[string]bool{})
	b.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// write writes a finding, without what is told already: of a code, and of its
// remedies.
func (f *Finding) write(b *bufio.Writer, told map[string]bool) {
	fmt.Fprintf(b, "%s %s: ", f.Severity, f.Code)
	if s := f.Subject(); s != "" {
		fmt.Fprintf(b, "%s: ", s)
	}
	b.WriteString(printable(f.Message))
	if f.Count > 1 {
		fmt.Fprintf(b, " (%d times)", f.Count)
	}
	b.WriteString("\n")
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(b, "    %s %s\n", label, printable(text))
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
		uri := printable(f.URI)
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
			m += " " + printable(f.Pointer)
		}
		parts = append(parts, m)
	}
	return strings.Join(parts, ", ")
}

// printable escapes what a terminal would act on: control characters, line
// breaks, and the invisible ones that reorder text.
func printable(s string) string {
	bad := func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsGraphic(r) }
	if strings.IndexFunc(s, bad) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if bad(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A plainError is an error with the server's own words in it, on one line and
// in characters that can be shown.
type plainError struct{ err error }

func (e plainError) Error() string { return printable(shortenTo(e.err.Error(), maxName)) }
func (e plainError) Unwrap() error { return e.err }

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// shorten keeps a value from the wire readable inside a message.
func shorten(s string) string { return shortenTo(s, 120) }

// shortenText is shorten for what somebody wrote to be read, whose point often
// comes late.
func shortenText(s string) string { return shortenTo(s, 400) }

// maxName bounds what a report repeats of a name, a URI or an error.
const maxName = 2000

func shortenTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && s[end]&0xc0 == 0x80 {
		end--
	}
	return s[:end] + fmt.Sprintf("… (%d bytes)", len(s))
}
