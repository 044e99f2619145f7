package bundle

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// assembly is a document that is written: parts of the page in their order, and what
// replaces others.
type assembly struct {
	src, name string // of the page
	mark      string // an attribute that numbers the changed and the new elements, or ""

	out       strings.Builder
	done      int               // the offset up to which the page is written or left out
	sourceMap *sourcemap.Writer // nil: none is made
	breaks    []int             // offsets in the page at which parts of the map end

	at           int // the offset in the page that line and column are of
	line, column int32
}

func (a *assembly) String() string { return a.out.String() }

// copyTo copies the page up to an offset.
func (a *assembly) copyTo(end int) {
	for len(a.breaks) > 0 && a.breaks[0] < end {
		at := a.breaks[0]
		if a.breaks = a.breaks[1:]; at > a.done {
			a.copyTo(at)
		}
	}
	text := a.src[a.done:end]
	if a.sourceMap != nil {
		a.place()
		if a.done == 0 { // no browser counts it as a column
			a.out.WriteString(text[:len(text)-len(strings.TrimPrefix(text, byteOrderMark))])
			text = strings.TrimPrefix(text, byteOrderMark)
		}
		a.sourceMap.Copied(a.name, a.line, a.column, text)
	}
	a.out.WriteString(text)
	a.done = end
}

// skipTo leaves the page out up to an offset.
func (a *assembly) skipTo(end int) { a.done = end }

// add adds text in place of what stands next in the page.
func (a *assembly) add(text string) { a.addCode(text, nil) }

// addCode adds compiled code.
func (a *assembly) addCode(text string, code *codeMap) {
	if a.sourceMap != nil {
		if code != nil {
			a.sourceMap.Compiled(text, code.sources, code.segments)
		} else {
			a.place()
			a.sourceMap.At(a.name, a.line, a.column, text)
		}
	}
	a.out.WriteString(text)
}

// place sets line and column to those of the end of what is done.
func (a *assembly) place() {
	passed := a.src[a.at:a.done]
	if a.at == 0 {
		passed = strings.TrimPrefix(passed, byteOrderMark)
	}
	lines, columns := sourcemap.Size(passed)
	if lines > 0 {
		a.column = 0
	}
	a.line, a.column, a.at = a.line+lines, a.column+columns, a.done
}
