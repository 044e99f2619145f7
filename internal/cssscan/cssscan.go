// Package cssscan finds what a style sheet or a style attribute refers to, with
// byte offsets. It makes no judgement: whether a reference is allowed, and what
// to do about it, is decided by its callers.
package cssscan

import (
	"iter"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// A Reference is the address of something outside the style.
type Reference struct {
	URL        string // with escapes resolved
	Start, End int    // byte offsets of the string, or of the function from its name to its parenthesis
	String     bool   // written as a string and not as url(…) or src(…)

	// Where the reference stands. Without any of these, it is that of an image.

	Import         bool // in @import: a style sheet
	FontFace       bool // in @font-face: a font
	CustomProperty bool // in a custom property, which loads nothing until it is used
	ImageSet       bool // a string in image-set()
}

// MayRefer reports whether a style may contain a reference. It is fast, and
// true for some that contain none.
func MayRefer(style string) bool {
	for i := 0; i < len(style); i++ {
		switch style[i] {
		case '(':
			if i > 0 {
				switch style[i-1] | 0x20 {
				case 'l', 't', 'c': // url(, image-set(, src(
					return true
				}
			}
		case '@':
			if len(style)-i >= 7 && strings.EqualFold(style[i:i+7], "@import") {
				return true
			}
		}
	}
	return false
}

// References returns what a style refers to, in its order: url() and src()
// anywhere but in @namespace and @document, and the strings in @import and in
// image-set(). Of an @import only its address counts, not what its conditions
// contain. It takes time proportional to the length of the style and accepts
// any input.
func References(style string) iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		if !MayRefer(style) {
			return
		}
		s := scanner{style: style}
		l := css.NewLexer(parse.NewInputString(style))
		for {
			kind, data := l.Next()
			if kind == css.ErrorToken {
				return
			}
			s.start, s.end = s.end, min(s.end+len(data), len(style))
			if kind == css.WhitespaceToken || kind == css.CommentToken {
				continue
			}
			if r, ok := s.token(kind, style[s.start:s.end]); ok && !yield(r) {
				return
			}
		}
	}
}

type scanner struct {
	style       string
	start, end  int  // of the token
	sourceStart int  // where src( starts, if it is the token before
	source      bool // it is
	property    bool // the token before is the name of a custom property

	prelude  string // the at-rule whose prelude this is, "" outside
	imported bool   // the prelude is that of an @import and its address has passed
	depth    int    // of braces
	fontFace int    // the depth inside an @font-face, 0 outside
	parens   int    // the depth of parentheses
	imageSet int    // the depth inside an image-set(), 0 outside
	custom   bool   // in the value of a custom property
}

// token takes a token and returns the reference that it is.
func (s *scanner) token(kind css.TokenType, text string) (Reference, bool) {
	source, property := s.source, s.property
	s.source, s.property = false, kind == css.CustomPropertyNameToken
	switch kind {
	case css.ColonToken:
		s.custom = s.custom || property
	case css.AtKeywordToken:
		s.prelude, s.imported = strings.ToLower(text), false
	case css.LeftBraceToken:
		s.depth++
		if s.prelude == "@font-face" && s.fontFace == 0 {
			s.fontFace = s.depth
		}
		s.prelude, s.custom = "", false
	case css.RightBraceToken:
		if s.depth == s.fontFace {
			s.fontFace = 0
		}
		s.depth = max(s.depth-1, 0)
		s.prelude, s.custom = "", false
	case css.SemicolonToken:
		s.prelude, s.custom = "", false
	case css.LeftParenthesisToken:
		s.parens++
	case css.FunctionToken:
		s.parens++
		switch strings.ToLower(text) {
		case "src(":
			s.source, s.sourceStart = true, s.start
		case "image-set(", "-webkit-image-set(":
			if s.imageSet == 0 {
				s.imageSet = s.parens
			}
		}
	case css.RightParenthesisToken:
		if s.parens == s.imageSet {
			s.imageSet = 0
		}
		s.parens = max(s.parens-1, 0)
	case css.URLToken:
		inside := strings.Trim(strings.TrimSuffix(text[strings.IndexByte(text, '(')+1:], ")"), spaces)
		return s.reference(Reference{URL: Unquote(inside), Start: s.start, End: s.end})
	case css.StringToken:
		r := Reference{URL: Unquote(text), Start: s.start, End: s.end, String: true}
		if source {
			r.Start, r.String = s.sourceStart, false
			rest := strings.TrimLeft(s.style[s.end:], spaces)
			if r.End = len(s.style) - len(rest); rest != "" {
				r.End++
			}
			if rest != "" && rest[0] != ')' {
				return Reference{}, false
			}
			return s.reference(r)
		}
		// A string deeper in image-set() is that of type("image/webp").
		r.ImageSet = s.imageSet > 0 && s.parens == s.imageSet
		if r.ImageSet || s.prelude == "@import" {
			return s.reference(r)
		}
	}
	return Reference{}, false
}

// reference adds to a reference where it stands.
func (s *scanner) reference(r Reference) (Reference, bool) {
	switch s.prelude {
	case "@import":
		if s.imported {
			return Reference{}, false // in its conditions
		}
		r.Import, s.imported = true, true
	case "@namespace", "@document":
		return Reference{}, false
	}
	r.FontFace = s.fontFace > 0
	r.CustomProperty = s.custom
	return r, true
}
