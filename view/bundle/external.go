package bundle

import (
	"fmt"
	"net/url"
	"sort"
	"strings"

	"github.com/mcpapps-go/mcpapps"
)

// Origin is an origin that a document loads from when it runs, for one purpose.
type Origin struct {
	Origin     string      // as in a CSP: "https://cdn.example.com"
	Directive  string      // of the policy: "script-src", "img-src", "frame-src", "base-uri" and so on
	References []Reference // in no particular order
}

// Reference is a reference to something outside of the document.
type Reference struct {
	URL          string
	File         string
	Line, Column int // from 1; 0 where unknown
}

// external notes a reference that stays. The error says that the given CSP
// does not allow it.
func (b *bundler) external(directive string, ref Reference) error {
	u, err := url.Parse(ref.URL)
	if err != nil {
		return fmt.Errorf("%q is not a URL: %w", ref.URL, err)
	}
	origin := strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host)
	if p := u.Port(); p == "443" && u.Scheme == "https" || p == "80" && u.Scheme == "http" {
		origin = strings.TrimSuffix(origin, ":"+p)
	}
	needed := &mcpapps.CSP{}
	*domains(needed, directive) = []string{origin}
	if u.User != nil {
		return fmt.Errorf("%q has user information, which no policy can allow", ref.URL)
	}
	if err := (mcpapps.ResourceUIMetadata{CSP: needed}).Validate(); err != nil {
		return fmt.Errorf("%q has an origin that no CSP can name: %w", ref.URL, err)
	}
	if given := b.opts.CSP; given != nil && !allows(*domains(given, directive), u) {
		return fmt.Errorf("%q is blocked when the view runs, since the CSP does not allow it: add %q to its %s, "+
			"or put a copy of the file beside the page", ref.URL, origin, domainsName(directive))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := origin + " " + directive
	if b.externals[key] == nil {
		b.externals[key] = &Origin{Origin: origin, Directive: directive}
	}
	o := b.externals[key]
	for _, r := range o.References {
		if r == ref {
			return nil
		}
	}
	o.References = append(o.References, ref)
	return nil
}

// domains returns the list of a CSP that a directive is made from.
func domains(c *mcpapps.CSP, directive string) *[]string {
	switch directive {
	case "frame-src":
		return &c.FrameDomains
	case "base-uri":
		return &c.BaseURIDomains
	}
	return &c.ResourceDomains
}

func domainsName(directive string) string {
	switch directive {
	case "frame-src":
		return "FrameDomains"
	case "base-uri":
		return "BaseURIDomains"
	}
	return "ResourceDomains"
}

// allows matches a URL against origins as browsers do: a host or, behind "*.",
// any below it; http also allows https.
func allows(entries []string, u *url.URL) bool {
	for _, entry := range entries {
		e, err := url.Parse(strings.ToLower(entry))
		if err != nil || e.Scheme != u.Scheme && !(e.Scheme == "http" && u.Scheme == "https") {
			continue
		}
		port := func(u *url.URL) string {
			if p := u.Port(); p != "" || u.Scheme == "" {
				return p
			}
			return map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
		if port(e) != port(u) && !(port(e) == "80" && port(u) == "443") {
			continue
		}
		host := strings.ToLower(u.Hostname())
		if e.Hostname() == host {
			return true
		}
		if below, ok := strings.CutPrefix(e.Hostname(), "*"); ok && strings.HasSuffix(host, below) && len(host) > len(below) {
			return true
		}
	}
	return false
}

// declare sums the external references up.
func (b *bundler) declare(doc *Document) {
	for _, o := range b.externals {
		doc.External = append(doc.External, *o)
	}
	sort.Slice(doc.External, func(i, j int) bool {
		a, b := doc.External[i], doc.External[j]
		return a.Origin < b.Origin || a.Origin == b.Origin && a.Directive < b.Directive
	})
	for _, o := range doc.External {
		if doc.CSP == nil {
			doc.CSP = &mcpapps.CSP{}
		}
		list := domains(doc.CSP, o.Directive)
		if n := len(*list); n == 0 || (*list)[n-1] != o.Origin {
			*list = append(*list, o.Origin)
		}
	}
}
