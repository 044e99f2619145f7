package mcpapps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Policy returns the value of the Content-Security-Policy header that a host
// must put on the document that holds the app (MCP Apps, Host Behavior and
// Security Implications). A host may restrict further; it must not allow more.
//
// A nil CSP gives the restrictive default, in which nothing can be fetched. A
// non-nil one, &CSP{} included, gives the policy of the declared domains. Both
// block plugins and form submission, and neither ever allows eval, blob: or
// other scheme-wide sources.
//
// Origins on the user's own machine and network, such as http://localhost:3000,
// are origins like any other: a host that keeps apps from them takes them out
// of c first.
//
// An entry that is not an origin is left out whole, since a repaired one would
// be another than was declared: [CSP.Dropped] names each. The order is fixed,
// so equal declarations give equal policies. Send it as a header; in a meta
// element it can be preceded by content that it then does not govern.
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

// A directive says how a policy has a directive, and which field of a CSP names
// its origins.
type directive struct {
	name        string
	field       int      // of CSP.lists, or noField
	restrictive []string // its sources where nothing is declared; nil leaves it to default-src
	declared    []string // its sources beside the origins of the field
	alone       string   // its source where there is no other
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
	// The specification's tables name no form-action, and it does not fall back
	// to default-src: without it a form could post anywhere.
	{"form-action", noField, []string{"'none'"}, []string{"'none'"}, ""},
}

var inline = []string{"'self'", "'unsafe-inline'"}

// fieldOf returns the index of the field that names the origins of a directive,
// or noField. Browsers report directives by their effective names, which a
// policy need not have: those for elements and attributes, and child-src.
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

// CSPField returns the name on the wire of the [CSP] field whose origins a
// directive of the policy takes: "connectDomains" for "connect-src",
// "resourceDomains" for "script-src" and "script-src-elem". It is "" for a
// directive that no declaration opens, such as "object-src", and for any other
// string. The field's name in Go differs only in case.
func CSPField(directive string) string {
	if f := fieldOf(directive); f != noField {
		return cspKeys[f]
	}
	return ""
}

// Dropped reports each entry that [CSP.Policy] leaves out, with its place and
// the reason, in the order of the declaration. It is nil where every entry
// counts, and on a nil CSP.
func (c *CSP) Dropped() []error {
	if c == nil {
		return nil
	}
	var dropped []error
	for i, list := range c.lists() {
		for j, entry := range *list {
			if err := validateOrigin(entry); err != nil {
				dropped = append(dropped, fmt.Errorf("csp.%s[%d] is %s: %w", cspKeys[i], j, text.Quote(entry), err))
			}
		}
	}
	return dropped
}

// Allow returns the value of the iframe's allow attribute that grants the
// permissions, such as "camera; clipboard-write", and "" for none. Delegation
// passes through every frame on the way, so a host sets it on the sandbox
// proxy's iframe and on the app's. Features in Extra are never granted.
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

// sources returns the entries of list that are origins, in lower case, each
// once.
func sources(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, entry := range list {
		if validateOrigin(entry) != nil {
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

// A policy is a serialized CSP in the making.
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
