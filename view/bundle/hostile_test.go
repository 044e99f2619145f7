package bundle_test

import (
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"golang.org/x/net/html"
)

// Pages that break rewriters which lower-case and cut at byte offsets, search for
// tags as text, or parse and render. Each is bundled with one element to change, and
// everything else has to stay the same.
func TestHostilePages(t *testing.T) {
	const tag = `<script type=module src=a.js></script>`
	for name, page := range map[string]string{
		"case folding that changes length": "<TİTLE></title><p>ȺȾİK\u212a\u0130ẞ</p>" + tag + "<ſcript></ſcript>İ",
		"tags in comments":                 "<!-- <script src=x.js></script> <head> --><!--> <!-->-->" + tag + "<!-- </body> <script>",
		"tags in attributes":               `<p title="<script src=x.js></script>" data-x='</head>'>` + tag,
		"title with markup":                "<title><script src=x.js></script></title>" + tag,
		"textarea with markup":             "<textarea><script src=x.js></script><img src=x.png></textarea>" + tag,
		"BOM":                              "\ufeff<!doctype html>" + tag,
		"CRLF":                             "<!doctype html>\r\n<html>\r\n<p>\r\r\n" + tag + "\r\n<pre>\r\n\r\nx</pre>",
		"no head":                          "text " + tag + " more",
		"nothing else":                     tag,
		"SVG with a title and styles":      "<svg><title><b></title><style>/* <p> */ a { }</style><script>1 &lt; 2</script><desc><p></desc></svg>" + tag,
		"SVG with CDATA":                   "<svg><style><![CDATA[ a > b { } </style> ]]></style></svg>" + tag,
		"SVG left by a paragraph":          "<svg><g><p>x</p><style>p > a { }</style>" + tag,
		"SVG with HTML in it":              "<svg><foreignObject><title></svg></title><div>x</div></foreignObject><title>y</title></svg>" + tag,
		"MathML":                           "<math><mtext><style>a</style></mtext><annotation-xml encoding='text/html'><title><x></title></annotation-xml><mi>x</mi></math>" + tag,
		"customizable select":              "<select><button><selectedcontent></selectedcontent></button><option><img src='data:,'>x</option></select>" + tag,
		"duplicate attributes":             `<img src="data:,a" src="missing.png" SRC=b>` + tag,
		"strange attributes":               `<p =x /y//z= w='"' "v'><a/b/c=d/>` + tag,
		"NUL":                              "<p a\x00b=\x00>\x00" + tag,
		"escaped script data":              "<script>var a = '<!-- <script>'; '</script> -->'</script>" + tag,
		"script end in a string":           "<script>var a = '<\\/script>'</script>" + tag,
		"open comment":                     tag + "<!-- <p>",
		"open tag":                         tag + "<p class='",
		"frameset of old":                  "<p>x" + tag + "<noframes><script src=x.js></script></noframes>",
		"plaintext":                        tag + "<plaintext><script src=x.js></script>",
		"table":                            "<table><tr><td>" + tag + "</td></tr></table>",
		"iframe with text":                 "<iframe srcdoc='<script src=https://x.example/></script>'><script src=x.js></script></iframe>" + tag,
		"dollar signs":                     "$& $1 $$ \\1" + tag + "$&",
	} {
		t.Run(name, func(t *testing.T) {
			doc := bundled(t, folder("index.html", page, "a.js", "globalThis.done = '$& $1'"), nil)
			assert.Equal(t, strings.Replace(page, tag, `<script type="module">globalThis.done="$& $1";</script>`, 1), doc.HTML)
			// A bundled page does not change when it is bundled again.
			assert.Equal(t, doc.HTML, bundled(t, folder("index.html", doc.HTML), nil).HTML)
		})
	}
}

// Text that would end a script or a style, or hide its end, in every kind of
// literal. The browser test in internal/e2e/bundle runs the same code.
const hostileScript = "export const values = [" +
	"'</script>', \"<!--<script>\", `</script><!--<script>`, /<\\/script><!--<script>/.test('</script><!--<script>'), " +
	"String.raw`<!--<script></script>`, '<!--', '<script>', `a${'</SCRIPT >'}b`, ']]>', '-->', '\\u2028'," +
	"((a, b) => a<!--b)(1, 2)]\n/*! </script> <!-- <script> */\n"

func TestHostileScripts(t *testing.T) {
	for _, page := range []string{
		`<script type=module src=a.js></script><p>after`,
		`<script src=b.js></script><p>after`,
		`<script defer src=b.js></script><p>after`,
	} {
		for _, opts := range []*bundle.Options{nil, {Unminified: true}, {SourceMaps: true}} {
			classic := strings.Replace(hostileScript, "export const", "var", 1)
			classic = strings.Replace(classic, "a<!--b", "a < ! --b", 1)
			doc := bundled(t, folder("index.html", page, "a.js", strings.Replace(hostileScript, "a<!--b", "a < ! --b", 1)+"globalThis.values = values", "b.js", classic), opts)
			assert.Len(t, texts(t, doc.HTML, "script"), 1)
			assert.Equal(t, []string{"after"}, texts(t, doc.HTML, "p"))
			assert.Equal(t, doc.HTML, bundled(t, folder("index.html", doc.HTML), nil).HTML)
		}
	}
}

func TestHostileStyles(t *testing.T) {
	doc := bundled(t, folder("index.html", `<link rel=stylesheet href=a.css title="&quot;><script>"><p>after`,
		"a.css", `@import "./b.css"; a::after { content: "</style><script>1</script>" } /*! </style> */ b { background: url("data:image/svg+xml,</style>") }`,
		"b.css", `b::after { content: "<!--" }`), nil)
	assert.Len(t, texts(t, doc.HTML, "style"), 1)
	assert.Empty(t, texts(t, doc.HTML, "script"))
	assert.Equal(t, []string{"after"}, texts(t, doc.HTML, "p"))
}

// The name or the content of a file can't end its attribute.
func TestHostileAssets(t *testing.T) {
	doc := bundled(t, folder("index.html", `<img src='a"&gt;&lt;b.svg'><svg><image href=x.svg /></svg>`, `a"><b.svg`, `<svg onload="'>">`, "x.svg", "<svg>"), nil)
	root, err := html.Parse(strings.NewReader(doc.HTML))
	assert.NoError(t, err)
	images := 0
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "img" || n.Data == "image") {
			images++
			assert.Len(t, n.Attr, 1)
		}
		assert.NotEqual(t, "b", n.Data)
	}
	assert.Equal(t, 2, images)
}
