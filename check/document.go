package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
)

// Document checks one HTML document by itself: what is true of it whatever
// server it comes from, and, by Options.Metadata, what its declaration lets it
// do. The error is one of the options.
func Document(html string, opts *Options) (*Report, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	var c collector
	d := document{at: place{uri: o.URI}, tools: nil}
	if o.Metadata != nil {
		d.ui = *o.Metadata
		if raw, err := json.Marshal(o.Metadata); err == nil {
			var ui map[string]any
			if json.Unmarshal(raw, &ui) == nil {
				c.resourceUI(ui, place{uri: o.URI, pointer: "/_meta/ui"})
			}
		}
	}
	c.text(html, d)
	return c.report(&Report{Apps: 1}, &o)
}

// document is what is known of a document besides its text.
type document struct {
	at    place
	ui    mcpapps.ResourceUIMetadata
	tools *toolbox // nil where no server is known
}

// text judges the text of a document.
func (c *collector) text(html string, d document) {
	if c.plainly(html, d.at) {
		return
	}
	p := readPage(html)
	if p.tags == 0 && !p.doctype {
		c.add("doc-not-html", d.at, "the document has no HTML tag: it begins with %q", begin(html))
		return
	}
	add := func(code string, offset int, format string, args ...any) *Finding {
		return c.addAt(p, d.at, code, offset, format, args...)
	}
	if !p.doctype {
		add("doc-doctype", 0, "the document begins with %q, not with <!doctype html>", begin(html))
	} else if p.bom {
		add("doc-doctype", 0, "a byte order mark stands before <!doctype html>, which parsers of strings take for text")
	}
	if p.unclosed != "" {
		add("doc-unclosed", p.unclosedAt, "the element %s never ends", p.unclosed)
	}
	if !p.content && !p.script && p.unclosed == "" {
		add("doc-blank", 0, "the document has nothing to show and no script")
	}
	if p.policyAt >= 0 {
		add("doc-policy", p.policyAt, "the document has the policy %q", shorten(p.policy))
	}
	if p.selfSubmit >= 0 && !p.preventsSubmit() {
		add("doc-navigation", p.selfSubmit, "the form has no action, and no script keeps it from loading the document again")
	}
	for _, f := range p.faults {
		if r := add(f.code, f.offset, "%s", f.message); f.remedy != "" {
			r.Remedy = f.remedy
		}
	}
	c.addresses(p, d)
	c.features(p, d)
	c.toolCalls(p, d)
}

// addAt adds a finding at an offset of the document.
func (c *collector) addAt(p *page, at place, code string, offset int, format string, args ...any) *Finding {
	return c.add(code, at, format, args...).in(p, offset)
}

// in gives a finding its place in a document.
func (f *Finding) in(p *page, offset int) *Finding {
	if f.Code != "" {
		f.offset = offset
		f.Line, f.Column = p.line(offset)
	}
	return f
}

// plainly finds what makes reading a document as HTML pointless.
func (c *collector) plainly(doc string, at place) bool {
	text := strings.TrimSpace(doc)
	switch {
	case text == "":
		c.add("resource-empty", at, "the document is empty")
	case text[0] == '"' && json.Valid([]byte(text)):
		c.add("doc-not-html", at, "the document is HTML encoded once more as a JSON string: %q", begin(text)).
			Remedy = "return the string itself: the protocol's encoding is enough"
	case (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)):
		c.add("doc-not-html", at, "the document is JSON: %q", begin(text))
	default:
		return false
	}
	return true
}

func begin(s string) string {
	s = strings.TrimSpace(s)
	const most = 40
	if len(s) > most {
		cut := most
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// features compares the browser features that the document uses with those that
// it asks for.
func (c *collector) features(p *page, d document) {
	asked := map[string]bool{}
	if d.ui.Permissions != nil {
		asked = map[string]bool{
			"camera": d.ui.Permissions.Camera, "microphone": d.ui.Permissions.Microphone,
			"geolocation": d.ui.Permissions.Geolocation, "clipboardWrite": d.ui.Permissions.ClipboardWrite,
		}
	}
	for _, name := range permissionNames {
		offset, used := p.features[name]
		switch {
		case used && !asked[name]:
			c.addAt(p, d.at, "permission-undeclared", offset, "the script uses %s, which the app does not ask for", featureUse[name]).
				Remedy = fmt.Sprintf(`declare {%q: {}} in _meta.ui.permissions of the resource, and expect that a host refuses`, name)
		case asked[name] && !used && !slices.ContainsFunc(featureWords[name], func(w string) bool { return strings.Contains(p.doc, w) }):
			c.add("permission-unused", d.at, "the app asks for %s and does not seem to use it", name)
		}
	}
}

var (
	permissionNames = []string{"camera", "microphone", "geolocation", "clipboardWrite"}
	featureUse      = map[string]string{
		"camera": "the camera (getUserMedia)", "microphone": "the microphone (getUserMedia)",
		"geolocation": "the location (navigator.geolocation)", "clipboardWrite": "the clipboard (navigator.clipboard)",
	}
	// What a document holds that uses the feature in whatever way.
	featureWords = map[string][]string{
		"camera": {"getUserMedia"}, "microphone": {"getUserMedia", "SpeechRecognition"},
		"geolocation": {"geolocation"}, "clipboardWrite": {"clipboard"},
	}
)

// toolCalls compares the tools that the document names with those that the
// server has.
func (c *collector) toolCalls(p *page, d document) {
	if d.tools == nil {
		return
	}
	for _, call := range p.calls {
		t := d.tools.byName[call.name]
		switch {
		case t == nil:
			f := c.addAt(p, d.at, "doc-tool-unknown", call.offset, "the view calls the tool %q, which the server does not have", shorten(call.name))
			if f.Code == "" {
				continue
			}
			if n := d.tools.nearest(call.name); n != "" {
				f.Remedy = fmt.Sprintf("call %q, which is the nearest, or add the tool", n)
			}
		case !t.app:
			c.addAt(p, d.at, "doc-tool-hidden", call.offset, "the view calls the tool %q, which is not visible to views", shorten(call.name))
		}
	}
}
