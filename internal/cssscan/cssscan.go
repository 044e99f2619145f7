package bundle

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// cssRef is a reference in a style sheet or a style attribute.
type cssRef struct {
	url        string
	start, end int  // of the token, url() included
	token      bool // url(…), not a string
	imports    bool // of an @import
	font       bool // in an @font-face
	custom     bool // in the value of a custom property, which loads nothing by itself
}

// hasURL tells quickly whether a style may refer to anything.
func hasURL(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			if i >= 3 && (equalFold(s[i-3:i], "url") || equalFold(s[i-3:i], "set") || equalFold(s[i-3:i], "src")) {
				return true
			}
		case '@':
			if len(s)-i >= 7 && equalFold(s[i:i+7], "@import") {
				return true
			}
		}
	}
	return false
}

// cssRefs lists the references of a style: url() anywhere, strings in @import
// and image-set().
func cssRefs(s string) []cssRef {
	var (
		refs    []cssRef
		pos     int
		depth   int
		rule    string // the at-rule whose prelude or block we are in
		ruleAt  int    // depth of that block
		inSet   int    // depth of parentheses in an image-set()
		pending = -1   // start of a url( whose string comes next
		named   bool   // the name of a custom property has passed
		custom  bool
	)
	l := css.NewLexer(parse.NewInputString(s))
	for {
		tt, data := l.Next()
		if tt == css.ErrorToken {
			return refs
		}
		start := pos
		pos += len(data)
		text := string(data)
		if tt == css.ColonToken && named {
			custom = true
		}
		if tt != css.WhitespaceToken {
			named = tt == css.CustomPropertyNameToken
		}
		switch tt {
		case css.LeftBraceToken, css.RightBraceToken, css.SemicolonToken:
			custom = false
		}
		switch tt {
		case css.AtKeywordToken:
			if depth == 0 || rule == "" || rule == "@media" || rule == "@layer" || rule == "@supports" {
				rule, ruleAt = lower(text), depth
			}
		case css.LeftBraceToken:
			depth++
		case css.RightBraceToken:
			if depth--; depth <= ruleAt {
				rule = ""
			}
		case css.SemicolonToken:
			if depth <= ruleAt {
				rule = ""
			}
		case css.FunctionToken:
			name := lower(strings.TrimSuffix(text, "("))
			switch {
			case name == "url" || name == "src":
				pending = start
			case inSet > 0:
				inSet++
			case strings.HasSuffix(name, "image-set"):
				inSet = 1
			}
		case css.LeftParenthesisToken:
			if inSet > 0 {
				inSet++
			}
		case css.RightParenthesisToken:
			if pending >= 0 {
				if n := len(refs); n > 0 && refs[n-1].start == pending {
					refs[n-1].end = pos
				}
				pending = -1
			} else if inSet > 0 {
				inSet--
			}
		case css.URLToken:
			if rule == "@namespace" {
				continue // a name
			}
			inner := strings.TrimSuffix(text[strings.IndexByte(text, '(')+1:], ")")
			refs = append(refs, cssRef{url: cssUnquote(strings.TrimSpace(inner)), start: start, end: pos,
				token: true, imports: rule == "@import", font: rule == "@font-face", custom: custom})
		case css.StringToken:
			if rule == "@namespace" {
				continue
			}
			if pending >= 0 {
				refs = append(refs, cssRef{url: cssUnquote(text), start: pending, end: pos,
					token: true, imports: rule == "@import", font: rule == "@font-face", custom: custom})
			} else if rule == "@import" || inSet == 1 {
				refs = append(refs, cssRef{url: cssUnquote(text), start: start, end: pos, imports: rule == "@import"})
			}
			if rule == "@import" {
				rule = "@import " // a string in its conditions is no reference
			}
		}
	}
}

// urlStrings writes the strings of image-set() as url(), which is what the
// compiler follows.
func urlStrings(s string) string {
	if !strings.Contains(lower(s), "image-set(") {
		return s
	}
	var out strings.Builder
	done := 0
	for _, ref := range cssRefs(s) {
		if !ref.token && !ref.imports {
			out.WriteString(s[done:ref.start] + "url(" + s[ref.start:ref.end] + ")")
			done = ref.end
		}
	}
	return out.String() + s[done:]
}

// cssUnquote returns the value of a string or of the inside of url().
func cssUnquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
	}
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		r, n := rune(0), 0
		for n < 6 && i+n < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[i+n]) >= 0 {
			r = r<<4 + rune(strings.IndexByte("0123456789abcdef", s[i+n]|0x20))
			n++
		}
		switch {
		case n > 0:
			out.WriteRune(r)
			i += n - 1
			if i+1 < len(s) && strings.IndexByte(" \t\n", s[i+1]) >= 0 {
				i++
			}
		case s[i] == '\n': // a continued line
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}
