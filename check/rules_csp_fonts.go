package check

import (
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/check/internal/page"
)

// Style sheets of Google Fonts load the fonts from a second origin, which no document
// names.
const (
	fontStyles = "https://fonts.googleapis.com"
	fontFiles  = "https://fonts.gstatic.com"
)

// judgeFonts judges whether the origin of the fonts is declared where a style sheet of
// Google Fonts is used.
func (found *findings) judgeFonts(p *page.Page, d document, r *page.Ref, from string, allows func(directive, origin string) bool) {
	if from != fontStyles || directives[r.Use] != "style-src" || allows("font-src", fontFiles) {
		return
	}
	found.addAt(p, d.at, cspUndeclared, r.Offset, "%s uses %q, which loads its fonts from %q, and that is not in csp.resourceDomains", r.Where, from, fontFiles).
		Remedy = fmt.Sprintf(`declare {"resourceDomains": [%q, %q]} in _meta.ui.csp of the resource (View.UI.CSP in Go), or leave the style sheet out`, fontStyles, fontFiles)
}

// namesFonts reports whether a declared host is that of the fonts of a style sheet that
// the document names.
func namesFonts(doc, host string) bool {
	return "https://"+host == fontFiles && strings.Contains(doc, strings.TrimPrefix(fontStyles, "https://"))
}
