package htmlscan

// nesting tracks the open elements that decide how a document is tokenized: the
// foreign ones (of SVG and MathML), in which script, style and title are
// elements with markup and CDATA sections exist, and templates.
//
// It follows "The rules for parsing tokens in foreign content" of the HTML
// standard. Of the elements of HTML it knows only those in an integration
// point, so that it takes each end tag of HTML directly inside foreign content
// for one whose element is open.
type nesting struct {
	open      []foreignElement
	templates []int // for each open template: how many foreign elements were open when it began
	// How many foreign elements of a name are open above the last one that
	// contains HTML. Without it, each end tag that has no element would take
	// time proportional to the depth.
	names map[string]int
}

type foreignElement struct {
	name        string
	math        bool
	integration bool           // an integration point: its children are HTML
	html        map[string]int // in an integration point: how many HTML elements of a name are open
	outer       map[string]int // the names up to an integration point, while HTML elements are open in it
}

// inForeign reports whether the current node is foreign and no integration
// point.
func (n *nesting) inForeign() bool {
	return len(n.open) > 0 && !n.open[len(n.open)-1].integration
}

// start takes a start tag and reports whether its element is foreign.
func (n *nesting) start(name string, attributes Attributes, selfClosing bool) bool {
	var top *foreignElement
	if len(n.open) > 0 {
		top = &n.open[len(n.open)-1]
	}
	math := name == "math"
	switch {
	case n.inForeign() && breaksOut(name, attributes):
		n.leave()
		n.html(name)
		return false
	case n.inForeign():
		math = top.math && !(name == "svg" && top.name == "annotation-xml")
	case top != nil && top.math && (name == "mglyph" || name == "malignmark") && top.name != "annotation-xml" && len(top.html) == 0:
		math = true
	case name != "svg" && name != "math":
		n.html(name)
		return false
	}
	if !selfClosing {
		n.push(foreignElement{name: name, math: math, integration: integrates(name, math, attributes)})
	}
	return true
}

// html takes the start of an HTML element.
func (n *nesting) html(name string) {
	if name == "template" {
		n.templates = append(n.templates, len(n.open))
	}
	if len(n.open) == 0 || !needsEndTag(name) {
		return
	}
	if top := &n.open[len(n.open)-1]; top.integration {
		if len(top.html) == 0 {
			top.html = make(map[string]int)
			top.outer, n.names = n.names, nil
		}
		top.html[name]++
	}
}

// end takes an end tag.
func (n *nesting) end(name string) {
	if last := len(n.open) - 1; last >= 0 && len(n.open[last].html) == 0 && n.names[name] > 0 {
		for n.open[len(n.open)-1].name != name {
			n.pop()
		}
		n.pop()
		return
	}
	if last := len(n.templates) - 1; name == "template" && last >= 0 {
		for len(n.open) > n.templates[last] {
			n.pop()
		}
		n.templates = n.templates[:last]
	} else if n.inForeign() && (breaksOut(name, nil) || closesAround[name]) {
		n.leave()
	}
	if len(n.open) == 0 {
		return
	}
	if top := &n.open[len(n.open)-1]; top.html[name] > 1 {
		top.html[name]--
	} else if top.html[name] == 1 {
		if delete(top.html, name); len(top.html) == 0 {
			n.names, top.outer = top.outer, nil
		}
	}
}

// needsEndTag reports whether an HTML element has an end tag that can't be left
// out.
func needsEndTag(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
		"p", "li", "dt", "dd", "option", "optgroup", "rb", "rt", "rtc", "rp",
		"colgroup", "caption", "thead", "tbody", "tfoot", "tr", "td", "th":
		return false
	}
	return true
}

// leave closes foreign elements up to the next one that contains HTML.
func (n *nesting) leave() {
	for n.inForeign() {
		n.pop()
	}
}

func (n *nesting) push(e foreignElement) {
	if n.names == nil {
		n.names = make(map[string]int)
	}
	n.names[e.name]++
	n.open = append(n.open, e)
}

func (n *nesting) pop() {
	last := n.open[len(n.open)-1]
	if len(last.html) > 0 {
		n.names = last.outer
	}
	if n.names[last.name]--; n.names[last.name] == 0 {
		delete(n.names, last.name)
	}
	n.open = n.open[:len(n.open)-1]
}

// integrates reports whether an element is an integration point.
func integrates(name string, math bool, attributes Attributes) bool {
	if !math {
		return name == "foreignobject" || name == "desc" || name == "title"
	}
	switch name {
	case "mi", "mo", "mn", "ms", "mtext":
		return true
	case "annotation-xml":
		encoding := attributes.Get("encoding")
		return EqualFold(encoding, "text/html") || EqualFold(encoding, "application/xhtml+xml")
	}
	return false
}

// breaksOut reports whether a start tag ends foreign content.
func breaksOut(name string, attributes Attributes) bool {
	switch name {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
		"embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu",
		"meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup",
		"table", "tt", "u", "ul", "var":
		return true
	case "font":
		return attributes.Has("color") || attributes.Has("face") || attributes.Has("size")
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
