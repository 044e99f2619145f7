package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/hostnames"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// Options configure a check. The zero value is usable.
type Options struct {
	// Calls names tools to call, with their arguments. Other tools are called only if
	// the server is on this machine and they open an app, are visible to the model,
	// have readOnlyHint and no destructiveHint, and need no argument. Under the same
	// conditions, but for the app and the visibility, the tools are called that a
	// capability names for ChatGPT to read settings, with {}, and to search mentions,
	// with {"query": ""}. [Session] calls no others.
	Calls []Call
	// Ignore leaves findings out of Report.Findings, each with a reason. An unknown
	// code, and an entry that no finding matches any more, is an error of the check.
	Ignore []Ignore
	// Live also opens each view in an installed Chromium, under the policy of its
	// declaration, and reports what happens there. A tool is called under the same
	// conditions as without Live; the view of a tool that is not called gets no
	// result. A call that the view makes reaches the server under the same
	// conditions; for a tool in Calls, with these arguments and its schema's
	// defaults. Up to four views are open at a time. [Session] and [Document]
	// ignore Live.
	Live bool
	// Hosts are the IDs of profiles in package compat. For each the report says how
	// each app fares there, as far as that is known: see [Report.Hosts]. An ID that
	// the profiles of a host's platforms share names all of them, and "all" names every
	// profile. With Live, each view whose tool is called is opened again for what these
	// hosts drop of results, and once with an empty result, which shows what of it is data.
	// [Target] takes what is said of servers of its kind, see [compat.Profile.For].
	Hosts []string
	// Metadata is the declaration that [Document] assumes. Nil means none. The other
	// checks use what the server serves.
	Metadata *mcpapps.ResourceUIMetadata
	// URI is the URI or file name that the findings of [Document] have. If it is "",
	// they have only a line and a column.
	URI string
	// Timeout bounds each request. All requests of a connection together may take 60
	// times as long. 0 means 10 seconds, and a minute for the first request to a
	// command, which may compile first.
	Timeout time.Duration
	// MaxBytes bounds each message of the server, in bytes. All results of a
	// connection together may have 8 times as many. 0 means 32 MiB.
	MaxBytes int
	// MaxEntries bounds the entries of each list. 0 means 10,000.
	MaxEntries int
	// Progress is called when another part of the check begins, and as that proceeds.
	// Calls do not overlap. It must not block. May be nil.
	Progress func(Progress)

	profiles     []*compat.Profile // that Hosts may name; nil means those of package compat
	hosts        []*compat.Profile // that Hosts names
	firstTimeout time.Duration     // of a connection's first request; 0 if Timeout was 0
	live         liveSettings
}

// A Call is a tool call that the check is allowed to make.
type Call struct {
	Tool string
	// Arguments are the arguments. Nil means {}.
	Arguments map[string]any
}

func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
		c.Calls = slices.Clone(o.Calls)
		c.Ignore = slices.Clone(o.Ignore)
		c.Hosts = slices.Clone(o.Hosts)
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
	if c.profiles == nil {
		c.profiles = compat.Profiles()
	}
	var err error
	if c.hosts, err = hostnames.Among(c.Hosts, c.profiles); err != nil {
		return c, &OptionError{"Hosts", err}
	}
	return c, nil
}

// callPolicy returns the policy that Calls make. harmless lets tools be called that
// say that they do no harm.
func (o *Options) callPolicy(harmless bool) *unasked.Policy {
	named := make([]unasked.Call, len(o.Calls))
	for i, c := range o.Calls {
		named[i] = unasked.Call(c)
	}
	return unasked.New(named, harmless)
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
