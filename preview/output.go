package preview

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
)

// Bounds of what is shown of a server's output.
const (
	outputRate  = 100 // lines per second
	outputBurst = 1000
	outputLine  = 2000 // bytes of a line
	outputKept  = 200  // lines, for pages that are opened later
)

// output is what the server's process writes in addition to its messages.
type output struct {
	rate *ratelimit.Limiter

	mu   sync.Mutex
	kept []any // events
}

// serverLine shows a line that the server's process wrote.
func (p *Preview) serverLine(line string) {
	allowed := p.output.rate.Allow()
	if n := p.output.rate.Refused(); n > 0 {
		p.showLine(fmt.Sprintf("… %d lines are left out: more than %d a second", n, outputRate))
	}
	if !allowed {
		return
	}
	if len(line) > outputLine {
		line = strings.ToValidUTF8(line[:outputLine], "") + "…"
	}
	p.showLine(line)
}

func (p *Preview) showLine(line string) {
	e := map[string]any{"type": "stderr", "text": line, "time": time.Now().UnixMilli()}
	p.output.mu.Lock()
	defer p.output.mu.Unlock()
	p.output.kept = append(p.output.kept, e)
	if n := len(p.output.kept); n > outputKept {
		p.output.kept = slices.Delete(p.output.kept, 0, n-outputKept)
	}
	for _, t := range p.allTabs() {
		t.send(e)
	}
}

// A lineWriter calls line with each line that is written to it.
type lineWriter struct {
	line func(string)
	mu   sync.Mutex
	rest []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, p...)
	for {
		before, after, ok := strings.Cut(string(w.rest), "\n")
		if !ok {
			if len(w.rest) > 64<<10 {
				w.rest = nil
			}
			return len(p), nil
		}
		w.rest = []byte(after)
		w.line(strings.TrimRight(before, "\r"))
	}
}
