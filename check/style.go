package check

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// readStyle notes the addresses in a style sheet, or in a style attribute,
// whose offset is that of its tag.
func (p *page) readStyle(text string, at int, attribute bool) {
	if !strings.Contains(text, "(") && !strings.Contains(text, "@") {
		return
	}
	l := css.NewLexer(parse.NewInputString(text))
	offset := 0
	var rule string                           // the at-rule that we are in the prelude of
	var fontFace, depth, parens, imageSet int // imageSet: the parentheses inside of image-set()
	for {
		tt, data := l.Next()
		if tt == css.ErrorToken {
			return
		}
		start := at
		if !attribute {
			start += offset
		}
		offset += len(data)
		switch tt {
		case css.AtKeywordToken:
			rule = strings.ToLower(string(data))
		case css.LeftBraceToken:
			depth++
			if rule == "@font-face" && fontFace == 0 {
				fontFace = depth
			}
			rule = ""
		case css.RightBraceToken:
			if depth == fontFace {
				fontFace = 0
			}
			depth = max(depth-1, 0)
		case css.SemicolonToken:
			rule = ""
		case css.FunctionToken:
			parens++
			if name := strings.ToLower(string(data)); imageSet == 0 && (name == "image-set(" || name == "-webkit-image-set(") {
				imageSet = parens
			}
		case css.LeftParenthesisToken:
			parens++
		case css.RightParenthesisToken:
			if parens == imageSet {
				imageSet = 0
			}
			parens = max(parens-1, 0)
		case css.StringToken:
			switch {
			case rule == "@import":
				p.styleRef(cssString(data), useStyle, "@import", start)
				rule = ""
			case imageSet > 0 && parens == imageSet: // deeper is type("image/webp")
				p.styleRef(cssString(data), useImage, "image-set()", start)
			}
		case css.URLToken:
			url := cssURL(data)
			switch {
			case rule == "@import":
				p.styleRef(url, useStyle, "@import", start)
				rule = ""
			case rule == "@namespace" || rule == "@document":
			case fontFace > 0:
				p.styleRef(url, useFont, "@font-face", start)
			default:
				p.styleRef(url, useImage, "url()", start)
			}
		}
	}
}

func (p *page) styleRef(url string, u use, where string, at int) {
	if !strings.HasPrefix(url, "#") {
		p.ref(ref{url: url, use: u, where: where + " in a style", offset: at})
	}
}

// cssURL returns the address in a url() token.
func cssURL(data []byte) string {
	open := bytes.IndexByte(data, '(')
	if open < 0 {
		return ""
	}
	data = bytes.TrimSpace(bytes.TrimSuffix(data[open+1:], []byte(")")))
	if len(data) > 0 && (data[0] == '"' || data[0] == '\'') {
		return cssString(data)
	}
	return cssUnescape(data)
}

func cssString(data []byte) string {
	if len(data) < 2 || data[0] != data[len(data)-1] {
		return ""
	}
	return cssUnescape(data[1 : len(data)-1])
}

// cssUnescape takes escapes out.
func cssUnescape(data []byte) string {
	if bytes.IndexByte(data, '\\') < 0 {
		return string(data)
	}
	var b strings.Builder
	for i := 0; i < len(data); i++ {
		if data[i] == '\\' && i+1 < len(data) {
			i++
			end := i
			for end < len(data) && end < i+6 && isHex(data[end]) {
				end++
			}
			if end > i { // up to six digits, and a space that ends them
				if !writeHex(&b, data[i:end]) {
					return ""
				}
				if i = end - 1; end < len(data) && (data[end] == ' ' || data[end] == '\t' || data[end] == '\n') {
					i = end
				}
				continue
			}
			if data[i] == '\n' || data[i] == '\r' {
				continue
			}
		}
		b.WriteByte(data[i])
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
