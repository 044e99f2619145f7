package bundle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// scriptText returns code that can be the text of a script element, or false. The
// compiler escapes end tags, but not "<!--" before "<script", after which a script
// element does not end at its end tag.
func (c *compilation) scriptText(js string) (string, bool) {
	js = strings.TrimSuffix(js, "\n")
	if fitsScript(js) {
		return js, true
	}
	again := &compilation{b: c.b, script: true, entry: c.entry, page: c.page, order: c.order, files: c.files, supported: withoutTemplates}
	js, _, ok := again.run()
	js = strings.TrimSuffix(js, "\n")
	text := escapeTags(js)
	c.jsMap = again.jsMap.escaped(js, text)
	return text, ok && fitsScript(text)
}

// withoutTemplates makes the compiler write no template literals. Without them,
// code can't see how a string is written, so that it can be escaped.
var withoutTemplates = map[string]bool{"template-literal": false}

// escapeTags escapes "<!--", which compiled code contains only in strings, regular
// expressions and comments, and end tags, which the compiler escapes but in the
// classes of regular expressions.
func escapeTags(js string) string {
	return scriptEnd.ReplaceAllString(strings.ReplaceAll(js, "<!--", `\x3C!--`), `<\/$1`)
}

var scriptEnd = regexp.MustCompile(`(?i)</(script)`)

// fitsScript reports whether a script element with this text ends at its own end
// tag.
func fitsScript(js string) bool {
	if !strings.Contains(js, "<!--") && !strings.Contains(strings.ToLower(js), "</script") {
		return true
	}
	var kinds []htmlscan.Kind
	for t := range htmlscan.Tokens("<script>" + js + "</script>") {
		kinds = append(kinds, t.Kind)
		if t.Kind == htmlscan.Text && t.Inner != js {
			return false
		}
	}
	return slices.Equal(kinds, []htmlscan.Kind{htmlscan.StartTag, htmlscan.Text, htmlscan.EndTag})
}

// typeScriptHint returns what to add to a syntax error in JavaScript if the text is
// valid as TypeScript, "" otherwise.
func typeScriptHint(text string, loader api.Loader, inPage bool) string {
	if loader != api.LoaderJS && loader != api.LoaderJSX || parses(text, loader) || !parses(text, api.LoaderTS) && !parses(text, api.LoaderTSX) {
		return ""
	}
	if inPage {
		return "; this is TypeScript, and scripts in the page are JavaScript: put it into a .ts file, which may be linked by src or imported"
	}
	return "; this is TypeScript: end the file's name in .ts"
}

// parses reports whether a text has no syntax errors.
func parses(text string, loader api.Loader) bool {
	return len(api.Transform(text, api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"}).Errors) == 0
}
