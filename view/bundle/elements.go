package bundle

import (
	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// element is an element of the document that may refer to something external or
// to a file. The byte offsets are those of the document.
type element struct {
	name          string
	start, tagEnd int // the start tag
	text, textEnd int // script, style and title: the text
	end           int // of the same: after the end tag; -1 if the document has none
	attrs         htmlscan.Attributes
	foreign       bool    // in SVG or MathML
	template      bool    // in a template element, where nothing loads or runs
	number        int     // in the order of the document
	change        *change // nil: none
}

func (e *element) attr(key string) string { return e.attrs.Get(key) }
func (e *element) has(key string) bool    { return e.attrs.Has(key) }

// elementsOf returns the elements of a document that the bundler has rules for.
func elementsOf(doc string) []*element {
	var found []*element
	var open *element // a script, style or title whose text and end tag come next
	for t := range htmlscan.Tokens(doc) {
		switch {
		case t.Kind == htmlscan.Text && open != nil:
			open.textEnd = t.End
		case t.Kind == htmlscan.EndTag && open != nil:
			open.end, open = t.End, nil
		case t.Kind == htmlscan.StartTag:
			open = nil // elements within it, which only SVG and MathML can have
			el := &element{
				name: t.Name, start: t.Start, tagEnd: t.End, text: t.End, textEnd: t.End, end: -1,
				attrs: t.Attributes, foreign: t.Foreign, template: t.Templates > 0,
			}
			if !el.isRelevant() {
				continue
			}
			switch t.Name {
			case "script", "style":
				if t.RawText || t.Foreign && !t.SelfClosing {
					open = el
				}
			case "title":
				if t.RawText {
					open = el
				}
			}
			el.number = len(found)
			found = append(found, el)
		}
	}
	return found
}

// isRelevant reports whether the element may contain a reference.
func (e *element) isRelevant() bool {
	switch e.name {
	case "script", "style", "title", "link", "base", "img", "source", "video", "audio", "track", "input",
		"meta", "embed", "object", "iframe", "frame", "image", "feimage", "use":
		return true
	}
	return cssscan.MayRefer(e.attr("style")) || e.hasBackground() || e.mayName()
}

// hasBackground reports whether the element has an image in the obsolete
// background attribute. Other elements may use that name for something else.
func (e *element) hasBackground() bool {
	switch e.name {
	case "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th":
		return !e.foreign && e.has("background")
	}
	return false
}
