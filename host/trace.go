package host

import (
	"encoding/json"
	"time"
)

// A Direction says which way a traced message went.
type Direction string

const (
	FromView Direction = "from-view"
	ToView   Direction = "to-view"
	// Note marks an entry without a message: something that the bridge did or
	// refused to do.
	Note Direction = "note"
)

// A Level says how much an entry matters to the author of the view.
type Level string

const (
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

// An Entry is one line in the record of a view: a message in either direction,
// or a note.
type Entry struct {
	Time      time.Time
	Direction Direction
	// Message is the message as it crossed; nil in notes. The receiver may keep
	// it but not change it.
	Message json.RawMessage
	// Text says what is noteworthy, for messages that were refused and for
	// notes.
	Text  string
	Level Level
}

func (b *Bridge) trace(dir Direction, msg json.RawMessage) {
	if b.opts.Trace != nil {
		b.opts.Trace(Entry{Time: time.Now(), Direction: dir, Message: msg, Level: LevelInfo})
	}
}

func (b *Bridge) note(level Level, text string) {
	if b.opts.Trace != nil {
		b.opts.Trace(Entry{Time: time.Now(), Direction: Note, Text: text, Level: level})
	}
}
