package mcpapps

import (
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
)

// CSP names the external origins that an app uses (MCP Apps, UI Resource
// Format and Host Behavior). Entries are origins, such as
// "https://api.example.com", "https://*.example.com" or "ws://127.0.0.1:8080":
// a scheme of http, https, ws or wss, a host, which may begin with "*.", and an
// optional port. Hosts drop anything else without a word, so registration
// refuses it.
//
// They match as browsers do, which [CSP.Allows] decides. Without a port it is the
// scheme's own; http covers https too, and ws covers wss, at the default ports
// alone; neither covers the other; "*." is any depth of subdomains and not the
// domain itself. An IPv4 address, written as four decimal numbers,
// localhost and other single names are hosts like any other, but match only
// what is written the same. A host outside ASCII is written in punycode. No
// entry can name an IPv6 address or a host with an underscore, which browsers
// match to nothing, nor a host that ends with a dot, which they take for
// another than the one without.
//
// In each slice nil is absent from the wire and empty is [].
type CSP struct {
	// ConnectDomains are for fetch, XMLHttpRequest, WebSocket and EventSource
	// (connect-src). A WebSocket needs an entry with ws or wss.
	ConnectDomains []string
	// ResourceDomains are for scripts, styles, images, fonts and media
	// (script-src, style-src, img-src, font-src, media-src).
	ResourceDomains []string
	// FrameDomains are for nested frames (frame-src). Some hosts restrict them.
	FrameDomains []string
	// BaseURIDomains are for the document's base element (base-uri).
	BaseURIDomains []string
	// Extra holds the keys that this version does not know: kept on decode,
	// written on encode, never part of a policy. A known key is an error here.
	Extra map[string]any
}

var cspKeys = []string{"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"}

// lists returns the domain lists in the order of cspKeys.
func (c *CSP) lists() [4]*[]string {
	return [4]*[]string{&c.ConnectDomains, &c.ResourceDomains, &c.FrameDomains, &c.BaseURIDomains}
}

func (c *CSP) validate() error {
	for i, list := range c.lists() {
		for j, entry := range *list {
			if err := validateOrigin(entry); err != nil {
				return fmt.Errorf("csp.%s[%d] is %q: %w", cspKeys[i], j, entry, err)
			}
		}
	}
	return validateExtra("CSP.Extra", c.Extra, cspKeys)
}

func (c *CSP) generic() map[string]any {
	m := make(map[string]any, 4+len(c.Extra))
	for k, v := range c.Extra {
		m[k] = jsonvalue.Clone(v)
	}
	for i, list := range c.lists() {
		if *list != nil {
			m[cspKeys[i]] = append([]string{}, *list...)
		}
	}
	return m
}

// MarshalJSON encodes the csp object: nil slices are absent, empty ones are [].
func (c CSP) MarshalJSON() ([]byte, error) {
	if err := validateExtra("Extra", c.Extra, cspKeys); err != nil {
		return nil, err
	}
	return json.Marshal(c.generic())
}
