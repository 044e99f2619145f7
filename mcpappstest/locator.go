package mcpappstest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// A Locator finds elements of a view each time it is used. Methods that need one element
// wait until there is one; more than one is an error, unless [Locator.Nth] names one.
// Methods that act wait, too, until the element is visible, does not move, is enabled,
// and nothing covers it. They give up after [PageOptions.Timeout].
//
// Elements in open shadow trees are found, and by role those in closed ones; elements in
// frames within the view are not.
type Locator struct {
	page  *Page
	kind  string // role, text or selector
	value string
	name  string // with a role; "" is any
	nth   int    // -1 for the only one
}

// ByRole locates elements by their ARIA role and accessible name, as assistive
// technology sees them: a button by what it says. The name is the whole name; "" means
// any.
func (p *Page) ByRole(role, name string) *Locator {
	return &Locator{page: p, kind: "role", value: role, name: squash(name), nth: -1}
}

// ByText locates the smallest elements whose text contains a text, with each run of
// white space as one space.
func (p *Page) ByText(text string) *Locator {
	return &Locator{page: p, kind: "text", value: squash(text), nth: -1}
}

// Locator locates elements by a CSS selector.
func (p *Page) Locator(selector string) *Locator {
	return &Locator{page: p, kind: "selector", value: selector, nth: -1}
}

func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// Nth locates one of the elements, counted from 0.
func (l *Locator) Nth(i int) *Locator {
	one := *l
	one.nth = max(i, 0)
	return &one
}

// String says in words what the locator finds.
func (l *Locator) String() string {
	var s string
	switch {
	case l.kind == "text":
		s = fmt.Sprintf("an element with the text %q", l.value)
	case l.kind == "selector":
		s = fmt.Sprintf("an element %q", l.value)
	case l.name == "":
		s = "an element with the role " + l.value
	default:
		s = fmt.Sprintf("an element with the role %s and the name %q", l.value, l.name)
	}
	if l.nth >= 0 {
		s += fmt.Sprintf(", number %d from 0", l.nth)
	}
	return s
}

// Wait waits until an element is visible.
func (l *Locator) Wait() {
	l.page.t.Helper()
	l.do("waiting for", "appears", "", "", nil)
}

// WaitGone waits until no such element is visible.
func (l *Locator) WaitGone() {
	l.page.t.Helper()
	l.do("waiting for the end of", "gone", "", "", nil)
}

// WaitText waits until the element's text contains a text, with each run of white space
// as one space.
func (l *Locator) WaitText(text string) {
	l.page.t.Helper()
	l.do(fmt.Sprintf("waiting for the text %q in", text), "has", squash(text), "", nil)
}

// Click clicks the middle of the element with the mouse.
func (l *Locator) Click() {
	l.page.t.Helper()
	l.do("clicking", "click", "", "", func(ctx context.Context, d *chrome.Document, a answer) error {
		return l.confirm(ctx, d, d.Click(ctx, a.X, a.Y))
	})
}

// Fill replaces what an input, a text area or an editable element holds. An input for a
// date, time, number range or color takes its value as HTML writes it, such as
// "2026-12-31".
func (l *Locator) Fill(value string) {
	l.page.t.Helper()
	l.do("filling", "fill", value, "", func(ctx context.Context, d *chrome.Document, a answer) error {
		switch {
		case a.Value != nil: // it is set
			return nil
		case value == "":
			return l.confirm(ctx, d, l.page.view.Page().Press(ctx, "Delete"))
		}
		return l.confirm(ctx, d, l.page.view.Page().InsertText(ctx, value))
	})
}

// Select chooses an option of a select element, by its value or its label.
func (l *Locator) Select(option string) {
	l.page.t.Helper()
	l.do(fmt.Sprintf("selecting %q in", option), "select", option, "", nil)
}

// Press gives the element the focus and presses a key, see [Page.Press].
func (l *Locator) Press(key string) {
	l.page.t.Helper()
	l.do("pressing a key in", "focus", "", "", func(ctx context.Context, d *chrome.Document, _ answer) error {
		return l.confirm(ctx, d, l.page.view.Page().Press(ctx, key))
	})
}

// Text returns the text that the element shows, without space around it.
func (l *Locator) Text() string {
	l.page.t.Helper()
	return l.string("text", "")
}

// Value returns the value of an input, a text area or a select element.
func (l *Locator) Value() string {
	l.page.t.Helper()
	return l.string("value", "")
}

// Attribute returns an attribute of the element, and whether it has it.
func (l *Locator) Attribute(name string) (value string, ok bool) {
	l.page.t.Helper()
	if v, ok := l.do("reading", "attribute", name, "", nil).Value.(string); ok {
		return v, true
	}
	return "", false
}

// Count returns how many such elements there are now.
func (l *Locator) Count() int {
	l.page.t.Helper()
	return l.do("counting", "count", "", "", nil).Count
}

// Visible reports whether such an element is visible now.
func (l *Locator) Visible() bool {
	l.page.t.Helper()
	v, _ := l.do("looking at", "visible", "", "", nil).Value.(bool)
	return v
}

// Eval calls a JavaScript function, such as "(e) => e.checked", with the element, and
// returns its result as encoding/json decodes it into an any.
func (l *Locator) Eval(function string) any {
	l.page.t.Helper()
	return l.do("evaluating a function with", "eval", "", function, nil).Value
}

func (l *Locator) string(act, arg string) string {
	l.page.t.Helper()
	s, _ := l.do("reading", act, arg, "", nil).Value.(string)
	return s
}

// confirm asks whether what the browser did, with the error err, came to the view. The
// browser gives a click to the page around the view while it does not know yet where the
// view's frame is, and a key while it does not know yet that the frame has the focus.
func (l *Locator) confirm(ctx context.Context, d *chrome.Document, err error) error {
	if err != nil {
		return err
	}
	a, err := l.ask(ctx, d, "came", "", "")
	if err == nil && !a.Done {
		return errAgain
	}
	return nil // an error says that the view's document went because of it
}

var errAgain = errors.New("what the browser did has not come to the view")

//go:embed locator.js
var locatorScript string

// An answer is what the script says about a query.
type answer struct {
	Count int
	Done  bool
	Value any
	X, Y  float64
	Wait  *string // why not yet; "" if there is no such element
	Never *string // why never
}

// do waits until the script says that something is done, and finishes it with then,
// which may be nil. doing begins the message of a failure.
func (l *Locator) do(doing, act, arg, function string, then func(context.Context, *chrome.Document, answer) error) answer {
	p := l.page
	p.t.Helper()
	var a answer
	err := p.until(func(ctx context.Context) (bool, error) {
		d, err := p.view.Document()
		if err != nil {
			return false, err
		}
		if a, err = l.ask(ctx, d, act, arg, function); err != nil {
			// A function that throws will do so again; a document that is gone is
			// followed by the next.
			return function != "" && !chrome.IsGone(err) && ctx.Err() == nil, err
		}
		switch {
		case a.Never != nil:
			return true, errors.New(*a.Never)
		case a.Done && then != nil:
			err := then(ctx, d, a)
			return err != errAgain, err
		case a.Done:
			return true, nil
		case a.Wait != nil && *a.Wait != "":
			return false, errors.New(*a.Wait)
		}
		return false, l.missing(ctx, d)
	})
	if err != nil {
		p.fatalf("%s %v: %v", doing, l, err)
	}
	return a
}

// ask calls the script in the view's document.
func (l *Locator) ask(ctx context.Context, d *chrome.Document, act, arg, function string) (a answer, err error) {
	query := map[string]any{"kind": l.kind, "value": l.value, "nth": l.nth, "act": act, "arg": arg}
	var nodes []chrome.Node
	if l.kind == "role" {
		found, err := d.ByRole(ctx, l.value)
		if err != nil {
			return answer{}, err
		}
		for _, e := range found {
			if l.name == "" || squash(e.Name) == l.name {
				nodes = append(nodes, e.Node)
			}
		}
	}
	if function == "" {
		function = "undefined"
	}
	err = d.Call(ctx, "(query, ...nodes) => ("+strings.TrimSuffix(strings.TrimSpace(locatorScript), ";")+")("+function+", query, ...nodes)", &a, query, nodes...)
	return a, err
}

// missing is the error for a locator that finds nothing. It names what there is of a
// role.
func (l *Locator) missing(ctx context.Context, d *chrome.Document) error {
	if l.kind == "role" && l.name != "" {
		found, _ := d.ByRole(ctx, l.value)
		var names []string
		for _, e := range found[:min(len(found), 20)] {
			names = append(names, fmt.Sprintf("%q", squash(e.Name)))
		}
		if len(names) > 0 {
			return fmt.Errorf("the view has no such element; the names of that role are: %s", strings.Join(names, ", "))
		}
	}
	return errors.New("the view has no such element")
}
