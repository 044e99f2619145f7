package host

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A lineLimit bounds what a server's process writes beside its messages.
type lineLimit struct {
	mu   sync.Mutex
	rate bucket
	last []any // events, for pages that come later
}

const keptLines = 200

// serverLine passes on what the server's process writes beside its messages, up
// to 100 lines a second.
func (p *Preview) serverLine(line string) {
	const rate, burst, longest = 100, 1000, 2000
	now := time.Now()
	p.lines.mu.Lock()
	ok := p.lines.rate.take(now, rate, burst)
	dropped := p.lines.rate.report(now)
	p.lines.mu.Unlock()
	if dropped > 0 {
		line = fmt.Sprintf("… %d lines are left out: more than %d a second", dropped, rate)
	} else if !ok {
		return
	}
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	e := map[string]any{"type": "stderr", "text": line, "time": now.UnixMilli()}
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	p.lines.last = append(p.lines.last, e)
	if n := len(p.lines.last); n > keptLines {
		p.lines.last = slices.Delete(p.lines.last, 0, n-keptLines)
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
