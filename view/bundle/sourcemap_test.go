package bundle

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mapped are pages with marks, each a string that occurs once, in every kind of
// script.
var mapped = map[string]map[string]string{
	"unchanged": {
		"index.html": "<!doctype html>\n<script>\n  f('@1'); /* ü😀 */ f('@2')\n</script><p onclick=\"f('@3')\">x\n<script type=module>f('@4')</script>",
	},
	"beside a change": {
		"index.html": "<!doctype html>\n<title>ü😀</title><link rel=stylesheet href=a.css><script>f('@1')\n\n f('@2')</script>\n<b style='background:url(a.png)' onclick=\"f('@3')\">x</b><script>f('@4')</script>",
		"a.css":      "b {\n  color: red;\n}\n\np {\n  margin: 1px;\n}\n",
		"a.png":      "png",
	},
	"external and classic": {
		"index.html": "<!doctype html>\n<p>😀<script src=a.js></script><script>f('@1')</script>\n<script src=b.ts></script>\n<script lang=ts>\n  const x: number = 1; f('@2', x)\n</script><script>f('@6')</script>",
		"a.js":       "var a = 1;\n  f('@3');\nfunction g(long) { f('@4', 'ü😀', long) }\n",
		"b.ts":       "interface X {\n  a: string\n}\nlet y: X = { a: '' };\nf('@5', y)\n",
	},
	"modules": {
		"ui/index.html":                    "<!doctype html>\n<head><script type=module src=main.ts></script></head>\n <p>ü😀<script type=module>import { lib } from './lib.js'; f('@1', lib)\n f('@2')</script><script type=module>\n f('@3')</script>\n<script>f('@4')</script>",
		"ui/main.ts":                       "import { lib, long } from './lib.js';\nimport { App } from 'mcp-app';\nimport view from './view';\nimport './a.css';\n\ninterface X { a: string }\n  f('@5', lib, App, view); f('ü😀'); f('@6', long)",
		"ui/lib.js":                        "export const lib = () => f('@7');\nexport function long(name) {\n  f('@8', name)\n}",
		"ui/view.jsx":                      "import { h } from 'packed'\n/** @jsx h */\nexport default function V({ x }) {\n  return <div>\n    <p id={f('@9')}>{x}</p>\n  </div>\n}",
		"ui/a.css":                         "p { color: red }",
		"node_modules/packed/package.json": `{"name":"packed","main":"index.js"}`,
		"node_modules/packed/index.js":     "export function h(a) {\n  return f('@10', a)\n}",
	},
	"text that would end its element": {
		"index.html": "<script type=module src=a.js></script>",
		"a.js":       "import './b.js'; f('<!--<script>'); f('@1')\nf(`</script><!-- <script>`, '@2')",
		"b.js":       "f(`<!-- <script>`);f('</script>'); f('@3'); f('<!-- \\n <script>'); f('@4')",
	},
	"classic text that would end its element": {
		"index.html": "\ufeff<p><script src=a.js></script><script>f('@5')</script>",
		"a.js":       "f('<!--<script>'); f('@1')\nf(`</script><!-- <script>`, '@2')\nf(`<!-- ${1} <script>`);f('</script>'); f('@3'); f('<!-- \\n <script>'); f('@4')",
	},
	"comments that name maps": {
		"index.html": "<script type=module src=a.js></script><style>@import 'a.css';</style>\n",
		"a.js":       "import './b.js'\n//# sourceMappingURL=a.js.map\nf('@1')\n",
		"b.js":       "f('@2')\n//@ sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjogMywgInNvdXJjZXMiOiBbIm90aGVyLnRzIl0sICJtYXBwaW5ncyI6ICJBQVVBIn0=",
		"a.css":      "p { color: red }\n/*# sourceMappingURL=a.css.map */\n",
	},
}

var mark = regexp.MustCompile(`["'` + "`]" + `@(\d+)["'` + "`]")

// A position in the document is that of the same text in the author's file, minified
// or not, and the document is the same with and without a map.
func TestSourceMapOfDocument(t *testing.T) {
	for name, files := range mapped {
		for _, opts := range []*Options{{}, {Unminified: true}, {SourceMaps: true}, {SourceMaps: true, Unminified: true}} {
			t.Run(fmt.Sprintf("%s/unminified=%v,inline=%v", name, opts.Unminified, opts.SourceMaps), func(t *testing.T) {
				place := func(name string, line, column int) string {
					if inNodeModules(name) {
						column = 0 // lines are enough
					}
					return fmt.Sprintf("%s:%d:%d", name, line, column)
				}
				fsys := fstest.MapFS{}
				want := make(map[string]string)
				page := ""
				for name, text := range files {
					fsys[name] = &fstest.MapFile{Data: []byte(text)}
					if strings.HasSuffix(name, "index.html") {
						page = name
					}
					for _, m := range mark.FindAllStringSubmatchIndex(text, -1) {
						line, column := browserPosition(text, m[0])
						want[text[m[2]:m[3]]] = place(name, line, column)
					}
				}
				plain, err := HTML(fsys, page, opts)
				require.NoError(t, err)
				assert.Nil(t, plain.sourceMap)
				b := newBundler(fsys, page, opts, policy{})
				b.maps = true
				doc, err := b.document()
				require.NoError(t, err)
				assert.Equal(t, plain.HTML, doc.HTML)
				m, err := sourcemap.Parse(doc.sourceMap)
				require.NoError(t, err)
				got := make(map[string]string)
				html := regexp.MustCompile(`sourceMappingURL=data:[\w/+=;:,]+`).ReplaceAllStringFunc(doc.HTML, func(s string) string { return strings.Repeat("-", len(s)) })
				for _, at := range mark.FindAllStringSubmatchIndex(html, -1) {
					line, column := browserPosition(html, at[0])
					source, line, column, ok := m.Position(line, column)
					require.True(t, ok, html[at[0]:at[1]])
					got[html[at[2]:at[3]]] = place(source, line, column)
				}
				assert.Equal(t, want, got)
			})
		}
	}
}

// browserPosition is the place of an offset as browsers count it: lines and columns
// from 1, columns in UTF-16 code units, without a byte order mark.
func browserPosition(text string, offset int) (line, column int) {
	lines, columns := sourcemap.Size(strings.TrimPrefix(text[:offset], byteOrderMark))
	return int(lines) + 1, int(columns) + 1
}
