package cssscan

import (
	"iter"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// An AtRule is the beginning of an at-rule.
type AtRule struct {
	Name  string // in lower case, without "@"
	Start int    // the byte offset of its "@"
}

// AtRules returns the at-rules of a style that begin with one of some names, in
// their order. It takes time proportional to the length of the style, and little if
// there is none.
func AtRules(style string, named func(name string) bool) iter.Seq[AtRule] {
	return func(yield func(AtRule) bool) {
		if !mayHaveAtRule(style, named) {
			return
		}
		l := css.NewLexer(parse.NewInputString(style))
		for at := 0; ; {
			kind, data := l.Next()
			if kind == css.ErrorToken {
				return
			}
			if kind == css.AtKeywordToken {
				name := strings.ToLower(string(data[1:]))
				if named(name) && !yield(AtRule{Name: name, Start: at}) {
					return
				}
			}
			at += len(data)
		}
	}
}

// mayHaveAtRule is fast, and true if such a name is in a comment or a string.
func mayHaveAtRule(style string, named func(name string) bool) bool {
	for {
		i := strings.IndexByte(style, '@')
		if i < 0 {
			return false
		}
		style = style[i+1:]
		end := strings.IndexFunc(style, func(r rune) bool {
			return r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if end < 0 {
			end = len(style)
		}
		if end < 64 && named(strings.ToLower(style[:end])) {
			return true
		}
		style = style[end:]
	}
}
