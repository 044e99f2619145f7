package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A progress tells the user what a command waits for: on a terminal on a line that is
// written over and removed in the end, elsewhere with a line now and then, and only if
// it takes long.
type progress struct {
	w        io.Writer
	terminal bool
	width    int

	mu    sync.Mutex
	what  string
	since time.Time
	done  chan struct{}
	ended chan struct{}
}

// slowEvery is how often a command whose output is not a terminal says what it waits
// for.
var slowEvery = 10 * time.Second

// newProgress starts to tell on standard error. The caller must call stop, before
// anything else is written there.
func newProgress(std stdio) *progress {
	p := &progress{w: unescaped(std.err), terminal: isTerminal(std.err), width: 80, done: make(chan struct{}), ended: make(chan struct{})}
	if os.Getenv("TERM") == "dumb" {
		p.terminal = false
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 20 {
		p.width = n
	}
	every := slowEvery
	if p.terminal {
		every = time.Second // which shows that it lives
	}
	p.since = time.Now()
	go p.repeat(every)
	return p
}

// set says what is waited for from now on.
func (p *progress) set(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = text.Printable(what)
	if p.terminal {
		p.show()
	}
}

func (p *progress) repeat(every time.Duration) {
	defer close(p.ended)
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticks.C:
			p.mu.Lock()
			p.show()
			p.mu.Unlock()
		}
	}
}

// show writes what is waited for. The caller holds p.mu.
func (p *progress) show() {
	if p.what == "" {
		return
	}
	line := p.what
	if passed := time.Since(p.since); passed >= 2*time.Second {
		line += fmt.Sprintf(" (%d s)", int(passed.Seconds()))
	}
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
	}
	if r := []rune(line); len(r) >= p.width { // a longer one would not be written over
		line = strings.TrimSpace(string(r[:p.width-2])) + "…"
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
}

// stop ends the telling and removes the line.
func (p *progress) stop() {
	close(p.done)
	<-p.ended
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
