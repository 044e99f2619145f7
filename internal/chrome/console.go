package chrome

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Position is a place in a script. The zero value is an unknown one.
type Position struct {
	URL          string // of the script, or of the document that it is in; may be empty
	Line, Column int    // from 1, the column in UTF-16 units
}

// A Frame is a function call on the stack.
type Frame struct {
	Function string // "" for code outside of functions, and for functions without a name
	Position
}

// A Message is what a script, or the browser about a document, wrote to the
// console.
type Message struct {
	Level Level
	Text  string // shortened
	Position
	Stack []Frame // innermost first; nil if no script wrote it
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

// An Exception is an error that a script of the page, or of a frame in it, has
// thrown.
type Exception struct {
	Text string // the name and the message of the error, shortened
	// Rejection is whether it rejected a promise.
	Rejection bool
	Position
	Stack []Frame // innermost first; nil if unknown

	id int // of one that nobody caught, for its revocation
}

// Bounds of what is kept of a page's frames.
const (
	mostText       = 4000 // bytes of a message
	mostFrames     = 30   // of a stack
	mostMessages   = 1000
	mostExceptions = 1000
)

// Console returns what was written to the console so far, by the page and its
// frames. [Page.Exceptions] and [Page.FailedLoads] are not among it.
func (p *Page) Console() []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.console)
}

// Exceptions returns the errors so far that nobody caught.
func (p *Page) Exceptions() []Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.exceptions)
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
		FunctionName             string
		URL                      string
		LineNumber, ColumnNumber int
	}
}

func (s stackTrace) frames() []Frame {
	var list []Frame
	for _, f := range s.CallFrames {
		if len(list) == mostFrames {
			break
		}
		list = append(list, Frame{text.Shorten(f.FunctionName, 200), Position{text.Shorten(f.URL, mostText), f.LineNumber + 1, f.ColumnNumber + 1}})
	}
	return list
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
	m := Message{Level: LevelInfo, Text: strings.Join(texts, " "), Stack: e.StackTrace.frames()}
	switch e.Type {
	case "debug":
		m.Level = LevelDebug
	case "warning":
		m.Level = LevelWarning
	case "error", "assert":
		m.Level = LevelError
	}
	if len(m.Stack) > 0 {
		m.Position = m.Stack[0].Position
	}
	p.message(m)
}

// logged takes what the browser itself says, such as that a header is invalid. What it
// says of requests and of the policy is known better from elsewhere.
func (p *Page) logged(params json.RawMessage) {
	var e struct {
		Entry struct {
			Source, Level, Text, URL string
			LineNumber               *int
			StackTrace               stackTrace
		}
	}
	if json.Unmarshal(params, &e) != nil || e.Entry.Source == "network" {
		return
	}
	m := Message{Level: Level(e.Entry.Level), Text: e.Entry.Text, Position: Position{URL: e.Entry.URL}, Stack: e.Entry.StackTrace.frames()}
	if m.Level == "verbose" {
		m.Level = LevelDebug
	}
	if m.Level == LevelError && e.Entry.Source == "security" { // a violation of the policy, which is reported as such
		m.Level = LevelInfo
	}
	if n := e.Entry.LineNumber; n != nil {
		m.Line = *n + 1
	}
	p.message(m)
}

// rejected is how the protocol marks the exception of a rejected promise.
const rejected = "Uncaught (in promise"

func (p *Page) exceptionThrown(params json.RawMessage) {
	var e struct {
		ExceptionDetails struct {
			ExceptionID              int
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
	x := Exception{
		Text: d.Exception.thrown(d.Text), Rejection: strings.HasPrefix(d.Text, rejected),
		Position: Position{text.Shorten(d.URL, mostText), d.LineNumber + 1, d.ColumnNumber + 1}, Stack: d.StackTrace.frames(), id: d.ExceptionID,
	}
	if len(x.Stack) > 0 && x.URL == "" {
		x.URL = x.Stack[0].URL
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.exceptions) < mostExceptions {
		p.exceptions = append(p.exceptions, x)
	}
}

// exceptionRevoked forgets the rejection of a promise that has got a handler since.
func (p *Page) exceptionRevoked(params json.RawMessage) {
	var e struct{ ExceptionID int }
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exceptions = slices.DeleteFunc(p.exceptions, func(x Exception) bool { return x.id == e.ExceptionID })
}

// A remoteObject is a value in a page.
type remoteObject struct {
	Type, Subtype       string
	Value               json.RawMessage // of a primitive, if JSON has it
	UnserializableValue string          // of a primitive, else
	Description         string
	Preview             *struct {
		Subtype    string
		Overflow   bool
		Properties []struct{ Name, Type, Value string }
	}
}

// thrown is the value as an error's text: without the stack.
func (o remoteObject) thrown(otherwise string) string {
	first, _, _ := strings.Cut(cmp.Or(o.Description, otherwise), "\n    at ")
	if o.Subtype != "error" && o.Type != "" {
		first = o.text()
	}
	return text.Shorten(first, mostText)
}

// text is the value as a console shows it.
func (o remoteObject) text() string {
	var s string
	switch {
	case json.Unmarshal(o.Value, &s) == nil && o.Type == "string":
		return s
	case o.Subtype == "error":
		return o.thrown("")
	case o.Preview != nil && (o.Preview.Subtype == "" || o.Preview.Subtype == "array"):
		var parts []string
		for _, p := range o.Preview.Properties {
			value := p.Value
			if p.Type == "string" {
				value = `"` + value + `"`
			}
			if o.Preview.Subtype == "array" {
				parts = append(parts, value)
			} else {
				parts = append(parts, p.Name+": "+value)
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
