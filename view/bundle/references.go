package bundle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// space is the white space that may surround a URL in an attribute.
const space = " \t\n\f\r"

// rel reports whether a link has a relation.
func (e *element) rel(word string) bool {
	for _, w := range strings.Fields(htmlscan.Lower(e.attr("rel"))) {
		if w == word {
			return true
		}
	}
	return false
}

// link puts inline, or lists as external, what a link element refers to.
func (b *bundler) link(el *element) {
	if el.foreign || !el.has("href") {
		return
	}
	ref := b.absolute(strings.Trim(el.attr("href"), space))
	local := isLocal(ref) && !strings.HasPrefix(ref, "//")
	// A preload that becomes a style sheet by its onload handler.
	becomesStyle := el.rel("preload") && htmlscan.EqualFold(el.attr("as"), "style") && strings.Contains(el.attr("onload"), "stylesheet")
	switch {
	case el.rel("stylesheet"), becomesStyle && local:
		switch {
		case ref == "":
		case scheme(ref) == "data" || !local:
			b.remote(el, "href", "style-src", ref)
		case el.rel("alternate"):
			b.failAttr(el, "rel", errors.New("an alternate style sheet can't be put inline, since a style element would apply at once: "+
				"leave the link out, and switch by a class or a media query"))
		case !isCSS(el.attr("type")):
			b.failAttr(el, "type", fmt.Errorf("browsers do not apply a style sheet of type %q: compile it to CSS first, or leave the link out", el.attr("type")))
		case el.has("disabled"):
			b.failAttr(el, "disabled", errors.New("a disabled style sheet can't be put inline: leave disabled out, and give the link media=\"not all\""))
		case el.template:
			b.fail(el.start, errors.New("a style sheet in a template element can't be put inline: use a style element there, or move it out"))
		default:
			if name, ok := b.local(el, "href", ref); ok {
				b.linkedStyle(el, name)
			}
		}
	case el.rel("icon"), el.rel("apple-touch-icon"), el.rel("apple-touch-icon-precomposed"), el.rel("mask-icon"):
		b.attribute(el, "href", "img-src")
	case el.rel("preload"), el.rel("modulepreload"), el.rel("prefetch"):
		if local {
			b.replace(el, el.tagEnd, nil) // what it announces is inline
		} else if ref != "" && !el.rel("prefetch") {
			directive := map[string]string{"font": "font-src", "image": "img-src", "style": "style-src"}[strings.ToLower(el.attr("as"))]
			if directive == "" {
				directive = "script-src"
			}
			b.remote(el, "href", directive, ref)
		}
	case el.rel("manifest"):
		line, column := b.lines.Position(b.attrOffset(el, "href"))
		b.warnAt(b.name, line, column, "a view is not a page that can be installed, and its policy blocks the manifest: the bundle is without this link")
		b.replace(el, el.tagEnd, nil)
	}
}

// references puts inline, or lists as external, what the other elements refer to.
func (b *bundler) references(el *element) {
	switch el.name {
	case "img":
		b.attribute(el, "src", "img-src")
		b.srcset(el, "srcset")
	case "source":
		b.attribute(el, "src", "media-src")
		b.srcset(el, "srcset")
	case "video":
		b.attribute(el, "src", "media-src")
		b.attribute(el, "poster", "img-src")
	case "audio", "track":
		b.attribute(el, "src", "media-src")
	case "input":
		if htmlscan.EqualFold(el.attr("type"), "image") {
			b.attribute(el, "src", "img-src")
		}
	case "image", "feimage":
		key := "href"
		if !el.has(key) {
			key = "xlink:href"
		}
		if !el.foreign {
			key = "src" // outside SVG, image is an obsolete name of img
		}
		b.attribute(el, key, "img-src")
	case "use":
		key := "href"
		if !el.has(key) {
			key = "xlink:href"
		}
		if ref := el.attr(key); el.foreign && ref != "" && !strings.HasPrefix(ref, "#") {
			b.failAttr(el, key, fmt.Errorf("browsers load %q only from the page's own origin, which is the host's: put the symbol's SVG into the page and refer to it by #id", ref))
		}
	case "meta":
		if htmlscan.EqualFold(el.attr("http-equiv"), "refresh") && !el.foreign && !el.template {
			b.failAttr(el, "http-equiv", errors.New("a refresh loads a page from the view's own origin, which is the host's: leave it out"))
		}
		if htmlscan.EqualFold(el.attr("http-equiv"), "content-security-policy") && !el.foreign {
			line, column := b.lines.Position(el.start)
			b.warnings = append(b.warnings, &Error{File: b.name, Line: line, Column: column, Text: "this policy is enforced in addition to the host's, " +
				"and one without 'unsafe-inline' and data: blocks what is bundled: leave it out, and declare a CSP on the resource"})
		}
	case "iframe", "frame":
		b.frame(el)
	case "embed", "object":
		key := map[string]string{"embed": "src", "object": "data"}[el.name]
		if ref := el.attr(key); ref != "" && !el.foreign {
			b.failAttr(el, key, fmt.Errorf("%s elements are blocked by the policy of a view: show %q in another way", el.name, ref))
		}
	}
	if el.hasBackground() {
		b.attribute(el, "background", "img-src")
	}
	b.namedInAttributes(el)
}

// frame lists the address of a frame as external, or reports why it is blocked.
func (b *bundler) frame(el *element) {
	if text, ok := el.attrs.Lookup("srcdoc"); ok && !el.foreign && el.name == "iframe" {
		b.srcdoc(el, text) // it counts in place of src
		return
	}
	ref := b.absolute(el.attr("src"))
	switch s := scheme(ref); {
	case el.foreign || ref == "" || s == "about" || s == "javascript":
	case s == "http" || s == "https":
		b.remote(el, "src", "frame-src", ref)
	case isLocal(ref) && s == "":
		b.failAttr(el, "src", fmt.Errorf("a frame can't load %q, which is not there when the view runs: put its content into the srcdoc attribute or into the page", ref))
	default:
		b.failAttr(el, "src", fmt.Errorf("a frame of %q is blocked by the policy of a view", s+":"))
	}
}

// attribute replaces the name of a file in an attribute by the file's data URL.
func (b *bundler) attribute(el *element, key, directive string) {
	ref := strings.Trim(el.attr(key), space)
	if url, ok := b.imageAt(el, key, ref, directive); ok {
		b.set(el, key, url)
	}
}

// srcset does the same in a list of images.
func (b *bundler) srcset(el *element, key string) {
	if !el.has(key) {
		return
	}
	var out strings.Builder
	value, done := el.attr(key), 0
	for c := range htmlscan.Srcset(value) {
		if url, ok := b.imageAt(el, key, c.URL, "img-src"); ok {
			out.WriteString(value[done:c.Start] + url)
			done = c.End
		}
	}
	if done > 0 {
		b.set(el, key, out.String()+value[done:])
	}
}

// imageAt returns the data URL for a reference to a file; ok is false if the
// reference stays as it is.
func (b *bundler) imageAt(el *element, key, ref, directive string) (url string, ok bool) {
	ref = b.absolute(ref)
	switch s := scheme(ref); {
	case ref == "" || strings.HasPrefix(ref, "#"):
	case s == "http" || s == "https" || s == "//":
		b.remote(el, key, directive, ref)
	case s == "" && strings.Contains(ref, "{") && b.missing(ref):
		// A placeholder of a template, which a script replaces.
	case s == "":
		url, err := b.dataURL(ref)
		if err != nil {
			b.failAttr(el, key, err)
			return "", false
		}
		return url, true
	case s != "data" && s != "about" && s != "javascript":
		b.failAttr(el, key, errScheme(ref))
	}
	return "", false
}

// errScheme is about a reference to something that a view can't load from anywhere,
// such as a file of the author's disk.
func errScheme(ref string) error {
	return fmt.Errorf("%q can't be loaded in a view: refer to a file beside the page by a relative path", ref)
}

// remote lists a reference to an external address, or reports why it is blocked.
func (b *bundler) remote(el *element, key, directive, ref string) {
	switch scheme(ref) {
	case "http", "https":
		b.listExternal(b.attrOffset(el, key), directive, ref)
	case "//":
		b.failAttr(el, key, errNoScheme(ref))
	default:
		b.failAttr(el, key, fmt.Errorf("a %s from a URL of scheme %q is blocked by the policy of a view: put it into the page", el.name, scheme(ref)))
	}
}

// local returns the path of the file that an attribute names, or reports that it
// is missing.
func (b *bundler) local(el *element, key, ref string) (string, bool) {
	name, _, err := b.fileName(ref)
	if err == nil {
		if err = b.files.inside(name); err != nil {
			err = fmt.Errorf("%q %w", ref, err)
		}
	}
	if err == nil && b.files.kind(name) != regular {
		err = notFound(ref, name)
	}
	if err != nil {
		b.failAttr(el, key, err)
		return "", false
	}
	return name, true
}
