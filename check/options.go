package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/callpolicy"
)

// Options are the choices of a check. The zero value suits most.
type Options struct {
	// Calls names the tools to call, and with what. Without it only tools are
	// called that open an app, say readOnlyHint and no destructiveHint, need no
	// argument and are visible to the model; [Session] calls none.
	Calls []Call
	// Ignore leaves findings out of Report.Findings, each with a reason. An unknown
	// code, and an entry that no finding matches any more, is an error of the check.
	Ignore []Ignore
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

	firstTimeout time.Duration // of a connection's first request; 0 if Timeout was 0
	live         liveSettings
}

// A Call is a tool call that the author allows the check to make.
type Call struct {
	Tool string
	// Arguments are the call's; nil is {}.
	Arguments map[string]any
}

func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
		c.Calls = slices.Clone(o.Calls)
		c.Ignore = slices.Clone(o.Ignore)
	}
	c.firstTimeout = max(c.Timeout, 0)
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 32 << 20
	}
	if c.MaxEntries <= 0 {
		c.MaxEntries = 10000
	}
	for _, i := range c.Ignore {
		if err := i.validate(); err != nil {
			return c, &OptionError{"Ignore", err}
		}
	}
	return c, nil
}

// callPolicy returns the policy that Calls make. Unasked lets tools be called that
// say that they do no harm.
func (o *Options) callPolicy(unasked bool) *callpolicy.Policy {
	named := make([]callpolicy.Call, len(o.Calls))
	for i, c := range o.Calls {
		named[i] = callpolicy.Call(c)
	}
	return callpolicy.New(named, unasked)
}

// validateCalls returns an error if Calls names a tool that the server does not
// list.
func (o *Options) validateCalls(r *answers.Record) error {
	tools := r.ToolsByName()
	for _, call := range o.Calls {
		if tools[call.Tool] == nil && !r.Ended {
			near := ""
			if n := newToolbox(r).nearest(call.Tool); n != "" {
				near = fmt.Sprintf(": the nearest is %q", n)
			}
			return &OptionError{"Calls", fmt.Errorf("names the tool %q, which the server does not list%s", call.Tool, near)}
		}
	}
	return nil
}
