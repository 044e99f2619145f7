package check

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpapps-go/mcpapps"
)

// addresses judges the addresses that a document uses.
func (c *collector) addresses(p *page, d document) {
	var base *url.URL
	if u, err := url.Parse(p.base); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		base = u
	}
	for _, r := range p.refs {
		c.address(p, d, r, base)
	}
	c.unused(p, d)
}

func (c *collector) address(p *page, d document, r ref, base *url.URL) {
	add := func(code, format string, args ...any) *Finding {
		return c.addAt(p, d.at, code, r.offset, format, args...)
	}
	kind, origin := classify(r)
	shown := shorten(r.url)
	if kind == relative && base != nil && r.use != useNavigation {
		if u, err := base.Parse(r.url); err == nil {
			kind, origin = external, strings.ToLower(u.Scheme+"://"+u.Host)
		}
	}
	switch kind {
	case harmless:
		return
	case relative, external:
		if r.use == useNavigation {
			if !p.opensLinks() {
				add("doc-navigation", "%s leads to %q", r.where, shown)
			}
			return
		}
	}
	switch {
	case r.use == usePlugin:
		add("doc-blocked-source", "%s needs object-src, which every host blocks: %q", r.where, shown)
	case r.use == useWorker:
		add("doc-blocked-source", "%s of %q: a worker's script must be of the document's own origin, where there is no file", r.where, shown)
	case kind == scheme:
		if !dataAllowed(r) {
			add("doc-blocked-source", "%s has the address %q, which no declaration allows there", r.where, shown)
		}
	case kind == relative && r.use == useBase:
	case kind == relative && (r.use == useScript || r.use == useImport || r.use == useStyle):
		add("doc-relative-script", "%s has the relative address %q", r.where, shown)
	case kind == relative:
		c.group(findingKey{"doc-relative-url", r.where, d.at}, fmt.Sprintf("%s has the relative address %q", r.where, shown)).in(p, r.offset)
	default:
		if r.use == useScript || r.use == useImport {
			add("doc-cdn", "%s loads code from %q", r.where, shown)
		}
		c.declared(p, d, r, origin)
	}
}

// declared looks an origin up in the declaration.
func (c *collector) declared(p *page, d document, r ref, origin string) {
	csp := d.ui.CSP
	if csp == nil {
		csp = &mcpapps.CSP{}
	}
	key, list := "resourceDomains", csp.ResourceDomains
	switch r.use {
	case useConnect:
		key, list = "connectDomains", csp.ConnectDomains
	case useFrame:
		key, list = "frameDomains", csp.FrameDomains
	case useBase:
		key, list = "baseUriDomains", csp.BaseURIDomains
	}
	if slices.ContainsFunc(list, func(entry string) bool { return covers(entry, origin) }) {
		return
	}
	c.addAt(p, d.at, "csp-undeclared", r.offset, "%s uses %q, which is not in csp.%s", r.where, origin, key).
		Remedy = fmt.Sprintf(`declare {%q: [%q]} in _meta.ui.csp of the resource`, key, origin)
}

// unused finds declared origins whose host the document never names.
func (c *collector) unused(p *page, d document) {
	if d.ui.CSP == nil {
		return
	}
	lists := []struct {
		key     string
		entries []string
	}{
		{"connectDomains", d.ui.CSP.ConnectDomains}, {"resourceDomains", d.ui.CSP.ResourceDomains},
		{"frameDomains", d.ui.CSP.FrameDomains}, {"baseUriDomains", d.ui.CSP.BaseURIDomains},
	}
	for _, l := range lists {
		for _, entry := range l.entries {
			_, host, ok := strings.Cut(entry, "://")
			if host = strings.TrimPrefix(host, "*."); ok && host != "" && !strings.Contains(p.doc, host) {
				c.add("csp-unused", d.at, "csp.%s declares %q, and the document never names that host", l.key, shorten(entry))
			}
		}
	}
}

type addressKind int

const (
	harmless addressKind = iota // asks for nothing
	relative                    // a file beside the document
	external                    // an http(s) or ws(s) origin
	scheme                      // data:, blob: and all others
)

// classify says what an address asks for, and of which origin.
func classify(r ref) (addressKind, string) {
	s := r.url
	if strings.HasPrefix(s, "#") {
		return harmless, ""
	}
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	name, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(name) {
		// A beginning may go on to be anything, unless it is a path already.
		if r.prefix && !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "./") && !strings.HasPrefix(s, "../") {
			return harmless, ""
		}
		return relative, ""
	}
	switch name = strings.ToLower(name); name {
	case "http", "https", "ws", "wss":
		host, ok := strings.CutPrefix(rest, "//")
		end := strings.IndexAny(host, `/?#\`)
		if end >= 0 {
			host = host[:end]
		}
		if _, after, at := strings.Cut(host, "@"); at {
			host = after
		}
		if !ok || host == "" || end < 0 && r.prefix || strings.ContainsAny(host, "{}$<>%\" ") {
			return harmless, "" // not an address, or not one yet
		}
		if strings.IndexFunc(host, func(c rune) bool { return c > unicode.MaxASCII }) >= 0 {
			return harmless, "" // declarations have another spelling of such a name
		}
		return external, name + "://" + strings.ToLower(host)
	case "javascript", "about", "mailto", "tel", "sms":
		return harmless, ""
	}
	if r.use == useNavigation {
		return harmless, ""
	}
	return scheme, ""
}

func isScheme(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !('0' <= c && c <= '9') && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// dataAllowed reports whether the policy has the address in any case: data: for
// images and media.
func dataAllowed(r ref) bool {
	return len(r.url) >= 5 && strings.EqualFold(r.url[:5], "data:") && (r.use == useImage || r.use == useMedia)
}

// covers reports whether a declared entry matches an origin, as a browser
// matches sources: http also stands for https, ws for wss, neither for the
// other, and a wildcard for one label or more before the dot.
func covers(entry, origin string) bool {
	es, eh, ok := strings.Cut(strings.ToLower(entry), "://")
	if !ok {
		return false
	}
	os, oh, _ := strings.Cut(origin, "://")
	switch {
	case es == os:
	case es == "http" && os == "https", es == "ws" && os == "wss":
	default:
		return false
	}
	eh, ep := splitPort(eh, es)
	oh, op := splitPort(oh, os)
	if ep != op && !(ep == "80" && op == "443") {
		return false
	}
	if suffix, ok := strings.CutPrefix(eh, "*"); ok {
		return strings.HasSuffix(oh, suffix) && len(oh) > len(suffix)
	}
	return eh == oh
}

func splitPort(host, scheme string) (string, string) {
	if h, p, ok := strings.Cut(host, ":"); ok {
		return h, p
	}
	if scheme == "https" || scheme == "wss" {
		return host, "443"
	}
	return host, "80"
}

// opensLinks reports whether the document's own script sends links to the host,
// so that addresses in its markup may well be for that.
func (p *page) opensLinks() bool {
	return strings.Contains(p.doc, ".openLink(") || strings.Contains(p.doc, ".sendOpenLink(") ||
		strings.Contains(p.doc, "ui/open-link") && !strings.Contains(p.doc, "openLink")
}
