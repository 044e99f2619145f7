package liveview

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// A Barrier is something in a view that keeps some people from using it.
type Barrier struct {
	Kind BarrierKind
	// Element names the element by its tag, with its id or class, and its text.
	Element string
	// Message says what is wrong with the element, and the remedy, unless that is in
	// Remedy: one for many elements.
	Message, Remedy string
	// Dark and Contrast are those of a [BarrierContrast].
	Dark     bool
	Contrast float64
}

// String returns the kind, the element and the message.
func (b Barrier) String() string { return fmt.Sprintf("%s: %s %s", b.Kind, b.Element, b.Message) }

// A BarrierKind is what is wrong.
type BarrierKind string

const (
	// BarrierName: an element has a role, and no name.
	BarrierName BarrierKind = "name"
	// BarrierContrast: a text hardly stands out from what is behind it (WCAG 1.4.3).
	BarrierContrast BarrierKind = "contrast"
	// BarrierTarget: something to click is small and close to another (WCAG 2.5.8).
	BarrierTarget BarrierKind = "target-size"
	// BarrierOrder: a positive tabindex changes the order of the focus (WCAG 2.4.3).
	BarrierOrder BarrierKind = "focus-order"
)

// Audit returns what in the view, as it is now, keeps some people from using it: names
// and roles as the browser computes them, the sizes of targets, the order of the focus,
// and the contrast of texts in both themes. For that, the view gets the height of its
// document, and the other theme, for a moment.
func (v *View) Audit(ctx context.Context) ([]Barrier, error) {
	restore, err := v.showAll(ctx)
	if err != nil {
		return nil, err
	}
	defer restore()
	list, err := v.barriers(ctx)
	if err != nil {
		return nil, err
	}
	dark := v.theme() == host.ThemeDark
	more, err := v.Contrast(ctx)
	if err != nil {
		return nil, err
	}
	return append(list, more...), v.SetDark(ctx, dark)
}

func (v *View) theme() host.Theme {
	if b := v.Bridge(); b != nil {
		return b.Context().Theme
	}
	return ""
}

// SetDark shows the view in the dark color scheme or the light one, and returns when it
// has been told and has drawn.
func (v *View) SetDark(ctx context.Context, dark bool) error {
	if err := v.page.SetDark(ctx, dark); err != nil {
		return err
	}
	want := host.ThemeLight
	if dark {
		want = host.ThemeDark
	}
	for v.theme() != want { // of which the page tells the view
		if v.Bridge() == nil {
			return host.ErrClosed
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("the view did not get the theme: %w", context.Cause(ctx))
		}
	}
	return v.Settle(ctx)
}

// Settle waits until the view has what was sent to it so far, until what it has sent so
// far has come, and until it has drawn.
func (v *View) Settle(ctx context.Context) error {
	v.Ping(ctx)
	d, err := v.Document()
	if err != nil {
		return err
	}
	return d.Eval(ctx, `(async () => {
		for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
	})()`, nil)
}

// maxAuditHeight bounds the height of the picture that an audit takes.
const maxAuditHeight = 6000

// showAll gives the page the height of the view's document.
func (v *View) showAll(ctx context.Context) (restore func(), err error) {
	d, err := v.Document()
	if err != nil {
		return nil, err
	}
	var size struct{ Width, Height, Content int }
	err = d.Eval(ctx, `(() => {
		scrollTo({ top: 0, behavior: "instant" });
		return { width: innerWidth, height: innerHeight, content: Math.ceil(document.documentElement.scrollHeight) };
	})()`, &size)
	if err != nil || size.Content <= size.Height {
		return func() {}, err
	}
	height := min(size.Content, maxAuditHeight)
	if err := v.page.SetSize(ctx, size.Width, height); err != nil {
		return nil, err
	}
	restore = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = v.page.SetSize(ctx, size.Width, size.Height)
		_ = v.awaitHeight(ctx, size.Height)
	}
	if err := v.awaitHeight(ctx, height); err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}

func (v *View) awaitHeight(ctx context.Context, height int) error {
	for {
		d, err := v.Document()
		if err != nil {
			return err
		}
		var now int
		if err := d.Eval(ctx, "innerHeight", &now); err != nil {
			return err
		}
		if now == height {
			return v.Settle(ctx)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("the view did not get the height: %w", context.Cause(ctx))
		}
	}
}

//go:embed audit.js
var auditScript string

// collected is what the script tells.
type collected struct {
	Texts   []auditText
	Targets []target
	Order   []struct {
		Element string
		Index   int
	}
}

type box struct{ X, Y, Width, Height float64 }

type target struct {
	box
	Element string
	Exempt  bool
}

// barriers returns those that do not depend on the theme.
func (v *View) barriers(ctx context.Context) ([]Barrier, error) {
	d, err := v.Document()
	if err != nil {
		return nil, err
	}
	list, err := unnamed(ctx, d)
	if err != nil {
		return nil, err
	}
	var c collected
	if err := d.Eval(ctx, auditScript, &c); err != nil {
		return nil, err
	}
	list = append(list, smallTargets(c.Targets)...)
	for _, o := range c.Order {
		list = append(list, Barrier{Kind: BarrierOrder, Element: o.Element, Message: fmt.Sprintf("has tabindex=%d, which comes before all without: use 0 and the order of the document", o.Index)})
	}
	return list, nil
}

// remedies say, by role, how an element gets a name.
var remedies = map[string]string{
	"button": "add text, or aria-label", "link": "add text, or aria-label", "img": `add alt, which is "" for decoration`,
	"textbox": "add a label", "searchbox": "add a label", "combobox": "add a label", "listbox": "add a label", "spinbutton": "add a label",
	"checkbox": "add a label", "radio": "add a label", "switch": "add a label", "slider": "add a label",
	"tab": "add text, or aria-label", "menuitem": "add text, or aria-label",
}

// unnamed returns elements that need a name and have none.
func unnamed(ctx context.Context, d *chrome.Document) ([]Barrier, error) {
	var roles []string
	for role := range remedies {
		roles = append(roles, role)
	}
	found, err := d.Accessible(ctx, roles...)
	if err != nil {
		return nil, err
	}
	var list []Barrier
	var nodes []chrome.Node
	for _, a := range found {
		if a.Name == "" {
			list = append(list, Barrier{Kind: BarrierName, Message: fmt.Sprintf("has the role %s and no name: %s", a.Role, remedies[a.Role])})
			nodes = append(nodes, a.Node)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	var names []string
	// The browser takes a drawing for an image, though most are decoration.
	err = d.Call(ctx, `(_, ...nodes) => nodes.map((e) => {
		if (e.localName === "svg" && !e.hasAttribute("role")) return "";
		const first = typeof e.className === "string" && e.className.trim().split(/\s+/)[0];
		const source = e.getAttribute?.("src");
		return (e.localName ?? e.nodeName) + (e.id ? "#" + e.id : first ? "." + first : "") + (source ? `+"` \"${source.slice(0, 40)}\"`"+` : "");
	})`, &names, nil, nodes...)
	if err != nil {
		return nil, err
	}
	var named []Barrier
	for i, b := range list {
		if i < len(names) && names[i] != "" {
			b.Element = names[i]
			named = append(named, b)
		}
	}
	return named, nil
}

// leastTarget is the size in CSS pixels below which a target needs space around it.
const leastTarget = 24

// smallTargets returns targets that are smaller than 24 by 24 pixels and so close to
// others that a circle of 24 pixels around the middle of each is not free.
func smallTargets(targets []target) []Barrier {
	small := func(t target) bool { return t.Width < leastTarget || t.Height < leastTarget }
	var list []Barrier
	for i, t := range targets {
		if t.Exempt || !small(t) {
			continue
		}
		x, y := t.X+t.Width/2, t.Y+t.Height/2
		for j, other := range targets {
			if i == j || within(t.box, other.box) || within(other.box, t.box) {
				continue
			}
			distance := math.Hypot(x-clamp(x, other.X, other.X+other.Width), y-clamp(y, other.Y, other.Y+other.Height))
			if small(other) && !other.Exempt {
				distance = min(distance, math.Hypot(x-other.X-other.Width/2, y-other.Y-other.Height/2)-leastTarget/2)
			}
			if distance < leastTarget/2 {
				list = append(list, Barrier{Kind: BarrierTarget, Element: t.Element, Message: fmt.Sprintf(
					"has %.0f x %.0f pixels and is close to %s: make it %d x %d, or leave more space", t.Width, t.Height, other.Element, leastTarget, leastTarget)})
				break
			}
		}
	}
	return list
}

func clamp(v, low, high float64) float64 { return min(max(v, low), high) }

func within(a, b box) bool {
	return a.X >= b.X && a.Y >= b.Y && a.X+a.Width <= b.X+b.Width && a.Y+a.Height <= b.Y+b.Height
}
