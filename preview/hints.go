package preview

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// patience is how long a view may take until the preview says what it is missing.
type patience struct {
	initialize time.Duration // from the document until ui/notifications/initialized
	size       time.Duration // from then on until a height
	blank      time.Duration // from the result until something is to be seen
}

var defaultPatience = patience{initialize: 5 * time.Second, size: 3 * time.Second, blank: 3 * time.Second}

// hints say what a view has not done, once for each document: that it has not
// connected, and that nothing of it is to be seen. It may still do so.
type hints struct {
	view     *view
	patience patience

	mu       sync.Mutex
	timer    *time.Timer
	greeting json.RawMessage // the id of ui/initialize; nil before
	ready    bool
	sized    bool // reported a size
	height   int
	said     map[ConsoleKind]bool
	closed   bool
}

// opened begins to wait for the handshake of a document that the page loads.
func (h *hints) opened() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.greeting, h.ready, h.sized, h.height, h.said = nil, false, false, 0, nil
	h.wait(h.patience.initialize, func() {
		switch {
		case h.ready:
		case h.greeting != nil:
			h.say(ConsoleConnect, fmt.Sprintf("app.connect() has not come to its end for %v: the view sent ui/initialize and got the answer, but it did not send ui/notifications/initialized.", h.patience.initialize))
		default:
			h.say(ConsoleConnect, fmt.Sprintf("The view has not called app.connect() for %v, so it gets neither input nor result. Its script failed before, waits for something that does not load, or forgot the call.", h.patience.initialize))
		}
	})
}

// received looks at a message of the view.
func (h *hints) received(msg json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ready || len(msg) > 1<<20 {
		return
	}
	var m struct {
		Method string
		ID     json.RawMessage
	}
	if json.Unmarshal(msg, &m) == nil && m.Method == "ui/initialize" && len(m.ID) > 0 {
		h.greeting = m.ID
	}
}

// sent looks at a message to the view.
func (h *hints) sent(msg json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ready || h.greeting == nil {
		return
	}
	var m struct {
		Method *string
		ID     json.RawMessage
		Error  *struct{ Message string }
	}
	if json.Unmarshal(msg, &m) == nil && m.Method == nil && m.Error != nil && string(m.ID) == string(h.greeting) {
		h.say(ConsoleConnect, "app.connect() failed: the host rejected the view's ui/initialize: "+text.Shorten(m.Error.Message, 500))
	}
}

// initialized ends the wait for the handshake and begins that for a height.
func (h *hints) initialized() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ready = true
	h.wait(h.patience.size, func() {
		switch {
		case h.height > 0:
		case h.sized:
			h.say(ConsoleBlank, "The view reports a height of 0, so its frame keeps its initial height. Content with position: absolute or fixed adds nothing to the height of the document: give html or body a height.")
		default:
			h.view.note(host.LevelWarning, host.NoteDocument, "The view has not reported its size (ui/notifications/size-changed), so its frame keeps its initial height. The App class reports the size unless autoResize is false.")
		}
	})
}

func (h *hints) resized(s host.Size) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sized, h.height = true, s.Height
}

// blank is called when the document says that nothing of it is to be seen.
func (h *hints) blank() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.say(ConsoleBlank, fmt.Sprintf("The view shows nothing %v after its result: its document has neither text nor anything else that can be seen.", h.patience.blank))
}

func (h *hints) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if h.timer != nil {
		h.timer.Stop()
	}
}

// wait says what is missing after a time. h.mu is held, also by missing.
func (h *hints) wait(d time.Duration, missing func()) {
	if h.timer != nil {
		h.timer.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(d, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.closed && h.timer == timer {
			missing()
		}
	})
	h.timer = timer
}

// say reports what is missing, once. h.mu is held.
func (h *hints) say(kind ConsoleKind, text string) {
	if h.closed || h.said[kind] {
		return
	}
	if h.said == nil {
		h.said = make(map[ConsoleKind]bool)
	}
	h.said[kind] = true
	h.view.report(ConsoleEntry{Time: time.Now(), Level: slog.LevelWarn, Kind: kind, Text: text})
}
