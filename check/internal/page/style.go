package page

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/cssscan"
)

// readStyle adds the references of a style sheet or a style attribute. The offset of
// an attribute is that of its tag.
func (p *Page) readStyle(text string, at int, attribute bool) {
	for r := range cssscan.References(text) {
		if strings.HasPrefix(r.URL, "#") {
			continue
		}
		found := Ref{URL: r.URL, Use: Image, Where: "url() in a style", Offset: at}
		if !attribute {
			found.Offset += r.Start
		}
		switch {
		case r.Import:
			found.Use, found.Where = Style, "@import in a style"
		case r.ImageSet:
			found.Where = "image-set() in a style"
		case r.FontFace:
			found.Use, found.Where = Font, "@font-face in a style"
		}
		p.ref(found)
	}
}
