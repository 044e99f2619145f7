package bundle

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/lines"
)

// position returns the line and the column of a byte offset, from 1. For many
// offsets of one text, [lines.New] is called once.
func position(src string, offset int) (line, column int) { return lines.New(src).Position(offset) }

// place is where a text begins in its file: line and column from 1. The zero value
// is the beginning of the file.
type place struct{ line, column int }

// in returns the position in the file for one in the text, both from 1.
func (p place) in(line, column int) (int, int) {
	if p.line == 0 || line == 0 {
		return line, column
	}
	if line == 1 {
		column += p.column - 1
	}
	return line + p.line - 1, column
}

// maxPadding is how many lines and columns [bundler.placed] adds to a text at most.
// Without a limit, many scripts in one long line would take time and memory
// proportional to the square of its length.
const maxPadding = 16 << 10

// placed returns a text of the page as it is compiled, and where that begins in the
// page. For source maps, empty lines and spaces put the text where it is in the
// page. For messages alone, which cost less that way, the place is added to theirs.
func (b *bundler) placed(text string, offset int) (string, place) {
	line, column := b.lines.Position(offset)
	if !b.opts.SourceMaps || line+column > maxPadding {
		return text, place{line, column}
	}
	return strings.Repeat("\n", line-1) + strings.Repeat(" ", column-1) + text, place{}
}
