package bundle

import (
	"strings"

	xhtml "golang.org/x/net/html"
)

// scriptText returns code that can stand in a script element. The compiler
// escapes end tags; "<!--" before "<script" it does not know of.
func (c *compilation) scriptText(js string) (string, bool) {
	js = strings.TrimSuffix(js, "\n")
	if fitsScript(js) {
		return js, true
	}
	// Without template literals nothing sees the raw text of a string.
	c.b.supported = map[string]bool{"template-literal": false}
	defer func() { c.b.supported = nil }()
	again := &compilation{b: c.b, script: true, entry: c.entry, page: c.page, order: c.order, files: c.files}
	js, _, ok := again.run()
	js = escapeComments(strings.TrimSuffix(js, "\n"))
	return js, ok && fitsScript(js)
}

// escapeComments breaks "<!--" up. In compiled code it only stands in strings,
// regular expressions and comments.
func escapeComments(js string) string { return strings.ReplaceAll(js, "<!--", `\x3C!--`) }

// fitsScript reports whether a script element with this text ends where it
// should.
func fitsScript(js string) bool {
	if !strings.Contains(js, "<!--") && !strings.Contains(strings.ToLower(js), "</script") {
		return true
	}
	z := xhtml.NewTokenizer(strings.NewReader("<script>" + js + "</script>"))
	z.Next()
	if z.Next() != xhtml.TextToken || len(z.Raw()) != len(js) {
		return false
	}
	return z.Next() == xhtml.EndTagToken
}
