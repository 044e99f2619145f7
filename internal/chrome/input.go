package chrome

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Click presses and releases the left mouse button at a point in the document's
// viewport, as a user does.
func (d *Document) Click(ctx context.Context, x, y float64) error {
	left, top, err := d.Origin(ctx)
	if err != nil {
		return err
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		params := map[string]any{"type": kind, "x": left + x, "y": top + y}
		if kind != "mouseMoved" {
			params["button"], params["clickCount"] = "left", 1
		}
		if err := d.page.result(ctx, "Input.dispatchMouseEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// InsertText inserts text into what has the focus, as an input method does: without
// events of keys.
func (p *Page) InsertText(ctx context.Context, text string) error {
	return p.result(ctx, "Input.insertText", map[string]any{"text": text}, nil)
}

// Press presses and releases a key in what has the focus: a character, or the name
// of another key, such as "Enter" or "ArrowLeft", after any of "Control+", "Shift+",
// "Alt+" and "Meta+".
func (p *Page) Press(ctx context.Context, key string) error {
	k, held, err := parseKey(key)
	if err != nil {
		return err
	}
	modifiers := 0
	var events []map[string]any
	for _, m := range held {
		modifiers |= m.modifier
		events = append(events, m.event("rawKeyDown", modifiers))
	}
	if modifiers&^shiftModifier != 0 {
		k.text = "" // a shortcut writes nothing
	}
	down := k.event("rawKeyDown", modifiers)
	if k.text != "" {
		down = k.event("keyDown", modifiers)
		down["text"] = k.text
	}
	events = append(events, down, k.event("keyUp", modifiers))
	for i := len(held) - 1; i >= 0; i-- {
		modifiers &^= held[i].modifier
		events = append(events, held[i].event("keyUp", modifiers))
	}
	for _, e := range events {
		if err := p.result(ctx, "Input.dispatchKeyEvent", e, nil); err != nil {
			return err
		}
	}
	return nil
}

// A key is one of a keyboard with the layout of the United States.
type key struct {
	key, code string
	windows   int    // the virtual key code of Windows
	text      string // that it writes
	modifier  int
}

func (k key) event(kind string, modifiers int) map[string]any {
	return map[string]any{"type": kind, "key": k.key, "code": k.code, "windowsVirtualKeyCode": k.windows, "modifiers": modifiers}
}

const shiftModifier = 8

var modifiers = map[string]key{
	"Alt": {"Alt", "AltLeft", 18, "", 1}, "Control": {"Control", "ControlLeft", 17, "", 2},
	"Meta": {"Meta", "MetaLeft", 91, "", 4}, "Shift": {"Shift", "ShiftLeft", 16, "", shiftModifier},
}

var namedKeys = map[string]key{
	"Enter": {windows: 13, text: "\r"}, "Tab": {windows: 9}, "Escape": {windows: 27},
	"Backspace": {windows: 8}, "Delete": {windows: 46}, "Insert": {windows: 45},
	"ArrowLeft": {windows: 37}, "ArrowUp": {windows: 38}, "ArrowRight": {windows: 39}, "ArrowDown": {windows: 40},
	"Home": {windows: 36}, "End": {windows: 35}, "PageUp": {windows: 33}, "PageDown": {windows: 34},
	"F1": {windows: 112}, "F2": {windows: 113}, "F3": {windows: 114}, "F4": {windows: 115}, "F5": {windows: 116}, "F6": {windows: 117},
	"F7": {windows: 118}, "F8": {windows: 119}, "F9": {windows: 120}, "F10": {windows: 121}, "F11": {windows: 122}, "F12": {windows: 123},
}

// parseKey reads a key and those that are held meanwhile.
func parseKey(name string) (k key, held []key, err error) {
	rest := name
	for {
		before, after, found := strings.Cut(rest, "+")
		m, known := modifiers[before]
		if !found || after == "" || !known {
			break
		}
		held, rest = append(held, m), after
	}
	if k, ok := namedKeys[rest]; ok {
		k.key, k.code = rest, rest
		return k, held, nil
	}
	if m, ok := modifiers[rest]; ok {
		return m, held, nil
	}
	if rest == "Space" {
		rest = " "
	}
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 || size != len(rest) || r == utf8.RuneError {
		return key{}, nil, fmt.Errorf("unknown key %q: give one character, or a name such as \"Enter\", \"Tab\", \"ArrowDown\" or \"F2\"", name)
	}
	k = key{key: rest, text: rest}
	switch upper := strings.ToUpper(rest); {
	case rest == " ":
		k.code, k.windows = "Space", 32
	case "A" <= upper && upper <= "Z" && len(rest) == 1:
		k.code, k.windows = "Key"+upper, int(upper[0])
	case "0" <= rest && rest <= "9" && len(rest) == 1:
		k.code, k.windows = "Digit"+rest, int(rest[0])
	}
	return k, held, nil
}
