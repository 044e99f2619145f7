package mcpapps

import (
	"strconv"
	"strings"
)

// Allows reports whether a document under the policy of c may load from an
// origin other than its own, for a purpose that a directive names: "connect-src",
// "img-src", "script-src-elem". It decides as browsers do. A nil c allows
// nothing, as the restrictive default does, and entries that [CSP.Policy] leaves
// out count for nothing.
//
// The origin is as a browser serializes it, such as "https://api.example.com"
// or "ws://127.0.0.1:8080": the host in punycode, an address as four decimal
// numbers. Case does not count, and a port may be the scheme's own. Anything
// else is not allowed.
//
// For many questions to one declaration use [CSP.Matcher].
func (c *CSP) Allows(directive, origin string) bool {
	return c.Matcher()(directive, origin)
}

// Matcher returns a function that answers [CSP.Allows] for c as it is now, from
// an index, in a time that does not grow with the number of entries: a server
// chooses both the entries and the document that they are compared with. The
// function is safe for concurrent use.
func (c *CSP) Matcher() func(directive, origin string) bool {
	m := make(matcher)
	if c != nil {
		for field, list := range c.lists() {
			for _, entry := range *list {
				if validateOrigin(entry) == nil {
					o, _ := parseOrigin(entry)
					m[indexed{field, o}] = struct{}{}
				}
			}
		}
	}
	return m.allows
}

// A matcher holds the entries of a CSP.
type matcher map[indexed]struct{}

// indexed is an entry of one of the fields.
type indexed struct {
	field int
	origin
}

func (m matcher) allows(directive, origin string) bool {
	field := fieldOf(directive)
	if field == noField || len(m) == 0 {
		return false
	}
	o, ok := parseOrigin(origin)
	if !ok || strings.Contains(o.host, "*") {
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
func (m matcher) has(field int, o origin) bool {
	if _, ok := m[indexed{field, o}]; ok {
		return true
	}
	host := o.host
	for range maxLabels {
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		o.host = "*." + parent
		if _, ok := m[indexed{field, o}]; ok {
			return true
		}
		host = parent
	}
	return false
}

const maxLabels = 128 // a name has no more

// An origin in the form that is compared: in lower case, with a port.
type origin struct {
	scheme, host string
	port         uint16
}

// covering returns the spellings of o whose entries cover it. An entry with an
// insecure scheme covers the secure one at its default port too, if the entry
// has its own default port. http://a.test:81 does not cover https://a.test:81,
// although CSP Level 3 says so; http://a.test:443 covers https://a.test, and
// ws://a.test:443 does not cover wss://a.test. This is what Chromium does.
func covering(o origin) []origin {
	all := []origin{o}
	if insecure, ok := strings.CutSuffix(o.scheme, "s"); ok && o.port == defaultPort(o.scheme) {
		all = append(all, origin{insecure, o.host, defaultPort(insecure)})
		if insecure == "http" {
			all = append(all, origin{insecure, o.host, o.port})
		}
	}
	return all
}

func defaultPort(scheme string) uint16 {
	switch scheme {
	case "https", "wss":
		return 443
	default:
		return 80
	}
}

// notInHost are the characters that no host in an origin has, those of IPv6
// addresses included, which browsers match to no entry.
const notInHost = `/?#@\[]%<>^|"`

// parseOrigin splits an origin. It is coarser than the grammar of entries, since
// a document may use hosts that no entry can name but a wildcard covers.
func parseOrigin(s string) (o origin, ok bool) {
	scheme, rest, ok := strings.Cut(strings.ToLower(s), "://")
	if !ok || strings.ContainsFunc(rest, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(notInHost, r) }) {
		return origin{}, false
	}
	switch scheme {
	case "http", "https", "ws", "wss":
	default:
		return origin{}, false
	}
	host, port := rest, defaultPort(scheme)
	if name, digits, ok := strings.Cut(rest, ":"); ok {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return origin{}, false
		}
		host, port = name, uint16(n)
	}
	return origin{scheme, host, port}, host != ""
}
