package liveview

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// ContrastRemedy says what to do about a [BarrierContrast].
const ContrastRemedy = `follow the host's theme: <meta name="color-scheme" content="light dark">, the host's style variables with applyHostStyleVariables(), or a background and a color that belong together`

// An auditText is a text of the view, and how its style says that it looks.
type auditText struct {
	box
	Element string
	Color   string // as CSS computes it
	Opacity float64
	Size    float64 // in CSS pixels
	Bold    bool
}

// Contrast returns the texts in what is shown of the view that hardly stand out, in the
// theme that the view has now and then in the other, in which it leaves the view.
func (v *View) Contrast(ctx context.Context) ([]Barrier, error) {
	now := v.theme() == host.ThemeDark
	var list []Barrier
	for _, dark := range []bool{now, !now} {
		if dark != now {
			if err := v.SetDark(ctx, dark); err != nil {
				return nil, err
			}
		}
		more, err := v.steadyContrast(ctx, dark)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// steadyContrast returns the texts that hardly stand out in two pictures, one after the
// other: on a busy machine the first one can show the background of the theme before.
func (v *View) steadyContrast(ctx context.Context, dark bool) ([]Barrier, error) {
	list, err := v.contrast(ctx, dark)
	for tries := 0; err == nil && len(list) > 0 && tries < 5; tries++ {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if err := v.Settle(ctx); err != nil {
			return nil, err
		}
		var again []Barrier
		if again, err = v.contrast(ctx, dark); slices.Equal(list, again) {
			break
		}
		list = again
	}
	return list, err
}

// contrast returns the texts that hardly stand out in the theme that the view has now.
// What is behind a text is read from a picture of the view, so that it does not matter
// how it came about: by the view's own background, an image, or the host's surface
// behind a view without one.
func (v *View) contrast(ctx context.Context, dark bool) ([]Barrier, error) {
	d, err := v.Document()
	if err != nil {
		return nil, err
	}
	// A change of theme may be animated. An animation without an end can't be finished.
	if err := d.Eval(ctx, `document.getAnimations().forEach((a) => { try { a.finish() } catch {} })`, nil); err != nil {
		return nil, err
	}
	var c collected
	if err := d.Eval(ctx, auditScript, &c); err != nil {
		return nil, err
	}
	left, top, err := d.Origin(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := v.page.Screenshot(ctx)
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(picture, picture.Rect, img, img.Bounds().Min, draw.Src)
	theme := "light"
	if dark {
		theme = "dark"
	}
	var list []Barrier
	for _, t := range c.Texts {
		color, alpha, ok := parseColor(t.Color)
		if !ok {
			continue
		}
		t.X, t.Y = t.X+left, t.Y+top
		least := 4.5
		if t.Size >= 24 || t.Bold && t.Size >= 18.66 {
			least = 3
		}
		ratio, shown, behind, ok := bestContrast(picture, t.box, color, alpha*t.Opacity)
		if ok && ratio < least-0.005 {
			list = append(list, Barrier{Kind: BarrierContrast, Element: t.Element, Dark: dark, Contrast: ratio, Message: fmt.Sprintf(
				"in the %s theme: %v on %v has a contrast of %.2f, and needs %v", theme, shown, behind, ratio, least), Remedy: ContrastRemedy})
		}
	}
	return list, nil
}

// An rgb is an opaque color.
type rgb [3]uint8

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// over returns what is seen of c with the opacity alpha on another color.
func (c rgb) over(behind rgb, alpha float64) (seen rgb) {
	for i := range c {
		seen[i] = uint8(math.Round(alpha*float64(c[i]) + (1-alpha)*float64(behind[i])))
	}
	return seen
}

// luminance is the relative luminance of WCAG 2.
func (c rgb) luminance() float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// contrastRatio is the contrast ratio of WCAG 2, from 1 to 21.
func contrastRatio(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// parseColor reads a color as getComputedStyle writes those of sRGB.
func parseColor(s string) (c rgb, alpha float64, ok bool) {
	alpha = 1
	var r, g, b float64
	if n, _ := fmt.Sscanf(s, "rgba(%g, %g, %g, %g)", &r, &g, &b, &alpha); n < 4 {
		alpha = 1
		if n, _ := fmt.Sscanf(s, "rgb(%g, %g, %g)", &r, &g, &b); n < 3 {
			return c, 0, false
		}
	}
	return rgb{uint8(r), uint8(g), uint8(b)}, alpha, true
}

// leastShare is how much of a text's box must have one color for it to count as what is
// behind the text. Above an image or a gradient no color may have as much.
const leastShare = 0.1

// bestContrast returns the highest contrast between a text and what may be behind it: the
// colors that much of its box has, among which may be the text's own.
func bestContrast(picture *image.RGBA, b box, text rgb, alpha float64) (ratio float64, shown, behind rgb, ok bool) {
	area := image.Rect(int(b.X), int(b.Y), int(math.Ceil(b.X+b.Width)), int(math.Ceil(b.Y+b.Height))).Intersect(picture.Rect)
	counts := make(map[rgb]int)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := picture.PixOffset(x, y)
			counts[rgb(picture.Pix[i:i+3])]++
		}
	}
	least := max(1, int(leastShare*float64(area.Dx()*area.Dy())))
	for c, n := range counts {
		if n < least {
			continue
		}
		seen := text.over(c, alpha)
		if r := contrastRatio(seen, c); !ok || r > ratio {
			ratio, shown, behind, ok = r, seen, c, true
		}
	}
	return ratio, shown, behind, ok
}
