package preview

import (
	"path/filepath"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/command"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// A failure says why the server does not run. One of its fields is set.
type failure struct {
	build *devenv.BuildError
	crash map[string]any // the event
}

// serverEnded keeps why the server's process ended or did not start, for all pages.
func (p *Preview) serverEnded(err error) {
	lines, ran := p.process.ended()
	if !p.turns.exclusive {
		return // no process
	}
	t := p.Connection().Target()
	if _, packages := parseGoRun(t.Command); len(packages) > 0 && !ran {
		if e := goBuildError(lines, t.Dir); e != nil {
			p.failure.Store(&failure{build: e})
			return
		}
	}
	words := lastWords(lines)
	p.failure.Store(&failure{crash: map[string]any{
		"type": "crash", "text": err.Error(), "fault": faultOf(words, t.Dir), "lines": words[:min(len(words), crashLines)],
	}})
}

// faultOf returns the panic with which a Go program in the folder dir ended and its
// place, if that is known, such as "panic: no names at main.go:85". It returns "" for
// other programs.
func faultOf(lines []string, dir string) string {
	line, place := command.Fault(strings.Join(lines, "\n"))
	if place == "" {
		return line
	}
	if abs, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(abs, place); err == nil && filepath.IsLocal(rel) {
			place = rel
		}
	}
	return line + " at " + place
}

// serverRuns takes back what serverEnded kept.
func (p *Preview) serverRuns() {
	p.process.runs()
	p.failure.Store(nil)
	for _, t := range p.allTabs() {
		t.buildWorks(theServer)
	}
}

// sendFailure tells a page why the server does not run.
func (p *Preview) sendFailure(t *tab) {
	switch f := p.failure.Load(); {
	case f == nil:
	case f.build != nil:
		t.buildFailed(theServer, f.build)
	default:
		t.send(f.crash)
	}
}

// called keeps what the user of the page called last.
func (t *tab) called(c lastCall) {
	t.mu.Lock()
	t.last = c
	t.mu.Unlock()
}
