package chrome

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Message is what a script, or the browser about a document, wrote to the
// console.
type Message struct {
	Level        Level
	Text         string // shortened
	URL          string // of the script, document or request; may be empty
	Line, Column int    // from 1; 0 if unknown
}

func (m Message) String() string {
	return fmt.Sprintf("%s: %s (%s:%d:%d)", m.Level, m.Text, m.URL, m.Line, m.Column)
}

// A Level says how serious a message is.
type Level string

const (
	LevelDebug   Level = "debug"
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

// An Exception is an error that no script of the page, or of a frame in it,
// caught.
type Exception struct {
	Text         string // its first line, shortened
	URL          string // of the script, or of the document that it is in
	Line, Column int    // from 1
}

// Bounds of what a page's frames may leave, beyond which nothing is kept.
const (
	mostText       = 600 // bytes of a message
	mostMessages   = 1000
	mostExceptions = 1000
)

// Console returns what was written to the console so far, by the page and its
// frames. [Page.Exceptions] are not among it.
func (p *Page) Console() []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Message(nil), p.console...)
}

// Exceptions returns the errors so far that were not caught.
func (p *Page) Exceptions() []Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Exception(nil), p.exceptions...)
}

func (p *Page) message(m Message) {
	m.Text = text.Shorten(m.Text, mostText)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.console) < mostMessages {
		p.console = append(p.console, m)
	}
}

type stackTrace struct {
	CallFrames []struct {
		URL                      string
		LineNumber, ColumnNumber int
	}
}

func (p *Page) consoleCalled(params json.RawMessage) {
	var e struct {
		Type       string
		Args       []remoteObject
		StackTrace stackTrace
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	texts := make([]string, len(e.Args))
	for i, a := range e.Args {
		texts[i] = a.text()
	}
	m := Message{Level: LevelInfo, Text: strings.Join(texts, " ")}
	switch e.Type {
	case "debug":
		m.Level = LevelDebug
	case "warning":
		m.Level = LevelWarning
	case "error", "assert":
		m.Level = LevelError
	}
	if frames := e.StackTrace.CallFrames; len(frames) > 0 {
		m.URL, m.Line, m.Column = frames[0].URL, frames[0].LineNumber+1, frames[0].ColumnNumber+1
	}
	p.message(m)
}

// logged takes what the browser itself says: a request that failed, for
// instance.
func (p *Page) logged(params json.RawMessage) {
	var e struct {
		Entry struct {
			Level, Text, URL string
			LineNumber       *int
		}
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	m := Message{Level: Level(e.Entry.Level), Text: e.Entry.Text, URL: e.Entry.URL}
	if m.Level == "verbose" {
		m.Level = LevelDebug
	}
	if n := e.Entry.LineNumber; n != nil {
		m.Line = *n + 1
	}
	p.message(m)
}

func (p *Page) exceptionThrown(params json.RawMessage) {
	var e struct {
		ExceptionDetails struct {
			Text                     string
			URL                      string
			LineNumber, ColumnNumber int
			Exception                remoteObject
			StackTrace               stackTrace
		}
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	d := e.ExceptionDetails
	first, _, _ := strings.Cut(cmp.Or(d.Exception.Description, d.Text), "\n")
	if frames := d.StackTrace.CallFrames; d.URL == "" && len(frames) > 0 {
		d.URL = frames[0].URL
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.exceptions) < mostExceptions {
		p.exceptions = append(p.exceptions, Exception{text.Shorten(first, mostText), d.URL, d.LineNumber + 1, d.ColumnNumber + 1})
	}
}

// A remoteObject is a value in a page.
type remoteObject struct {
	Type                string
	Value               json.RawMessage // of a primitive, if JSON has it
	UnserializableValue string          // of a primitive, else
	Description         string
	Preview             *struct {
		Subtype    string
		Overflow   bool
		Properties []struct{ Name, Value string }
	}
}

// text is the value as a console shows it.
func (o remoteObject) text() string {
	var s string
	switch {
	case json.Unmarshal(o.Value, &s) == nil && o.Type == "string":
		return s
	case o.Preview != nil && (o.Preview.Subtype == "" || o.Preview.Subtype == "array"):
		var parts []string
		for _, p := range o.Preview.Properties {
			if o.Preview.Subtype == "array" {
				parts = append(parts, p.Value)
			} else {
				parts = append(parts, p.Name+": "+p.Value)
			}
		}
		if o.Preview.Overflow {
			parts = append(parts, "…")
		}
		if list := strings.Join(parts, ", "); o.Preview.Subtype == "array" {
			return "[" + list + "]"
		} else {
			return "{" + list + "}"
		}
	}
	return cmp.Or(o.UnserializableValue, o.Description, string(o.Value), o.Type)
}
