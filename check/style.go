package check

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/cssscan"
)

// readStyle notes the addresses in a style sheet, or in a style attribute,
// whose offset is that of its tag.
func (p *page) readStyle(text string, at int, attribute bool) {
	for r := range cssscan.References(text) {
		if strings.HasPrefix(r.URL, "#") {
			continue
		}
		found := ref{url: r.URL, use: useImage, where: "url() in a style", offset: at}
		if !attribute {
			found.offset += r.Start
		}
		switch {
		case r.Import:
			found.use, found.where = useStyle, "@import in a style"
		case r.ImageSet:
			found.where = "image-set() in a style"
		case r.FontFace:
			found.use, found.where = useFont, "@font-face in a style"
		}
		p.ref(found)
	}
}
