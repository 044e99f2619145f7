package bundle

// foreign tracks whether the tokenizer stands in SVG or MathML, where script,
// style and title are elements with markup in them and CDATA sections exist.
// It follows the rules for parsing tokens in foreign content as far as a
// tokenizer can; the parser has the last word when the result is verified.
type foreign struct {
	open []foreignElement
}

type foreignElement struct {
	name        string // lower case
	math        bool
	integration bool // its children are HTML again
}

// inside reports whether the current node is foreign.
func (f *foreign) inside() bool {
	return len(f.open) > 0 && !f.open[len(f.open)-1].integration
}

// start takes a start tag and reports whether its element is foreign.
func (f *foreign) start(name string, attrs []attribute, selfClosing bool) bool {
	math := name == "math"
	switch {
	case f.inside() && breaksOut(name, attrs):
		f.leave()
		return false
	case f.inside():
		math = f.open[len(f.open)-1].math && name != "svg"
	case len(f.open) > 0 && (name == "mglyph" || name == "malignmark") && f.open[len(f.open)-1].math:
		math = true
	case name != "svg" && name != "math":
		return false
	}
	if !selfClosing {
		f.open = append(f.open, foreignElement{name, math, integrates(name, math, attrs)})
	}
	return true
}

// end takes an end tag.
func (f *foreign) end(name string) {
	if len(f.open) == 0 {
		return
	}
	if top := f.open[len(f.open)-1]; top.integration {
		if top.name == name {
			f.open = f.open[:len(f.open)-1]
		}
		return
	}
	for i := len(f.open) - 1; i >= 0 && (i == len(f.open)-1 || !f.open[i].integration); i-- {
		if f.open[i].name == name {
			f.open = f.open[:i]
			return
		}
	}
	if breaksOut(name, nil) || closesAround[name] {
		f.leave()
	}
}

// leave closes foreign elements up to the next one that holds HTML.
func (f *foreign) leave() {
	for f.inside() {
		f.open = f.open[:len(f.open)-1]
	}
}

func integrates(name string, math bool, attrs []attribute) bool {
	if !math {
		return name == "foreignobject" || name == "desc" || name == "title"
	}
	switch name {
	case "mi", "mo", "mn", "ms", "mtext":
		return true
	case "annotation-xml":
		encoding, _ := lookup(attrs, "encoding")
		return equalFold(encoding, "text/html") || equalFold(encoding, "application/xhtml+xml")
	}
	return false
}

// breaksOut reports whether a start tag ends foreign content.
func breaksOut(name string, attrs []attribute) bool {
	switch name {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
		"embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu",
		"meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup",
		"table", "tt", "u", "ul", "var":
		return true
	case "font":
		for _, a := range attrs {
			if a.key == "color" || a.key == "face" || a.key == "size" {
				return true
			}
		}
	}
	return false
}

// closesAround names further elements whose end tag closes an svg left open
// inside of them.
var closesAround = map[string]bool{
	"html": true, "main": true, "section": true, "article": true, "aside": true, "header": true,
	"footer": true, "nav": true, "form": true, "fieldset": true, "figure": true, "figcaption": true,
	"button": true, "details": true, "summary": true, "dialog": true, "address": true,
	"td": true, "th": true, "tr": true, "tbody": true, "thead": true, "tfoot": true, "caption": true,
}
