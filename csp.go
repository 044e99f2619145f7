package mcpapps

import (
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// CSP names the external origins that an app uses (MCP Apps, UI Resource
// Format and Host Behavior). Entries are origins, such as
// "https://api.example.com", "https://*.example.com" or "ws://127.0.0.1:8080":
// a scheme (http, https, ws or wss), a host, which may begin with "*.", and an
// optional port. Hosts silently drop anything else, so registration rejects it.
//
// An entry covers what browsers match to it ([CSP.Allows]):
//
//   - Without a port, the scheme's default port is meant.
//   - http covers https, and ws covers wss, at the default port only. http and
//     https do not cover ws or wss.
//   - "*." covers subdomains of any depth, and not the domain itself.
//   - localhost, other names without a dot, and IPv4 addresses in the form of
//     four decimal numbers cover exactly what is written.
//   - A name with characters outside ASCII is written in punycode.
//
// An entry can't name an IPv6 address or a host with an underscore, to which
// browsers match nothing, or a host that ends with a dot, which they treat as
// different from the one without the dot.
//
// In each slice, nil is absent from the wire and empty is [].
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
	// Extra holds the keys that this version does not know. They are kept on
	// decode, written on encode, and never become part of a policy. A known key
	// in it is an error.
	Extra map[string]any
}

var cspKeys = metakey.CSPFields

// lists returns the domain lists in the order of cspKeys.
func (c *CSP) lists() [4]*[]string {
	return [4]*[]string{&c.ConnectDomains, &c.ResourceDomains, &c.FrameDomains, &c.BaseURIDomains}
}

func (c *CSP) validate() error {
	for i, list := range c.lists() {
		for j, entry := range *list {
			if err := origin.Validate(entry); err != nil {
				return fmt.Errorf("csp.%s[%d] is %s: %w", cspKeys[i], j, text.Quote(entry), err)
			}
		}
	}
	return validateExtra("CSP.Extra", c.Extra, cspKeys, cspKeys)
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
	if err := validateExtra("Extra", c.Extra, cspKeys, nil); err != nil {
		return nil, err
	}
	return json.Marshal(c.generic())
}
