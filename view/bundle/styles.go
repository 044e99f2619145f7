package bundle

import (
	"slices"
	"strings"
)

// isLocal reports whether a reference is to a file.
func isLocal(ref string) bool {
	return ref != "" && !strings.HasPrefix(ref, "#") && (scheme(ref) == "" || scheme(ref) == "//")
}

// styleAttribute puts the images that a style attribute names into it.
func (b *bundler) styleAttribute(el *element, value string) (string, bool) {
	var out strings.Builder
	done := 0
	for _, ref := range cssRefs(value) {
		url, ok := b.image(el, ref.url, "img-src")
		if !ok {
			continue
		}
		out.WriteString(value[done:ref.start])
		if ref.token && !strings.Contains(url, "#") {
			out.WriteString("url(" + url + ")")
		} else if ref.token {
			out.WriteString(`url("` + url + `")`)
		} else {
			out.WriteString(`"` + url + `"`)
		}
		done = ref.end
	}
	out.WriteString(value[done:])
	return out.String(), done > 0
}

// inlineStyle compiles the text of a style element that refers to files.
func (b *bundler) inlineStyle(el *element) {
	text := b.src[el.text:el.textEnd]
	if !hasURL(text) {
		return
	}
	needed := false
	for _, ref := range cssRefs(text) {
		switch s := scheme(ref.url); {
		case s == "data" && ref.font && isFontURL(ref.url):
			b.fail(el.text+ref.start, errDataFont)
		case s == "http" || s == "https":
			b.listExternal(el.text+ref.start, cssDirective(ref), ref.url)
		case isLocal(ref.url) && !(ref.custom && b.missing(ref.url)):
			needed = true
		}
	}
	if !needed {
		return
	}
	if el.foreign {
		b.fail(el.start, errInForeign)
		return
	}
	name := b.pageName(el)
	c := &compilation{b: b, entry: name, page: map[string]pageText{name: {text, el.text, loaderCSS}}}
	if pieces, ok := c.style(styleAttributes(el.attrs)); ok {
		b.replace(el, el.end, pieces)
	}
}

// missing reports whether a reference in the page leads to no file.
func (b *bundler) missing(ref string) bool {
	p, _, _ := reference(ref)
	name, err := inTree(b.base, unescapePath(p))
	return err != nil || b.files.kind(name) != regular
}

// dormant reports whether a style refers to something in custom properties
// only. Those load nothing by themselves, and packages ship some that lead
// nowhere.
func dormant(text, ref string) bool {
	found := false
	for _, r := range cssRefs(text) {
		if r.url == ref {
			if found = r.custom; !found {
				return false
			}
		}
	}
	return found
}

func cssDirective(ref cssRef) string {
	switch {
	case ref.imports:
		return "style-src"
	case ref.font:
		return "font-src"
	}
	return "img-src"
}

// linkedStyle exchanges a link for a style element.
func (b *bundler) linkedStyle(el *element, name string) {
	c := &compilation{b: b, entry: name}
	attrs := styleAttributes(el.attrs)
	if !el.rel("stylesheet") { // a preload: its onload would only make it one
		attrs = slices.DeleteFunc(attrs, func(a attribute) bool { return a.key == "onload" })
	}
	if pieces, ok := c.style(attrs); ok {
		b.replace(el, el.tagEnd, pieces)
	}
}

// style runs the compilation of a style sheet.
func (c *compilation) style(attrs []attribute) ([]piece, bool) {
	_, text, ok := c.run()
	if !ok {
		return nil, false
	}
	pieces, err := c.withFonts(attrs, text)
	if err != nil {
		c.b.problems.add(&Error{File: c.entry, Text: err.Error(), Err: err})
	}
	return pieces, err == nil
}

// styleAttributes are those that a style element keeps.
func styleAttributes(attrs []attribute) []attribute {
	var kept []attribute
	for _, a := range attrs {
		switch a.key {
		case "rel", "href", "type", "lang", "crossorigin", "integrity", "referrerpolicy", "fetchpriority", "as":
		default:
			kept = append(kept, a)
		}
	}
	return kept
}
