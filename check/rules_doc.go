package check

import (
	"encoding/json"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	docNotHTML = newRule(Rule{
		Code:     "doc-not-html",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the document is not HTML",
		Why:      "the frame shows it as text, or nothing",
		Remedy:   "return the HTML document itself, without encoding it again",
		Spec:     "Content Requirements",
	})

	docBlank = newRule(Rule{
		Code:     "doc-blank",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the document has nothing to show and no script",
		Why:      "the frame stays blank",
		Remedy:   "inspect the build's output: scripts and styles have to be inside the document",
		Spec:     "Content Requirements",
	})

	docDoctype = newRule(Rule{
		Code:     "doc-doctype",
		Severity: SeverityWarning,
		Summary:  "the document does not begin with <!doctype html>",
		Why:      "browsers then lay it out in quirks mode, where the root is as tall as the frame: auto-resize reports the frame's own height, so the frame never fits",
		Remedy:   "begin the document with <!doctype html>",
		Spec:     "Content Requirements",
	})

	docUnclosed = newRule(Rule{
		Code:     "doc-unclosed",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a script or style element never ends",
		Why:      "the browser drops the script, and the rest of the document with it",
		Remedy:   `close the element; inside a script write "<\!--" for "<!--" and "<\/script" for "</script"`,
		Spec:     "Content Requirements",
	})

	docPolicy = newRule(Rule{
		Code:     "doc-policy",
		Severity: SeverityWarning,
		Summary:  "the document has a Content-Security-Policy of its own",
		Why:      "it applies in addition to the host's, and the stricter of the two silently wins",
		Remedy:   "remove it and declare _meta.ui.csp",
		Spec:     "Host Behavior",
	})
)

// A document is what is known of a document in addition to its text.
type document struct {
	at    place
	ui    mcpapps.ResourceUIMetadata
	tools *toolbox // nil where no server is known
}

// judgeDocument judges the text of a document.
func (found *findings) judgeDocument(html string, d document) {
	if found.isNotHTML(html, d.at) {
		return
	}
	p := page.Read(html)
	if !p.HasTags && !p.Doctype {
		found.add(docNotHTML, d.at, "the document has no HTML tag: it begins with %q", begin(html))
		return
	}
	add := func(r *Rule, offset int, format string, args ...any) *Finding {
		return found.addAt(p, d.at, r, offset, format, args...)
	}
	if !p.Doctype {
		add(docDoctype, 0, "the document begins with %q, not with <!doctype html>", begin(html))
	} else if p.ByteOrderMark {
		add(docDoctype, 0, "a byte order mark is before <!doctype html>, and parsers that get a string treat it as text")
	}
	if p.Unclosed != "" {
		add(docUnclosed, p.UnclosedAt, "the element %s never ends", p.Unclosed)
	}
	if !p.HasContent && !p.HasScript && p.Unclosed == "" {
		add(docBlank, 0, "the document has nothing to show and no script")
	}
	if p.PolicyAt >= 0 {
		add(docPolicy, p.PolicyAt, "the document has the policy %q", text.Shorten(p.Policy, maxValue))
	}
	found.judgeFacts(p, d)
	found.judgeAddresses(p, d)
	found.judgeFeatures(p, d)
	found.judgeToolCalls(p, d)
	if found.uses != nil {
		found.uses[d.at.URI] = useOf(p, d)
	}
}

// isNotHTML reports whether a document is empty or JSON, and adds the finding.
func (found *findings) isNotHTML(doc string, at place) bool {
	doc = strings.TrimSpace(doc)
	switch {
	case doc == "":
		found.add(resourceEmpty, at, "the document is empty")
	case doc[0] == '"' && json.Valid([]byte(doc)):
		found.add(docNotHTML, at, "the document is HTML encoded once more as a JSON string: %q", begin(doc)).
			Remedy = "return the string itself: the protocol's encoding is enough"
	case (doc[0] == '{' || doc[0] == '[') && json.Valid([]byte(doc)):
		found.add(docNotHTML, at, "the document is JSON: %q", begin(doc))
	default:
		return false
	}
	return true
}

// addAt adds a finding at an offset of the document.
func (found *findings) addAt(p *page.Page, at place, r *Rule, offset int, format string, args ...any) *Finding {
	return found.add(r, at, format, args...).in(p, offset)
}

// in sets the place of a finding in a document. It ignores a finding that is not in
// the report.
func (f *Finding) in(p *page.Page, offset int) *Finding {
	if f.Code != "" {
		f.offset = offset
		f.Line, f.Column = p.Position(offset)
	}
	return f
}

// begin returns the beginning of a document, for messages.
func begin(doc string) string { return text.Shorten(strings.TrimSpace(doc), 40) }
