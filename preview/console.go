package preview

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A ConsoleKind says how a [ConsoleEntry] came about.
type ConsoleKind string

const (
	// ConsoleMessage: the view wrote to the console.
	ConsoleMessage ConsoleKind = "console"
	// ConsoleException: a script threw an error that nothing caught, or reported one
	// with reportError, as the runtime does for what a handler throws.
	ConsoleException ConsoleKind = "exception"
	// ConsoleRejection: a promise was rejected and nothing handled it.
	ConsoleRejection ConsoleKind = "rejection"
	// ConsoleLoad: a script, a style sheet, an image or the like could not be loaded.
	// URL names it.
	ConsoleLoad ConsoleKind = "load"
	// ConsoleConnect: the view has not called app.connect() some seconds after its
	// document was loaded, or the call failed or did not come to its end.
	ConsoleConnect ConsoleKind = "connect"
	// ConsoleBlank: some seconds after its result the view shows nothing, or it
	// reports a height of 0.
	ConsoleBlank ConsoleKind = "blank"
)

// A ConsoleEntry is something that a view's document wrote to the console, or that
// failed in it. Entries come only from the preview's own page, not from the pages of
// [Preview.ViewURL].
type ConsoleEntry struct {
	Time  time.Time
	Level slog.Level
	Kind  ConsoleKind
	Text  string
	// Position is where it happened, nil if that is not known.
	Position *Position
	// Stack has a line for each call, the innermost first: its function, if that has a
	// name, and its position.
	Stack []string
	// URL is what could not be loaded.
	URL string
}

// A Position is a place in a view's code.
type Position struct {
	// Source is a file by its name in the file system that was bundled, such as
	// "ui/main.ts", if Mapped is true. Otherwise it is "document", or the address of a
	// script of its own.
	Source string `json:"source"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in UTF-16 units
	// Mapped is whether the position is the author's, by the source map that a bundle
	// has if the preview started its server.
	Mapped bool `json:"mapped"`
}

// String returns the position in the usual form, such as "ui/main.ts:3:9".
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column) }

// Bounds of the entries of a view.
const (
	consoleRate   = 100 // entries per second
	consoleBurst  = 500
	consoleText   = 10 << 10 // bytes
	consoleStack  = 20 << 10
	consoleFrames = 30
)

// A posted is an entry as the script in the document posts it.
type posted struct {
	Time   float64     `json:"time"` // milliseconds since 1970
	Level  string      `json:"level"`
	Kind   ConsoleKind `json:"kind"`
	Text   string      `json:"text"`
	Source string      `json:"source"`
	Line   int         `json:"line"`
	Column int         `json:"column"`
	Stack  string      `json:"stack"`
	URL    string      `json:"url"`
}

var consoleLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError}

// console takes entries that the page got from the view's document. A view can post
// any.
func (v *view) consolePosted(entries []json.RawMessage) {
	for _, raw := range entries {
		var e posted
		level, known := slog.LevelInfo, false
		if json.Unmarshal(raw, &e) == nil {
			level, known = consoleLevels[e.Level]
		}
		if !known {
			continue
		}
		if !v.entries.Allow() {
			if n := v.entries.Refused(); n > 0 {
				v.report(ConsoleEntry{Time: time.Now(), Level: slog.LevelWarn, Kind: ConsoleMessage, Text: fmt.Sprintf("left out %d entries: more than %d a second", n, consoleRate)})
			}
			continue
		}
		switch e.Kind {
		case ConsoleBlank:
			v.hints.blank()
		case ConsoleMessage, ConsoleException, ConsoleRejection, ConsoleLoad:
			entry := ConsoleEntry{Time: time.Now(), Level: level, Kind: e.Kind, Text: text.Shorten(e.Text, consoleText), URL: text.Shorten(e.URL, 1000)}
			if at := time.UnixMilli(int64(e.Time)); entry.Time.Sub(at).Abs() < time.Minute {
				entry.Time = at
			}
			entry.Position, entry.Stack = v.places().find(e)
			v.report(entry)
		}
	}
}

// report passes an entry to the program and the page.
func (v *view) report(e ConsoleEntry) {
	v.emit(Event{Kind: EventConsole, Console: e})
	name := ""
	for n, level := range consoleLevels {
		if level == e.Level {
			name = n
		}
	}
	v.tab.send(struct {
		Type     string      `json:"type"`
		View     string      `json:"view"`
		Time     int64       `json:"time"`
		Level    string      `json:"level"`
		Kind     ConsoleKind `json:"kind"`
		Text     string      `json:"text"`
		Position *Position   `json:"position,omitempty"`
		Stack    []string    `json:"stack,omitempty"`
		URL      string      `json:"url,omitempty"`
	}{"console", v.name, e.Time.UnixMilli(), name, e.Kind, e.Text, e.Position, e.Stack, e.URL})
}

// newEntries returns the limiter of a view's entries.
func newEntries() *ratelimit.Limiter { return ratelimit.New(consoleRate, consoleBurst) }
