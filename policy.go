package mcpapps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Policy returns the value of the Content-Security-Policy header that a host
// must set on the app's document (MCP Apps, Host Behavior and Security
// Implications). A host may restrict further; it must not allow more.
//
// A nil CSP gives the restrictive default, in which nothing can be fetched. Any
// other, &CSP{} included, gives the policy of the declared origins. Both block
// plugins and form submission, and neither allows eval, blob: or sources that
// are a whole scheme.
//
// Origins on the user's own machine and network, such as http://localhost:3000,
// are not treated specially: a host that denies them to apps removes them from
// c first.
//
// An entry that is not a valid origin is left out, never repaired, because the
// result would not be what was declared; [CSP.Dropped] lists such entries. The
// order of directives is fixed, so equal declarations give equal policies. Send
// the policy as a header: in a meta element it does not govern what precedes it.
// Send [CSP.ConnectionAllowlist] with it, for what no policy blocks.
func (c *CSP) Policy() string {
	var p policy
	p.add("default-src", "'none'")
	for _, d := range directives {
		fixed := d.restrictive
		if c != nil {
			fixed = d.declared
			if d.field != noField {
				fixed = append(slices.Clip(fixed), sources(*c.lists()[d.field])...)
				fixed = orElse(fixed, d.alone)
			}
		}
		if fixed != nil {
			p.add(d.name, fixed...)
		}
	}
	return p.String()
}

// A directive describes one directive of a policy: its fixed sources, and the
// field of a CSP that lists its origins.
type directive struct {
	name        string
	field       int      // index in CSP.lists, or noField
	restrictive []string // sources under a nil CSP; nil: omitted, so default-src applies
	declared    []string // sources under a CSP, in addition to the field's origins
	alone       string   // source under a CSP if there are no others
}

const noField = -1

// The indices of CSP.lists and cspKeys.
const (
	connectDomains = iota
	resourceDomains
	frameDomains
	baseURIDomains
)

// directives is the one table of the directives of a policy, in their order
// (MCP Apps, Host Behavior).
var directives = []directive{
	{"script-src", resourceDomains, inline, inline, ""},
	{"style-src", resourceDomains, inline, inline, ""},
	{"img-src", resourceDomains, []string{"'self'", "data:"}, []string{"'self'", "data:"}, ""},
	{"media-src", resourceDomains, []string{"'self'", "data:"}, []string{"'self'", "data:"}, ""},
	{"font-src", resourceDomains, nil, []string{"'self'"}, ""},
	{"connect-src", connectDomains, []string{"'none'"}, []string{"'self'"}, ""},
	{"frame-src", frameDomains, []string{"'none'"}, nil, "'none'"},
	{"object-src", noField, []string{"'none'"}, []string{"'none'"}, ""},
	{"base-uri", baseURIDomains, []string{"'self'"}, nil, "'self'"},
	// The specification's tables lack form-action, and it does not fall back to
	// default-src: without it a form could post anywhere.
	{"form-action", noField, []string{"'none'"}, []string{"'none'"}, ""},
}

var inline = []string{"'self'", "'unsafe-inline'"}

// fieldOf returns the index of the field that lists the origins of a directive,
// or noField. Browsers report effective directives, which need not be in the
// policy: script-src-elem and its like, and child-src.
func fieldOf(name string) int {
	switch name {
	case "script-src-elem", "script-src-attr":
		name = "script-src"
	case "style-src-elem", "style-src-attr":
		name = "style-src"
	case "child-src":
		name = "frame-src"
	}
	for _, d := range directives {
		if d.name == name {
			return d.field
		}
	}
	return noField
}

// CSPField returns the JSON name of the [CSP] field that lists the origins of a
// directive: "connectDomains" for "connect-src", "resourceDomains" for
// "script-src" and "script-src-elem". It returns "" for a directive that no
// declaration can open, such as "object-src", and for any other string. The Go
// name of the field differs only in case.
func CSPField(directive string) string {
	if f := fieldOf(directive); f != noField {
		return cspKeys[f]
	}
	return ""
}

// Dropped returns an error for each entry that [CSP.Policy] leaves out, with its
// place and the reason, in the order of the declaration. It returns nil if every
// entry is valid, and for a nil CSP.
func (c *CSP) Dropped() []error {
	if c == nil {
		return nil
	}
	var dropped []error
	for i, list := range c.lists() {
		for j, entry := range *list {
			if err := origin.Validate(entry); err != nil {
				dropped = append(dropped, fmt.Errorf("csp.%s[%d] is %s: %w", cspKeys[i], j, text.Quote(entry), err))
			}
		}
	}
	return dropped
}

// Allow returns the value of the iframe's allow attribute that grants the
// permissions, such as "camera; clipboard-write", or "" if there are none. Every
// frame between the host and the app has to delegate a feature, so a host sets
// the attribute on the sandbox proxy's iframe and on the app's. Features in Extra
// are never granted.
func (p *Permissions) Allow() string {
	if p == nil {
		return ""
	}
	var granted []string
	for i, asked := range p.flags() {
		if *asked {
			granted = append(granted, permissionFeatures[i])
		}
	}
	return strings.Join(granted, "; ")
}

// permissionFeatures are the Permissions Policy names of permissionKeys.
var permissionFeatures = [4]string{"camera", "microphone", "geolocation", "clipboard-write"}

// sources returns the valid entries of list in lower case, without duplicates.
func sources(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, entry := range list {
		if origin.Validate(entry) != nil {
			continue
		}
		entry = strings.ToLower(entry)
		if !seen[entry] {
			seen[entry] = true
			out = append(out, entry)
		}
	}
	return slices.Clip(out)
}

func orElse(list []string, alone string) []string {
	if len(list) == 0 && alone != "" {
		return []string{alone}
	}
	return list
}

// A policy builds a serialized CSP.
type policy struct{ strings.Builder }

func (p *policy) add(directive string, sources ...string) {
	if p.Len() > 0 {
		p.WriteString("; ")
	}
	p.WriteString(directive)
	for _, s := range sources {
		p.WriteByte(' ')
		p.WriteString(s)
	}
}
