package chrome

import (
	"encoding/json"
	"strings"
)

// An Exception is an error that no script of the page, or of a frame in it,
// caught.
type Exception struct {
	Text         string
	URL          string // of the script, or of the document that it is in
	Line, Column int    // from 1
}

const (
	mostEvents     = 100_000
	mostEventBytes = 64 << 20
	mostExceptions = 1000
)

func (p *Page) exception(params json.RawMessage) {
	var e struct {
		ExceptionDetails struct {
			Text                     string
			URL                      string
			LineNumber, ColumnNumber int
			Exception                struct{ Description string }
			StackTrace               struct{ CallFrames []struct{ URL string } }
		}
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	d := e.ExceptionDetails
	text, _, _ := strings.Cut(d.Exception.Description, "\n")
	if text == "" {
		text = d.Text
	}
	if d.URL == "" && len(d.StackTrace.CallFrames) > 0 {
		d.URL = d.StackTrace.CallFrames[0].URL
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.exceptions) < mostExceptions {
		p.exceptions = append(p.exceptions, Exception{shorten(text), d.URL, d.LineNumber + 1, d.ColumnNumber + 1})
	}
}

func (p *Page) streamEvent(params json.RawMessage) {
	var e struct{ Data string }
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.eventBytes += len(e.Data); len(p.events) < mostEvents && p.eventBytes <= mostEventBytes {
		p.events = append(p.events, e.Data)
	}
}

// Events returns what the page received on its streams of server-sent events.
func (p *Page) Events() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.events...)
}

// Exceptions returns the errors that were not caught so far.
func (p *Page) Exceptions() []Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Exception(nil), p.exceptions...)
}
