package bundle

import (
	"fmt"
	"html"
	"sort"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// change is a change to one element: either some of its attributes get new values,
// or other elements replace it.
type change struct {
	el       *element
	values   map[string]string // the new values of attributes
	replaced bool              // pieces replace the element
	pieces   []piece           // none: the element is removed
	end      int               // the offset in the document up to which pieces replace it
}

// piece is a new style or script element.
type piece struct {
	tag   string
	attrs htmlscan.Attributes
	text  string
	code  *codeMap // of the text; nil if it has no source

	deferred *deferred // has the text, if it is not nil
}

func (b *bundler) changeOf(el *element) *change {
	if el.change == nil {
		el.change = &change{el: el, values: make(map[string]string)}
		b.changes = append(b.changes, el.change)
	}
	return el.change
}

// set gives an attribute of an element a new value.
func (b *bundler) set(el *element, key, value string) { b.changeOf(el).values[key] = value }

// replace replaces an element, which ends at the offset end, by pieces.
func (b *bundler) replace(el *element, end int, pieces []piece) {
	if end < 0 {
		b.fail(el.start, fmt.Errorf("the %s element has no end tag: add </%s>", el.name, el.name))
		return
	}
	c := b.changeOf(el)
	c.end, c.pieces, c.replaced = end, pieces, true
}

// verified compares the document with the changes to the source. It also decides where
// deferred scripts begin.
func (b *bundler) verified() error {
	sort.Slice(b.changes, func(i, j int) bool { return b.changes[i].el.start < b.changes[j].el.start })
	mark := "data-mcpapps-place"
	for strings.Contains(strings.ToLower(b.src), mark) {
		mark += "-"
	}
	out := &assembly{src: b.src, name: b.name, mark: mark}
	b.apply(out)
	if at, err := verify(b.marked(mark), out.String(), mark, b.changes); err != nil {
		e := &Error{File: b.name, Text: err.Error(), Err: err}
		if at != nil {
			e.Line, e.Column = b.lines.Position(at.start)
		}
		return e
	}
	b.deferred = b.placeDeferred(strings.Count(out.String(), "\n"))
	return nil
}

// marked returns the source with the number of its change in each changed element.
func (b *bundler) marked(mark string) string {
	var out strings.Builder
	done := 0
	for i, c := range b.changes {
		at := c.el.start + 1 + len(c.el.name)
		out.WriteString(b.src[done:at])
		fmt.Fprintf(&out, ` %s="%d"`, mark, i)
		done = at
	}
	out.WriteString(b.src[done:])
	return out.String()
}

// apply writes the source with the changes.
func (b *bundler) apply(out *assembly) {
	for i, c := range b.changes {
		out.copyTo(c.el.start)
		number := ""
		if out.mark != "" {
			number = fmt.Sprintf(` %s="%d"`, out.mark, i)
		}
		if c.replaced {
			for _, p := range c.pieces {
				p.render(out, number)
			}
			if i == 0 && len(c.pieces) == 0 && opensHead(b.src[:c.el.start]) {
				out.add("<head>") // the removed element opened it
			}
			out.skipTo(c.end)
			continue
		}
		c.startTag(out, number)
	}
	out.copyTo(len(b.src))
}

// opensHead reports whether an element after this beginning of a document would be
// the first of its head.
func opensHead(before string) bool {
	for t := range htmlscan.Tokens(before) {
		switch {
		case t.Kind == htmlscan.Text && strings.Trim(t.Inner, space) != "", t.Kind == htmlscan.StartTag && t.Name != "html", t.Kind == htmlscan.EndTag:
			return false
		}
	}
	return true
}

// startTag writes the element's start tag with the new values of attributes.
func (c *change) startTag(out *assembly, number string) {
	tag := out.src[c.el.start:c.el.tagEnd]
	out.copyTo(c.el.start + 1 + len(c.el.name))
	out.add(number)
	for _, a := range c.el.attrs {
		value, changed := c.values[a.Key]
		if !changed {
			continue
		}
		out.copyTo(c.el.start + a.Start)
		key := tag[a.Start : a.Start+len(a.Key)]
		out.add(fmt.Sprintf(`%s="%s"`, key, html.EscapeString(value)))
		if a.End < len(tag) && strings.IndexByte(" \n\r\t\f/>", tag[a.End]) < 0 {
			out.add(" ")
		}
		out.skipTo(c.el.start + a.End)
	}
	out.copyTo(c.el.tagEnd)
}

// content returns the text of the element.
func (p piece) content() string {
	if p.deferred != nil {
		return p.deferred.module()
	}
	return p.text
}

func (p piece) render(out *assembly, number string) {
	var tag strings.Builder
	tag.WriteString("<" + p.tag + number)
	for _, a := range p.attrs {
		tag.WriteString(" " + a.Key)
		if a.Value != "" {
			tag.WriteString(`="` + html.EscapeString(a.Value) + `"`)
		}
	}
	out.add(tag.String() + ">")
	out.addCode(p.content(), p.code)
	out.add("</" + p.tag + ">")
}
