// Package htmlscan reads an HTML document as a sequence of tokens with their
// byte offsets. In addition to what the tokenizer of golang.org/x/net/html
// knows, it tracks foreign content (SVG and MathML) and template elements, and
// it gives the offsets of attributes.
//
// It follows the HTML standard as far as that is possible without building the
// tree. A document is read in time proportional to its length, whatever is in
// it. The package makes no judgement: what a token means is decided by its
// callers.
package htmlscan

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// A Kind is the kind of a token.
type Kind int

const (
	ByteOrderMark Kind = iota // at the beginning of the document; no part of its text
	Doctype
	StartTag
	EndTag
	Text
	CDATA // a CDATA section, which only foreign content has
	Comment
	Unfinished // a tag that the document's end cuts off, which a browser drops
)

// A Token is a part of a document. The tokens of a document follow each other
// without gaps.
type Token struct {
	Kind       Kind
	Start, End int    // byte offsets in the document
	Inner      string // of Text and CDATA: the text, with character references as written; of Doctype: what follows the word
	InnerStart int    // of Text and CDATA: the byte offset of Inner

	// The following are of StartTag; Name is of EndTag too.

	Name        string // in lower case
	Attributes  Attributes
	SelfClosing bool // written as <name/>, which has a meaning in foreign content only
	Foreign     bool // the element is one of SVG or MathML
	RawText     bool // what follows up to the end tag is text, whatever markup it contains

	Templates int // how many template elements are open around the token
}

// Closed reports whether a start tag is its element's end, too.
func (t *Token) Closed() bool { return t.SelfClosing && t.Foreign }

// longText is the length from which the text of a script or a style is skipped
// and not read into the tokenizer's buffer, which would take up to four times
// its size. Documents of megabytes consist mostly of such texts.
const longText = 64 << 10

// Tokens returns the tokens of a document.
func Tokens(doc string) iter.Seq[Token] { return tokens(doc, longText) }

func tokens(doc string, longText int) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanner{doc: doc, longText: longText}
		if strings.HasPrefix(doc, byteOrderMark) {
			s.at = len(byteOrderMark)
			if !yield(Token{Kind: ByteOrderMark, End: s.at}) {
				return
			}
		}
		s.restart()
		for s.next() && yield(s.token) {
		}
	}
}

const byteOrderMark = "\ufeff"

type scanner struct {
	doc       string
	longText  int
	tokenizer *html.Tokenizer
	at        int // the end of the last token
	token     Token
	nesting   nesting
	skip      int // the length of a text that the tokenizer does not read
}

// restart makes the tokenizer go on at the current offset, outside raw text.
func (s *scanner) restart() { s.tokenizer = html.NewTokenizer(strings.NewReader(s.doc[s.at:])) }

func (s *scanner) next() bool {
	if s.at >= len(s.doc) {
		return false
	}
	t := &s.token
	*t = Token{Start: s.at, InnerStart: s.at, Templates: len(s.nesting.templates)}
	if s.skip > 0 {
		s.at += s.skip
		s.skip = 0
		t.Kind, t.End, t.Inner = Text, s.at, s.doc[t.Start:s.at]
		s.restart()
		return true
	}
	foreign := s.nesting.inForeign()
	s.tokenizer.AllowCDATA(foreign)
	kind := s.tokenizer.Next()
	s.at += len(s.tokenizer.Raw())
	t.End = s.at
	source := s.doc[t.Start:t.End]
	switch kind {
	case html.ErrorToken:
		s.at = len(s.doc)
		t.Kind, t.End = Unfinished, s.at
	case html.TextToken:
		t.Kind, t.Inner = Text, source
		if inner, ok := strings.CutPrefix(source, "<![CDATA["); ok && foreign {
			t.Kind, t.Inner = CDATA, strings.TrimSuffix(inner, "]]>")
			t.InnerStart = t.End - len(inner)
		}
	case html.CommentToken:
		t.Kind = Comment
	case html.DoctypeToken:
		t.Kind, t.Inner = Doctype, string(s.tokenizer.Text())
	case html.EndTagToken:
		name, _ := s.tokenizer.TagName()
		t.Kind, t.Name = EndTag, string(name)
		s.nesting.end(t.Name)
		t.Templates = len(s.nesting.templates)
	default:
		s.startTag(source)
	}
	return true
}

func (s *scanner) startTag(source string) {
	t := &s.token
	name, _ := s.tokenizer.TagName()
	t.Kind, t.Name = StartTag, string(name)
	t.Attributes, t.SelfClosing = readAttributes(source, s.tokenizer)
	t.Foreign = s.nesting.start(t.Name, t.Attributes, t.SelfClosing)
	if t.Foreign {
		s.tokenizer.NextIsNotRawText()
		return
	}
	if t.RawText = isRawText(t.Name); !t.RawText {
		return
	}
	if t.Name == "script" || t.Name == "style" {
		if n := simpleTextLength(s.doc[s.at:], t.Name); n > 0 && n >= s.longText {
			s.skip = n
		}
	}
}

// isRawText reports whether an element of HTML contains text only.
func isRawText(name string) bool {
	switch name {
	case "script", "style", "title", "textarea", "noscript", "iframe", "noembed", "noframes", "xmp", "plaintext":
		return true
	}
	return false
}

// simpleTextLength returns the length of the script or style text at the
// beginning of s if the text contains no "<!--". Such a text ends at the first
// end tag of that name (states "script data" and "RAWTEXT" of the HTML
// standard). For any other text it returns -1.
func simpleTextLength(s, name string) int {
	for i := 0; ; {
		j := strings.Index(s[i:], "</")
		if j < 0 {
			return -1
		}
		i += j + 2
		if len(s) > i+len(name) && Lower(s[i:i+len(name)]) == name && strings.IndexByte(spaces+"/>", s[i+len(name)]) >= 0 {
			if strings.Contains(s[:i], "<!--") {
				return -1
			}
			return i - 2
		}
	}
}
