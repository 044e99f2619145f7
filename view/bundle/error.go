package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// An Error is a problem at a place in a file.
type Error struct {
	File   string // path in the file system that was bundled
	Line   int    // from 1; 0 where the file as a whole is meant
	Column int    // in bytes, from 1
	Text   string // what is wrong, and the remedy
	Err    error  // the cause, if there is one: fs.ErrNotExist and the like; see Unwrap

	page bool // the page itself can't be read
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// Unwrap returns the cause, unless it is [fs.ErrNotExist] for a file that the page
// names: the resource exists then, and would be reported as not found, without the
// place of the problem.
func (e *Error) Unwrap() error {
	if !e.page && errors.Is(e.Err, fs.ErrNotExist) {
		return nil
	}
	return e.Err
}

// problems collects what is wrong with a document.
type problems struct {
	errs []*Error
	seen map[string]bool
}

func (p *problems) add(e *Error) {
	var cause *Error
	if errors.As(e.Err, &cause) {
		e = cause // it has a more exact place
	}
	if p.seen == nil {
		p.seen = make(map[string]bool)
	}
	if key := e.Error(); !p.seen[key] {
		p.seen[key] = true
		p.errs = append(p.errs, e)
	}
}

// maxProblems is how many problems an error names. A page with more of them has most
// likely one cause, and the error may go to a client.
const maxProblems = 100

// err returns nil, the one problem, or the first ones, one per line.
func (p *problems) err() error {
	switch len(p.errs) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("bundle: %w", p.errs[0])
	}
	sort.SliceStable(p.errs, func(i, j int) bool {
		a, b := p.errs[i], p.errs[j]
		return a.File < b.File || a.File == b.File && (a.Line < b.Line || a.Line == b.Line && a.Column < b.Column)
	})
	all := make([]error, 0, maxProblems)
	for _, e := range p.errs[:min(len(p.errs), maxProblems)] {
		all = append(all, e)
	}
	which := ""
	if len(p.errs) > maxProblems {
		which = fmt.Sprintf(", of which these are the first %d", maxProblems)
	}
	return fmt.Errorf("bundle: %d problems%s:\n%w", len(p.errs), which, errors.Join(all...))
}

// fromMessage converts a message of esbuild about a text that begins at a place of
// its file. An error that a function of this package returned to it becomes the
// cause.
func fromMessage(m api.Message, at place) *Error {
	e := &Error{Text: lowerFirst(m.Text)}
	if cause, ok := m.Detail.(error); ok {
		e.Err = cause
	}
	if l := m.Location; l != nil {
		e.Line, e.Column = at.in(l.Line, l.Column+1)
		space, file, ok := strings.Cut(l.File, ":")
		switch {
		case ok && space == inFiles:
			e.File = file
		case ok && space == inPage:
			e.File = file[:strings.LastIndexByte(file, '#')]
		case ok && space == inRuntime:
			e.File = file
		case ok && space == inEntry: // made by this package
			e.Line, e.Column = 0, 0
		default:
			e.File = l.File
		}
	}
	if m.ID == "empty-glob" || strings.HasPrefix(e.Text, "could not resolve import(") && strings.Contains(e.Text, "*") {
		e.Text = errPattern.Error()
	}
	if m := noExport.FindStringSubmatch(e.Text); m != nil {
		_, module, _ := strings.Cut(m[1], ":")
		e.Text = fmt.Sprintf("%q has no export %q", module, m[2])
		if m[2] == "default" {
			e.Text = fmt.Sprintf("%q has no default export: import what it has by name, in braces", module)
		}
	}
	return e
}

// noExport matches esbuild's message about a name that a module does not export.
var noExport = regexp.MustCompile(`^no matching export in "((?:` + inRuntime + `|` + inFiles + `):[^"]*)" for import "([^"]*)"$`)

// lowerFirst makes a message of esbuild begin in lower case, as Go's errors do.
func lowerFirst(s string) string {
	if len(s) > 1 && 'A' <= s[0] && s[0] <= 'Z' && 'a' <= s[1] && s[1] <= 'z' {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}
