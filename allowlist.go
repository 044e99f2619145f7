package mcpapps

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/origin"
)

// ConnectionAllowlist returns the value of the Connection-Allowlist header that
// closes what a Content-Security-Policy leaves open: with [CSP.Policy] alone, a
// document reaches any host by a preconnect or dns-prefetch hint and by WebRTC,
// and the host's name can carry what the view knows. A browser that knows the
// header makes no connection but to the document's own origin and to the origins
// declared in ConnectDomains, ResourceDomains and FrameDomains, and no WebRTC
// connection at all. Other browsers ignore the header. A nil CSP and one that
// declares nothing give the same value, which allows only the own origin.
//
// The list supplements the policy and never replaces it: it does not distinguish
// kinds of requests, an entry with ws or wss also allows http or https, and a
// declared origin may redirect to another, which only the policy rejects.
// BaseURIDomains allow no request and are not in the list.
//
// Entries that are not valid origins are left out, as [CSP.Dropped] says, and so
// is all that comes after the first 256 origins: the browser compares each request
// of the view with each of them, in a process that it shares with other pages. The
// origins are sorted, so equal declarations give equal values. Send the header
// with every response of the document's origin, errors included: the view can
// put any response without it into a frame, and connect from there.
func (c *CSP) ConnectionAllowlist() string {
	var b strings.Builder
	b.WriteString("(response-origin")
	patterns := c.connections()
	for _, p := range patterns {
		// A valid origin has no character with a meaning in a URL pattern but the
		// wildcard, and none that could end the string.
		b.WriteString(` "` + p + `"`)
	}
	b.WriteString(")")
	if len(patterns) > 0 {
		b.WriteString(";redirects=allow") // without it, every redirect is blocked
	}
	return b.String()
}

// maxConnections bounds the list: Chromium 156 spends about 10 µs on each pattern
// for each request.
const maxConnections = 256

// connections returns the URL patterns of the origins that the policy allows a
// document to connect to, sorted.
func (c *CSP) connections() []string {
	if c == nil {
		return nil
	}
	var patterns []string
	set := make(map[string]bool)
	for _, list := range [][]string{c.ConnectDomains, c.ResourceDomains, c.FrameDomains} {
		for _, entry := range list {
			if origin.Validate(entry) != nil {
				continue
			}
			o, _ := origin.Parse(entry)
			for _, covered := range coveredBy(o) {
				p := pattern(covered)
				if !set[p] && len(patterns) < maxConnections {
					set[p] = true
					patterns = append(patterns, p)
				}
			}
		}
	}
	slices.Sort(patterns)
	return patterns
}

// pattern returns the URL pattern of an origin. Browsers compare sockets as http
// and https. A pattern without a port means the default port.
func pattern(o origin.Origin) string {
	scheme := o.Scheme
	if rest, ok := strings.CutPrefix(scheme, "ws"); ok {
		scheme = "http" + rest
	}
	p := scheme + "://" + o.Host
	if o.Port != origin.DefaultPort(scheme) {
		p += ":" + strconv.Itoa(int(o.Port))
	}
	return p
}
