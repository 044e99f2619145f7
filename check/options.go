package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps"
)

// Options are the choices of a check. The zero value suits most.
type Options struct {
	// Calls names the tools to call, and with what. Without it only tools are
	// called that open an app, say readOnlyHint and no destructiveHint, need no
	// argument and are visible to the model; [Session] calls none.
	Calls []Call
	// Off turns findings off, each with a reason. An unknown code, and an entry
	// that no finding matches any more, is an error of the check.
	Off []Off
	// Live also opens each view in an installed Chromium, under the policy that
	// its declaration gives it by the specification, and reports what happens
	// there. The tool is called only as in a check that is not live; a view whose
	// tool is not called waits for a result that does not come. Calls of the
	// view's own are let through by the same rule, those of a tool in Calls with
	// the arguments there. [Session] and [Document] have
	// no live part.
	Live bool
	// Metadata is what a lone document is served with, for [Document]. Nil means
	// that nothing is declared. The other checks take what the server serves.
	Metadata *mcpapps.ResourceUIMetadata
	// URI is what findings call a lone document, for [Document]: its URI, or the
	// name of its file. Empty, they have a line and a column alone.
	URI string
	// Timeout bounds each request, the first one included; 0 means 10 seconds, and
	// a minute for the first answer of a command, which may be compiled first.
	// All requests of a connection together may take 60 times as long.
	Timeout time.Duration
	// MaxBytes bounds each message of the server; 0 means 32 MiB. All results of
	// a connection together may be 8 times as long.
	MaxBytes int
	// MaxEntries bounds each list; 0 means 10,000.
	MaxEntries int

	start time.Duration // bounds the first request of all
}

// A Call is a tool call that the author allows the check to make.
type Call struct {
	Tool string
	// Arguments are the call's; nil is {}.
	Arguments map[string]any
}

// An Off turns findings off.
type Off struct {
	// Code is the rule's.
	Code string
	// Subject is the tool's name or the URI, with * for any run of characters;
	// empty means all.
	Subject string
	// Reason says why, for whoever reads it next. It is required.
	Reason string
}

func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
		c.Calls = slices.Clone(o.Calls)
		c.Off = slices.Clone(o.Off)
	}
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	c.start = c.Timeout
	if c.MaxBytes <= 0 {
		c.MaxBytes = 32 << 20
	}
	if c.MaxEntries <= 0 {
		c.MaxEntries = 10000
	}
	for _, off := range c.Off {
		_, ok := rules[off.Code]
		switch live, was := retired[off.Code], retired[off.Code] != ""; {
		case was:
			return c, fmt.Errorf("check: Options.Off names the code %q, which was removed: with Options.Live the browser's %q says the same", off.Code, live)
		case !ok:
			return c, fmt.Errorf("check: Options.Off names the code %q, which is none: the nearest is %q", off.Code, nearest(off.Code, Codes()))
		case strings.TrimSpace(off.Reason) == "":
			return c, fmt.Errorf("check: Options.Off turns %q off without a reason: say why", off.Code)
		}
	}
	return c, nil
}

func (off Off) matches(f *Finding) bool {
	return off.Code == f.Code && (off.Subject == "" || wildcard(off.Subject, f.Tool) || wildcard(off.Subject, f.URI))
}

// wildcard matches s by a pattern in which * is any run of characters.
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

// unused is the error of an entry that nothing matched.
func (off Off) unused(found []Finding) error {
	if off.Subject == "" {
		return fmt.Errorf("check: Options.Off turns %q off, and nothing raises it any more: take the entry out", off.Code)
	}
	for _, f := range found {
		if f.Code == off.Code {
			remedy := "leave the subject out"
			if subject := cmp.Or(f.Tool, f.URI); subject != "" {
				remedy = fmt.Sprintf("name %q", subject)
			}
			return fmt.Errorf("check: Options.Off turns %q off for %q, which is not where it is raised: %s", off.Code, off.Subject, remedy)
		}
	}
	return fmt.Errorf("check: Options.Off turns %q off for %q, and nothing raises it any more: take the entry out", off.Code, off.Subject)
}

// report finishes a report. Its error names the entries of Off that nothing
// matched; the report is there all the same.
func (c *collector) report(r *Report, opts *Options) (*Report, error) {
	used := make([]bool, len(opts.Off))
	for _, f := range c.sorted() {
		off := false
		for i := range opts.Off {
			if opts.Off[i].matches(&f) {
				used[i], off = true, true
			}
		}
		if off {
			r.Off = append(r.Off, f)
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	var errs []error
	for i, off := range opts.Off {
		if !used[i] {
			errs = append(errs, off.unused(c.findings))
		}
	}
	return r, errors.Join(errs...)
}
