package preview

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// An editor follows the edits of a server's sources.
type editor struct {
	target  host.Target
	command bool     // follow the sources of the command
	dirs    []string // and these folders
	sources sources
	known   map[string]stamp // from before the server started

	busy map[string]int // by file: how often in a row it changed as soon as the server ran
	last time.Time      // when the server was last started after an edit

	shown time.Time // when a document that had changed was last read
}

// newEditor looks at the sources of a target. It returns the target with what its
// command is told of them.
func newEditor(ctx context.Context, t host.Target, command bool, dirs []string) (*editor, host.Target) {
	e := &editor{target: t, command: command, dirs: dirs, busy: map[string]int{}}
	e.sources, _ = sourcesOf(ctx, t, command, dirs)
	e.known = e.sources.stamps(nil)
	if len(t.Command) > 0 {
		t.Env = append(t.Env[:len(t.Env):len(t.Env)], e.sources.environment()...)
	}
	return e, t
}

// follow acts upon edits until the preview is closed.
func (e *editor) follow(p *Preview) {
	look := func() map[string]stamp { return e.sources.stamps(p.documents.all()) }
	watch(p.ctx, e.known, look, func(files []string) map[string]stamp {
		programs := false
		var documents []string
		for _, f := range files {
			_, err := os.Stat(f)
			switch {
			case e.sources.restarts(f, err == nil):
				programs = true
			case !e.sources.isProgram(f):
				documents = append(documents, f)
			}
		}
		what := e.name(files)
		if !programs {
			if len(documents) == 0 {
				return nil
			}
			shown, ok := p.reread(what + " changed")
			if shown {
				e.shown = time.Now()
			}
			if len(e.target.Command) == 0 || ok && !e.needsProgram(p, documents, shown) {
				return nil
			}
		}
		return e.restart(p, what)
	})
}

// needsProgram reports whether the server has to be started again after an edit of
// files, when the open views have what their documents are by now: for a file that the
// program embeds and no document is made of, and for one that the server has read and
// keeps. A new file that the program does not embed yet changes nothing before another
// file names it.
func (e *editor) needsProgram(p *Preview, files []string, shown bool) bool {
	known := func(f string) bool { return p.documents.has(f) }
	if !shown && !slices.ContainsFunc(files, known) {
		p.learnDocuments()
	}
	needs := false
	for _, f := range files {
		switch {
		case known(f):
		case e.sources.isEmbedded(f):
			needs = needs || (!shown || p.documents.told()) && e.mayRestart(p, f)
		case e.isInDirs(f):
			needs = needs || !shown && !e.wasShown(f) && e.mayRestart(p, f)
		}
	}
	return needs
}

// mayRestart reports whether a change of a file restarts the server. That of a file
// which changes each time the server starts, since the server writes it, does not.
func (e *editor) mayRestart(p *Preview, file string) bool {
	const (
		soon = 3 * time.Second // after the server was started
		most = 3
	)
	if time.Since(e.last) > soon {
		delete(e.busy, file)
	}
	e.busy[file]++
	if e.busy[file] == most+1 {
		p.log.Warn("a watched file changes each time the server starts, so its changes no longer restart the server", "file", e.name([]string{file}))
	}
	return e.busy[file] <= most
}

// wasShown reports whether a read that found a change may have found this one: of two
// edits in quick succession the first read may have had both.
func (e *editor) wasShown(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.ModTime().Before(e.shown)
}

func (e *editor) isInDirs(file string) bool {
	for _, dir := range e.dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(abs, file); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// restart starts the server again, and returns the files that the new program has in
// addition.
func (e *editor) restart(p *Preview, what string) map[string]stamp {
	p.log.Info("restarting the server after a change", "file", what)
	began := time.Now()
	_ = p.Restart(p.ctx) // a failure is logged and shown on the page
	e.last = time.Now()
	s, complete := sourcesOf(p.ctx, e.target, e.command, e.dirs)
	if !complete {
		return nil // those from before the mistake
	}
	e.sources = s
	stamps := s.stamps(nil)
	for f, s := range stamps {
		if s.time.After(began) { // perhaps after it was built
			delete(stamps, f)
		}
	}
	return stamps
}

// name names files in a sentence, from the command's folder where they are in it.
func (e *editor) name(files []string) string {
	names := make([]string, len(files))
	dir, err := filepath.Abs(e.target.Dir)
	for i, f := range files {
		names[i] = f
		if rel, relErr := filepath.Rel(dir, f); err == nil && relErr == nil && filepath.IsLocal(rel) {
			names[i] = filepath.ToSlash(rel)
		}
	}
	return naming(names)
}
