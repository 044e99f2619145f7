package page

import "strings"

// A lineMark counts the line breaks before a multiple of markEvery bytes, and has the
// offset of the last one, -1 if there is none.
type lineMark struct{ breaks, last int }

const markEvery = 32 << 10

// Position returns the line and the column of an offset, counted from 1, the column
// in bytes.
func (p *Page) Position(offset int) (line, column int) {
	if p.lines == nil {
		mark := lineMark{0, -1}
		for at := 0; ; at += markEvery {
			p.lines = append(p.lines, mark)
			if at+markEvery > len(p.Doc) {
				break
			}
			mark = mark.after(p.Doc[at:at+markEvery], at)
		}
	}
	offset = min(max(offset, 0), len(p.Doc))
	i := offset / markEvery
	mark := p.lines[i].after(p.Doc[i*markEvery:offset], i*markEvery)
	return mark.breaks + 1, offset - mark.last
}

// after returns the mark at the end of a text that begins at an offset.
func (m lineMark) after(text string, at int) lineMark {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		m.last = at + i
	}
	m.breaks += strings.Count(text, "\n")
	return m
}
