package bundle

import (
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/origin"
)

// Origin is an origin that a document loads from when it runs, for one directive of
// the policy.
type Origin struct {
	Origin     string      // as in a CSP: "https://cdn.example.com"
	Directive  string      // "script-src", "img-src", "frame-src", "base-uri" and so on
	References []Reference // in no particular order
}

// Reference is a reference to something outside the document.
type Reference struct {
	URL          string
	File         string // the path of the file that contains it
	Line, Column int    // from 1; 0 where unknown
}

// listed is a reference that is in Document.External.
type listed struct {
	directive string
	ref       Reference
}

// external lists a reference that stays in the document. It returns an error if no
// CSP can allow it, or if the given one does not.
func (b *bundler) external(directive string, ref Reference) error {
	u, err := url.Parse(ref.URL)
	if err != nil {
		return fmt.Errorf("%q is not a URL: %w", ref.URL, err)
	}
	from := strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host)
	if p := u.Port(); p == strconv.Itoa(int(origin.DefaultPort(u.Scheme))) {
		from = strings.TrimSuffix(from, ":"+p)
	}
	needed := &mcpapps.CSP{}
	list, field := domains(needed, directive)
	*list = []string{from}
	if u.User != nil {
		return fmt.Errorf("%q has user information, which no policy can allow", ref.URL)
	}
	if err := (mcpapps.ResourceUIMetadata{CSP: needed}).Validate(); err != nil {
		return fmt.Errorf("%q has an origin that no CSP can name: %w", ref.URL, err)
	}
	if b.allows != nil && !b.allows(directive, from) {
		return fmt.Errorf("%q is blocked when the view runs, %s, or put a copy of the file beside the page", ref.URL, b.policy.remedy(b.opts, directive, from, field))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := from + " " + directive
	if b.externals[key] == nil {
		b.externals[key] = &Origin{Origin: from, Directive: directive}
	}
	if l := (listed{directive, ref}); !b.listed[l] {
		b.listed[l] = true
		o := b.externals[key]
		o.References = append(o.References, ref)
	}
	return nil
}

// domains returns the field of a CSP that names the origins of a directive, and
// the field's name.
func domains(c *mcpapps.CSP, directive string) (list *[]string, name string) {
	switch mcpapps.CSPField(directive) {
	case "frameDomains":
		return &c.FrameDomains, "FrameDomains"
	case "baseUriDomains":
		return &c.BaseURIDomains, "BaseURIDomains"
	}
	return &c.ResourceDomains, "ResourceDomains"
}

// declare lists the external references and the CSP that they need.
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
		list, _ := domains(doc.CSP, o.Directive)
		if n := len(*list); n == 0 || (*list)[n-1] != o.Origin {
			*list = append(*list, o.Origin)
		}
	}
}
