package main

import (
	"io"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// stdio is standard output and standard error.
type stdio struct{ out, err io.Writer }

// process returns where the standard error of a server's process goes: to ours as
// it is, with the colors that its author expects.
func (s stdio) process() io.Writer {
	if w, ok := s.err.(*text.Writer); ok {
		return w.Unwrap()
	}
	return s.err
}
