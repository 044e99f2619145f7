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
	if c == nil {
		p.add("script-src", "'self'", "'unsafe-inline'")
		p.add("style-src", "'self'", "'unsafe-inline'")
		p.add("img-src", "'self'", "data:")
		p.add("media-src", "'self'", "data:")
		p.add("connect-src", "'none'")
		p.add("frame-src", "'none'")
		p.add("object-src", "'none'")
		p.add("base-uri", "'self'")
	} else {
		resources := sources(c.ResourceDomains)
		p.add("script-src", append([]string{"'self'", "'unsafe-inline'"}, resources...)...)
		p.add("style-src", append([]string{"'self'", "'unsafe-inline'"}, resources...)...)
		p.add("img-src", append([]string{"'self'", "data:"}, resources...)...)
		p.add("media-src", append([]string{"'self'", "data:"}, resources...)...)
		p.add("font-src", append([]string{"'self'"}, resources...)...)
		p.add("connect-src", append([]string{"'self'"}, sources(c.ConnectDomains)...)...)
		p.add("frame-src", orElse(sources(c.FrameDomains), "'none'")...)
		p.add("object-src", "'none'")
		p.add("base-uri", orElse(sources(c.BaseURIDomains), "'self'")...)
	}
	// The specification's tables name no form-action, and it does not fall back
	// to default-src: without it a form could post anywhere.
	p.add("form-action", "'none'")
	return p.String()
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
	if len(list) == 0 {
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
