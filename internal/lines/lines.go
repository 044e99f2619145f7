// Package lines converts byte offsets of a text to lines and columns. The positions
// of many findings in one text cost no more than its length and a bounded time for
// each.
package lines

import "strings"

// An Index knows where the lines of a text begin. The zero value is that of an empty
// text. It is safe for concurrent use.
type Index struct {
	text  string
	marks []mark
}

// A mark counts the line breaks before a multiple of every bytes, and has the offset
// of the last one, -1 if there is none.
type mark struct{ breaks, last int }

const every = 4 << 10

// New returns the index of a text. It counts the text's lines once and keeps the
// text.
func New(text string) *Index {
	x := &Index{text: text}
	m := mark{0, -1}
	for at := 0; ; at += every {
		x.marks = append(x.marks, m)
		if at+every > len(text) {
			return x
		}
		m = m.after(text[at:at+every], at)
	}
}

// Position returns the line and the column of an offset, both counted from 1, the
// column in bytes. An offset outside the text counts as the nearest one in it.
func (x *Index) Position(offset int) (line, column int) {
	if len(x.marks) == 0 {
		return 1, 1
	}
	offset = min(max(offset, 0), len(x.text))
	i := offset / every
	m := x.marks[i].after(x.text[i*every:offset], i*every)
	return m.breaks + 1, offset - m.last
}

// after returns the mark at the end of a text that begins at an offset.
func (m mark) after(text string, at int) mark {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		m.last = at + i
	}
	m.breaks += strings.Count(text, "\n")
	return m
}
