package preview

import (
	"encoding/json"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// An EventKind says what happened in a view.
type EventKind string

const (
	// EventOpened: the document was read, and the page shows the view.
	EventOpened EventKind = "opened"
	// EventFailed: there is no view. Err says why: the tool does not exist or has
	// no view, the document can't be read, or the server is not connected. On the
	// preview's own page, a view whose document can't be bundled is opened once it can.
	EventFailed EventKind = "failed"
	// EventInitialized: the view sent ui/notifications/initialized. It does so
	// again each time its document loads.
	EventInitialized EventKind = "initialized"
	// EventSized: the view reported its size. Size has it.
	EventSized EventKind = "sized"
	// EventResult: the call that opened the view ended, with a Result or an Err.
	EventResult EventKind = "result"
	// EventViolation: a policy blocked something. Violation says what.
	EventViolation EventKind = "violation"
	// EventTrace: the view's record has a new entry, in Entry. Events that have a
	// kind of their own are on the record as well.
	EventTrace EventKind = "trace"
	// EventConsole: the view's document wrote to the console, or something failed in
	// it. Console says what. Only views on the preview's own page have this event.
	EventConsole EventKind = "console"
	// EventViewLeft: the view navigated to another page, or was blocked when it
	// tried. Its frame no longer shows the view.
	EventViewLeft EventKind = "view-left"
	// EventProxyLeft: the sandbox proxy navigated to another page. The view is
	// gone with it.
	EventProxyLeft EventKind = "proxy-left"
	// EventSilent: the view gave no sign of life for the time in Silence.
	EventSilent EventKind = "silent"
	// EventBack: a silent view answered again after the time in Silence.
	EventBack EventKind = "back"
	// EventDied: the view's process died, or the view removed its own frame. The
	// preview closes the view next.
	EventDied EventKind = "died"
	// EventClosed: the view was closed. Err is the reason.
	EventClosed EventKind = "closed"
)

// An Event is something that happened in a view. Fields that its kind does not
// name are zero.
type Event struct {
	Kind EventKind
	// Time is when the preview learned of it.
	Time time.Time
	// Page is the name that the "name" parameter of [Preview.ViewURL] gave the
	// page.
	Page string
	// View is the view's own name, empty in an [EventFailed] without a view.
	View string
	// Tool is the tool that opened the view.
	Tool string

	Err       error
	Result    json.RawMessage // a CallToolResult as the server sent it
	Size      host.Size
	Silence   time.Duration
	Violation host.Violation
	Entry     host.TraceEntry
	Console   ConsoleEntry
}

// emit passes an event to the program.
func (p *Preview) emit(e Event) {
	if p.opts.Event != nil {
		e.Time = time.Now()
		p.opts.Event(e)
	}
}

// emit passes an event of this view to the program.
func (v *view) emit(e Event) {
	e.Page, e.View, e.Tool = v.page, v.name, v.tool
	v.preview.emit(e)
}
