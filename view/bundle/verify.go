package bundle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"golang.org/x/net/html"
)

// verify parses the numbered source and the numbered result and compares them:
// a changed element has to be the same element for the parser, what stands in
// its place has to be what was meant, and everything else has to be equal. So a
// text that ends its element early, or a place that the tokenizer took for an
// element and the parser does not, is an error and not a broken page.
func verify(source, result, mark string, changes []*change) error {
	before, err := flatten(source, mark)
	if err != nil {
		return fmt.Errorf("the page can't be parsed: %w", err)
	}
	after, err := flatten(result, mark)
	if err != nil {
		return fmt.Errorf("the bundled page can't be parsed: %w", err)
	}
	var want []node
	seen := make([]bool, len(changes))
	for i := 0; i < len(before); {
		n := before[i]
		if n.number < 0 || n.number >= len(changes) {
			want = join(want, n)
			i++
			continue
		}
		c := changes[n.number]
		if seen[n.number] || n.data != "element "+c.el.name && !(c.el.name == "image" && n.data == "element img") {
			return fmt.Errorf("the parser takes the %s element for something else: check the markup around it", c.el.name)
		}
		seen[n.number] = true
		if !c.whole {
			want = join(want, n.with(c.values))
			i++
			continue
		}
		for _, p := range c.pieces {
			want = join(want, node{depth: n.depth, number: n.number, data: "element " + p.tag, attrs: attrMap(p.attrs)})
			if p.text != "" {
				want = join(want, node{depth: n.depth + 1, number: -1, data: "text " + normalize(p.text)})
			}
		}
		for i++; i < len(before) && before[i].depth > n.depth; i++ {
		}
	}
	for i, c := range changes {
		if !seen[i] && c.whole {
			return fmt.Errorf("the parser finds no %s element where one is replaced: check the markup around it", c.el.name)
		}
	}
	if len(want) != len(after) {
		return errShape
	}
	for i := range want {
		if !want[i].equal(after[i]) {
			return errShape
		}
	}
	return nil
}

var errShape = errors.New("the bundled page would not parse to the same elements: check the markup for a script or style that is not closed")

// node is a node of a parsed document, in document order.
type node struct {
	depth  int
	number int // of the change, -1 for none
	data   string
	attrs  map[string]string
}

func flatten(source, mark string) ([]node, error) {
	root, err := html.Parse(strings.NewReader(strings.TrimPrefix(source, "\ufeff")))
	if err != nil {
		return nil, err
	}
	var all []node
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		flat := node{depth: depth, number: -1}
		switch n.Type {
		case html.TextNode:
			flat.data = "text " + n.Data
		case html.CommentNode:
			flat.data = "comment " + n.Data
		case html.DoctypeNode:
			flat.data = "doctype " + n.Data
		case html.ElementNode:
			flat.data = "element " + htmlscan.Lower(n.Data)
		}
		for _, a := range n.Attr {
			key := a.Key
			if a.Namespace != "" {
				key = a.Namespace + ":" + key
			}
			if key == mark {
				if i, err := strconv.Atoi(a.Val); err == nil {
					flat.number = i
				}
				continue
			}
			if flat.attrs == nil {
				flat.attrs = make(map[string]string)
			}
			flat.attrs[htmlscan.Lower(key)] = a.Val
		}
		all = join(all, flat)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	walk(root, 0)
	return all, nil
}

// join appends a node, to the text before it where both are text: the parser
// makes one node of what a removed element parted.
func join(all []node, n node) []node {
	if last := len(all) - 1; last >= 0 && all[last].depth == n.depth &&
		strings.HasPrefix(n.data, "text ") && strings.HasPrefix(all[last].data, "text ") {
		all[last].data += n.data[len("text "):]
		return all
	}
	return append(all, n)
}

func (n node) with(values map[string]string) node {
	attrs := make(map[string]string, len(n.attrs))
	for k, v := range n.attrs {
		attrs[k] = v
	}
	for k, v := range values {
		attrs[k] = v
	}
	n.attrs = attrs
	return n
}

func (n node) equal(o node) bool {
	if n.depth != o.depth || n.number != o.number || n.data != o.data || len(n.attrs) != len(o.attrs) {
		return false
	}
	for k, v := range n.attrs {
		if w, ok := o.attrs[k]; !ok || w != v {
			return false
		}
	}
	return true
}

func attrMap(attrs htmlscan.Attributes) map[string]string {
	m := make(map[string]string, len(attrs))
	for _, a := range attrs {
		m[a.Key] = a.Value
	}
	return m
}

// normalize does to a text what the parser does.
func normalize(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}
