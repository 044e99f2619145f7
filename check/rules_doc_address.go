package check

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	docRelativeScript = newRule(Rule{
		Code:     "doc-relative-script",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a script or stylesheet with a relative address",
		Why:      "a host has only the document and no files next to it, so the view stays blank or unstyled",
		Remedy:   "inline the script or style, as a single-file bundler does: in Go, bundle.Handler (package view/bundle)",
		Spec:     "Content Requirements",
	})

	docRelativeURL = newRule(Rule{
		Code:     "doc-relative-url",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "a relative address",
		Why:      "it is resolved against the host's sandbox, where there is no such file",
		Remedy:   "inline the data, or use an absolute URL and declare its origin",
		Spec:     "Content Requirements",
	})

	docCDN = newRule(Rule{
		Code:     "doc-cdn",
		Severity: SeverityWarning,
		Summary:  "code is loaded from another origin",
		Why:      "a host that restricts or ignores the declaration shows the view without that code, often without a handshake",
		Remedy:   "inline the code",
		Spec:     "Host Behavior",
	})

	docBlockedSource = newRule(Rule{
		Code:     "doc-blocked-source",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "a source that no metadata can allow",
		Why:      "no policy allows blob: and data: for anything but images and media, plug-ins, workers or WebAssembly",
		Remedy:   "use another way: fonts by FontFace(name, bytes), inline code, work in the page itself",
		Spec:     "Host Behavior",
	})

	docHint = newRule(Rule{
		Code:     "doc-hint",
		Severity: SeverityWarning,
		Summary:  "a hint connects to an origin that the metadata does not declare",
		Why:      "no policy governs preconnect and dns-prefetch: the name of the host leaks even where no request is allowed, and hosts that close this leak, with a Connection-Allowlist, ignore the hint",
		Remedy:   "remove the hint, or declare the origin if the document loads something from it",
		Spec:     "Host Behavior",
	})
)

// directives are the policy's directives for addresses, by their use.
var directives = map[page.Use]string{
	page.Script:  "script-src",
	page.Import:  "script-src",
	page.Style:   "style-src",
	page.Image:   "img-src",
	page.Media:   "media-src",
	page.Font:    "font-src",
	page.Frame:   "frame-src",
	page.Connect: "connect-src",
	page.Base:    "base-uri",
}

// judgeAddresses judges the addresses that a document uses.
func (found *findings) judgeAddresses(p *page.Page, d document) {
	var base *url.URL
	if u, err := url.Parse(p.Base); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		base = u
	}
	allows := d.ui.CSP.Matcher()
	opensLinks := opensLinks(p.Doc)
	for i := range p.Refs {
		r := &p.Refs[i]
		target, origin := r.Target()
		if target == page.File && base != nil && r.Use != page.Navigation {
			if u, err := base.Parse(r.URL); err == nil {
				target, origin = page.Origin, strings.ToLower(u.Scheme+"://"+u.Host)
			}
		}
		switch {
		case target == page.Nowhere:
		case r.Use == page.Hint:
			if target == page.Origin && !allows("connect-src", origin) && !allows("img-src", origin) && !allows("frame-src", origin) {
				found.addAt(p, d.at, docHint, r.Offset, "%s connects to %q, which csp does not declare", r.Where, origin)
			}
		case r.Use == page.Navigation:
			if !opensLinks {
				found.addAt(p, d.at, docNavigation, r.Offset, "%s leads to %q", r.Where, text.Shorten(r.URL, maxValue))
			}
		default:
			found.judgeAddress(p, d, r, target)
			if _, ok := directives[r.Use]; ok && target == page.Origin {
				found.judgeDeclared(p, d, r, origin, allows)
			}
		}
	}
	found.judgeUnused(p, d)
}

// judgeAddress judges an address independently of the declaration.
func (found *findings) judgeAddress(p *page.Page, d document, r *page.Ref, target page.Target) {
	shown := text.Shorten(r.URL, maxValue)
	add := func(rule *Rule, format string) {
		found.addAt(p, d.at, rule, r.Offset, format, r.Where, shown)
	}
	switch {
	case r.Use == page.Plugin:
		add(docBlockedSource, "%s needs object-src, which every host blocks: %q")
	case r.Use == page.Worker:
		add(docBlockedSource, "%s of %q: a worker's script must have the document's own origin, where no file exists")
	case target == page.Scheme:
		if !isAllowedData(r) {
			add(docBlockedSource, "%s has the address %q, which no declaration allows there")
		}
	case target == page.File && r.Use == page.Base:
	case target == page.File && (r.Use == page.Script || r.Use == page.Import || r.Use == page.Style):
		add(docRelativeScript, "%s has the relative address %q")
	case target == page.File:
		found.addToGroup(docRelativeURL, d.at, r.Where, fmt.Sprintf("%s has the relative address %q", r.Where, shown)).in(p, r.Offset)
	case r.Use == page.Script || r.Use == page.Import:
		add(docCDN, "%s loads code from %q")
	}
}

// isAllowedData reports whether every policy allows the address: data: for images
// and media.
func isAllowedData(r *page.Ref) bool {
	return len(r.URL) >= 5 && strings.EqualFold(r.URL[:5], "data:") && (r.Use == page.Image || r.Use == page.Media)
}

// opensLinks reports whether a script of the document sends links to the host. Then
// links in its markup are probably handled by it.
func opensLinks(doc string) bool {
	return strings.Contains(doc, ".openLink(") || strings.Contains(doc, ".sendOpenLink(") ||
		strings.Contains(doc, "ui/open-link") && !strings.Contains(doc, "openLink")
}
