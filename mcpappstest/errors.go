package mcpappstest

import (
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// An Error is something that went wrong in a view.
type Error struct {
	// Text says what: the error that no script caught, the request that failed, or what
	// the policy blocked.
	Text string
	// Source, Line and Column are where, from 1, as far as it is known: a file of the
	// bundle, such as ui/main.ts, or else the URL of a script or document.
	Source       string
	Line, Column int
}

// String returns the text and the place.
func (e Error) String() string { return e.Text + place(e.Source, e.Line, e.Column) }

// A Message is what the view wrote to the console, or what the browser wrote about it.
type Message struct {
	Level string // "debug", "info", "warning" or "error"
	Text  string // shortened
	// Source, Line and Column are those of [Error].
	Source       string
	Line, Column int
}

// String returns the level, the text and the place.
func (m Message) String() string {
	return m.Level + ": " + m.Text + place(m.Source, m.Line, m.Column)
}

func place(source string, line, column int) string {
	switch {
	case source == "":
		return ""
	case line == 0:
		return fmt.Sprintf(" (%s)", source)
	}
	return fmt.Sprintf(" (%s:%d:%d)", source, line, column)
}

// Errors returns what went wrong in the view so far: errors and rejected promises that
// no script caught, requests that failed, and what the view's policy blocked. At the end
// of a test, those that it has not read by Errors fail it.
func (p *Page) Errors() []Error {
	list := p.errors()
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.read)
	for _, e := range list {
		p.read[e]++
	}
	return list
}

// Console returns what was written to the view's console so far.
func (p *Page) Console() []Message {
	o := p.view.Outcome()
	var list []Message
	for _, m := range o.Console {
		at := o.Place(m.Position)
		list = append(list, Message{Level: string(m.Level), Text: m.Text, Source: at.Source, Line: at.Line, Column: at.Column})
	}
	return list
}

// errors returns what went wrong, by kinds and then in order.
func (p *Page) errors() []Error {
	o := p.view.Outcome()
	var list []Error
	for _, f := range o.Failures() {
		switch f.Kind {
		case liveview.KindLoad, liveview.KindException, liveview.KindRejection, liveview.KindViolation:
			e := Error{Text: f.Text, Source: f.Position.Source, Line: f.Position.Line, Column: f.Position.Column}
			if f.Remedy != "" {
				e.Text += ": " + f.Remedy
			}
			list = append(list, e)
		}
	}
	return list
}
