package check

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/spelling"
)

// An Ignore says which findings a report leaves out of its list.
type Ignore struct {
	// Code is the code of a rule.
	Code string
	// Subject is the name of a tool or a URI, in which * matches any characters. ""
	// means all.
	Subject string
	// Reason says why. It is required.
	Reason string
}

// validate returns an error if the entry can't match anything, or has no reason.
func (i Ignore) validate() error {
	live, removed := retired[i.Code]
	switch {
	case removed:
		return fmt.Errorf("names the code %q, which was removed: %q of the live part finds the same", i.Code, live)
	case catalogue[i.Code] == nil:
		return fmt.Errorf("names the code %q, which does not exist: the nearest is %q", i.Code, spelling.Nearest(i.Code, Codes()))
	case strings.TrimSpace(i.Reason) == "":
		return fmt.Errorf("names %q without a reason: say why", i.Code)
	}
	return nil
}

func (i Ignore) matches(f *Finding) bool {
	return i.Code == f.Code && (i.Subject == "" || wildcard(i.Subject, f.Tool) || wildcard(i.Subject, f.URI))
}

// wildcard reports whether a pattern matches s. In it, * matches any characters.
func wildcard(pattern, s string) bool {
	if s == "" {
		return false
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return true
}

// unused returns the error of an entry that nothing matched.
func (i Ignore) unused(found []Finding) error {
	if i.Subject == "" {
		return fmt.Errorf("names %q, and nothing raises it any more: take the entry out", i.Code)
	}
	for _, f := range found {
		if f.Code == i.Code {
			remedy := "leave the subject out"
			if subject := cmp.Or(f.Tool, f.URI); subject != "" {
				remedy = fmt.Sprintf("name %q", subject)
			}
			return fmt.Errorf("names %q for %q, which is not where it is raised: %s", i.Code, i.Subject, remedy)
		}
	}
	return fmt.Errorf("names %q for %q, and nothing raises it any more: take the entry out", i.Code, i.Subject)
}

// report finishes a report. Its error names the entries of Ignore that nothing
// matched; the report is there all the same.
func (found *findings) report(r *Report, o *Options) (*Report, error) {
	used := make([]bool, len(o.Ignore))
	r.Findings = []Finding{}
	for _, f := range found.sorted() {
		ignored := false
		for i := range o.Ignore {
			if o.Ignore[i].matches(&f) {
				used[i], ignored = true, true
			}
		}
		if ignored {
			r.Ignored = append(r.Ignored, f)
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
	var errs []error
	for i, entry := range o.Ignore {
		if !used[i] {
			errs = append(errs, &OptionError{"Ignore", entry.unused(found.list)})
		}
	}
	return r, errors.Join(errs...)
}
