package check

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// writeHosts writes how the apps fare on each host.
func (r *Report) writeHosts(b *bufio.Writer, s style) {
	for i := range r.Hosts {
		h := &r.Hosts[i]
		var counts []string
		for v := VerdictBlocked; v >= VerdictWorks; v-- {
			if n := h.Count(v); n > 0 {
				counts = append(counts, s.verdict(v, fmt.Sprintf("%d %v", n, v)))
			}
		}
		if len(counts) == 0 {
			counts = []string{"no app"}
		}
		fmt.Fprintf(b, "host %s, %s: %s\n", h.ID, text.Printable(h.Name), strings.Join(counts, ", "))
		for j := range h.Apps {
			h.Apps[j].write(b, s)
		}
	}
}

func (v *AppVerdict) write(b *bufio.Writer, s style) {
	fmt.Fprintf(b, "    %s", s.verdict(v.Verdict, v.Verdict.String()))
	if subject := v.Subject(); subject != "" {
		fmt.Fprintf(b, ": %s", subject)
	}
	b.WriteString("\n")
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if r.Verdict == VerdictWorks && !r.disputed() {
			continue // said of the host under a condition
		}
		fmt.Fprintf(b, "        %s %s\n", s.label(r.Fact+":"), text.Printable(r.String()))
	}
}

// String says which app it is, its verdict and the reasons, as [Report.WriteText] does,
// without the final line break.
func (v *AppVerdict) String() string {
	var s strings.Builder
	b := bufio.NewWriter(&s)
	v.write(b, plainText)
	b.Flush()
	return strings.TrimSpace(s.String())
}

// Subject says which app it is, for people.
func (v *AppVerdict) Subject() string {
	var parts []string
	if v.Tool != "" {
		parts = append(parts, fmt.Sprintf("tool %q", v.Tool))
	}
	if v.URI != "" {
		parts = append(parts, text.Printable(v.URI))
	}
	return strings.Join(parts, ", ")
}

// disputed reports whether another source contradicts the first one under no condition.
func (r *Reason) disputed() bool {
	return slices.ContainsFunc(r.Others, func(c OtherClaim) bool { return c.When == "" })
}

// String says what the app needs and what the host does, in one line.
func (r Reason) String() string {
	var b strings.Builder
	b.WriteString("the app " + r.App)
	if r.Line > 0 {
		fmt.Fprintf(&b, " at %d:%d", r.Line, r.Column)
	}
	b.WriteString("; ")
	if r.Source == nil {
		b.WriteString("what the host does is not known")
	} else {
		claim := OtherClaim{r.Verdict, r.Host, r.When, *r.Source, r.Note}
		b.WriteString(claim.String())
	}
	for _, o := range r.Others {
		b.WriteString("; but " + o.String())
	}
	return b.String()
}

// String says what the source says of the host, which source it is, and its note.
func (c OtherClaim) String() string {
	said := strings.TrimSpace(fmt.Sprintf("%s %s", c.Source.Kind, c.Source.Date))
	if c.Source.Ref != "" {
		said += ", " + c.Source.Ref
	}
	if c.When != "" {
		said = c.When + "; " + said
	}
	said = fmt.Sprintf("the host %s (%s)", c.Host, said)
	if c.Note != "" {
		said += ": " + c.Note
	}
	return said
}
