package preview

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// patience is how long a view may take until the page says what it is missing.
type patience struct {
	initialize time.Duration // from the document until ui/notifications/initialized
	size       time.Duration // from then on until a height
}

var defaultPatience = patience{initialize: 8 * time.Second, size: 3 * time.Second}

// hints tells the page what a view has not sent. The view may still send it, so that
// these are no errors; programs have the events instead.
type hints struct {
	view     *view
	patience patience

	mu      sync.Mutex
	timer   *time.Timer
	greeted bool // sent ui/initialize
	ready   bool
	sized   bool // reported a size
	height  int
	shown   bool
	closed  bool
}

// opened begins to wait for the handshake.
func (h *hints) opened() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wait(h.patience.initialize, func() string {
		switch {
		case h.ready:
			return ""
		case h.greeted:
			return fmt.Sprintf("The view has sent ui/initialize, but no ui/notifications/initialized after the answer for %v.", h.patience.initialize)
		}
		return fmt.Sprintf("The view has not sent ui/initialize for %v. A script may have failed, or may wait for something that does not load: the console of the browser's developer tools shows the error.", h.patience.initialize)
	})
}

// received looks at a message of the view.
func (h *hints) received(msg json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.greeted {
		return
	}
	var m struct{ Method string }
	h.greeted = json.Unmarshal(msg, &m) == nil && m.Method == "ui/initialize"
}

// initialized ends the wait for the handshake and begins that for a height.
func (h *hints) initialized() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ready = true
	h.show("")
	h.wait(h.patience.size, func() string {
		switch {
		case h.height > 0:
			return ""
		case h.sized:
			return "The view reports a height of 0, so its frame keeps its initial height. Content with position: absolute or fixed adds nothing to the height of the document: give html or body a height."
		}
		return "The view has not reported its size (ui/notifications/size-changed), so its frame keeps its initial height. The App class reports the size unless autoResize is false."
	})
}

func (h *hints) resized(s host.Size) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sized = true
	if h.height = s.Height; s.Height > 0 && h.ready {
		h.show("")
	}
}

func (h *hints) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if h.timer != nil {
		h.timer.Stop()
	}
}

// wait shows what is missing after a time. h.mu is held.
func (h *hints) wait(d time.Duration, missing func() string) {
	if h.timer != nil {
		h.timer.Stop()
	}
	h.timer = time.AfterFunc(d, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if text := missing(); text != "" && !h.closed {
			h.show(text)
		}
	})
}

// show shows a hint, or removes it if text is "". h.mu is held.
func (h *hints) show(text string) {
	if text == "" && !h.shown {
		return
	}
	h.shown = text != ""
	h.view.tab.send(map[string]any{"type": "hint", "view": h.view.name, "text": text, "time": time.Now().UnixMilli()})
}
