package preview

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/plainlog"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Limits of what the page shows of a server's output.
const (
	outputRate  = 100 // lines per second
	outputBurst = 1000
	outputLine  = 2000 // bytes of a line
	outputKept  = 200  // lines that pages get which are opened later
)

// output is what the server's process writes in addition to its messages.
type output struct {
	rate *ratelimit.Limiter

	mu   sync.Mutex
	kept []map[string]any // events
}

// serverLine shows a line that the server's process wrote.
func (p *Preview) serverLine(line string) {
	allowed := p.output.rate.Allow()
	if n := p.output.rate.Refused(); n > 0 {
		p.showLine(fmt.Sprintf("… %d lines dropped: more than %d per second", n, outputRate))
	}
	if !allowed {
		return
	}
	p.showLine(text.Shorten(line, outputLine))
}

func (p *Preview) showLine(line string) {
	p.showOutput(map[string]any{"type": "stderr", "text": line, "time": time.Now().UnixMilli()})
}

// startsAgain separates what the next process writes from what the last one wrote.
func (p *Preview) startsAgain() {
	if p.turns.exclusive { // there is a process
		p.showOutput(map[string]any{"type": "stderr", "again": true, "time": time.Now().UnixMilli()})
	}
}

func (p *Preview) showOutput(e map[string]any) {
	p.output.mu.Lock()
	defer p.output.mu.Unlock()
	if n := len(p.output.kept); e["again"] != nil && n > 0 && p.output.kept[n-1]["again"] != nil {
		p.output.kept = p.output.kept[:n-1] // a process that wrote nothing
	}
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
	rest := append(w.rest, p...)
	for {
		before, after, ok := bytes.Cut(rest, []byte("\n"))
		if !ok {
			break
		}
		rest = after
		w.line(string(bytes.TrimRight(before, "\r")))
	}
	w.rest = nil
	if len(rest) <= 64<<10 {
		w.rest = bytes.Clone(rest)
	}
	return len(p), nil
}

// A pageLog is a handler of the connection's log that also shows it on the page.
type pageLog struct {
	slog.Handler
	show func(line string)
}

func (l pageLog) Enabled(context.Context, slog.Level) bool { return true }

func (l pageLog) Handle(ctx context.Context, r slog.Record) error {
	l.show(plainlog.Line(r))
	if !l.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

func (l pageLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return pageLog{l.Handler.WithAttrs(attrs), l.show}
}

func (l pageLog) WithGroup(name string) slog.Handler {
	return pageLog{l.Handler.WithGroup(name), l.show}
}
