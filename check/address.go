package check

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// addresses judges the addresses that a document uses.
func (c *collector) addresses(p *page, d document) {
	var base *url.URL
	if u, err := url.Parse(p.base); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		base = u
	}
	declared := newDeclaration(d.ui.CSP)
	for _, r := range p.refs {
		c.address(p, d, r, base, declared)
	}
	c.unused(p, d)
}

func (c *collector) address(p *page, d document, r ref, base *url.URL, declared declaration) {
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
		c.declared(p, d, r, origin, declared)
	}
}

// declared looks an origin up in the declaration.
func (c *collector) declared(p *page, d document, r ref, origin string, declared declaration) {
	key := "resourceDomains"
	switch r.use {
	case useConnect:
		key = "connectDomains"
	case useFrame:
		key = "frameDomains"
	case useBase:
		key = "baseUriDomains"
	}
	if declared.covers(key, origin) {
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
	search := maxSearch
	for _, l := range cspLists(d.ui.CSP) {
		for _, entry := range l.entries {
			_, host, ok := strings.Cut(entry, "://")
			if host = strings.TrimPrefix(host, "*."); !ok || host == "" {
				continue
			}
			if search -= len(p.doc); search < 0 {
				return
			}
			if !strings.Contains(p.doc, host) {
				c.add("csp-unused", d.at, "csp.%s declares %q, and the document never names that host", l.key, shorten(entry))
			}
		}
	}
}

// maxSearch bounds how many bytes are searched for names, where each of many
// names is searched for in all of many bytes.
const maxSearch = 2 << 30

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

// opensLinks reports whether the document's own script sends links to the host,
// so that addresses in its markup may well be for that.
func (p *page) opensLinks() bool {
	if p.links == nil {
		found := p.callsOpenLink()
		p.links = &found
	}
	return *p.links
}

func (p *page) callsOpenLink() bool {
	return strings.Contains(p.doc, ".openLink(") || strings.Contains(p.doc, ".sendOpenLink(") ||
		strings.Contains(p.doc, "ui/open-link") && !strings.Contains(p.doc, "openLink")
}
