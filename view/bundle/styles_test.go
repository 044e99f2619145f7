package bundle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The policy blocks fonts in data URLs, so a script hands their bytes to the page.
func TestFonts(t *testing.T) {
	doc := bundled(t, folder("index.html", "<link rel=stylesheet href=css/a.css>",
		"css/a.css", `@media all { @font-face { font-family: "My Font"; src: local("x"), url("../f.ttf") format("truetype"), url(../f.woff2) format("woff2"); font-weight: 100 900; unicode-range: U+0-7F } }
			@font-face { font-family: Cdn; src: url(https://cdn.example.com/f.woff2) } b { font-family: "My Font" }`,
		"f.ttf", "truetype", "f.woff2", "wOF2"), nil)
	assert.Equal(t, []string{`for(const[f,d,b]of[["My Font",{"unicodeRange":"U+0-7F","weight":"100 900"},"d09GMg=="]])document.fonts.add(new FontFace(f,Uint8Array.from(atob(b),c=>c.charCodeAt(0)),d))`},
		texts(t, doc.HTML, "script"))
	assert.Equal(t, []string{`@media all{}@font-face{font-family:Cdn;src:url(https://cdn.example.com/f.woff2)}b{font-family:"My Font"}`}, texts(t, doc.HTML, "style"))
	assert.Equal(t, "font-src", doc.External[0].Directive)
	assert.Equal(t, []string{"css/a.css", "f.woff2", "index.html"}, doc.Inputs)
}

// A style sheet that is both linked and imported by a script is there once.
func TestStylesOnce(t *testing.T) {
	doc := bundled(t, folder("index.html", `<link rel=stylesheet href=a.css><script type=module>import "./a.css"; import "./b.css"</script>`,
		"a.css", "a{color:red}", "b.css", "b{color:red}"), nil)
	assert.Equal(t, []string{"a{color:red}", "b{color:red}"}, texts(t, doc.HTML, "style"))
}

// A preload that becomes a style sheet later becomes a style element.
func TestPreloadThatBecomesAStyle(t *testing.T) {
	doc := bundled(t, folder("index.html", `<p><link rel=preload as=style media=print href=a.css onload="this.rel='stylesheet'">`,
		"a.css", "a{color:red}"), nil)
	assert.Equal(t, `<p><style media="print">a{color:red}</style>`, doc.HTML)
}

func TestImageSetOfAnyCase(t *testing.T) {
	doc := bundled(t, folder("index.html", `<style>a{background:Image-Set("a.png" 1x)}</style>`, "a.png", "x"), nil)
	assert.NotContains(t, doc.HTML, "a.png")
}

// The policy of a view blocks style sheets in data URLs, so they are put inline.
func TestImportOfADataURL(t *testing.T) {
	doc := bundled(t, folder("index.html", `<style>@import "data:text/css,a{color:red}";</style><link rel=stylesheet href=a.css>`, "a.css", `@import url(data:text/css;base64,Yntjb2xvcjpyZWR9);`), nil)
	assert.Equal(t, "<style>a{color:red}</style><style>b{color:red}</style>", doc.HTML)
}
