package check

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	docRelativeScript = newRule(Rule{
		Code:     "doc-relative-script",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a script or stylesheet with a relative address",
		Why:      "the document is all that a host has: there is no file beside it, so the view stays blank or bare",
		Remedy:   "put the script or style into the document, as a bundler for single files does",
		Spec:     "Content Requirements",
	})

	docRelativeURL = newRule(Rule{
		Code:     "doc-relative-url",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "a relative address",
		Why:      "it is resolved against the host's sandbox, where there is no such file",
		Remedy:   "put the data into the document, or write the address with its origin and declare that",
		Spec:     "Content Requirements",
	})

	docCDN = newRule(Rule{
		Code:     "doc-cdn",
		Severity: SeverityWarning,
		Summary:  "code is loaded from another origin",
		Why:      "a host that restricts or ignores the declaration shows a view without it, often before the handshake",
		Remedy:   "put the code into the document",
		Spec:     "Host Behavior",
	})

	docBlockedSource = newRule(Rule{
		Code:     "doc-blocked-source",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "a source that no metadata can allow",
		Why:      "the policy has no place for it: blob: and data: for anything but images and media, plug-ins, workers, WebAssembly",
		Remedy:   "do without it: fonts from script with FontFace(name, bytes), code inline, work in the page",
		Spec:     "Host Behavior",
	})
)

// judgeAddresses judges the addresses that a document uses.
func (found *findings) judgeAddresses(p *page, d document) {
	var base *url.URL
	if u, err := url.Parse(p.base); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		base = u
	}
	declared := newDeclaration(d.ui.CSP)
	for _, r := range p.refs {
		found.judgeAddress(p, d, r, base, declared)
	}
	found.judgeUnused(p, d)
}

func (found *findings) judgeAddress(p *page, d document, r ref, base *url.URL, declared declaration) {
	add := func(rule *Rule, format string, args ...any) *Finding {
		return found.addAt(p, d.at, rule, r.offset, format, args...)
	}
	kind, origin := classify(r)
	shown := text.Shorten(r.url, maxValue)
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
				add(docNavigation, "%s leads to %q", r.where, shown)
			}
			return
		}
	}
	switch {
	case r.use == usePlugin:
		add(docBlockedSource, "%s needs object-src, which every host blocks: %q", r.where, shown)
	case r.use == useWorker:
		add(docBlockedSource, "%s of %q: a worker's script must be of the document's own origin, where there is no file", r.where, shown)
	case kind == scheme:
		if !dataAllowed(r) {
			add(docBlockedSource, "%s has the address %q, which no declaration allows there", r.where, shown)
		}
	case kind == relative && r.use == useBase:
	case kind == relative && (r.use == useScript || r.use == useImport || r.use == useStyle):
		add(docRelativeScript, "%s has the relative address %q", r.where, shown)
	case kind == relative:
		found.addToGroup(docRelativeURL, d.at, r.where, fmt.Sprintf("%s has the relative address %q", r.where, shown)).in(p, r.offset)
	default:
		if r.use == useScript || r.use == useImport {
			add(docCDN, "%s loads code from %q", r.where, shown)
		}
		found.judgeDeclared(p, d, r, origin, declared)
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
