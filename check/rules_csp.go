package check

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	cspType = newRule(Rule{
		Code:     "csp-type",
		Severity: SeverityWarning,
		Summary:  "csp, or a list in it, has the wrong type",
		Why:      "hosts then apply the restrictive default, which blocks everything external",
		Remedy:   `write an object of string arrays, such as {"connectDomains": ["https://api.example.com"]}`,
		Spec:     "UI Resource Format",
	})

	cspEntry = newRule(Rule{
		Code:     "csp-entry",
		Severity: SeverityWarning,
		Hosts:    []string{hostReference, hostGoose},
		Summary:  "a domain entry that is not an origin",
		Why:      "hosts silently drop such entries, and some of them match nothing in browsers",
		Remedy:   `write one origin per entry, such as "https://api.example.com" or "https://*.example.com"`,
		Spec:     "Host Behavior",
	})

	cspKey = newRule(Rule{
		Code:     "csp-key",
		Severity: SeverityWarning,
		Summary:  "csp has a key that the specification does not define",
		Why:      "hosts read only connectDomains, resourceDomains, frameDomains and baseUriDomains",
		Remedy:   "use one of those keys, or remove it",
		Spec:     "UI Resource Format",
	})

	cspUndeclared = newRule(Rule{
		Code:     "csp-undeclared",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document uses an origin that is not declared",
		Why:      "the policy blocks the request",
		Remedy:   "declare the origin",
		Spec:     "Host Behavior",
	})

	cspUnused = newRule(Rule{
		Code:     "csp-unused",
		Severity: SeverityNote,
		Summary:  "a declared origin whose host the document never names",
		Why:      "each declared origin is one that reviewers and users have to trust",
		Remedy:   "remove it, unless data names it at run time",
		Spec:     "Host Behavior",
	})
)

func (found *findings) judgeCSP(ui map[string]any, at place) {
	v, ok := ui["csp"]
	if !ok {
		return
	}
	csp, ok := v.(map[string]any)
	if !ok {
		found.add(cspType, at.At("/_meta/ui/csp"), "csp must be an object, not %s", text.JSON(v))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(csp)) {
		at := at.At(pointer("_meta", "ui", "csp", key))
		if !slices.Contains(metakey.CSPFields, key) {
			f := found.add(cspKey, at, "csp has the key %s", text.Quote(key))
			if meant := metakey.MeantCSP(key); meant != "" {
				f.Remedy = fmt.Sprintf("write %q", meant)
			}
			continue
		}
		list, ok := csp[key].([]any)
		if !ok {
			f := found.add(cspType, at, "csp.%s must be a list of strings, not %s", key, text.JSON(csp[key]))
			if csp[key] == nil { // as encoding/json writes a nil slice
				f.Remedy = "write [], or leave the key out"
			}
			continue
		}
		for i, e := range list {
			at := at.At(pointer("_meta", "ui", "csp", key, i))
			s, ok := e.(string)
			if !ok {
				found.add(cspType, at, "csp.%s must be a list of strings, but has %s", key, text.JSON(e))
			} else if err := origin.Validate(s); err != nil {
				reason, remedy := err.Error(), ""
				var meant *origin.MeantError
				if errors.As(err, &meant) {
					reason, remedy = meant.Reason, "write "+strconv.Quote(meant.Meant)
				}
				if f := found.add(cspEntry, at, "csp.%s has %s: %s", key, text.Quote(s), reason); remedy != "" {
					f.Remedy = remedy
				}
			}
		}
	}
}

// judgeDeclared judges whether an origin is declared for what it is used for.
func (found *findings) judgeDeclared(p *page.Page, d document, r *page.Ref, from string, allows func(directive, origin string) bool) {
	found.judgeFonts(p, d, r, from, allows)
	directive := directives[r.Use]
	if allows(directive, from) {
		return
	}
	field := mcpapps.CSPField(directive)
	found.addAt(p, d.at, cspUndeclared, r.Offset, "%s uses %q, which is not in csp.%s", r.Where, from, field).
		Remedy = fmt.Sprintf(`declare {%q: [%q]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`, field, from)
}

// judgeUnused finds declared origins whose host the document never names.
func (found *findings) judgeUnused(p *page.Page, d document) {
	if d.ui.CSP == nil {
		return
	}
	lists := [][]string{d.ui.CSP.ConnectDomains, d.ui.CSP.ResourceDomains, d.ui.CSP.FrameDomains, d.ui.CSP.BaseURIDomains}
	search := maxSearch
	for i, key := range metakey.CSPFields {
		for _, entry := range lists[i] {
			_, host, ok := strings.Cut(entry, "://")
			if host = strings.TrimPrefix(host, "*."); !ok || host == "" {
				continue
			}
			if search -= len(p.Doc); search < 0 {
				return
			}
			if !strings.Contains(p.Doc, host) && !namesFonts(p.Doc, host) {
				found.add(cspUnused, d.at, "csp.%s declares %q, and the document never names that host", key, text.Shorten(entry, maxValue))
			}
		}
	}
}
