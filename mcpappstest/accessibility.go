package mcpappstest

import (
	"fmt"
)

// A Barrier is something in a view that keeps some people from using it.
type Barrier struct {
	// Kind is "name" for an element without a name, "contrast" for a text that hardly
	// stands out (WCAG 1.4.3), "target-size" for something to click that is small and
	// close to another (WCAG 2.5.8), or "focus-order" for a positive tabindex (WCAG
	// 2.4.3).
	Kind string
	// Element names the element by its tag, with its id or class, and its text.
	Element string
	// Message says what is wrong with the element, and the remedy.
	Message string
}

// String returns all three in a line.
func (b Barrier) String() string { return fmt.Sprintf("%s: %s %s", b.Kind, b.Element, b.Message) }

// Accessibility returns what keeps some people from using the view as it is now: names
// and roles as the browser computes them for assistive technology, the contrast of texts
// in the light and the dark theme, the sizes of targets, and the order of the focus. A
// test of a view begins well with
//
//	for _, b := range page.Accessibility() {
//		t.Error(b)
//	}
//
// What needs judgment, such as whether a name says the right thing, it can't find.
func (p *Page) Accessibility() []Barrier {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	found, err := p.view.Audit(ctx)
	if err != nil {
		p.fatalf("looking at its accessibility: %v", err)
	}
	var list []Barrier
	for _, b := range found {
		if b.Remedy != "" {
			b.Message += ": " + b.Remedy
		}
		list = append(list, Barrier{string(b.Kind), b.Element, b.Message})
	}
	return list
}
