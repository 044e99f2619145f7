package bundle

import (
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/mcpapps-go/mcpapps/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A document that would not have the intended elements is not returned, whatever
// text or attribute is to be put into it.
func TestSpliceThatWouldBreakThePage(t *testing.T) {
	for name, p := range map[string]piece{
		"style that ends early":      {tag: "style", text: "a{}</style><script>x()</script>"},
		"script that ends early":     {tag: "script", text: "x('</script>')"},
		"script that hides its end":  {tag: "script", text: "x('<!--<script>')"},
		"attribute that is two":      {tag: "style", attrs: htmlscan.Attributes{{Key: "media onload", Value: "x()"}}},
		"attribute that ends a tag":  {tag: "style", attrs: htmlscan.Attributes{{Key: "data-x>y", Value: "1"}}},
		"element that closes others": {tag: "p", text: "<div>"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBundler(fstest.MapFS{}, "index.html", &Options{}, policy{})
			b.src = "<p>x<link rel=stylesheet href=a.css><b>y</b>"
			b.lines = lines.New(b.src)
			el := elementsOf(b.src)[0]
			b.replace(el, el.tagEnd, []piece{p})
			err := b.verified()
			require.Error(t, err)
			assert.EqualError(t, err, "index.html: the bundled page would not parse to the same elements: check the markup for a script or style that is not closed")
		})
	}
}

// What a browser's parser does not take for the element that would be replaced is an
// error with its place.
func TestSpliceOfWhatIsNoElement(t *testing.T) {
	for page, want := range map[string]string{
		"<frameset>\n<script src=a.js></script></frameset>":                "bundle: index.html:2:1: the parser finds no script element where one would be replaced: check the markup around it",
		"<frameset>\n<frame><link rel=stylesheet href=a.css>\n</frameset>": "bundle: index.html:2:8: the parser finds no link element where one would be replaced: check the markup around it",
	} {
		_, err := HTML(fstest.MapFS{"index.html": {Data: []byte(page)}, "a.css": {Data: []byte("a{}")}, "a.js": {Data: []byte("x()")}}, "index.html", nil)
		assert.EqualError(t, err, want)
	}
}
