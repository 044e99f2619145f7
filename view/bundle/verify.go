package bundle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"golang.org/x/net/html"
)

// verify parses the numbered source and the numbered result, makes the changes in
// the tree of the source, and compares the two trees. So it is an error, and not a
// broken page, if a text ends its element early, or if the scanner and the parser
// disagree on what an element is. The error is about the element at, if it is not nil.
func verify(source, result, mark string, changes []*change) (at *element, err error) {
	want, err := html.Parse(strings.NewReader(strings.TrimPrefix(source, byteOrderMark)))
	if err != nil {
		return nil, fmt.Errorf("the page can't be parsed: %w", err)
	}
	got, err := html.Parse(strings.NewReader(strings.TrimPrefix(result, byteOrderMark)))
	if err != nil {
		return nil, fmt.Errorf("the bundled page can't be parsed: %w", err)
	}
	places := make([]*html.Node, len(changes))
	for n := range want.Descendants() {
		for _, a := range n.Attr {
			i, err := strconv.Atoi(a.Val)
			if a.Key != mark || err != nil || i < 0 || i >= len(changes) {
				continue
			}
			name := htmlscan.Lower(n.Data)
			if expected := changes[i].el.name; places[i] != nil || name != expected && !(expected == "image" && name == "img") {
				return changes[i].el, fmt.Errorf("the parser reads the %s element as something else: check the markup around it", expected)
			}
			places[i] = n
		}
	}
	for i, c := range changes {
		if places[i] != nil {
			c.applyTo(places[i], mark, strconv.Itoa(i))
		} else if c.replaced {
			return c.el, fmt.Errorf("the parser finds no %s element where one would be replaced: check the markup around it", c.el.name)
		}
	}
	if !sameChildren(want, got) {
		return nil, errors.New("the bundled page would not parse to the same elements: check the markup for a script or style that is not closed")
	}
	return nil, nil
}

const byteOrderMark = "\ufeff"

// applyTo makes the change in a parsed document.
func (c *change) applyTo(n *html.Node, mark, number string) {
	if !c.replaced {
		for i, a := range n.Attr {
			key := a.Key
			if a.Namespace != "" {
				key = a.Namespace + ":" + key
			}
			if value, ok := c.values[htmlscan.Lower(key)]; ok {
				n.Attr[i].Val = value
			}
		}
		return
	}
	for _, p := range c.pieces {
		piece := &html.Node{Type: html.ElementNode, Data: p.tag, Attr: []html.Attribute{{Key: mark, Val: number}}}
		for _, a := range p.attrs {
			piece.Attr = append(piece.Attr, html.Attribute{Key: a.Key, Val: a.Value})
		}
		if p.content() != "" {
			piece.AppendChild(&html.Node{Type: html.TextNode, Data: normalize(p.content())})
		}
		n.Parent.InsertBefore(piece, n)
	}
	n.Parent.RemoveChild(n)
}

// sameChildren reports whether two nodes contain the same. Adjacent texts count as
// one, since the parser makes one node of two texts between which an element was
// removed.
func sameChildren(a, b *html.Node) bool {
	x, y := a.FirstChild, b.FirstChild
	for x != nil && y != nil {
		if x.Type != y.Type || x.Namespace != y.Namespace || !slices.Equal(x.Attr, y.Attr) || !sameChildren(x, y) {
			return false
		}
		var left, right string
		left, x = data(x)
		right, y = data(y)
		if left != right {
			return false
		}
	}
	return x == nil && y == nil
}

// data returns the name or the content of a node and the next node. Adjacent texts
// are joined.
func data(n *html.Node) (string, *html.Node) {
	next := n.NextSibling
	if n.Type != html.TextNode || next == nil || next.Type != html.TextNode {
		return n.Data, next
	}
	var text strings.Builder
	text.WriteString(n.Data)
	for ; next != nil && next.Type == html.TextNode; next = next.NextSibling {
		text.WriteString(next.Data)
	}
	return text.String(), next
}

// normalize replaces the characters of a text that the parser replaces.
func normalize(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}
