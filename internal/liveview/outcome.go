package liveview

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/preview"
)

// An Outcome is what has happened in a view so far.
type Outcome struct {
	// Failed says why there is no view: the tool does not exist, for instance, or
	// its document can't be read.
	Failed error
	// Opened: the document was read, and the page shows it.
	Opened bool
	// InitializeSent: the view sent ui/initialize.
	InitializeSent bool
	// Initialized: the view sent ui/notifications/initialized.
	Initialized bool
	// Sized: the view reported its size. Height is the last height, in CSS pixels.
	Sized  bool
	Height int

	// Answered: the call that opened the view has a result or an error. Result is
	// a CallToolResult as the server sent it, nil if there is ResultErr.
	Answered  bool
	Result    json.RawMessage
	ResultErr error

	// Left is [preview.EventViewLeft] or [preview.EventProxyLeft] once the view
	// or its proxy went to another page, else empty.
	Left preview.EventKind
	// Died: the view's process died, or the view removed its own frame.
	Died bool
	// Crashed: the browser ended the view's process.
	Crashed bool
	// Closed is why the view was closed, nil while it is open.
	Closed error
	// Hangs is for how long the view's script has let nothing else in its frame
	// have a turn, 0 if it does.
	Hangs time.Duration
	// Blank: the view has its result and shows no text, picture, control or
	// color. Watch sets it.
	Blank bool

	Violations []host.Violation
	// Refusals are the view's requests that were answered with an error.
	Refusals []Refusal
	// Notes are what the preview noted of the view beyond [host.LevelInfo], such
	// as messages that it dropped, and [host.NoteOtherView].
	Notes []host.TraceEntry
	// Exceptions are the errors that no script of the view caught, Caught the first of
	// those that one did. Console is what its scripts and the browser wrote to its
	// console, and FailedLoads are its requests that failed.
	Exceptions, Caught []chrome.Exception
	Console            []chrome.Message
	FailedLoads        []chrome.FailedLoad

	// Waited is how long Watch waited for the view, once it was opened.
	Waited time.Duration

	sources *sourcemap.Map // nil if the document has none
	webRTC  bool           // whether the document names its constructor
	probe   probe
}

// A Refusal is an error that answered a request of the view.
type Refusal struct {
	Method  string
	Subject string // the tool or URI that the request names, "" if it names none
	Code    int
	Message string
}

// Gone reports whether the frame shows the view no longer.
func (o *Outcome) Gone() bool { return o.Left != "" || o.Died || o.Crashed || o.Closed != nil }

// InitializeRefused returns the error that answered ui/initialize, if one did.
func (o *Outcome) InitializeRefused() (Refusal, bool) {
	i := slices.IndexFunc(o.Refusals, func(r Refusal) bool { return r.Method == methodInitialize })
	if i < 0 {
		return Refusal{}, false
	}
	return o.Refusals[i], true
}

const methodInitialize = "ui/initialize"

// Bounds of what is kept of a view, each of which can be as loud as it likes.
const (
	maxKept     = 1000 // violations, refusals and notes, each
	maxRequests = 1000 // pending requests of the view
	maxSubject  = 200  // bytes of a tool's name or URI
)

// Outcome returns what has happened in the view so far.
func (v *View) Outcome() Outcome {
	v.mu.Lock()
	o := v.outcome
	v.mu.Unlock()
	o.Violations, o.Refusals, o.Notes = slices.Clip(o.Violations), slices.Clip(o.Refusals), slices.Clip(o.Notes)
	o.Crashed = v.page.Crashed()
	page := v.viewer.preview.URL() // whose own errors are not the view's
	others := func(url string) bool { return strings.HasPrefix(url, page) }
	o.Exceptions = slices.DeleteFunc(v.page.Exceptions(), func(e chrome.Exception) bool { return others(e.URL) })
	o.Caught = slices.DeleteFunc(v.page.Caught(), func(e chrome.Exception) bool { return others(e.URL) })
	o.Console = slices.DeleteFunc(v.page.Console(), func(m chrome.Message) bool { return others(m.URL) })
	o.FailedLoads = slices.DeleteFunc(v.page.FailedLoads(), func(l chrome.FailedLoad) bool { return !isDocument(l.Document) })
	return o
}

// event takes note of an event of the preview.
func (v *View) event(e preview.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lastAt = time.Now()
	o := &v.outcome
	switch e.Kind {
	case preview.EventOpened:
		if !o.Opened {
			o.Opened, v.openedAt = true, v.lastAt
			v.readDocument()
		}
	case preview.EventFailed:
		o.Failed = e.Err
	case preview.EventInitialized:
		o.Initialized = true
	case preview.EventSized:
		o.Sized, o.Height = true, e.Size.Height
	case preview.EventResult:
		o.Answered, o.Result, o.ResultErr = true, e.Result, e.Err
	case preview.EventViolation:
		o.Violations = keep(o.Violations, e.Violation)
	case preview.EventViewLeft, preview.EventProxyLeft:
		o.Left = e.Kind
	case preview.EventSilent:
		o.Hangs = e.Silence
	case preview.EventBack:
		o.Hangs = 0
	case preview.EventDied:
		o.Died = true
	case preview.EventClosed:
		o.Closed = e.Err
	case preview.EventTrace:
		v.traced(e.Entry)
	}
}

// traced takes note of a message in either direction, or of a note.
func (v *View) traced(e host.TraceEntry) {
	o := &v.outcome
	if v.records {
		v.record.add(e)
	}
	if e.Direction == host.Note {
		if e.Level != host.LevelInfo || e.Kind == host.NoteOtherView {
			o.Notes = keep(o.Notes, e)
		}
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(e.Message, &m) != nil || len(m.ID) == 0 {
		return
	}
	id := string(m.ID)
	switch {
	case e.Direction == host.FromView && m.Method != "":
		o.InitializeSent = o.InitializeSent || m.Method == methodInitialize
		if len(v.requests) < maxRequests {
			v.requests[id] = Refusal{Method: m.Method, Subject: subject(m.Method, m.Params)}
		}
	case e.Direction == host.ToView && m.Method == "":
		if m.Error != nil {
			r := v.requests[id]
			r.Code, r.Message = m.Error.Code, m.Error.Message
			o.Refusals = keep(o.Refusals, r)
		}
		delete(v.requests, id)
	}
}

// subject returns the tool or URI that a request names.
func subject(method string, params json.RawMessage) string {
	var p struct{ Name, URI string }
	switch method {
	case "tools/call", "resources/read":
		_ = json.Unmarshal(params, &p)
	}
	return text.Shorten(p.Name+p.URI, maxSubject)
}

func keep[T any](list []T, v T) []T {
	if len(list) == maxKept {
		return list
	}
	return append(list, v)
}
