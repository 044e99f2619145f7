package bundle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// isLocal reports whether a reference is to a file.
func isLocal(ref string) bool {
	return ref != "" && !strings.HasPrefix(ref, "#") && (scheme(ref) == "" || scheme(ref) == "//")
}

// styleAttribute replaces the names of images in a style attribute by their data
// URLs. The result says whether there were any.
func (b *bundler) styleAttribute(el *element, value string) (string, bool) {
	var out strings.Builder
	done := 0
	for ref := range cssscan.References(value) {
		url, ok := b.imageAt(el, "style", ref.URL, "img-src")
		if !ok {
			continue
		}
		out.WriteString(value[done:ref.Start])
		if !ref.String && !strings.Contains(url, "#") {
			out.WriteString("url(" + url + ")")
		} else if !ref.String {
			out.WriteString(`url("` + url + `")`)
		} else {
			out.WriteString(`"` + url + `"`)
		}
		done = ref.End
	}
	out.WriteString(value[done:])
	return out.String(), done > 0
}

// inlineStyle compiles the text of a style element that refers to files.
func (b *bundler) inlineStyle(el *element) {
	text := b.src[el.text:el.textEnd]
	if language := el.styleLanguage(); language != "" {
		b.failAttr(el, "lang", fmt.Errorf("a style in %q needs a compiler of its own, and browsers take it for CSS: compile it first", language))
		return
	}
	if !isCSS(el.attr("type")) {
		return
	}
	line, column := b.lines.Position(el.text)
	b.checkDialect(b.name, text, place{line, column})
	if !cssscan.MayRefer(text) {
		return
	}
	needed := false
	for ref := range cssscan.References(text) {
		switch s := scheme(ref.URL); {
		case s == "data" && ref.FontFace && isFontURL(ref.URL):
			b.fail(el.text+ref.Start, errDataFont)
		case s == "http" || s == "https":
			b.listExternal(el.text+ref.Start, cssDirective(ref), ref.URL)
		case s == "data" && ref.Import, isLocal(ref.URL) && !(ref.CustomProperty && b.missing(ref.URL)):
			needed = true
		case s != "" && s != "data" && s != "about" && !ref.CustomProperty:
			b.fail(el.text+ref.Start, errScheme(ref.URL))
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
	// If nothing was put inline, the compiler saw no reference where the scanner did.
	if pieces, ok := c.style(styleAttributes(el.attrs)); ok && c.touched {
		b.replace(el, el.end, pieces)
	}
}

// isCSS reports whether a browser applies a style sheet with this type attribute.
func isCSS(written string) bool {
	essence, _, _ := strings.Cut(written, ";")
	essence = strings.Trim(essence, space)
	return essence == "" || htmlscan.EqualFold(essence, "text/css")
}

// sheetModule returns a module whose default export is a style sheet, compiled by
// itself: its text, or a CSSStyleSheet for an import with { type: "css" }.
func (b *bundler) sheetModule(name string, constructed bool) (string, error) {
	b.sheets.Lock()
	defer b.sheets.Unlock()
	if constructed {
		text, _ := b.files.readText(name) // the compiler reports an error
		for ref := range cssscan.References(text) {
			if ref.Import {
				line, column := position(text, ref.Start)
				return "", &Error{File: name, Line: line, Column: column, Text: "browsers ignore @import in a style sheet that a script imports: " +
					"import both in the script"}
			}
		}
	}
	c := &compilation{b: b, entry: name}
	_, css, ok := c.run()
	if !ok || len(c.fonts) > 0 {
		return "", fmt.Errorf("%q has errors, or fonts, which only a linked style sheet can have", name)
	}
	quoted, err := json.Marshal(strings.TrimSuffix(css, "\n"))
	if err != nil || !constructed {
		return "export default " + string(quoted), err
	}
	return "const s=new CSSStyleSheet;s.replaceSync(" + string(quoted) + ");export default s", nil
}

// missing reports whether there is no file for a reference in the page.
func (b *bundler) missing(ref string) bool {
	name, _, err := b.fileName(ref)
	return err != nil || b.files.kind(name) != regular
}

// onlyInCustomProperties reports whether the style that contains a reference has it
// only in custom properties. They load nothing by themselves, and some packages have
// custom properties with references to files that don't exist.
func (c *compilation) onlyInCustomProperties(args api.OnResolveArgs) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	only, known := c.customOnly[args.Importer]
	if !known {
		only = make(map[string]bool)
		for r := range cssscan.References(c.textOf(args)) {
			before, again := only[r.URL]
			only[r.URL] = r.CustomProperty && (before || !again)
		}
		if c.customOnly == nil {
			c.customOnly = make(map[string]map[string]bool)
		}
		c.customOnly[args.Importer] = only
	}
	return only[args.Path]
}

// cssDirective returns the directive of the policy for a reference.
func cssDirective(ref cssscan.Reference) string {
	switch {
	case ref.Import:
		return "style-src"
	case ref.FontFace:
		return "font-src"
	}
	return "img-src"
}

// linkedStyle replaces a link by a style element.
func (b *bundler) linkedStyle(el *element, name string) {
	if err := errLanguage(name); err != nil {
		b.failAttr(el, "href", err)
		return
	}
	c := &compilation{b: b, entry: name}
	attrs := styleAttributes(el.attrs)
	if !el.rel("stylesheet") { // a preload, whose onload handler would make it one
		attrs = slices.DeleteFunc(attrs, func(a htmlscan.Attribute) bool { return a.Key == "onload" })
	}
	if pieces, ok := c.style(attrs); ok {
		b.replace(el, el.tagEnd, pieces)
	}
}

// style compiles a style sheet into elements.
func (c *compilation) style(attrs htmlscan.Attributes) ([]piece, bool) {
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

// styleAttributes returns the attributes of a link or style element that its
// replacement keeps.
func styleAttributes(attrs htmlscan.Attributes) htmlscan.Attributes {
	var kept htmlscan.Attributes
	for _, a := range attrs {
		switch a.Key {
		case "rel", "href", "type", "lang", "crossorigin", "integrity", "referrerpolicy", "fetchpriority", "as":
		default:
			kept = append(kept, a)
		}
	}
	return kept
}

// urlStrings writes the strings of image-set() as url(), which is what the
// compiler follows.
func urlStrings(s string) string {
	if !strings.Contains(htmlscan.Lower(s), "image-set(") {
		return s
	}
	var out strings.Builder
	done := 0
	for ref := range cssscan.References(s) {
		if ref.ImageSet {
			out.WriteString(s[done:ref.Start] + "url(" + s[ref.Start:ref.End] + ")")
			done = ref.End
		}
	}
	return out.String() + s[done:]
}
