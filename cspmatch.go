package mcpapps

import (
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/origin"
)

// Allows reports whether the policy of c lets a document load from an external
// origin, for the purpose of a directive such as "connect-src", "img-src" or
// "script-src-elem". It decides as browsers do. A nil CSP allows nothing, and
// entries that [CSP.Policy] leaves out are ignored.
//
// The origin is written as browsers serialize it, such as
// "https://api.example.com" or "ws://127.0.0.1:8080", with the host in punycode
// and an IPv4 address as four decimal numbers. Case is ignored, and the default
// port may be given. Allows returns false for anything else.
//
// To ask about many origins, use [CSP.Matcher].
func (c *CSP) Allows(directive, origin string) bool {
	return c.Matcher()(directive, origin)
}

// Matcher returns a function that decides as [CSP.Allows] does for c as it is
// now. It uses an index, so the time of a call does not grow with the number of
// entries: a hostile server chooses both the entries and the origins that they
// are compared with. The function is safe for concurrent use.
func (c *CSP) Matcher() func(directive, origin string) bool {
	m := make(matcher)
	if c != nil {
		for field, list := range c.lists() {
			for _, entry := range *list {
				if origin.Validate(entry) == nil {
					o, _ := origin.Parse(entry)
					m[indexed{field, o}] = struct{}{}
				}
			}
		}
	}
	return m.allows
}

// A matcher is the set of the valid entries of a CSP.
type matcher map[indexed]struct{}

// indexed is an entry together with the index of its field.
type indexed struct {
	field int
	origin.Origin
}

func (m matcher) allows(directive, from string) bool {
	field := fieldOf(directive)
	if field == noField || len(m) == 0 {
		return false
	}
	o, ok := origin.Parse(from)
	if !ok || strings.Contains(o.Host, "*") {
		return false
	}
	for _, by := range covering(o) {
		if m.has(field, by) {
			return true
		}
	}
	return false
}

// has reports whether an entry of the field has the scheme and the port of o,
// and its host or a wildcard above it.
func (m matcher) has(field int, o origin.Origin) bool {
	if _, ok := m[indexed{field, o}]; ok {
		return true
	}
	host := o.Host
	for range maxLabels {
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		o.Host = "*." + parent
		if _, ok := m[indexed{field, o}]; ok {
			return true
		}
		host = parent
	}
	return false
}

const maxLabels = 128 // a name has no more

// covering returns the entries that would cover o, except for wildcards. An
// entry with the insecure scheme covers the secure one, but only from default
// port to default port. http://a.test:81 does not cover https://a.test:81,
// although CSP Level 3 says that it does; http://a.test:443 covers
// https://a.test, while ws://a.test:443 does not cover wss://a.test. This is
// what Chromium does: see testdata/csp-origins.txt.
func covering(o origin.Origin) []origin.Origin {
	all := []origin.Origin{o}
	if insecure, ok := strings.CutSuffix(o.Scheme, "s"); ok && o.Port == origin.DefaultPort(o.Scheme) {
		all = append(all, origin.Origin{Scheme: insecure, Host: o.Host, Port: origin.DefaultPort(insecure)})
		if insecure == "http" {
			all = append(all, origin.Origin{Scheme: insecure, Host: o.Host, Port: o.Port})
		}
	}
	return all
}

// coveredBy returns the origins that an entry covers: the inverse of [covering].
func coveredBy(entry origin.Origin) []origin.Origin {
	all := []origin.Origin{entry}
	if entry.Scheme == "http" || entry.Scheme == "ws" {
		secure := origin.Origin{Scheme: entry.Scheme + "s", Host: entry.Host, Port: origin.DefaultPort(entry.Scheme + "s")}
		if slices.Contains(covering(secure), entry) {
			all = append(all, secure)
		}
	}
	return all
}
