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

// A NoteKind says what a note is about, for programs that act on it. Further
// kinds may be added.
type NoteKind string

const (
	// NoteClosed: the bridge was closed, or closing it went wrong.
	NoteClosed NoteKind = "closed"
	// NoteDocument: the view's document could not be read or shown, or needs a
	// file that does not exist.
	NoteDocument NoteKind = "document"
	// NoteMetadata: a part of the resource's metadata has no effect.
	NoteMetadata NoteKind = "metadata"
	// NoteInvalid: a message of the view is malformed or has invalid parameters.
	NoteInvalid NoteKind = "invalid"
	// NoteOrder: a message of the view came before or after its time.
	NoteOrder NoteKind = "order"
	// NoteUnknown: a notification of the view has an unknown method, or one that
	// views may not send.
	NoteUnknown NoteKind = "unknown"
	// NoteDeclined: the host declined what the view asked for.
	NoteDeclined NoteKind = "declined"
	// NoteLimit: a limit was exceeded, and something was dropped.
	NoteLimit NoteKind = "limit"
	// NoteViolation: the view's policy blocked something.
	NoteViolation NoteKind = "violation"
	// NoteViewLost: the frame no longer shows the view, or the view does not
	// answer.
	NoteViewLost NoteKind = "view-lost"
	// NoteProgram: a callback of the program returned something invalid.
	NoteProgram NoteKind = "program"
	// NoteOtherView: the result of the call that opened the view names another one.
	NoteOtherView NoteKind = "other-view"
	// NoteEmulated: the bridge did what the host does that it emulates, see
	// [Emulation].
	NoteEmulated NoteKind = "emulated"
)

// A TraceEntry is one line in the record of a view: a message in either direction,
// or a note.
type TraceEntry struct {
	Time      time.Time
	Direction Direction
	// Message is the message as it crossed; nil in notes. The receiver may keep
	// it but not change it.
	Message json.RawMessage
	// Kind says what a note is about; it is empty for messages.
	Kind NoteKind
	// Text is a note for people. Programs use Kind.
	Text  string
	Level Level
}

func (b *Bridge) trace(dir Direction, msg json.RawMessage) {
	if b.opts.Trace != nil {
		b.opts.Trace(TraceEntry{Time: time.Now(), Direction: dir, Message: msg, Level: LevelInfo})
	}
}

func (b *Bridge) note(level Level, kind NoteKind, text string) {
	if b.opts.Trace != nil {
		b.opts.Trace(TraceEntry{Time: time.Now(), Direction: Note, Level: level, Kind: kind, Text: text})
	}
}
