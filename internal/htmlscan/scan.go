package bundle

import (
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
)

// element is an element of the document that may name something outside of it,
// with the offsets to replace it at.
type element struct {
	name          string
	start, tagEnd int // the start tag
	text, textEnd int // script, style and title: the text
	end           int // script, style and title: after the end tag; -1 where the document ends before
	attrs         []attribute
	foreign       bool // in SVG or MathML
	template      bool // in a template element: inert
	selfClosing   bool
	number        int // in the order of the document
}

type attribute struct {
	key, val   string // lower case, and with character references resolved
	start, end int    // of the attribute in the document, relative to the tag
}

func lookup(attrs []attribute, key string) (string, bool) {
	for _, a := range attrs {
		if a.key == key {
			return a.val, true
		}
	}
	return "", false
}

func (e *element) attr(key string) string {
	v, _ := lookup(e.attrs, key)
	return v
}

func (e *element) has(key string) bool {
	_, ok := lookup(e.attrs, key)
	return ok
}

// long is the length from which the text of a script or style is passed over
// rather than read into the tokenizer's buffer, which would take up to four
// times its size. Documents of megabytes are mostly such texts.
const long = 64 << 10

// scan lists the elements that the bundler has rules for.
func scan(src string) []*element { return scanFrom(src, long) }

func scanFrom(src string, long int) []*element {
	var (
		found     []*element
		open      *element // a raw text element whose text and end tag come next
		outside   foreign
		templates int
		pos       int
	)
	z := xhtml.NewTokenizer(strings.NewReader(src))
	for {
		z.AllowCDATA(outside.inside())
		token := z.Next()
		if token == xhtml.ErrorToken {
			return found
		}
		start := pos
		pos += len(z.Raw())
		switch token {
		case xhtml.TextToken:
			if open != nil {
				open.textEnd = pos
			}
		case xhtml.EndTagToken:
			name, _ := z.TagName()
			if open != nil {
				open.end, open = pos, nil
				continue
			}
			if string(name) == "template" && templates > 0 && !outside.inside() {
				templates--
			}
			outside.end(string(name))
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			nameBytes, _ := z.TagName()
			el := &element{name: string(nameBytes), start: start, tagEnd: pos, text: pos, textEnd: pos, end: -1}
			el.attrs = attributes(src[start:pos], len(nameBytes))
			for i, more := 0, len(el.attrs) > 0; more && i < len(el.attrs); i++ {
				var key, val []byte
				if key, val, more = z.TagAttr(); string(key) == el.attrs[i].key {
					el.attrs[i].val = string(val)
				}
			}
			el.selfClosing = token == xhtml.SelfClosingTagToken
			el.foreign = outside.start(el.name, el.attrs, el.selfClosing)
			el.template = templates > 0
			if el.foreign {
				z.NextIsNotRawText()
			} else {
				switch el.name {
				case "script", "style", "title":
					open = el
					if n := plainText(src[pos:], el.name); n >= long && el.name != "title" {
						pos += n
						el.textEnd = pos
						z = xhtml.NewTokenizer(strings.NewReader(src[pos:]))
					}
				case "template":
					templates++
				}
			}
			if el.matters() {
				el.number = len(found)
				found = append(found, el)
			}
		}
	}
}

// plainText returns the length of the text of a script or style that begins s
// and holds no "<!--": it ends at the first end tag of its name (the states
// "script data" and "RAWTEXT" of the HTML standard). It is -1 for all others.
func plainText(s, name string) int {
	for i := 0; ; {
		j := strings.Index(s[i:], "</")
		if j < 0 {
			return -1
		}
		i += j + 2
		if len(s) > i+len(name) && equalFold(s[i:i+len(name)], name) && strings.IndexByte(" \n\r\t\f/>", s[i+len(name)]) >= 0 {
			if strings.Contains(s[:i], "<!--") {
				return -1
			}
			return i - 2
		}
	}
}

// matters reports whether the element may hold a reference.
func (e *element) matters() bool {
	switch e.name {
	case "script", "style", "title", "link", "base", "img", "source", "video", "audio", "track", "input",
		"meta", "embed", "object", "iframe", "frame", "image", "feimage", "use":
		return true
	}
	return hasURL(e.attr("style")) || e.hasBackground()
}

// hasBackground reports whether the element has an image in the attribute of
// old; other elements may mean something else by the name.
func (e *element) hasBackground() bool {
	switch e.name {
	case "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th":
		return !e.foreign && e.has("background")
	}
	return false
}

// attributes returns the attributes of a start tag, the first of each name, as
// the tokenizer reads them, and with the offsets that it keeps to itself. Values
// are the tokenizer's where the two agree, which a fuzz test holds them to.
func attributes(tag string, nameLen int) []attribute {
	var attrs []attribute
	i := 1 + nameLen
	skipSpace := func() {
		for i < len(tag) && strings.IndexByte(" \n\r\t\f", tag[i]) >= 0 {
			i++
		}
	}
	for {
		for i < len(tag) && strings.IndexByte(" \n\r\t\f/", tag[i]) >= 0 {
			i++
		}
		if i >= len(tag) || tag[i] == '>' {
			return attrs
		}
		a := attribute{start: i}
		i++ // an equals sign in the first place belongs to the name
		for i < len(tag) && strings.IndexByte(" \n\r\t\f/>=", tag[i]) < 0 {
			i++
		}
		key, val := tag[a.start:i], ""
		a.end = i
		skipSpace()
		if i < len(tag) && tag[i] == '=' {
			i++
			skipSpace()
			if i < len(tag) && (tag[i] == '"' || tag[i] == '\'') {
				quote := tag[i]
				i++
				from := i
				for i < len(tag) && tag[i] != quote {
					i++
				}
				val = tag[from:i]
				i = min(i+1, len(tag))
			} else {
				from := i
				for i < len(tag) && strings.IndexByte(" \n\r\t\f>", tag[i]) < 0 {
					i++
				}
				val = tag[from:i]
			}
			a.end = i
		}
		a.key = strings.ReplaceAll(lower(key), "\x00", "\ufffd")
		if _, twice := lookup(attrs, a.key); twice {
			continue
		}
		a.val = html.UnescapeString(val)
		attrs = append(attrs, a)
	}
}

// lower folds the case of ASCII letters, as HTML does: a Kelvin sign stays.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// equalFold compares with a lower-case word.
func equalFold(s, word string) bool { return lower(s) == word }
